"""Finds e-mail addresses, spelled out ones too."""

import re
from collections.abc import Iterator
from typing import Final

from gieok.pii.judge import Said
from gieok.pii.model import Found, Kind
from gieok.pii.vocabulary import vocabulary

_LOCAL: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-"
_LONGEST_LOCAL: Final = 64
_NAME: Final = r"(?=[A-Za-z0-9])[A-Za-z0-9\-]{1,63}"
_WRITTEN: Final = re.compile(rf"@{_NAME}(?:\.[A-Za-z0-9\-]{{2,63}}){{1,4}}")
_DOT: Final = r"(?:\s?[(\[]\s?dot\s?[)\]]\s?|\s?(?:점|닷)\s?|\sdot\s|\.)"
_TOP: Final = r"(?:com|net|org|edu|gov|io|dev|me|co|kr|us|uk|jp)(?![a-z])"
_SPOKEN: Final = re.compile(
    rf"(?:\s?[(\[]\s?at\s?[)\]]\s?|\s?골뱅이\s?|\s?@\s?|\sat\s){_NAME}"
    rf"(?:{_DOT}[A-Za-z0-9\-]{{2,63}}){{0,2}}{_DOT}{_TOP}",
    re.IGNORECASE,
)
WORDS: Final = (
    "골뱅이, (at)*, [at]*, ( at )*, [ at ]*, dot com, dot net, dot org, dot co,"
    "dot kr, dot edu, 점컴, 닷컴, 점 컴"
)
_HINT: Final = vocabulary(WORDS)


def emails(said: Said) -> Iterator[Found]:
    """Yield every e-mail address."""
    if "@" in said.text:
        yield from _with_local(said.text, _WRITTEN, 0.99)
    if _HINT.search(said.low):
        yield from _with_local(said.text, _SPOKEN, 0.8)


def _with_local(text: str, form: re.Pattern[str], sure: float) -> Iterator[Found]:
    for at in form.finditer(text):
        before = text[max(0, at.start() - _LONGEST_LOCAL) : at.start()]
        local = len(before) - len(before.rstrip(_LOCAL))
        if local:
            yield Found(at.start() - local, at.end(), Kind.EMAIL, sure)
