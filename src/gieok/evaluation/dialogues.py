"""Reads evaluation sets: dialogues, long-term users and LoCoMo, as one shape."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast
from zoneinfo import ZoneInfo, available_timezones

from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Category, KnownMemory, Role
from gieok.text.patterns import compile_lazily

T = TypeVar("T")
Fields = Mapping[str, Any]

ZONES = {9.0: "Asia/Seoul", 5.5: "Asia/Kolkata"}
"""Zones of offsets that come often; for other whole hours there are Etc/GMT zones."""
MAX_WEST, MAX_EAST = -12, 14
_SESSION = compile_lazily(r"session_(\d+)")


@dataclass(frozen=True, slots=True)
class DialogueMessage:
    """One message of a set; `speaker` where the set names people."""

    id: str
    role: Role
    content: str
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class DialogueSession:
    """One session of a set; `at` carries the user's UTC offset."""

    at: datetime
    messages: tuple[DialogueMessage, ...]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One session with what was known before it (dialogues.jsonl)."""

    id: str
    language: str
    known: tuple[KnownMemory, ...]
    talk: DialogueSession


@dataclass(frozen=True, slots=True)
class EvaluationPerson:
    """Someone with many sessions, and what is asked after the last one."""

    id: str
    language: str
    talks: tuple[DialogueSession, ...]
    questions: tuple[str, ...]


def read_dialogues(path: Path) -> Iterator[Dialogue]:
    """Yield the sessions of a dialogues.jsonl."""
    return read_lines(path, parse_dialogue)


def read_people(path: Path) -> Iterator[EvaluationPerson]:
    """Yield the users of a users.jsonl."""
    return read_lines(path, _parse_person)


def read_conversations(path: Path) -> Iterator[EvaluationPerson]:
    """Yield the conversations of a LoCoMo file.

    `speaker_a` is the user and `speaker_b` the assistant; the names stay as metadata.
    A shared photo's caption is part of the turn: "[shares a photo: …]". Session times
    have no zone there and are taken as UTC. Every question is asked, so also those
    (category 5) that the score leaves out.
    """
    try:
        samples = json.loads(path.read_text("utf-8"))
        yield from (_parse_conversation(sample) for sample in samples)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _create_format_error(path.name, error) from error


def count_lines(path: Path) -> int:
    """Return how many lines hold something."""
    with path.open("rb") as file:
        return sum(bool(line.strip()) for line in file)


def find_zone(at: datetime) -> str:
    """Return an IANA zone with the offset of a time, at that time.

    Where there are several, one that keeps the offset all year goes first.

    Raises:
        InvalidInputError: no zone has this offset then.
    """
    offset = at.utcoffset() or timedelta(0)
    hours = offset.total_seconds() / 3600
    if hours in ZONES:
        return ZONES[hours]
    if hours.is_integer() and MAX_WEST <= hours <= MAX_EAST:
        # POSIX counts westward: Etc/GMT-3 is three hours ahead of Greenwich.
        return f"Etc/GMT{-int(hours):+d}" if hours else "Etc/UTC"
    zone = _find_zone_with(offset, at.astimezone(UTC).replace(minute=0, second=0))
    if zone is None:
        field = "at"
        raise InvalidInputError(field, f"there is no zone for the offset of {at}")
    return zone


@cache
def _find_zone_with(offset: timedelta, hour: datetime) -> str | None:
    """Return the first zone, by name, that has an offset at an hour."""
    half_a_year = timedelta(days=182)

    def has(zone: str, at: datetime) -> bool:
        return at.astimezone(ZoneInfo(zone)).utcoffset() == offset

    fit = [zone for zone in sorted(available_timezones()) if has(zone, hour)]
    steady = (zone for zone in fit if has(zone, hour + half_a_year))
    return next(steady, next(iter(fit), None))


def read_lines(path: Path, read: Callable[[Fields], T]) -> Iterator[T]:
    """Yield what the lines of a file hold.

    Raises:
        InvalidInputError: a line is not as the format says.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                yield read(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise _create_format_error(f"{path.name}:{number}", error) from error


def _create_format_error(place: str, error: Exception) -> InvalidInputError:
    field = "--in"
    problem = f"{place} is not as the format says ({type(error).__name__}: {error})"
    return InvalidInputError(field, problem)


def parse_dialogue(row: Fields) -> Dialogue:
    """Return the session of a line of a dialogues.jsonl."""
    known = tuple(
        KnownMemory(item["id"], item["content"], Category(item["category"]))
        for item in row["known"]
    )
    said = tuple(
        DialogueMessage(str(index), Role(message["role"]), message["content"])
        for index, message in enumerate(row["messages"])
    )
    talk = DialogueSession(parse_aware_time(row["at"]), said)
    return Dialogue(row["id"], normalize_language(row["lang"]), known, talk)


def _parse_person(row: Fields) -> EvaluationPerson:
    talks = tuple(
        DialogueSession(
            parse_aware_time(session["at"]),
            tuple(
                DialogueMessage(
                    message["id"], Role(message["role"]), message["content"]
                )
                for message in session["messages"]
            ),
        )
        for session in row["sessions"]
    )
    questions = tuple(query["q"] for query in row["queries"])
    return EvaluationPerson(
        row["id"], normalize_language(row["lang"]), talks, questions
    )


def _parse_conversation(sample: Fields) -> EvaluationPerson:
    told = cast("dict[str, Any]", sample["conversation"])
    numbers = sorted(
        int(found[1]) for name in told if (found := _SESSION.fullmatch(name))
    )
    talks = tuple(
        DialogueSession(
            parse_locomo_time(told[f"session_{number}_date_time"]),
            tuple(
                _parse_turn(turn, told["speaker_a"])
                for turn in told[f"session_{number}"]
            ),
        )
        for number in numbers
    )
    questions = tuple(dict.fromkeys(str(qa["question"]) for qa in sample["qa"]))
    return EvaluationPerson(sample["sample_id"], "en", talks, questions)


def _parse_turn(turn: Fields, user: str) -> DialogueMessage:
    caption = turn.get("blip_caption")
    shown = f"[shares a photo: {caption}]" if caption else ""
    content = f"{turn['text']} {shown}".strip() or "[…]"
    role = Role.USER if turn["speaker"] == user else Role.ASSISTANT
    return DialogueMessage(turn["dia_id"], role, content, turn["speaker"])


def parse_locomo_time(value: str) -> datetime:
    """Return the time of "1:56 pm on 8 May, 2023", taken as UTC."""
    parsed = datetime.strptime(value.strip(), "%I:%M %p on %d %B, %Y")  # noqa: DTZ007 - next line
    return parsed.replace(tzinfo=UTC)


def parse_aware_time(value: str) -> datetime:
    """Return a time, which has to have a UTC offset."""
    at = datetime.fromisoformat(value)
    if at.tzinfo is None:
        problem = f"{value!r} has no UTC offset"
        raise ValueError(problem)
    return at


def normalize_language(value: str) -> str:
    """Return the language of the person's account; mixed speakers count as Korean."""
    return "en" if value == "en" else "ko"
