"""`eval second` and `eval days`: what later sessions do to what is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from gieok.evaluation.harness import KNOWN_SINCE, MOST_CANDIDATES, Bench
from gieok.evaluation.later_sessions import (
    ExpectedChange,
    LaterSession,
    SixDayPerson,
    has_words,
)
from gieok.kernel.language import FindingOperation
from gieok.kernel.scope import Scope
from gieok.memories import CandidateStatus, Memory, QuarantineReason
from gieok.recall import Filters, HitKind

MOST_SHOWN: Final = 1_000
LATER: Final = timedelta(hours=1)
FIRST: Final = 5
"""Hits that are looked through for an answer."""
WORKER_STEP: Final = timedelta(days=5)
"""How often the worker's turn comes while nothing is said."""
FOUND: Final = 20
"""Messages that are looked through for what should be gone."""
MESSAGES: Final = Filters(kinds=[HitKind.MESSAGE])


MEASURED: Final = (
    "new_plain",
    "new_other",
    "changes",
    "ends",
    "wishes",
    "said",
    "unsure",
    "repeats",
    "unrelated",
    "nothing",
    "claims",
    "remembered",
    "answered",
    "recalled",
    "current",
    "forgotten",
    "answered_later",
    "recalled_later",
    "current_later",
    "card_right",
    "card_wrong",
    "card_missing",
    "card_gone",
    "card_founded",
    "card_placed",
)


@dataclass(slots=True)
class Tally:
    """Counts (hits, cases) by what was measured (`MEASURED`), and what went wrong."""

    counts: dict[str, tuple[int, int]] = field(
        default_factory=dict[str, tuple[int, int]]
    )
    wrong: list[tuple[str, str, str]] = field(
        default_factory=list[tuple[str, str, str]]
    )
    """Session, what was measured, and what was expected."""

    def record(self, measured: str, case: str, *, hit: bool, detail: str = "") -> None:
        """Count one case, and keep what it was if it went wrong."""
        self.count(measured, hit=hit)
        if not hit:
            self.wrong.append((case, measured, detail))

    def count(self, measured: str, *, hit: bool) -> None:
        """Count one case."""
        before, cases = self.counts.get(measured, (0, 0))
        self.counts[measured] = before + hit, cases + 1


@dataclass(frozen=True, slots=True)
class _SessionResult:
    """What is known after a session."""

    session: LaterSession
    known: Mapping[UUID, str]
    """What was known before, by memory: its id in the file."""
    memories: Mapping[UUID, Memory]
    """All there are now, active or not."""
    asked: frozenset[str]
    """What the person is asked about, by its id in the file."""

    def list_new(self) -> list[str]:
        """Return what is in use now and was not known before."""
        return [
            memory.content
            for memory_id, memory in self.memories.items()
            if memory.is_active and memory_id not in self.known
        ]

    def is_in_use(self, name: str) -> bool:
        """Tell whether something known before is in use."""
        return any(
            self.memories[memory_id].is_active
            for memory_id, own in self.known.items()
            if own == name and memory_id in self.memories
        )

    def is_erased(self, name: str) -> bool:
        """Tell whether something known before is gone for good."""
        return not any(
            own == name and memory_id in self.memories
            for memory_id, own in self.known.items()
        )


async def run_session(bench: Bench, session: LaterSession, tally: Tally) -> None:
    """Hold one session with a person of its own and count what it did.

    Only what is in use counts as remembered.
    """
    name = f"{session.id} {len(session.known)} {session.language}"
    scope = await bench.create_person(name, session.language, session.talk)
    bench.clock.set(session.talk.at - KNOWN_SINCE)
    held = await bench.store_known(scope, session.known)
    session_id, _ = await bench.record_session(scope, session.talk)
    outcomes = await bench.gieok.memories.extract(scope, session_id)
    await bench.gieok.erasure.erase_forgotten(scope)
    found = await bench.gieok.memories.candidates(
        scope, status=CandidateStatus.PENDING, limit=MOST_CANDIDATES
    )
    known = {memory_id: item.id for memory_id, item in held.items()}
    after = _SessionResult(
        session,
        known,
        await _load_memories(bench, scope),
        frozenset(
            known[c.target_id]
            for c in found
            if c.operation is FindingOperation.DELETE
            and c.target_id is not None
            and c.target_id in known
        ),
    )
    _score_session(after, tally)
    for one in session.expected:
        for word in one.gone:
            gone = not await _is_findable(bench, scope, word)
            tally.record("said", session.id, hit=gone, detail=word)
    asked = (None, QuarantineReason.AMBIGUOUS)
    quarantined = sum(candidate.held_reason not in asked for candidate in found)
    for number in range(len(outcomes)):
        tally.record("claims", session.id, hit=number >= quarantined)
    bench.gieok.recall.drop(scope)


async def _load_memories(bench: Bench, scope: Scope) -> dict[UUID, Memory]:
    found, _ = await bench.gieok.memories.page(
        scope, include_inactive=True, limit=MOST_SHOWN
    )
    return {memory.memory_id: memory for memory in found}


async def _is_findable(bench: Bench, scope: Scope, word: str) -> bool:
    """Tell whether a word still stands in a memory or in a message that is found."""
    memories = await _load_memories(bench, scope)
    hits_ = await bench.gieok.recall.search(scope, word, limit=FOUND, filters=MESSAGES)
    texts = [*(m.content for m in memories.values()), *(h.content for h in hits_)]
    return any(word.casefold() in text.casefold() for text in texts)


def _score_session(after: _SessionResult, tally: Tally) -> None:
    """Count what one session should have done, and what it should not have."""
    session, case = after.session, after.session.id
    leaving = {
        target
        for one in session.expected
        if one.operation in ("update", "end", "forget")
        for target in one.targets
    }
    for one in session.expected:
        _score_expected(after, one, tally)
    for item in session.known:
        if item.id not in leaving:
            kept = after.is_in_use(item.id)
            tally.record("unrelated", case, hit=kept, detail=item.content)
    if not session.expected:
        new = after.list_new()
        tally.record("nothing", case, hit=not new, detail=str(new))


def _score_expected(after: _SessionResult, one: ExpectedChange, tally: Tally) -> None:
    session = after.session
    told = any(has_words(one.must, content) for content in after.list_new())
    detail = f"{one.operation} {one.targets or one.must}"
    match one.operation:
        case "add":
            name = "new_plain" if session.kind == "new" else "new_other"
            hit = told
        case "update":
            (target,) = one.targets
            name, hit = "changes", told and not after.is_in_use(target)
        case "end":
            (target,) = one.targets
            name, hit = "ends", not after.is_in_use(target)
        case "forget" if one.targets:
            (target,) = one.targets
            name, hit = "wishes", after.is_erased(target)
        case "reinforce":
            (target,) = one.targets
            name, hit = "repeats", after.is_in_use(target) and not after.list_new()
        case "ask":
            name = "unsure"
            hit = all(after.is_in_use(target) for target in one.targets)
        case _:
            return
    tally.record(name, session.id, hit=hit, detail=detail)


async def run_days(
    bench: Bench, person: SixDayPerson, tally: Tally, later: timedelta | None = None
) -> None:
    """Live six days with a person, and count what is known on the seventh.

    With `later`, the same questions are asked once more so long afterwards, after what
    was said word for word has left by the installation's retention.
    """
    scope = await bench.create_person(person.id, person.language, person.talks[0])
    for talk in person.talks:
        await bench.record_session(scope, talk)
        await bench.gieok.settled(scope)
    bench.clock.set(person.asked_at)
    memories = (await _load_memories(bench, scope)).values()
    in_use = [memory.content for memory in memories if memory.is_active]
    for one in person.statements:
        if one.until is None:
            hit = any(has_words(one.must, content) for content in in_use)
            tally.record("remembered", person.id, hit=hit, detail=str(one.must))
    await _score_questions(bench, scope, person, tally)
    for word in person.gone:
        gone = not await _is_findable(bench, scope, word)
        tally.record("forgotten", person.id, hit=gone, detail=word)
    if later is not None:
        await _advance_time(bench, scope, person.asked_at, later)
        await _score_questions(bench, scope, person, tally, "_later")
    bench.gieok.recall.drop(scope)


async def _advance_time(
    bench: Bench, scope: Scope, start: datetime, later: timedelta
) -> None:
    """Let time pass in which nothing is said and the worker goes on."""
    for passed in range(0, later.days, WORKER_STEP.days):
        bench.clock.set(start + timedelta(days=passed))
        await bench.gieok.settled(scope)
    bench.clock.set(start + later)
    await bench.gieok.settled(scope)


async def _score_questions(
    bench: Bench, scope: Scope, person: SixDayPerson, tally: Tally, when: str = ""
) -> None:
    """Count which questions the block and what recall finds first hold an answer to."""
    for question in person.questions:
        block = await bench.gieok.context.build(scope, question.text)
        shown = [line.text for line in (*block.lines, *block.excerpts)]
        answered = any(has_words(question.must, line) for line in shown)
        tally.record(f"answered{when}", person.id, hit=answered, detail=question.text)
        stale = _find_stale(shown, question.outdated)
        tally.record(f"current{when}", person.id, hit=not stale, detail=str(stale))
        hits = await bench.gieok.recall.search(scope, question.text, limit=FIRST)
        recalled = any(has_words(question.must, hit.content) for hit in hits)
        tally.record(f"recalled{when}", person.id, hit=recalled, detail=question.text)


def _find_stale(shown: Sequence[str], outdated: Sequence[str]) -> list[str]:
    told = [line.casefold() for line in shown]
    return [w for w in outdated if any(w.casefold() in line for line in told)]
