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

from gieok.kernel.language import Category, Known, Role
from gieok.surfaces.cli.dialogues import Said, Talk, aware, language_of, lines

Fields = Mapping[str, Any]
Words = tuple[tuple[str, ...], ...]
"""Every inner tuple needs one hit."""

AT = datetime(2026, 3, 2, 10, tzinfo=UTC)
_ROLES = {"u": Role.USER, "a": Role.ASSISTANT}


@dataclass(frozen=True, slots=True)
class Expected:
    """What one session should do: add, update, end, forget, reinforce or ask."""

    operation: str
    targets: tuple[str, ...]
    must: Words
    gone: tuple[str, ...]
    """Words that must not be found any more."""


@dataclass(frozen=True, slots=True)
class LaterSession:
    """One session of somebody of whom `known` is known."""

    id: str
    language: str
    kind: str
    known: tuple[Known, ...]
    talk: Talk
    expected: tuple[Expected, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """Something lasting that was said; `until` is the day it ceased to be true."""

    must: Words
    until: int | None


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked on the next day, and what the block has to hold for it."""

    text: str
    must: Words
    outdated: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Days:
    """One person over six days."""

    id: str
    language: str
    talks: tuple[Talk, ...]
    statements: tuple[Statement, ...]
    questions: tuple[Question, ...]
    gone: tuple[str, ...]
    asked_at: datetime


def hits(must: Words, text: str) -> bool:
    """Tell whether a text holds a word of every group."""
    low = text.casefold()
    return all(any(word.casefold() in low for word in group) for group in must)


def later_sessions(path: Path, known: int) -> Iterator[LaterSession]:
    """Yield every session of everybody, with so many things known.

    What a session is about is always known; the rest is drawn, the same each time.

    Raises:
        InvalidInputError: a line is not as the format says.
    """

    def sessions(person: Fields) -> tuple[LaterSession, ...]:
        return tuple(
            _session(person, number, row, known)
            for number, row in enumerate(person["sessions"])
        )

    for found in lines(path, sessions):
        yield from found


def days(path: Path) -> Iterator[Days]:
    """Yield everybody of a six-day file."""
    return lines(path, _days)


def _session(person: Fields, number: int, row: Fields, most: int) -> LaterSession:
    name = f"{person['id']}/{number}"
    expected = tuple(_expected(fact) for fact in row["facts"])
    needed = [target for one in expected for target in one.targets]
    rest = [item["id"] for item in person["known"] if item["id"] not in needed]
    random.Random(name).shuffle(rest)  # noqa: S311 - a draw that repeats
    chosen = {*needed, *rest[: max(0, most - len(set(needed)))]}
    known = tuple(
        Known(item["id"], item["content"], Category(item["category"]))
        for item in person["known"]
        if item["id"] in chosen
    )
    talk = Talk(AT, _said(row["messages"]))
    kind = str(row.get("kind", ""))
    return LaterSession(name, person["lang"], kind, known, talk, expected)


def _said(messages: Sequence[Sequence[str]]) -> tuple[Said, ...]:
    return tuple(
        Said(str(index), _ROLES[who], text)
        for index, (who, text) in enumerate(messages)
    )


def _expected(fact: Fields) -> Expected:
    target = [fact["target"]] if fact.get("target") else []
    return Expected(
        operation=fact["op"],
        targets=(*target, *fact.get("targets", ())),
        must=_words(fact),
        gone=tuple(fact.get("gone", ())),
    )


def _words(row: Fields) -> Words:
    return tuple(tuple(group) for group in row.get("must", ()))


def _days(row: Fields) -> Days:
    return Days(
        id=row["id"],
        language=language_of(row["lang"]),
        talks=tuple(
            Talk(aware(day["at"]), _said(day["messages"])) for day in row["days"]
        ),
        statements=tuple(
            Statement(_words(one), one.get("until")) for one in row["statements"]
        ),
        questions=tuple(
            Question(one["q"], _words(one), tuple(one.get("not", ())))
            for one in row["questions"]
        ),
        gone=tuple(row.get("gone", ())),
        asked_at=aware(row["at"]),
    )
