"""Finds a number of which one message holds one part and the next one the other."""

import re
from collections.abc import Iterator
from typing import Final

from gieok.pii import checksums
from gieok.pii.judge import Said
from gieok.pii.model import Found, Kind
from gieok.pii.words import CARD, RESIDENT

Parts = tuple[Found, Found]
"""What belongs together, in the earlier and in the later text."""

_EDGE: Final = 48
_TAIL: Final = re.compile(
    r"(?<![\d.\-])(\d(?:[\s.\-]{0,3}\d){2,14})[\s.\-]{0,3}\D{0,8}$"
)
_HEAD: Final = re.compile(r"\D{0,14}?(\d(?:[\s.\-]{0,3}\d){2,14})(?![\d]|[.\-]\d)")
_NOT_DIGIT: Final = re.compile(r"\D")
_MOBILE: Final = re.compile(r"01[016789]\d{7,8}")
_HALF: Final = re.compile(
    r"(?:(?P<front>앞\s?(?:자리|번호|부분|여섯|[은이에])"
    r"|first (?:six|6|half|part)|front)"
    r"|[뒷뒤]\s?(?:자리|번호|부분|일곱)|뒤[는에]|last (?:seven|7|half|part)|back)"
    r"[^\d\n]{0,16}\n?[^\d\n]{0,8}"
)
_SIX: Final = re.compile(r"(?:\d\s?){5}\d(?!\d)")
_SEVEN: Final = re.compile(r"[1-8](?:\s?\d){6}(?!\d)")


def halves(said: Said) -> Iterator[Found]:
    """Yield halves of resident numbers that are announced as such."""
    text = f"{said.last}\n{said.low}" if said.last else said.low
    moved = len(text) - len(said.low)
    for word in _HALF.finditer(text):
        half = (_SIX if word["front"] else _SEVEN).match(text, word.end())
        if half is None or half.start() < moved:
            continue
        digits = _NOT_DIGIT.sub("", half.group())
        if word["front"] and not checksums.born(digits + "1"):
            continue
        yield Found(half.start() - moved, half.end() - moved, Kind.RRN, 0.85)


def split(earlier: str, later: str) -> Parts | None:
    """Return the two parts of a number that two texts share, if they do."""
    reach = max(0, len(earlier) - _EDGE)
    tail = _TAIL.search(earlier, reach)
    head = _HEAD.match(later) if tail else None
    if tail is None or head is None:
        return None
    first, second = (_NOT_DIGIT.sub("", part.group(1)) for part in (tail, head))
    kind = _kind(first, second, (earlier[reach:] + "\n" + later[:_EDGE]).lower())
    if kind is None:
        return None
    return Found(*tail.span(1), kind, 0.75), Found(*head.span(1), kind, 0.75)


def _kind(first: str, second: str, around: str) -> Kind | None:
    both = first + second
    if (len(first), len(second)) == (6, 7):
        told = second[0] != "0" and RESIDENT.search(around)
        if told or (second[0] in "12345678" and checksums.born(both)):
            return Kind.RRN if second[0] in "12349" else Kind.FOREIGNER
    if _MOBILE.fullmatch(both) and len(first) in (3, 6, 7):
        return Kind.PHONE
    quarters = len(first) % 4 == 0 and len(both) == 16  # noqa: PLR2004 - a card
    if quarters and (checksums.card(both) or CARD.search(around)):
        return Kind.CARD
    return None
