"""No session takes a memory out without naming why."""

from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gieok import Gieok, Scope, Turn
from gieok.kernel.language import Basis, Conversation, Finding, FindingOperation
from gieok.memories import HistoryAction, Memory
from support.scripted_model import Script, fact

WHY = {
    HistoryAction.UPDATED: "superseded",
    HistoryAction.DEACTIVATED: "denied",
}

steps = st.lists(
    st.tuples(
        st.sampled_from(list(FindingOperation)),
        st.integers(0, 5),
        st.sampled_from([Basis.STATED, Basis.OBSERVED]),
        st.floats(0, 1),
    ),
    min_size=1,
    max_size=4,
)
sessions = st.lists(steps, min_size=1, max_size=3)


def said(
    conversation: Conversation,
    doing: list[tuple[FindingOperation, int, Basis, float]],
    number: int,
) -> list[Finding]:
    """Return findings that do something to whatever is known."""
    found: list[Finding] = []
    for place, (operation, target, basis, confidence) in enumerate(doing):
        known = [item.id for item in conversation.known]
        chosen = known[target % len(known)] if known else None
        content = f"사용자는 {number}-{place}번을 함"
        finding = fact(content, basis=basis, confidence=confidence)
        adds = operation is FindingOperation.ADD
        found.append(
            replace(finding, operation=operation, target=None if adds else chosen)
        )
    return found


async def memories(memory: Gieok, me: Scope) -> dict[UUID, Memory]:
    page, _ = await memory.memories.page(me, include_inactive=True, limit=1_000)
    return {one.memory_id: one for one in page}


@pytest.mark.req("A07", "D03")
@settings(
    max_examples=12,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(days=sessions, person=st.uuids())
async def test_no_session_takes_out_a_memory_without_naming_why(
    memory: Gieok,
    script: Script,
    days: list[list[tuple[FindingOperation, int, Basis, float]]],
    person: UUID,
) -> None:
    me = memory.person(str(person))
    script.answers.clear()
    for number in range(3):
        await memory.memories.remember(me, f"사용자는 {number}층에 거주")
    for number, doing in enumerate(days):
        before = {k for k, m in (await memories(memory, me)).items() if m.is_active}
        script.computes(lambda c, d=doing, n=number: said(c, d, n))
        session = await memory.sessions.start(me)
        turn = Turn("그렇게 됐어.", "네.")
        await memory.sessions.record(me, session.session_id, turn)
        await memory.memories.extract(me, session.session_id)
        after = await memories(memory, me)
        assert before <= set(after), "what is not asked to be forgotten is not erased"
        for memory_id in before:
            one = after[memory_id]
            if one.is_active:
                continue
            last = (await memory.memories.history(me, memory_id))[-1]
            assert one.inactive_reason == WHY[last.action]
            assert last.session_id == session.session_id
            assert last.old_content == one.content
            if last.action is HistoryAction.UPDATED:
                assert one.superseded_by in after
                assert last.new_content
