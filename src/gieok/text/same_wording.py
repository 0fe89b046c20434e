"""When two wordings say the same, and when one says that something is not so."""

import unicodedata
from typing import Final

from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.text", "patterns.toml")

_FILLER = _LISTS.compile_list("same_wording.filler")
_THOUSANDS = compile_lazily(r"(?<=\d),(?=\d{3}(?!\d))")
_SEPARATORS = compile_lazily(
    r"((?<=\d)[\s.,!?~…'\"·]+(?=\d))|[\s.,!?~…'\"·]+",
)
"""Group 1 stands between two digits and keeps their numbers apart."""
_NEGATION = _LISTS.compile_list("same_wording.negation")


def normalize_content(content: str) -> str:
    """Return the text by which an exact repeat is recognised."""
    folded = unicodedata.normalize("NFKC", content).casefold()
    bare = _FILLER.sub("", folded.strip())
    return _SEPARATORS.sub(lambda run: run[1] or "", _THOUSANDS.sub("", bare))


def remove_subject(content: str) -> str:
    """Return a sentence without the person it is about."""
    return _FILLER.sub("", content.strip())


def is_negated(content: str) -> bool:
    """Tell whether a text says that something is not so."""
    return _NEGATION.search(content) is not None
