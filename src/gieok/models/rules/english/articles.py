"""Which indefinite article stands before an English word: its sound decides."""

import re
from typing import Final

from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

_CONSONANT: Final = _LISTS.compile_list("article.consonant_sound")
_VOWEL: Final = _LISTS.compile_list("article.vowel_sound")
_WHOLE: Final = _LISTS.get_words("article.read_whole")
_FIRST: Final = compile_lazily(r"[^\W_]+(?=(-?))")
_NO_VOWEL: Final = compile_lazily(r"[b-df-hj-np-tv-xz]+", re.IGNORECASE)
_VOWEL_LETTERS: Final = frozenset("AEFHILMNORSX")
"""Letters whose names open with a vowel: "an HR manager"."""
MAX_LETTERS: Final = 4
"""Capitals of a word that is read by its letters rather than shouted, with vowels."""


def select_article(phrase: str) -> str:
    """Return "a" or "an", as the first word of a phrase wants it."""
    first = _FIRST.search(phrase)
    if first is None:
        return "a"
    if _is_read_by_letters(first):
        return "an" if first[0][0].upper() in _VOWEL_LETTERS else "a"
    said = phrase[first.start() :]
    if _CONSONANT.match(said):
        return "a"
    return "an" if said[0].lower() in "aeiou" or _VOWEL.match(said) else "a"


def _is_read_by_letters(first: re.Match[str]) -> bool:
    """Tell whether a word is said letter by letter: "HR", "nhs", the X of "X-ray"."""
    word = first[0]
    if word.lower() in _WHOLE or not word.isalpha():
        return False
    if len(word) > MAX_LETTERS:  # "LGBTQ", "UNHCR"
        return word.isupper() and _NO_VOWEL.fullmatch(word[1:]) is not None
    single = len(word) == 1 and bool(first[1])
    capitals = len(word) > 1 and word[:2].isupper()
    return single or capitals or _NO_VOWEL.fullmatch(word) is not None
