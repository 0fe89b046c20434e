"""English words as Snowball stems, without the words that say nothing."""

from functools import lru_cache
from typing import Protocol, cast

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

from gieok.text.pattern_file import PatternFile

STOPWORDS = PatternFile("gieok.text", "patterns.toml").get_words("english.stopwords")
"""Function words and the endings of ordinals; "may" is a month and stays."""

_REMEMBERED = 65_536
"""Stems kept: stemming in Python costs about 20 µs a word, a look-up 0.1 µs."""


@lru_cache(maxsize=_REMEMBERED)
def stem_word(word: str) -> str:
    """Return the stem of one lower-case word, or "" for a stopword."""
    if word in STOPWORDS:
        return ""
    return _create_stemmer().stemWord(word)


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802  (the vendor's name)


def _create_stemmer() -> _Stemmer:
    """Return a new stemmer: it keeps the word it works on, so threads share none."""
    make = snowballstemmer.stemmer  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return cast("_Stemmer", make("english"))
