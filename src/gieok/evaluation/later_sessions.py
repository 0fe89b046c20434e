"""Later sessions of people of whom something is known, and what they should do.

Two formats, one person a line (`tests/corpora`): many short sessions that each start
from the same known facts, and six days one after the other.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gieok.evaluation.dialogues import (
    DialogueMessage,
    DialogueSession,
    normalize_language,
    parse_aware_time,
    read_lines,
)
from gieok.kernel.language import Category, KnownMemory, Role

LaterFields = Mapping[str, Any]
WordGroups = Sequence[Sequence[str]]
"""Every inner sequence needs one hit."""

AT = datetime(2026, 3, 2, 10, tzinfo=UTC)
_ROLES = {"u": Role.USER, "a": Role.ASSISTANT}


@dataclass(frozen=True, slots=True)
class ExpectedChange:
    """What one session should do: add, update, end, forget, reinforce or ask."""

    operation: str
    targets: tuple[str, ...]
    must: WordGroups
    gone: tuple[str, ...]
    """Words that must not be found any more."""


@dataclass(frozen=True, slots=True)
class LaterSession:
    """One session of somebody of whom `known` is known."""

    id: str
    language: str
    kind: str
    known: tuple[KnownMemory, ...]
    talk: DialogueSession
    expected: tuple[ExpectedChange, ...]


@dataclass(frozen=True, slots=True)
class DayStatement:
    """Something lasting that was said; `until` is the day it ceased to be true."""

    must: WordGroups
    until: int | None


@dataclass(frozen=True, slots=True)
class DayQuestion:
    """What is asked on the next day, and what the block has to hold for it."""

    text: str
    must: WordGroups
    outdated: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SixDayPerson:
    """One person over six days."""

    id: str
    language: str
    talks: tuple[DialogueSession, ...]
    statements: tuple[DayStatement, ...]
    questions: tuple[DayQuestion, ...]
    gone: tuple[str, ...]
    asked_at: datetime


def has_words(must: WordGroups, text: str) -> bool:
    """Tell whether a text holds a word of every group."""
    low = text.casefold()
    return all(any(word.casefold() in low for word in group) for group in must)


def read_later_sessions(path: Path, known: int) -> Iterator[LaterSession]:
    """Yield every session of everybody, with so many things known.

    What a session is about is always known; the rest is drawn, the same each time.

    Raises:
        InvalidInputError: a line is not as the format says.
    """

    def sessions(person: LaterFields) -> tuple[LaterSession, ...]:
        return tuple(
            _parse_session(person, number, row, known)
            for number, row in enumerate(person["sessions"])
        )

    for found in read_lines(path, sessions):
        yield from found


def read_six_days(path: Path) -> Iterator[SixDayPerson]:
    """Yield everybody of a six-day file."""
    return read_lines(path, _parse_six_days)


def _parse_session(
    person: LaterFields, number: int, row: LaterFields, most: int
) -> LaterSession:
    name = f"{person['id']}/{number}"
    expected = tuple(_parse_expected(fact) for fact in row["facts"])
    needed = [target for one in expected for target in one.targets]
    rest = [item["id"] for item in person["known"] if item["id"] not in needed]
    random.Random(name).shuffle(rest)  # noqa: S311 - a draw that repeats
    chosen = {*needed, *rest[: max(0, most - len(set(needed)))]}
    known = tuple(
        KnownMemory(item["id"], item["content"], Category(item["category"]))
        for item in person["known"]
        if item["id"] in chosen
    )
    talk = DialogueSession(AT, parse_messages(row["messages"]))
    kind = str(row.get("kind", ""))
    return LaterSession(name, person["lang"], kind, known, talk, expected)


def parse_messages(messages: Sequence[Sequence[str]]) -> tuple[DialogueMessage, ...]:
    """Return messages written as pairs of who ("u" or "a") and text."""
    return tuple(
        DialogueMessage(str(index), _ROLES[who], text)
        for index, (who, text) in enumerate(messages)
    )


def _parse_expected(fact: LaterFields) -> ExpectedChange:
    target = [fact["target"]] if fact.get("target") else []
    return ExpectedChange(
        operation=fact["op"],
        targets=(*target, *fact.get("targets", ())),
        must=parse_words(fact),
        gone=tuple(fact.get("gone", ())),
    )


def parse_words(row: LaterFields) -> WordGroups:
    """Return what has to be held of a row's `must`: an AND of ORs."""
    return tuple(tuple(group) for group in row.get("must", ()))


def _parse_six_days(row: LaterFields) -> SixDayPerson:
    return SixDayPerson(
        id=row["id"],
        language=normalize_language(row["lang"]),
        talks=tuple(
            DialogueSession(
                parse_aware_time(day["at"]), parse_messages(day["messages"])
            )
            for day in row["days"]
        ),
        statements=tuple(
            DayStatement(parse_words(one), one.get("until"))
            for one in row["statements"]
        ),
        questions=tuple(
            DayQuestion(one["q"], parse_words(one), tuple(one.get("not", ())))
            for one in row["questions"]
        ),
        gone=tuple(row.get("gone", ())),
        asked_at=parse_aware_time(row["at"]),
    )
