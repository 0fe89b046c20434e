"""Finds numbers of which the parts are named, in whatever order: "끝은 …, 앞은 …"."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gieok.pii import words
from gieok.pii.model import PiiFinding, PiiKind
from gieok.pii.scoring import ScannedText
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.pii", "patterns.toml")

_PART: Final = _LISTS.compile_list("named_parts.part")
_DIGITS: Final = compile_lazily(
    r"(?<![\da-z*])(?:[a-z]{2})?\d+(?:[ \-]\d+){0,3}+(?![a-z*]|[ \-.]{0,2}\*|[:.]\d)"
)
_BEGINS: Final = compile_lazily(r"\s?으?로\s?시작")
_COUNTS: Final = _LISTS.compile_list("named_parts.counts")
_YEAR: Final = compile_lazily(r"(?:19|20)\d\d")
_ROUND: Final = "000"
_NAMED: Final = 28
"""Characters from the name of a part to its digits."""
_APART: Final = 40
"""Characters that may stand between two parts of one number."""
_AROUND: Final = 40
"""Characters before the first part and after the last in which its kind is said."""
_SIZES: Final = (
    (PiiKind.RRN, words.RESIDENT, range(10, 14)),
    (PiiKind.SSN, words.SOCIAL, range(8, 10)),
    (PiiKind.PASSPORT, words.PASSPORT, range(7, 10)),
    (PiiKind.DRIVER_LICENSE, words.LICENCE, range(8, 13)),
    (PiiKind.IBAN, words.IBAN, range(12, 33)),
    (PiiKind.ACCOUNT, words.ACCOUNT, range(8, 17)),
    (PiiKind.CARD, words.CARD, range(12, 20)),
)
_MOBILE: Final = compile_lazily(r"01[016789]")
_OF_MOBILE: Final = (10, 11)

_STARRED: Final = compile_lazily(
    r"(?<![\d*])\d[\d \-]{1,12}?(\*{2,8})(?:[ \-]?\d{1,8}){0,3}+(?![\d*])"
)
_REVEALED: Final = 64
"""Characters from a number with stars to what they stand for."""


class _NamedPart(NamedTuple):
    """Digits, and as which part of a number they are named, if as any."""

    start: int
    end: int
    digits: str
    name: str | None
    """"begin", "end", or "" for one between them."""


def find_named_parts(said: ScannedText) -> Iterator[PiiFinding]:
    """Yield numbers said in parts that are named, from the first part to the last."""
    if not _PART.search(said.low):
        return
    for run in _iterate_runs(said.low):
        kind = _classify_run(said.low, run)
        if kind is not None:
            yield PiiFinding(run[0].start, run[-1].end, kind, 0.7)
    yield from _find_revealed(said.low)


def _iterate_runs(low: str) -> Iterator[Sequence[_NamedPart]]:
    """Yield the parts that stand near one another."""
    run: list[_NamedPart] = []
    for part in _iterate_parts(low):
        if run and not _is_continued(low, run[-1], part):
            yield run
            run = []
        run.append(part)
    if run:
        yield run


def _iterate_parts(low: str) -> Iterator[_NamedPart]:
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
        yield _NamedPart(start, end, digits, names[-1] if names else None)


def _is_continued(low: str, one: _NamedPart, two: _NamedPart) -> bool:
    return two.start - one.end <= _APART and "\n" not in low[one.end : two.start]


def _classify_run(low: str, run: Sequence[_NamedPart]) -> PiiKind | None:
    """Return what the parts are together, by the words around them and their size."""
    if not {"begin", "end"} <= {part.name for part in run}:
        return None
    around = low[max(0, run[0].start - _AROUND) : run[-1].end + _AROUND]
    size = sum(len(part.digits) for part in run)
    mobile = any(_MOBILE.fullmatch(part.digits) for part in run)
    if size in _OF_MOBILE and mobile:
        return PiiKind.PHONE
    for kind, names, sizes in _SIZES:
        if size in sizes and names.search(around):
            return kind
    return None


def _find_revealed(low: str) -> Iterator[PiiFinding]:
    """Yield a number with stars and, after it, the digits that they stand for."""
    for number in _STARRED.finditer(low):
        stars, end = len(number[1]), number.end()
        for part in _iterate_parts(low[end : end + _REVEALED].partition("\n")[0]):
            if part.name is not None and len(part.digits) == stars:
                kind = _classify_starred(low, number)
                yield PiiFinding(number.start(), end, kind, 0.7)
                yield PiiFinding(end + part.start, end + part.end, kind, 0.7)


def _classify_starred(low: str, number: re.Match[str]) -> PiiKind:
    """Return what a number with stars is."""
    if _MOBILE.match(number.group()):
        return PiiKind.PHONE
    around = low[max(0, number.start() - _AROUND) : number.end() + _AROUND]
    return PiiKind.CARD if words.CARD.search(around) else PiiKind.ACCOUNT
