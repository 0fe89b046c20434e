"""Tells texts that are Korean, whatever foreign words they hold."""

from typing import Final

from gieok.text.korean import has_hangul
from gieok.text.patterns import compile_lazily

_TOPIC: Final = "[은는]? ?"
_FOREIGN_NOUN: Final = compile_lazily(
    rf"^(?:[가-힣]+ )?[A-Za-z0-9]+(?:{_TOPIC}[A-Za-z0-9]+)?"
    r"(?:임|야|이야|입니다|이에요|예요|에요|이요|인데|이고|충|러)[ .!~ㅋㅎㅠ]*$"
)


def is_mostly_korean(text: str) -> bool:
    """Tell whether a text is mostly Korean."""
    latin = sum(c.isascii() and c.isalpha() for c in text)
    few = latin <= sum("가" <= c <= "힣" for c in text)
    return has_hangul(text) and (few or has_korean_ending(text))


def has_korean_ending(text: str) -> bool:
    """Tell whether a foreign word or two are what somebody is in Korean: "INFP임"."""
    return _FOREIGN_NOUN.match(text) is not None
