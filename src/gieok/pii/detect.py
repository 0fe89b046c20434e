"""Finds sensitive information in texts; nothing is read or written."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import Final

from gieok.kernel.offload import yield_to_loop
from gieok.pii import emails, keys, passwords, topics
from gieok.pii.addresses import find_addresses
from gieok.pii.model import PiiFinding, PiiKind
from gieok.pii.named_parts import find_named_parts
from gieok.pii.numbers import find_numbers
from gieok.pii.scoring import ScannedText
from gieok.pii.split_numbers import (
    REACH,
    STEP,
    find_halves,
    find_scattered,
    find_split_number,
)
from gieok.text.normalization import NormalizedText, normalize_spelling
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily
from gieok.text.spoken_numbers import can_contain_numbers, has_number_words
from gieok.text.vocabulary import VocabularyTest

LAST: Final = 40
"""Characters of the last message that may announce a value."""
RECENT: Final = 200
"""Characters of each of the last messages in which a kind may have been named."""
BACK: Final = 3
"""Messages that count as the last ones."""
MAX_BEFORE: Final = max(BACK, REACH)
"""Messages before one on which it may depend what is found in it."""

_NUMERIC: Final = compile_lazily(
    r"[\d@＠①-⓿⑴-⒛❶-➓\u1100-\u1112\u200b-\u200f\u2060\ufeff\u00ad]"
)
_DIGIT: Final = compile_lazily(r"\d")
_UUID: Final = compile_lazily(
    r"(?<![0-9A-Za-z])[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![0-9A-Za-z])"
)
_ID_LENGTH: Final = 36
_LISTS: Final = PatternFile("gieok.pii", "patterns.toml")


def _read_words() -> Iterator[str]:
    named = ("passwords.words", "passwords.wifi", "keys.words", "emails.words")
    return chain(*map(_LISTS.get_forms, named), *topics.load_topics().values())


_WORTH: Final = VocabularyTest(_read_words)
"""Only with a digit, or one of these in lower case, can a text hold anything."""
_WINDOW: Final = 20_000
"""Characters searched in one call, which no other thread can interrupt."""
_WIDEST: Final = 100
"""Characters that the longest of those words takes, and what must follow it."""
_WORDED: Final = (
    topics.find_topics,
    keys.find_secrets,
    passwords.find_passwords,
    emails.find_emails,
)
_NUMBERED: Final = (find_numbers, find_addresses)
_IN_PARTS: Final = (find_halves, find_scattered, find_named_parts)
_MIN_IN_PARTS: Final = 6
"""Digits without which nothing is a number in parts, nor half of one."""
_HIDDEN: Final = "**"
"""What stands for the digits that a part reveals."""


def find(text: str) -> tuple[PiiFinding, ...]:
    """Return what is sensitive in one text, in order, no two places overlapping."""
    if not _can_hold_pii(text):
        return ()
    spelled: dict[int, NormalizedText] = {}
    found = _normalize_and_find((text,), 0, spelled, "")
    return _resolve_overlaps(spelled[0], found) if found else ()


def is_uuid(text: str) -> bool:
    """Tell whether a text is a UUID, which is nobody's number."""
    return len(text) == _ID_LENGTH and _UUID.fullmatch(text) is not None


def find_all(
    texts: Sequence[str], before: Sequence[str] = ()
) -> list[tuple[PiiFinding, ...]]:
    """Return what is sensitive in each of several messages that follow one another.

    A message may announce what the next one holds, and some may share a number.
    `before` are the messages before these, masked or not; nothing is found in them.
    """
    said = [*before[-MAX_BEFORE:], *texts]
    first = len(said) - len(texts)
    spelled: dict[int, NormalizedText] = {}
    found = [
        _find_in_message(said, place, spelled) for place in range(first, len(said))
    ]
    for place in spelled:
        _add_split_numbers(said, place, spelled, found)
    return [
        _resolve_overlaps(spelled[place], one) if one else ()
        for place, one in enumerate(found, first)
    ]


def _can_hold_pii(text: str) -> bool:
    """Tell whether a text can hold anything at all; most do not."""
    if _NUMERIC.search(text):
        return True
    low = text.lower().replace("’", "'")
    if has_number_words(text, low):
        return True
    spaced = " " + low
    return _WORTH.has_word(spaced, 0, _WINDOW + _WIDEST) or any(
        _WORTH.has_word(spaced, start, start + _WINDOW + _WIDEST)
        for start in range(_WINDOW, len(spaced), _WINDOW)
    )


def _find_in_message(
    said: Sequence[str], place: int, spelled: dict[int, NormalizedText]
) -> list[PiiFinding]:
    """Return what one message holds, and spell it plainly if it may hold anything."""
    text = said[place]
    last = said[place - 1][-LAST:].lower() if place else ""
    asked = last and passwords.KEYWORD.search(last)
    return (
        _normalize_and_find(said, place, spelled, last)
        if asked or _can_hold_pii(text)
        else []
    )


def _normalize_and_find(
    said: Sequence[str], place: int, spelled: dict[int, NormalizedText], last: str
) -> list[PiiFinding]:
    """Return what one message holds, which is spelled plainly for it."""
    spelled[place] = normalize_spelling(said[place])
    written = spelled[place].text
    recent = "\n".join(one[-RECENT:] for one in said[max(0, place - BACK) : place])
    seen = ScannedText(written, written.lower(), last, recent.lower())
    found = _run_finders(_WORDED, seen)
    digits = len(_DIGIT.findall(written))
    if digits:
        numbered = _run_finders(_NUMBERED, seen)
        if digits >= _MIN_IN_PARTS or _HIDDEN in written:
            numbered += _run_finders(_IN_PARTS, seen)
        found += _filter_uuids(written, numbered) if numbered else ()
    return found


def _run_finders(
    finders: Iterable[Callable[[ScannedText], Iterator[PiiFinding]]], seen: ScannedText
) -> list[PiiFinding]:
    found: list[PiiFinding] = []
    for finder in finders:
        yield_to_loop()
        for one in finder(seen):
            yield_to_loop()
            found.append(one)
    return found


def _filter_uuids(written: str, found: Sequence[PiiFinding]) -> Sequence[PiiFinding]:
    """Return what is not a part of a UUID: its digits are nobody's number."""
    starts = [match.start() for match in _UUID.finditer(written)]
    return [
        one
        for one in found
        if bisect_left(starts, one.end) == bisect_right(starts, one.start - _ID_LENGTH)
    ]


def _add_split_numbers(
    said: Sequence[str],
    place: int,
    spelled: dict[int, NormalizedText],
    found: Sequence[list[PiiFinding]],
) -> None:
    """Add the parts of a number that ends in a message and began in those before."""
    if not any(map(_has_number_tail, said[max(0, place - STEP) : place])):
        return
    start, first = max(0, place - REACH), len(said) - len(found)
    texts = [_get_number_tail(said[at], spelled.get(at)) for at in range(start, place)]
    for at, part in find_split_number([*texts, spelled[place].text]).items():
        if start + at >= first:
            found[start + at - first].append(part)


def _has_number_tail(text: str) -> bool:
    end = text[-LAST:]
    return bool(_NUMERIC.search(end)) or can_contain_numbers(end)


def _get_number_tail(text: str, spelled: NormalizedText | None) -> str:
    """Return a text in plain spelling if a number may stand at its end."""
    if not _has_number_tail(text):
        return ""
    return (spelled or normalize_spelling(text)).text


def _resolve_overlaps(
    written: NormalizedText, found: Iterable[PiiFinding]
) -> tuple[PiiFinding, ...]:
    """Return the surest of what overlaps, with its places in the original."""
    kept: list[PiiFinding] = []
    taken = bytearray(len(written.text))
    for one in sorted(_merge_same_kind(found), key=_compute_rank):
        if taken.find(1, one.start, one.end) < 0:
            taken[one.start : one.end] = b"\x01" * (one.end - one.start)
            start, end = written.locate_original(one.start, one.end)
            kept.append(replace(one, start=start, end=end))
    return tuple(sorted(kept, key=attrgetter("start")))


def _merge_same_kind(found: Iterable[PiiFinding]) -> list[PiiFinding]:
    """Return one for all of a kind that overlap: no digit of any may be left."""
    kinds: dict[PiiKind, list[PiiFinding]] = {}
    for one in found:
        kinds.setdefault(one.kind, []).append(one)
    return [one for kind in sorted(kinds) for one in _merge_overlapping(kinds[kind])]


def _merge_overlapping(found: list[PiiFinding]) -> list[PiiFinding]:
    """Return one for all that overlap."""
    united: list[PiiFinding] = []
    for one in sorted(found, key=attrgetter("start")):
        last = united[-1] if united else None
        if last is None or one.start >= last.end:
            united.append(one)
            continue
        end, sure = max(last.end, one.end), max(last.confidence, one.confidence)
        united[-1] = replace(last, end=end, confidence=sure)
    return united


def _compute_rank(one: PiiFinding) -> tuple[bool, float, int]:
    """Order by what outweighs: anything maskable, then how sure, then how long."""
    return one.kind.topic, -one.confidence, one.start - one.end
