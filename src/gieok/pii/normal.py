"""The same text in plain spelling, and the way back to the places in the original.

Full-width and other digits become ASCII, every dash "-", every space " ", invisible
characters go, loose jamo are composed, and numbers read aloud ("공일공", "double
five") become digits.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from gieok.pii.vocabulary import vocabulary

_DASHES: Final = frozenset("−·•ㆍ∙・ーㅡ‧⁃⸱･｡")
_FILLERS: Final = frozenset("\u115f\u1160\u3164\uffa0")
_DROPPED: Final = frozenset({"Cf", "Cc", "Mn", "Me"})
_ODD: Final = re.compile(
    r"[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?"
    r"|[^\x20-\x7e\n\r\t가-힣ㄱ-ㅎㅏ-ㅠㅢㅣ‘’“”…]"
)
_LOOKALIKE: Final = re.compile(
    r"(?<![^\W_])(?=[OolI]{0,3}\d)[\dOolI]{3,}(?![^\W_가-힣])"
)
_ALIKE: Final = re.compile(r"[OolI]")

_SINO: Final = "공영일이삼사오육륙칠팔구"
_SINO_DIGITS: Final = dict(zip(_SINO, "001234566789", strict=True))
SINO_HINT: Final = re.compile(f"[{_SINO}]{{3}}")
_SINO_ONE: Final = (
    rf"(?:[공영일삼사오육륙칠팔구]|이(?![가-힣])|이(?=(?:에|의|다시)?[\s-]?[{_SINO}]))"
)
_SINO_GAP: Final = r"(?:[\s,.-]|에|의|다시|국에){0,3}"
_SINO_RUN: Final = re.compile(
    rf"(?:{_SINO_ONE}|\d)(?:{_SINO_GAP}(?:{_SINO_ONE}|\d)){{6,}}"
)
_SINO_TOKEN: Final = re.compile(rf"[{_SINO}]|국에|다시|[에의]")
_WHOLE_PLUS_PARTICLE: Final = (12, 14, 17)
"""Digits of a mobile, resident or card number, and a subject particle "이"."""

_SAID_DIGITS: Final = {
    "zero": "0",
    "oh": "0",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
}
_SAID: Final = f"(?:{'|'.join(_SAID_DIGITS)})"
SAID: Final = tuple(f"{one}_{two}*" for one in _SAID_DIGITS for two in _SAID_DIGITS)
"""Two digits read aloud, in lower case."""
_SAID_HINT: Final = vocabulary(*SAID)
_SAID_ONE: Final = rf"(?:(?:double|triple)\s)?(?:{_SAID}(?![a-zA-Z])|\d)"
_SAID_RUN: Final = re.compile(
    rf"\b{_SAID_ONE}(?:[\s,.-]{{1,3}}(?:dash\s)?{_SAID_ONE}){{4,}}", re.IGNORECASE
)
_SAID_TOKEN: Final = re.compile(
    rf"(?:(double|triple)\s)?({_SAID}(?![a-zA-Z])|\d)|dash\b", re.IGNORECASE
)
_TIMES: Final = {"double": 2, "triple": 3}


class Plain:
    """A text in plain spelling; `origin` leads back to the text it was made of."""

    __slots__ = ("_layers", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._layers: list[tuple[list[int], list[int]]] = []

    def origin(self, place: int) -> int:
        """Return where a place in the plain text lies in the original."""
        for places, shifts in reversed(self._layers):
            step = bisect_right(places, place) - 1
            place += shifts[step] if step >= 0 else 0
        return place

    def replace(
        self, pattern: re.Pattern[str], spell: Callable[[re.Match[str]], str]
    ) -> None:
        """Spell every match anew, never longer than it was."""
        pieces: list[str] = []
        places: list[int] = []
        shifts: list[int] = []
        last = length = shift = 0
        for match in pattern.finditer(self.text):
            start, end = match.span()
            new = spell(match)
            pieces += (self.text[last:start], new)
            length += start - last + len(new)
            last = end
            if len(new) != end - start:
                shift += end - start - len(new)
                places.append(length)
                shifts.append(shift)
        self.text = "".join([*pieces, self.text[last:]])
        if places:
            self._layers.append((places, shifts))


def plain(text: str) -> Plain:
    """Return the text in plain spelling."""
    result = Plain(text)
    if not text.isascii() and _ODD.search(text):
        result.replace(_ODD, lambda match: _folded(match.group()))
    if _LOOKALIKE.search(result.text):
        result.replace(_LOOKALIKE, _unmistaken)
    if SINO_HINT.search(result.text):
        _inside(result, _SINO_RUN, _SINO_TOKEN, _sino)
    if _SAID_HINT.search(result.text.lower()):
        _inside(result, _SAID_RUN, _SAID_TOKEN, _said)
    return result


@lru_cache(4096)
def _folded(odd: str) -> str:
    if len(odd) > 1:
        return unicodedata.normalize("NFC", odd)
    if odd in _FILLERS or unicodedata.category(odd) in _DROPPED:
        return ""
    if odd in _DASHES or unicodedata.category(odd) == "Pd":
        return "-"
    return " " if odd.isspace() else _same(odd)


def _same(odd: str) -> str:
    """Return the plain letter or digit that is meant, if it is one character."""
    digit = unicodedata.decimal(odd, None)
    same = unicodedata.normalize("NFKC", odd) if digit is None else str(digit)
    same = same if len(same) == 1 else odd
    return same if len(same.lower()) == 1 else same.lower()[0].upper()


def _unmistaken(match: re.Match[str]) -> str:
    """Return a number in which letters stand for the digits they resemble."""
    return _ALIKE.sub(lambda one: "0" if one.group() in "Oo" else "1", match.group())


def _inside(
    text: Plain,
    run: re.Pattern[str],
    token: re.Pattern[str],
    spell: Callable[[str], str],
) -> None:
    """Spell anew the tokens that lie in a run, each in its own place."""
    spans = [_trimmed(match) for match in run.finditer(text.text)]
    if not spans:
        return
    starts = [start for start, _ in spans]

    def within(match: re.Match[str]) -> str:
        at = bisect_right(starts, match.start()) - 1
        inside = at >= 0 and match.end() <= spans[at][1]
        return spell(match.group()) if inside else match.group()

    text.replace(token, within)


def _trimmed(run: re.Match[str]) -> tuple[int, int]:
    """Return a run's place without the particle that may close it."""
    said = run.group()
    count = sum(c in _SINO_DIGITS or c.isdigit() for c in said)
    particle = said[-1] == "이" and count in _WHOLE_PLUS_PARTICLE
    return run.start(), run.end() - particle


def _sino(said: str) -> str:
    if said in _SINO_DIGITS:
        return _SINO_DIGITS[said]
    return "-" if said == "다시" else " "


def _said(spoken: str) -> str:
    words = spoken.lower().split()
    if words[0] == "dash":
        return "-"
    digit = _SAID_DIGITS.get(words[-1], words[-1])
    return digit * _TIMES.get(words[0], 1)
