"""Reads signs that are said in words where a password is announced: "1234 느낌표"."""

import re
from collections.abc import Iterator
from typing import Final

from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.text", "patterns.toml")

PASSWORD: Final = _LISTS.build_vocabulary("spoken_symbols.password")
_SIGNS: Final = _LISTS.get_spellings("spoken_symbols.signs")
_WORDS: Final = "|".join(sorted(_SIGNS, key=len, reverse=True))
_SIGN: Final = compile_lazily(
    rf"(?<=[a-z0-9!-/_]) ?(?:(?<![a-z])|(?=[가-힣]))(?P<after>{_WORDS})"
    r"(?![a-z(]| ?\d*원)(?: (?=[0-9]))?"
    rf"|(?<![a-z가-힣])(?P<before>{_WORDS}) ?(?=[0-9])"
)
_CASE: Final = _LISTS.compile_list("spoken_symbols.case")


_PASSPORT: Final = _LISTS.build_vocabulary("spoken_symbols.passport")
_LETTERS: Final = _LISTS.get_spellings("spoken_symbols.letters")
_LETTER: Final = compile_lazily(rf"(?<![a-z가-힣])(?:{'|'.join(_LETTERS)})(?=[ \-]?\d)")


def find_spoken_letters(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the letter that a passport's number starts with, where it is said."""
    low = text.lower()
    if _PASSPORT.search(low):
        for match in _LETTER.finditer(low):
            yield *match.span(), _LETTERS[match.group()]


def find_spoken_symbols(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the signs that stand in plain spelling for the words that say them."""
    low = text.lower()
    if not PASSWORD.search(low):
        return
    for match in re.finditer(f"{_CASE.pattern}|{_SIGN.pattern}", low):
        if match["letter"]:
            at = match.start("letter")
            yield match.start(), match.end(), text[at]
        else:
            yield match.start(), match.end(), _SIGNS[match["after"] or match["before"]]
