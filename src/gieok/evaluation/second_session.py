"""`eval second` and `eval days`: what later sessions do to what is known."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from gieok.evaluation.dialogues import DialogueMessage, DialogueSession
from gieok.evaluation.harness import KNOWN_SINCE, MAX_CANDIDATES, Bench
from gieok.evaluation.later_sessions import (
    ExpectedChange,
    LaterSession,
    SixDayPerson,
    has_words,
)
from gieok.evaluation.person_state import (
    FIRST_HITS,
    advance_time,
    find_stale,
    is_findable,
    load_memories,
)
from gieok.evaluation.tally import Tally
from gieok.kernel.language import FindingOperation, Role
from gieok.kernel.scope import Scope
from gieok.memories import (
    CandidateStatus,
    ForgetQuestion,
    Memory,
    QuarantineReason,
)

ANSWERED_AFTER = timedelta(days=1)
"""How long after a session the person is asked about what they wished forgotten."""


class _QuestionWords(NamedTuple):
    """How an app's agent asks about a wish, and how people answer."""

    asking: str
    yes: str
    naming: str
    no: str


STAYING = "stays"
"""Kind of a session after which all that is known stays; it may tell something new."""

_WORDS = {
    "ko": _QuestionWords(
        "혹시 잊어 달라고 하신 게 이 중에 있나요? {}",
        "네, 그거예요.",
        "{}, 그거요.",
        "아니요, 없어요.",
    ),
    "en": _QuestionWords(
        "Is one of these what you wanted me to forget? {}",
        "Yes, that one.",
        "{}, please.",
        "No, none of them.",
    ),
}


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

    def is_shown(self, name: str) -> bool:
        """Tell whether it is in use and nothing newer is known to say otherwise."""
        return any(
            self.memories[memory_id].is_active
            and self.memories[memory_id].contradicted_by is None
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
        scope, status=CandidateStatus.PENDING, limit=MAX_CANDIDATES
    )
    known = {memory_id: item.id for memory_id, item in held.items()}
    after = _SessionResult(
        session,
        known,
        await load_memories(bench, scope),
        frozenset(
            known[c.target_id]
            for c in found
            if c.operation is FindingOperation.DELETE
            and c.target_id is not None
            and c.target_id in known
        ),
    )
    _score_session(after, tally)
    await _score_answers(bench, scope, after, tally)
    for one in session.expected:
        for word in one.gone:
            gone = not await is_findable(bench, scope, word)
            tally.record("said", session.id, hit=gone, detail=word)
    asked = (None, QuarantineReason.AMBIGUOUS)
    quarantined = sum(candidate.held_reason not in asked for candidate in found)
    for number in range(len(outcomes)):
        tally.record("claims", session.id, hit=number >= quarantined)
    bench.gieok.recall.drop(scope)


def _build_answer(
    session: LaterSession,
    questions: Sequence[ForgetQuestion],
    meant: Sequence[ForgetQuestion],
) -> DialogueSession:
    """Return how a person is asked and answers, a day after a session.

    They name what they meant if they are asked about several things, and say no where
    it is not among them.
    """
    words = _WORDS["ko" if session.language == "ko" else "en"]
    answer = words.yes if len(questions) == 1 else words.naming
    asking = words.asking.format("; ".join(each.content for each in questions))
    reply = answer.format("; ".join(each.content for each in meant))
    return DialogueSession(
        session.talk.at + ANSWERED_AFTER,
        (
            DialogueMessage("0", Role.ASSISTANT, asking),
            DialogueMessage("1", Role.USER, reply if meant else words.no),
        ),
    )


def _is_meant(
    question: ForgetQuestion,
    known: Mapping[UUID, str],
    wished: Collection[str],
    gone: Sequence[str],
) -> bool:
    """Tell whether a person who is asked would say yes."""
    if question.memory_id is not None:
        return known.get(question.memory_id) in wished
    return bool(gone) and has_words([gone], question.content)


async def _score_answers(
    bench: Bench, scope: Scope, before: _SessionResult, tally: Tally
) -> None:
    """Answer what the person is asked about their wish, and count what goes then."""
    wished = [
        target
        for one in before.session.expected
        if one.operation == "forget"
        for target in one.targets
    ]
    questions = await bench.gieok.memories.questions(scope)
    after = before
    if questions:
        gone = [word for one in before.session.expected for word in one.gone]
        meant = [q for q in questions if _is_meant(q, before.known, wished, gone)]
        talk = _build_answer(before.session, questions, meant)
        session_id, _ = await bench.record_session(scope, talk)
        await bench.gieok.memories.extract(scope, session_id)
        after = replace(before, memories=await load_memories(bench, scope))
    for target in wished:
        hit = after.is_erased(target)
        tally.record("wishes_answered", before.session.id, hit=hit, detail=target)
    for item in before.session.known if questions else ():
        if item.id not in wished and before.is_in_use(item.id):
            kept = after.is_in_use(item.id)
            tally.record(
                "unrelated_answered", before.session.id, hit=kept, detail=item.content
            )


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
        if one.operation in ("update", "end"):
            for target in one.targets:
                hit = not after.is_shown(target)
                tally.record("no_longer_shown", case, hit=hit, detail=target)
    for item in session.known:
        if item.id not in leaving:
            kept, shown = after.is_in_use(item.id), after.is_shown(item.id)
            tally.record("unrelated", case, hit=kept, detail=item.content)
            tally.record("unrelated_shown", case, hit=shown, detail=item.content)
    if not session.expected and session.kind != STAYING:
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
    memories = (await load_memories(bench, scope)).values()
    in_use = [memory.content for memory in memories if memory.is_active]
    for one in person.statements:
        if one.until is None:
            hit = any(has_words(one.must, content) for content in in_use)
            tally.record("remembered", person.id, hit=hit, detail=str(one.must))
    await _score_questions(bench, scope, person, tally)
    for word in person.gone:
        gone = not await is_findable(bench, scope, word)
        tally.record("forgotten", person.id, hit=gone, detail=word)
    if later is not None:
        await advance_time(bench, scope, person.asked_at, later)
        await _score_questions(bench, scope, person, tally, "_later")
    bench.gieok.recall.drop(scope)


async def _score_questions(
    bench: Bench, scope: Scope, person: SixDayPerson, tally: Tally, when: str = ""
) -> None:
    """Count which questions the block and what recall finds first hold an answer to."""
    for question in person.questions:
        block = await bench.gieok.context.build(scope, question.text)
        shown = [line.text for line in (*block.lines, *block.excerpts)]
        answered = any(has_words(question.must, line) for line in shown)
        tally.record(f"answered{when}", person.id, hit=answered, detail=question.text)
        stale = find_stale(shown, question.outdated)
        tally.record(f"current{when}", person.id, hit=not stale, detail=str(stale))
        hits = await bench.gieok.recall.search(scope, question.text, limit=FIRST_HITS)
        recalled = any(has_words(question.must, hit.content) for hit in hits)
        tally.record(f"recalled{when}", person.id, hit=recalled, detail=question.text)
