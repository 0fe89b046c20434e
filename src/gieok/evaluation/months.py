"""`eval months`: what is known of a person over a year (`tests/corpora/months`).

Every person lives through all their sessions, with the worker's turn in between and the
installation's own retention; at some days they are asked what they would ask.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

from gieok.context import Excerpt, Line
from gieok.evaluation.dialogues import (
    DialogueSession,
    normalize_language,
    parse_aware_time,
    read_lines,
)
from gieok.evaluation.harness import MAX_CANDIDATES, Bench
from gieok.evaluation.later_sessions import (
    WordGroups,
    has_words,
    parse_messages,
    parse_words,
)
from gieok.evaluation.person_state import (
    FIRST_HITS,
    advance_time,
    find_stale,
    is_findable,
    load_memories,
)
from gieok.evaluation.tally import Tally
from gieok.kernel.scope import Scope
from gieok.memories import Memory, QuarantineReason

BUDGETS: Final = (300, 800, 1_500)
"""Tokens of the blocks that are asked for."""
USUAL_BUDGET: Final = 800
MIN_CONFIDENCE: Final = 0.5
"""What a prompt asks of a memory (D07); what has faded below it is not in use."""


@dataclass(frozen=True, slots=True)
class LifeFact:
    """Something lasting, first said in session `since`, over since session `until`."""

    text: str
    must: WordGroups
    since: int
    until: int | None


@dataclass(frozen=True, slots=True)
class PassingRemark:
    """What was said in a session and is nothing to remember, or was to be forgotten."""

    text: str
    must: WordGroups
    session: int


@dataclass(frozen=True, slots=True)
class MonthsQuestion:
    """What is asked so many days after the first session."""

    day: int
    text: str
    must: WordGroups
    outdated: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MonthsPerson:
    """One person over months."""

    id: str
    language: str
    talks: tuple[DialogueSession, ...]
    facts: tuple[LifeFact, ...]
    passing: tuple[PassingRemark, ...]
    forgotten: tuple[PassingRemark, ...]
    questions: tuple[MonthsQuestion, ...]

    @property
    def question_days(self) -> list[int]:
        """Return the days on which something is asked, in order."""
        return sorted({question.day for question in self.questions})


class _Lifetime(NamedTuple):
    """A person who is being lived, and what was ever claimed of them."""

    bench: Bench
    scope: Scope
    person: MonthsPerson
    tally: Tally
    claims: dict[UUID, bool]
    """By candidate: whether it ever waited for a reason of its own."""
    asked: list[str]
    """What the person was to be asked about after a wish to forget."""


def read_months(path: Path) -> Iterator[MonthsPerson]:
    """Yield everybody of a file.

    Raises:
        InvalidInputError: a line is not as the format says.
    """
    return read_lines(path, _parse_person)


def _parse_person(row: Mapping[str, Any]) -> MonthsPerson:
    return MonthsPerson(
        id=row["id"],
        language=normalize_language(row["lang"]),
        talks=tuple(
            DialogueSession(
                parse_aware_time(one["at"]), parse_messages(one["messages"])
            )
            for one in row["sessions"]
        ),
        facts=tuple(
            LifeFact(one["text"], parse_words(one), one["since"], one["until"])
            for one in row["facts"]
        ),
        passing=tuple(map(_parse_remark, row["passing"])),
        forgotten=tuple(map(_parse_remark, row["forgotten"])),
        questions=tuple(
            MonthsQuestion(
                one["day"], one["q"], parse_words(one), tuple(one.get("not", ()))
            )
            for one in row["questions"]
        ),
    )


def _parse_remark(row: Mapping[str, Any]) -> PassingRemark:
    return PassingRemark(row["text"], parse_words(row), row["session"])


async def run_months(bench: Bench, person: MonthsPerson, tally: Tally) -> None:
    """Live through a person's sessions and count what is known, and when."""
    scope = await bench.create_person(person.id, person.language, person.talks[0])
    life = _Lifetime(bench, scope, person, tally, {}, [])
    start = person.talks[0].at
    now, waiting = start, person.question_days
    for talk in person.talks:
        while waiting and start + timedelta(days=waiting[0]) < talk.at:
            now = await _score_day(life, now, waiting.pop(0))
        await advance_time(bench, scope, now, talk.at - now)
        await bench.record_session(scope, talk)
        await bench.gieok.settled(scope)
        await _note_claims(life)
        questions = await bench.gieok.memories.questions(scope)
        life.asked.extend(question.content for question in questions)
        now = talk.at
    for day in waiting:
        now = await _score_day(life, now, day)
    await _score_end(life)
    bench.gieok.recall.drop(scope)


async def _score_day(life: _Lifetime, now: datetime, day: int) -> datetime:
    """Advance to a day, score its questions, and return the time."""
    at = life.person.talks[0].at + timedelta(days=day)
    await advance_time(life.bench, life.scope, now, at - now)
    for question in life.person.questions:
        if question.day == day:
            await _score_question(life, question)
    return at


async def _score_question(life: _Lifetime, question: MonthsQuestion) -> None:
    gieok, tally, case = life.bench.gieok, life.tally, life.person.id
    detail = f"{question.day} {question.text} {question.must}"
    for budget in BUDGETS:
        block = await gieok.context.build(
            life.scope, question.text, token_budget=budget
        )
        shown = [*block.lines, *block.excerpts]
        hit = has_words(question.must, "\n".join(line.text for line in shown))
        if budget != USUAL_BUDGET:
            tally.count(f"answered_{budget}", hit=hit)
            continue
        tally.record("answered_months", case, hit=hit, detail=detail)
        tally.count(f"answered_day_{question.day}", hit=hit)
        stale = find_outdated(life.person, question, shown)
        if question.outdated:
            note = f"{question.day} {question.text} {stale}"
            tally.record("current", case, hit=not stale, detail=note)
    hits = await gieok.recall.search(life.scope, question.text, limit=FIRST_HITS)
    found = has_words(question.must, "\n".join(hit.content for hit in hits))
    tally.count("recalled", hit=found)


def find_outdated(
    person: MonthsPerson, question: MonthsQuestion, shown: Sequence[Line | Excerpt]
) -> list[str]:
    """Return the outdated words that a block shows as if they still held.

    A line of the day on which that ended, or later, says the change ("I gave notice at
    the salon"), and is none of them.
    """
    found: list[str] = []
    for word in question.outdated:
        ended = _find_end(person, word)
        lines = [line.text for line in shown if ended is None or line.at < ended]
        found += find_stale(lines, [word])
    return found


def _find_end(person: MonthsPerson, word: str) -> datetime | None:
    """Return when what a word stands for was over, as far as the facts say."""
    ends = [
        person.talks[fact.until].at
        for fact in person.facts
        if fact.until is not None and _is_named(fact, word)
    ]
    return max(ends, default=None)


def _is_named(fact: LifeFact, word: str) -> bool:
    named = [each.casefold() for group in fact.must for each in group]
    own = word.casefold()
    return any(own in each or each in own for each in named)


async def _note_claims(life: _Lifetime) -> None:
    """Note what was claimed by now, and what of it waits for a reason of its own."""
    asked = (None, QuarantineReason.AMBIGUOUS)
    memories = life.bench.gieok.memories
    for one in await memories.candidates(life.scope, limit=MAX_CANDIDATES):
        held = one.held_reason not in asked
        life.claims[one.candidate_id] = held or life.claims.get(one.candidate_id, False)


async def _score_end(life: _Lifetime) -> None:
    """Count what is in use after the last session, and what should not be."""
    person, tally, case = life.person, life.tally, life.person.id
    memories = await load_memories(life.bench, life.scope)
    now = life.bench.clock()
    in_use = [
        memory.content
        for memory in memories.values()
        if memory.is_active and memory.confidence_at(now) >= MIN_CONFIDENCE
    ]
    true_now = [fact for fact in person.facts if fact.until is None]
    for fact in true_now:
        hit = _is_among(fact, in_use)
        tally.record("remembered_months", case, hit=hit, detail=fact.text)
    for content in in_use:
        hit = any(has_words(fact.must, content) for fact in person.facts)
        tally.record("sensible", case, hit=hit, detail=content)
    for remark in person.passing:
        hit = not any(has_words(remark.must, content) for content in in_use)
        tally.record("passing", case, hit=hit, detail=remark.text)
    for memory in memories.values():
        winner = memory.superseded_by and memories.get(memory.superseded_by)
        if winner:
            hit = not _is_lost(memory, true_now, in_use)
            detail = f"{memory.content} <- {winner.content}"
            tally.record("supersessions", case, hit=hit, detail=detail)
    for remark in person.forgotten:
        words = [word for group in remark.must for word in group]
        found = [
            word for word in words if await is_findable(life.bench, life.scope, word)
        ]
        tally.record("forgotten", case, hit=not found, detail=f"{remark.text} {found}")
        asked = any(has_words([words], content) for content in life.asked)
        tally.record(
            "forgotten_asked", case, hit=asked or not found, detail=remark.text
        )
    for held in life.claims.values():
        tally.count("claims", hit=not held)


def _is_among(fact: LifeFact, contents: Sequence[str]) -> bool:
    return any(has_words(fact.must, content) for content in contents)


def _is_lost(
    memory: Memory, true_now: Sequence[LifeFact], in_use: Sequence[str]
) -> bool:
    """Tell whether what was superseded is still true and stands nowhere else."""
    return any(
        has_words(fact.must, memory.content) and not _is_among(fact, in_use)
        for fact in true_now
    )
