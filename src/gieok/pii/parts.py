"""Finds numbers of which the parts are named, in whatever order: "끝은 …, 앞은 …"."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gieok.pii import words
from gieok.pii.judge import Said
from gieok.pii.model import Found, Kind

_PART: Final = re.compile(
    r"(?P<begin>앞|시작|(?<![a-z])(?:first|start(?:s|ing)?|begin(?:s|ning)?)(?![a-z]))"
    r"|(?P<end>뒷|뒤(?=[는에가]|\s?(?:자리|번호|부분|\d))|끝|나머지|마지막"
    r"|(?<![a-z])(?:last|rest|end(?:s|ing)?|remaining)(?![a-z]))"
    r"|가운데|중간|가려진|가린|별표?(?=[은는이가])"
    r"|(?<![a-z])(?:second|third|middle|hidden|masked|starred)(?![a-z])"
)
_DIGITS: Final = re.compile(
    r"(?<![\da-z*])(?:[a-z]{2})?\d+(?:[ \-]\d+){0,3}+(?![a-z*]|[ \-.]{0,2}\*|[:.]\d)"
)
_BEGINS: Final = re.compile(r"\s?으?로\s?시작")
_COUNTS: Final = re.compile(
    r"\s?(?:년|월(?!요)|일(?![가-힣])|시(?![가-힣])|시[에간쯤반]|분(?![가-힣])|원|명|개|회|차|장|건"
    r"|점|살|%|만|천|억|자리|글자|번(?![이호])|호|층|km|cm|kg|won|years?|times|people|dollars|am|pm"
    r"|digits?|numbers?|st|nd|rd|th|hours?|min|days?)"
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_ROUND: Final = "000"
_NAMED: Final = 28
"""Characters from the name of a part to its digits."""
_APART: Final = 40
"""Characters that may stand between two parts of one number."""
_AROUND: Final = 40
"""Characters before the first part and after the last in which its kind is said."""
_SIZES: Final = (
    (Kind.RRN, words.RESIDENT, range(10, 14)),
    (Kind.SSN, words.SOCIAL, range(8, 10)),
    (Kind.PASSPORT, words.PASSPORT, range(7, 10)),
    (Kind.DRIVER_LICENSE, words.LICENCE, range(8, 13)),
    (Kind.IBAN, words.IBAN, range(12, 33)),
    (Kind.ACCOUNT, words.ACCOUNT, range(8, 17)),
    (Kind.CARD, words.CARD, range(12, 20)),
)
_MOBILE: Final = re.compile(r"01[016789]")
_OF_MOBILE: Final = (10, 11)

_STARRED: Final = re.compile(
    r"(?<![\d*])\d[\d \-]{1,12}?(\*{2,8})(?:[ \-]?\d{1,8}){0,3}+(?![\d*])"
)
_REVEALED: Final = 64
"""Characters from a number with stars to what they stand for."""


class _Part(NamedTuple):
    """Digits, and as which part of a number they are named, if as any."""

    start: int
    end: int
    digits: str
    name: str | None
    """"begin", "end", or "" for one between them."""


def parts(said: Said) -> Iterator[Found]:
    """Yield numbers said in parts that are named, from the first part to the last."""
    if not _PART.search(said.low):
        return
    for run in _runs(said.low):
        kind = _kind(said.low, run)
        if kind is not None:
            yield Found(run[0].start, run[-1].end, kind, 0.7)
    yield from _revealed(said.low)


def _runs(low: str) -> Iterator[Sequence[_Part]]:
    """Yield the parts that stand near one another."""
    run: list[_Part] = []
    for part in _parts(low):
        if run and not _goes_on(low, run[-1], part):
            yield run
            run = []
        run.append(part)
    if run:
        yield run


def _parts(low: str) -> Iterator[_Part]:
    last = 0
    for match in _DIGITS.finditer(low):
        start, end = match.span()
        floor = max(last, start - _NAMED)
        before = low[floor:start].rpartition("\n")[2]
        last = end
        if _COUNTS.match(low, end) or _YEAR.fullmatch(match.group()):
            continue
        begins = _BEGINS.match(low, end)
        names = (
            ["begin"]
            if begins
            else [str(name.lastgroup or "") for name in _PART.finditer(before)]
        )
        digits = "".join(filter(str.isdigit, match.group()))
        if digits.endswith(_ROUND):
            continue
        yield _Part(start, end, digits, names[-1] if names else None)


def _goes_on(low: str, one: _Part, two: _Part) -> bool:
    return two.start - one.end <= _APART and "\n" not in low[one.end : two.start]


def _kind(low: str, run: Sequence[_Part]) -> Kind | None:
    """Return what the parts are together, by the words around them and their size."""
    if not {"begin", "end"} <= {part.name for part in run}:
        return None
    around = low[max(0, run[0].start - _AROUND) : run[-1].end + _AROUND]
    size = sum(len(part.digits) for part in run)
    mobile = any(_MOBILE.fullmatch(part.digits) for part in run)
    if size in _OF_MOBILE and mobile:
        return Kind.PHONE
    for kind, names, sizes in _SIZES:
        if size in sizes and names.search(around):
            return kind
    return None


def _revealed(low: str) -> Iterator[Found]:
    """Yield a number with stars and, after it, the digits that they stand for."""
    for number in _STARRED.finditer(low):
        stars, end = len(number[1]), number.end()
        for part in _parts(low[end : end + _REVEALED].partition("\n")[0]):
            if part.name is not None and len(part.digits) == stars:
                kind = _starred(low, number)
                yield Found(number.start(), end, kind, 0.7)
                yield Found(end + part.start, end + part.end, kind, 0.7)


def _starred(low: str, number: re.Match[str]) -> Kind:
    """Return what a number with stars is."""
    if _MOBILE.match(number.group()):
        return Kind.PHONE
    around = low[max(0, number.start() - _AROUND) : number.end() + _AROUND]
    return Kind.CARD if words.CARD.search(around) else Kind.ACCOUNT
