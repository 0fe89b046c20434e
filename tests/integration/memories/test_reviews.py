"""A person reviews candidates after the world has moved on."""

from dataclasses import replace

import pytest

from gieok import Candidate, Gieok, Scope, Turn
from gieok.kernel.errors import ConflictError, NotPermittedError
from gieok.kernel.language import Basis, Conversation, Finding, FindingOperation
from gieok.memories import CandidateStatus
from gieok.surfaces.cli import arguments
from support.database import Owner
from support.scripted_model import Script, fact


async def proposed(
    memory: Gieok, me: Scope, script: Script, operation: FindingOperation
) -> Candidate:
    """Return a waiting candidate about the one thing that is known."""

    def about_it(conversation: Conversation) -> tuple[Finding, ...]:
        found = fact("사용자는 일산에 거주", basis=Basis.OBSERVED)
        target = conversation.known[0].id
        return (replace(found, operation=operation, target=target),)

    script.computes(about_it)
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("일산이야", "네"))
    await memory.settled(me)
    (waiting,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    return waiting


@pytest.mark.req("A07")
@pytest.mark.parametrize(
    ("operation", "known"),
    [
        (FindingOperation.UPDATE, ["사용자는 일산에 거주"]),
        (FindingOperation.REINFORCE, []),
        (FindingOperation.DELETE, []),
    ],
)
async def test_what_a_candidate_was_about_may_be_gone(
    memory: Gieok,
    me: Scope,
    script: Script,
    operation: FindingOperation,
    known: list[str],
) -> None:
    old = await memory.memories.remember(me, "사용자는 마포구에 거주")
    waiting = await proposed(memory, me, script, operation)
    await memory.memories.deactivate(me, old.memory_id)
    await memory.memories.confirm(me, waiting.candidate_id)
    assert [m.content for m in (await memory.memories.page(me))[0]] == known
    with pytest.raises(ConflictError, match="confirmed"):
        await memory.memories.confirm(me, waiting.candidate_id)


@pytest.mark.req("D06")
async def test_a_review_keeps_within_the_persons_limit(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await memory.settings.update(me, {"max_memories": 2})
    for text in ("사용자는 마포구에 거주", "사용자는 커피를 좋아함"):
        await memory.memories.remember(me, text)
    script.says(fact("사용자는 고양이를 키움", basis=Basis.OBSERVED))
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("야옹", "네"))
    await memory.settled(me)
    (waiting,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    await memory.memories.confirm(me, waiting.candidate_id)
    assert (await memory.memories.page(me))[1] == 2


async def test_a_candidate_that_was_confirmed_meanwhile_makes_no_twin(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact("사용자는 고양이를 키움", basis=Basis.OBSERVED))
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("야옹", "네"))
    await memory.settled(me)
    (waiting,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    await memory.memories.remember(me, "고양이를 키움")
    with pytest.raises(ConflictError, match="confirmed"):
        await memory.memories.confirm(me, waiting.candidate_id)
    assert (await memory.memories.page(me))[1] == 1


@pytest.mark.req("A07")
async def test_a_reviewed_denial_sets_aside_and_is_closed(
    memory: Gieok, me: Scope, script: Script
) -> None:
    old = await memory.memories.remember(me, "사용자는 마포구에 거주")
    waiting = await proposed(memory, me, script, FindingOperation.DELETE)
    assert await memory.memories.confirm(me, waiting.candidate_id) is None
    assert not (await memory.memories.get(me, old.memory_id)).is_active
    done = await memory.memories.candidates(me, status=CandidateStatus.CONFIRMED)
    assert waiting.candidate_id in [candidate.candidate_id for candidate in done]


async def observed(memory: Gieok, me: Scope, script: Script) -> Candidate:
    """Return a waiting observation."""
    script.says(fact("사용자는 고양이를 키움", basis=Basis.OBSERVED))
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("야옹", "네"))
    await memory.settled(me)
    (waiting,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    return waiting


@pytest.mark.req("A07")
async def test_a_candidate_is_reached_whatever_came_after_it(
    memory: Gieok, me: Scope, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arguments, "PAGE", 1)
    first = await observed(memory, me, script)
    for text in ("사용자는 늦게 잠", "사용자는 산에 감"):
        script.says(fact(text, basis=Basis.OBSERVED))
        session = await memory.sessions.start(me)
        await memory.sessions.record(me, session.session_id, Turn("아", "네"))
    await memory.settled(me)
    newest, *others = await memory.memories.candidates(me)
    assert await memory.memories.candidates(me, offset=1) == tuple(others)
    await memory.memories.reject(me, newest.candidate_id)
    mark = first.candidate_id.hex[-8:]
    assert await arguments.resolve_candidate(memory, me, mark) == first.candidate_id


@pytest.mark.req("A06")
async def test_a_reviewed_observation_stays_inferred_and_keeps_its_vector(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    waiting = await observed(memory, me, script)
    kept = await memory.memories.confirm(me, waiting.candidate_id)
    assert kept is not None
    assert kept.source_type == "inferred"
    rows = await owner.execute(
        "SELECT embedder FROM user_memories WHERE user_id = %s", [me.user_id]
    )
    assert await rows.fetchall() == [(memory.memories.embedder.name,)]


@pytest.mark.req("D04")
@pytest.mark.parametrize(
    "change", [{"is_enabled": False}, {"allowed_categories": ["location"]}]
)
async def test_a_review_keeps_to_the_settings(
    memory: Gieok, me: Scope, script: Script, change: dict[str, object]
) -> None:
    waiting = await observed(memory, me, script)
    await memory.settings.update(me, change)
    with pytest.raises(NotPermittedError):
        await memory.memories.confirm(me, waiting.candidate_id)
    assert (await memory.memories.page(me))[1] == 0


@pytest.mark.req("D04")
async def test_a_review_may_always_take_away(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await memory.memories.remember(me, "사용자는 마포구에 거주")
    waiting = await proposed(memory, me, script, FindingOperation.DELETE)
    await memory.settings.update(me, {"is_enabled": False})
    await memory.memories.confirm(me, waiting.candidate_id)
    assert (await memory.memories.page(me))[1] == 0


@pytest.mark.req("A09")
async def test_reading_candidates_and_histories_and_rejecting_leave_a_trace(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    waiting = await observed(memory, me, script)
    kept = await memory.memories.remember(me, "사용자는 마포구에 거주")
    await memory.memories.history(me, kept.memory_id)
    await memory.memories.reject(me, waiting.candidate_id)
    lines = await memory.audit.lines(me)
    seen = {(x.event_type, x.target_table, x.target_id) for x in lines}
    assert ("access", "memory_candidates", me.user_id) in seen
    assert ("access", "memory_history", kept.memory_id) in seen
    rows = await owner.execute(
        "SELECT entity FROM memory_updates WHERE user_id = %s AND entity_id = %s",
        [me.user_id, waiting.candidate_id],
    )
    assert await rows.fetchall() == [("memory_candidate",)] * 2
