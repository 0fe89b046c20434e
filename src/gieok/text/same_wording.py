"""When two wordings say the same, and when one says that something is not so."""

import re
import unicodedata

from gieok.text.patterns import compile_lazily

_FILLER = compile_lazily(
    r"^(사용자는|사용자의|사용자|the user|user's|user)\s*:?\s*", re.IGNORECASE
)
_THOUSANDS = compile_lazily(r"(?<=\d),(?=\d{3}(?!\d))")
_SEPARATORS = compile_lazily(
    r"((?<=\d)[\s.,!?~…'\"·]+(?=\d))|[\s.,!?~…'\"·]+",
)
"""Group 1 stands between two digits and keeps their numbers apart."""
_NEGATION = compile_lazily(
    r"(?:\b안\s|않|못\s?|없|아니|그만|싫|끊|\bno\b|\bnot\b|n't\b|\bnever\b"
    r"|\bwithout\b|\bstopped\b|\bquit\b|\bdislikes?\b|\bhates?\b)",
    re.IGNORECASE,
)


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
