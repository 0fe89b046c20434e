"""English words as Snowball stems, without the words that say nothing."""

from functools import lru_cache
from typing import Protocol, cast

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

_NOTHING = """
a about above after again all also am an and any are as at be because been before
being below between both but by can cannot could did do does doing down during each
few for from further had has have having he her here hers herself him himself his how
i if in into is it its itself just me more most my myself no nor not now of off on
once only or other our ours ourselves out over own please same she should so some such
than that the their theirs them themselves then there these they this those through to
too under until up very was we were what when where which while who whom whose why
will with would you your yours yourself yourselves st nd rd th
"""
STOPWORDS = frozenset(_NOTHING.split())
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
