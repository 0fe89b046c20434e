"""Reads labelled wishes to forget: what each is said amid, and all that it means."""

import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gieok.models.rules.lexicon import find_wish

WISHES = Path(__file__).parent / "wishes"
CASUAL = Path(__file__).parent / "casual_wishes"
TALKS = Path(__file__).parent / "wish_talks"
PEOPLE = Path(__file__).parent / "people"
ALONE = (WISHES.name, CASUAL.name)
"""The folders of wishes that stand alone."""
AMID = 0.5
"""How many of the wishes that stand alone are read after a message of the person's."""

Row = dict[str, Any]


class WishCase(NamedTuple):
    """A wish to forget, or what only looks like one, with all that it may mean."""

    person: str
    wish: str
    before: str
    """What the user said before it in the same talk."""
    asked: str
    """What the assistant has just said."""
    known: tuple[str, ...]
    said: tuple[str, ...]
    """The user's earlier messages; of a talk, those of the talk."""
    meant: frozenset[int]
    """The places of what is meant, of `known` and then `said`."""

    @property
    def items(self) -> tuple[str, ...]:
        """Everything that may be meant."""
        return self.known + self.said


def read_wishes(folder: Path = WISHES) -> Iterator[WishCase]:
    """Yield wishes that stand alone, half of them after some other message."""
    for path, number, row in _read_rows(folder):
        first = {"k": 0, "s": len(row["known"])}
        person = f"{folder.name}/{path.stem}/{number}"
        chance = np.random.default_rng(zlib.crc32(person.encode()))
        for text, names in row["wishes"]:
            before = str(chance.choice(row["said"]))
            yield WishCase(
                person,
                text,
                before if chance.random() < AMID else "",
                "",
                tuple(row["known"]),
                tuple(row["said"]),
                frozenset(first[name[0]] + int(name[1:]) for name in names),
            )


def read_wish_talks() -> Iterator[WishCase]:
    """Yield the wishes of short talks."""
    for path, number, row in _read_rows(TALKS):
        for talk in row["talks"]:
            first, known = len(row["known"]), row["known"]
            said = {int(name[1:]) for name in talk["means"] if name[0] == "m"}
            place = _find_wish_place(talk["messages"], said)
            meant = {int(name[1:]) for name in talk["means"] if name[0] == "k"}
            user = [n for n in range(place) if talk["messages"][n][0] == "u"]
            meant |= {first + n for n, each in enumerate(user) if each in said}
            person = f"wish_talks/{path.stem}/{number}"
            yield _build_case(person, talk["messages"], place, known, meant)


def read_people_wishes() -> Iterator[WishCase]:
    """Yield the wishes of people's sessions, of which only known items are labelled."""
    for path in sorted(PEOPLE.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            person = json.loads(line)
            place = {item["id"]: n for n, item in enumerate(person["known"])}
            for session in person["sessions"]:
                yield from _read_session(person, session, place)


def _read_session(
    person: Row, session: Row, place: dict[str, int]
) -> Iterator[WishCase]:
    wished = [fact for fact in session["facts"] if fact["op"] == "forget"]
    messages = session["messages"]
    for quote in dict.fromkeys(fact["quote"] for fact in wished):
        said = [
            n for n, (who, text) in enumerate(messages) if who == "u" and quote in text
        ]
        targets = {fact.get("target") for fact in wished if fact["quote"] == quote}
        if said:
            known = [item["content"] for item in person["known"]]
            meant = {place[target] for target in targets if target in place}
            case = _build_case(person["id"], messages, said[-1], known, meant)
            yield case._replace(said=())


def _build_case(
    person: str,
    messages: Sequence[Sequence[str]],
    place: int,
    known: Sequence[str],
    meant: set[int],
) -> WishCase:
    user = tuple(text for who, text in messages[:place] if who == "u")
    last = messages[place - 1] if place else ["", ""]
    return WishCase(
        person,
        messages[place][1],
        user[-1] if user else "",
        last[1] if last[0] == "a" else "",
        tuple(known),
        user,
        frozenset(meant),
    )


def _find_wish_place(messages: Sequence[Sequence[str]], meant: set[int]) -> int:
    """Return the user's last message after what is meant that asks to forget.

    Where none plainly does, their last message.
    """
    user = [n for n, (who, _) in enumerate(messages) if who == "u"]
    later = [n for n in user if n > max(meant, default=-1)]
    return ([n for n in later if find_wish(messages[n][1])] or user)[-1]


def _read_rows(folder: Path) -> Iterator[tuple[Path, int, Row]]:
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            yield path, number, json.loads(line)
