"""Writes spoken Korean as it is written: dialects, chat spelling and fillers.

What is said stays: a word of a dialect becomes the standard word for it, an ending the
standard ending, and what says nothing goes. The lists stand in `spoken.toml`.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.korean", "spoken.toml")

_FILLERS: Final = _LISTS.compile_list("fillers")
_OPENINGS: Final = _LISTS.compile_list("openings")
_CLOSINGS: Final = _LISTS.compile_list("closings")
_WORD: Final = compile_lazily(r"[가-힣]+")
_SIGNS: Final = " ,;-—~()"
_MORE: Final = "~"
"""Ends a listed word that others may follow ("할매가")."""


@cache
def _load_words() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the whole words, and what begins words."""
    listed = _LISTS.get_spellings("words")
    whole = {said: written for said, written in listed.items() if said[-1] != _MORE}
    begun = {said[:-1]: to for said, to in listed.items() if said[-1] == _MORE}
    return whole, begun


def _standardize_word(match: re.Match[str]) -> str:
    """Return a word in its standard spelling."""
    word = match[0]
    whole, begun = _load_words()
    if word in whole:
        return whole[word]
    lead = next((said for said in _list_beginnings(word) if said in begun), "")
    rest = begun.get(lead, lead) + word[len(lead) :]
    for name in ("stems", "particles", "endings"):
        rest = _LISTS.rewrite(name, rest)
    return rest


def _list_beginnings(word: str) -> list[str]:
    """Return the beginnings of a word, longest first."""
    return [word[:end] for end in range(len(word), 0, -1)]


def standardize_spelling(text: str) -> str:
    """Return spoken Korean in standard spelling, without laughter and fillers."""
    plain = _remove_pictures(unicodedata.normalize("NFC", text))
    plain = _LISTS.rewrite("letters", plain)
    plain = " ".join(_FILLERS.sub(" ", plain).split())
    return _LISTS.rewrite("phrases", _WORD.sub(_standardize_word, plain)).strip()


def _remove_pictures(text: str) -> str:
    """Return the text without emoji and arrows."""
    return "".join(" " if ord(c) >= 0x2190 and not c.isalnum() else c for c in text)  # noqa: PLR2004  (arrows and everything pictorial after them)


def trim_sentence(text: str) -> str:
    """Return a sentence without what opens or closes it and says nothing."""
    shorter = _OPENINGS.sub("", text.strip(_SIGNS)).strip(_SIGNS)
    return _CLOSINGS.sub("", shorter).strip(_SIGNS) or text.strip(_SIGNS)
