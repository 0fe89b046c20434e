"""The chains of all people are verified; the first line that does not fit is named."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from psycopg import Rollback

from gieok import Gieok, Scope
from gieok.audit import service
from gieok.kernel.errors import TamperedError
from gieok.privacy.audit_seals import LAST_SEALED
from support.database import Owner


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


async def cut(owner: Owner, me: Scope, after: int) -> None:
    """Cut a chain off as somebody would who may write everywhere, and knows how."""
    person = {"id": me.user_id, "after": after}
    await owner.execute(
        "DELETE FROM memory_audit_log WHERE user_id = %(id)s AND seq > %(after)s",
        person,
    )
    await owner.execute(
        """
        UPDATE user_counters SET audit_seq = %(after)s, audit_hash = coalesce((
            SELECT hash FROM memory_audit_log
            WHERE user_id = %(id)s AND seq = %(after)s
        ), '\\x00')
        WHERE user_id = %(id)s
        """,
        person,
    )


async def lines(memory: Gieok, me: Scope, many: int) -> None:
    for _ in range(many):
        await memory.sessions.start(me)


@pytest.mark.req("A09")
async def test_an_end_that_was_cut_off_is_noticed_once_it_was_sealed(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    await lines(memory, me, 3)
    await cut(owner, me, 2)
    assert await memory.audit.verify(me) == 2, "nobody can tell before"
    await lines(memory, me, 3)
    seal = await memory.audit.seal()
    assert seal
    assert await memory.audit.verify(me) == 5
    await cut(owner, me, 3)
    with pytest.raises(TamperedError, match="line 4"):
        await memory.audit.verify(me)
    await memory.audit.seal()
    await lines(memory, me, 4)
    await memory.audit.seal()
    with pytest.raises(TamperedError, match="line 5"):
        await memory.audit.verify(me)


@pytest.mark.req("A09")
async def test_nothing_new_is_not_sealed_again(memory: Gieok, me: Scope) -> None:
    await lines(memory, me, 1)
    assert await memory.audit.seal()
    assert await memory.audit.seal() is None


@pytest.mark.req("A09", "A18")
async def test_everybody_who_ever_had_a_chain_is_verified(
    memory: Gieok, me: Scope, other: Scope, owner: Owner
) -> None:
    gone, nothing = memory.person("gone for good"), memory.person("has no key")
    for scope in (me, gone):
        await memory.memories.remember(scope, "고양이를 키운다")
    await memory.settings.update(nothing, {"max_memories": 3})
    await lines(memory, other, 2)
    await memory.erasure.person(gone)
    assert {gone.user_id, nothing.user_id}.isdisjoint(
        await memory.maintenance.vault.keystore.list_people()
    )
    for scope in (gone, nothing):
        await owner.execute(
            "UPDATE memory_audit_log SET reason = 'x' WHERE user_id = %s AND seq = 1",
            [scope.user_id],
        )
    await memory.audit.seal()
    for table in ("memory_audit_log", "user_counters"):
        query = f"DELETE FROM {table} WHERE user_id = %s"
        await owner.execute(query.encode(), [other.user_id])
    found = await memory.audit.verify_all()
    assert me.user_id not in found.broken
    for scope in (gone, nothing, other):
        assert found.broken[scope.user_id] == "memory_audit_log line 1"
    assert found.broken_seal is None


async def test_sealing_reads_no_more_the_more_was_sealed(
    memory: Gieok, me: Scope
) -> None:
    await lines(memory, me, 1)
    seal = await memory.audit.seal()
    assert seal
    pool = memory.maintenance.vault.keystore.pool
    async with pool.connection() as connection, connection.transaction() as tx:
        await connection.execute(
            """
            INSERT INTO audit_heads
            SELECT %s, place, '', %s FROM generate_series(10, 30000) AS place
            """,
            [me.user_id, seal.number],
        )
        await connection.execute("ANALYZE audit_heads")
        found = await connection.execute(
            f"EXPLAIN (ANALYZE, FORMAT JSON) {LAST_SEALED}".encode(), [[me.user_id]]
        )
        (plans,) = await found.fetchone() or ([],)
        reads = list(list_reads(plans[0]["Plan"]))
        assert reads
        assert max(reads) <= 1
        raise Rollback(tx)


def list_reads(plan: dict[str, Any]) -> Iterator[float]:
    """Yield how many heads each step of a plan reads at a time."""
    if plan.get("Relation Name") == "audit_heads":
        yield plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
    for step in plan.get("Plans", []):
        yield from list_reads(step)


@asynccontextmanager
async def harmed(memory: Gieok, statement: str, number: int) -> AsyncGenerator[None]:
    """Harm the seals for as long as the block runs."""
    pool = memory.maintenance.vault.keystore.pool
    async with pool.connection() as connection:
        for table in ("audit_seals", "audit_heads"):
            copy = f"CREATE TABLE copy_{table} AS TABLE {table}"
            await connection.execute(copy.encode())
        for each in statement.split(";"):
            await connection.execute(each.encode(), [number])
    yield
    async with pool.connection() as connection:
        await connection.execute("TRUNCATE audit_heads, audit_seals")
        for table in ("audit_seals", "audit_heads"):
            back = f"INSERT INTO {table} TABLE copy_{table}"
            await connection.execute(back.encode())
            await connection.execute(f"DROP TABLE copy_{table}".encode())


@pytest.mark.req("A09")
@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE audit_seals SET digest = sha256(digest) WHERE number = %s",
        "UPDATE audit_seals SET sealed_at = now() WHERE number = %s",
        "UPDATE audit_heads SET hash = sha256(hash) WHERE number = %s",
        "DELETE FROM audit_heads WHERE number = %s",
        (
            "DELETE FROM audit_heads WHERE number = %s;"
            "DELETE FROM audit_seals WHERE number = %s"
        ),
    ],
)
async def test_a_harmed_seal_is_named(memory: Gieok, me: Scope, harm: str) -> None:
    await lines(memory, me, 1)
    seal = await memory.audit.seal()
    assert seal
    await lines(memory, me, 1)
    await memory.audit.seal()
    async with harmed(memory, harm, seal.number):
        found = await memory.audit.verify_all([])
        assert found.broken_seal == seal.number
    assert (await memory.audit.verify_all([])).broken_seal is None


@pytest.mark.req("A09")
async def test_seals_that_were_cut_off_are_noticed_by_who_put_one_aside(
    memory: Gieok, me: Scope
) -> None:
    await lines(memory, me, 1)
    aside = await memory.audit.seal()
    assert aside
    harm = (
        "DELETE FROM audit_heads WHERE number >= %s;"
        "DELETE FROM audit_seals WHERE number >= %s"
    )
    async with harmed(memory, harm, aside.number):
        assert (await memory.audit.verify_all([])).broken_seal is None
        found = await memory.audit.verify_all([], kept=[aside])
        assert found.broken_seal == aside.number
    assert (await memory.audit.verify_all([], kept=[aside])).broken_seal is None
