"""Gives given names their capital: "bobbys in goal" is read as "Bobby's in goal".

Who types without capitals names people as well; a word in lower case is taken for a
thing, and what is said of it for somebody's order or a fragment.
"""

import re
from typing import Final

from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.english", "names.toml")

GIVEN_NAMES: Final = _LISTS.get_words("names.given")
"""Given names in lower case that are no other word."""
_WORD: Final = compile_lazily(r"(?<![\w'’@#/.-])[a-z]{3,}(?![\w@/-]|\.\w)")


def restore_capitals(text: str) -> str:
    """Return a text with a capital for every given name that is in lower case."""

    def capitalize(match: re.Match[str]) -> str:
        word = match[0]
        return word.capitalize() if word in GIVEN_NAMES else word

    return _WORD.sub(capitalize, text)
