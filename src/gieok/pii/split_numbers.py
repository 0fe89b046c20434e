"""Finds a number that is said in parts, over several messages."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from gieok.pii import checksums
from gieok.pii.model import PiiFinding, PiiKind
from gieok.pii.scoring import ScannedText
from gieok.pii.words import CARD, LICENCE, RESIDENT, SOCIAL
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.pii", "patterns.toml")

PARTS: Final = 4
"""Most parts of a number, as of a card said four digits at a time."""
STEP: Final = 2
"""How many messages back the part before may stand: somebody answers in between."""
REACH: Final = (PARTS - 1) * STEP
"""How many messages back the first part may stand."""

_EDGE: Final = 48
_DIGITS: Final = r"\d(?:[\s.\-]{0,3}\d){2,14}"
_TAIL: Final = compile_lazily(rf"(?<![\d.\-])({_DIGITS})[\s.\-]{{0,3}}\D{{0,8}}$")
_HEAD: Final = compile_lazily(rf"\D{{0,14}}?({_DIGITS})(?![\d]|[.\-]\d)")
_NOT_DIGIT: Final = compile_lazily(r"\D")
_MOBILE: Final = compile_lazily(r"01[016789]\d{7,8}")
_FIRST_OF_MOBILE: Final = (3, 6, 7)
_HALF: Final = _LISTS.compile_list("split_numbers.half")
_SIX: Final = compile_lazily(r"(?:\d\s?){5}\d(?!\d)")
_SEVEN: Final = compile_lazily(r"[1-8](?:\s?\d){6}(?!\d|\s?(?:원|won))")


_GROUP: Final = compile_lazily(r"\d+(?:[ .\-]{1,3}\d+)*+")
_APART: Final = 28
"""Characters that may stand between two parts of a number in one message."""
_COUNTS: Final = _LISTS.compile_list("split_numbers.counts")
_BETWEEN_MOBILE: Final = frozenset({3, 6, 7, 10, 11})
"""After how many digits a mobile number may be set apart."""
_WRITTEN_AS: Final = (
    ((3, 2, 4), PiiKind.SSN, SOCIAL),
    ((2, 2, 6, 2), PiiKind.DRIVER_LICENSE, LICENCE),
)


class NumberPart(NamedTuple):
    """Digits of one message that may go on in another one."""

    place: int
    span: tuple[int, int]
    digits: str


def find_halves(said: ScannedText) -> Iterator[PiiFinding]:
    """Yield halves of resident numbers that are announced as such.

    A first half that was masked already announces the second one.
    """
    text = f"{said.last}\n{said.low}" if said.last else said.low
    moved = len(text) - len(said.low)
    for word in _HALF.finditer(text):
        half = (_SIX if word["front"] else _SEVEN).match(text, word.end())
        if half is None or half.start() < moved:
            continue
        digits = _NOT_DIGIT.sub("", half.group())
        if word["front"] and not checksums.has_birth_date(digits + "1"):
            continue
        yield PiiFinding(half.start() - moved, half.end() - moved, PiiKind.RRN, 0.85)


def find_scattered(said: ScannedText) -> Iterator[PiiFinding]:
    """Yield numbers whose parts stand in one message, with words between them."""
    parts = [
        NumberPart(0, match.span(), _NOT_DIGIT.sub("", match.group()))
        for match in _GROUP.finditer(said.text)
    ]
    for first in range(len(parts) - 1):
        for last in range(first + 1, min(first + PARTS, len(parts))):
            if not _is_continued(said.text, parts[last - 1], parts[last]):
                break
            some = parts[first : last + 1]
            kind = _classify_parts(said, some)
            if kind is not None:
                yield PiiFinding(some[0].span[0], some[-1].span[1], kind, 0.7)


def _is_continued(text: str, one: NumberPart, two: NumberPart) -> bool:
    """Tell whether only words stand between two parts, and none that counts."""
    between = text[one.span[1] : two.span[0]]
    if len(between) > _APART or "\n" in between or _COUNTS.match(between):
        return False
    return not _COUNTS.match(text, two.span[1]) and "*" not in between


def _classify_parts(said: ScannedText, parts: Sequence[NumberPart]) -> PiiKind | None:
    """Return what parts of one message are together, if they are anything whole."""
    sizes = tuple(len(part.digits) for part in parts)
    whole = "".join(part.digits for part in parts)
    ends = {sum(sizes[: at + 1]) for at in range(len(sizes))}
    if _MOBILE.fullmatch(whole) and ends <= _BETWEEN_MOBILE:
        return PiiKind.PHONE
    span = parts[0].span[0], parts[-1].span[1]
    around = "\n".join((said.get_context(span)[0], said.low[span[0] : span[1]]))
    if sizes == (6, 7) and checksums.has_birth_date(whole) and RESIDENT.search(around):
        return PiiKind.RRN if whole[6] in "12349" else PiiKind.FOREIGNER
    if len(whole) == 16 and not any(size % 4 for size in sizes):  # noqa: PLR2004 - a card
        return (
            PiiKind.CARD
            if CARD.search(around) or checksums.is_card_number(whole)
            else None
        )
    for written, kind, words in _WRITTEN_AS:
        if sizes == written and words.search(around):
            return kind
    return None


def find_split_number(texts: Sequence[str]) -> Mapping[int, PiiFinding]:
    """Return the parts of a number that ends in the last text, by their text.

    Between two parts there is one text of another kind at most.
    """
    last = len(texts) - 1
    head = _build_part(last, _HEAD.match(texts[last]))
    chain = _find_chain(texts, (head,)) if head else None
    if chain is None:
        return {}
    kind, parts = chain
    return {part.place: PiiFinding(*part.span, kind, 0.75) for part in parts}


def _find_chain(
    texts: Sequence[str], parts: tuple[NumberPart, ...]
) -> tuple[PiiKind, tuple[NumberPart, ...]] | None:
    """Return the whole number that these parts end, with what begins it."""
    nearest = parts[0].place
    for place in range(nearest - 1, max(-1, nearest - 1 - STEP), -1):
        text = texts[place]
        tail = _build_part(place, _TAIL.search(text, max(0, len(text) - _EDGE)))
        if tail is None:
            continue
        begun = (tail, *parts)
        if kind := _classify_chain(texts, begun):
            return kind, begun
        middle = _HEAD.match(text)
        if len(begun) < PARTS and middle and middle.span(1) == tail.span:
            whole = _find_chain(texts, begun)
            if whole:
                return whole
    return None


def _build_part(place: int, match: re.Match[str] | None) -> NumberPart | None:
    if match is None:
        return None
    return NumberPart(place, match.span(1), _NOT_DIGIT.sub("", match.group(1)))


def _classify_chain(
    texts: Sequence[str], parts: Sequence[NumberPart]
) -> PiiKind | None:
    """Return what the parts are together, if they are anything whole."""
    sizes = [len(part.digits) for part in parts]
    whole = "".join(part.digits for part in parts)
    first, last = parts[0], parts[-1]
    around = texts[first.place][-_EDGE:] + "\n" + texts[last.place][:_EDGE]
    if len(whole) == 13 and _is_resident_number(sizes, whole, around.lower()):  # noqa: PLR2004 - as given
        return PiiKind.RRN if whole[6] in "12349" else PiiKind.FOREIGNER
    if _MOBILE.fullmatch(whole) and sizes[0] in _FIRST_OF_MOBILE:
        return PiiKind.PHONE
    quarters = len(whole) == 16 and not any(size % 4 for size in sizes)  # noqa: PLR2004 - a card
    if quarters and (checksums.is_card_number(whole) or CARD.search(around.lower())):
        return PiiKind.CARD
    return None


def _is_resident_number(sizes: Sequence[int], whole: str, around: str) -> bool:
    """Tell whether thirteen digits in parts are a resident or foreigner number."""
    told = whole[6] != "0" and bool(RESIDENT.search(around))
    if sizes == [6, 7]:
        return told or checksums.has_birth_date(whole)
    return checksums.has_birth_date(whole) and (
        told or checksums.is_bare_resident_number(whole)
    )
