"""The chains of all people are verified; the first line that does not fit is named."""

import pytest

from conftest import Owner
from gieok import Gieok, Scope
from gieok.audit import service
from gieok.kernel.errors import TamperedError


@pytest.mark.req("A09")
async def test_everyones_chain_is_verified_and_the_first_broken_line_named(
    memory: Gieok, me: Scope, other: Scope, owner: Owner
) -> None:
    for number in range(3):
        await memory.memories.remember(me, f"사실 {number}")
    await memory.memories.remember(other, "하나")
    await owner.execute(
        "UPDATE memory_audit_log SET reason = 'x' WHERE user_id = %s AND seq >= 2",
        [me.user_id],
    )
    steps: list[tuple[int, int]] = []
    found = await memory.audit.verify_all(
        [me.user_id, other.user_id], lambda *step: steps.append(step)
    )
    assert (found.people, steps) == (2, [(1, 2), (2, 2)])
    assert found.broken == {me.user_id: "memory_audit_log line 2"}
    assert found.lines == await memory.audit.verify(other) > 0


@pytest.mark.req("A09")
@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM memory_audit_log WHERE user_id = %(id)s AND seq = 7",
        "DELETE FROM memory_audit_log WHERE user_id = %(id)s AND seq >= 7",
        "UPDATE memory_audit_log SET seq = 100 WHERE user_id = %(id)s AND seq = 7",
        "UPDATE memory_audit_log SET hash = '0' WHERE user_id = %(id)s AND seq = 7",
    ],
)
async def test_a_chain_longer_than_a_batch_is_verified_to_its_end(
    memory: Gieok,
    me: Scope,
    owner: Owner,
    harm: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(service, "BATCH", 3)
    for number in range(9):
        await memory.memories.remember(me, f"사실 {number}")
    assert await memory.audit.verify(me) >= 9
    await owner.execute(harm, {"id": me.user_id})  # pyright: ignore[reportArgumentType] - ours
    with pytest.raises(TamperedError, match="line 7"):
        await memory.audit.verify(me)


@pytest.mark.req("D16")
async def test_reads_of_memory_are_listed_by_person(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    await memory.memories.remember(me, "고양이를 키운다")
    await memory.recall.search(me, "고양이")
    found = await memory.audit.lines(me, event="access")
    assert found
    assert {line.event_type for line in found} == {"access"}
    assert await memory.audit.lines(other, event="access") == ()
