"""Forgetting costs as much as is forgotten, however much else is remembered."""

from uuid import UUID

import pytest
from psycopg import Rollback

from gieok import Gieok, Scope
from gieok.memories import store
from support.database import Owner
from support.memory_talk import list_memories
from support.plans import count_read_rows

MANY = 3_000


async def _multiply(owner: Owner, me: Scope) -> list[UUID]:
    """Copy the person's one memory: every other one took the place of the next."""
    rows = await owner.execute(
        """
        INSERT INTO user_memories
        SELECT (jsonb_populate_record(kept, jsonb_build_object(
            'memory_id', md5(n::text)::uuid, 'is_active', n %% 2 = 0,
            'content_digest', '\\x' || md5(n::text),
            'superseded_by', CASE WHEN n %% 2 = 1 THEN md5((n - 1)::text)::uuid END
        ))).*
        FROM user_memories AS kept, generate_series(1, %s) AS n
        WHERE user_id = %s
        RETURNING memory_id
        """,
        [MANY, me.user_id],
    )
    return [row[0] for row in await rows.fetchall()]


@pytest.mark.req("A18")
@pytest.mark.parametrize("is_analyzed", [True, False])
async def test_the_versions_of_memories_are_looked_up_not_compared_with_all_others(
    memory: Gieok, me: Scope, owner: Owner, *, is_analyzed: bool
) -> None:
    """Whether PostgreSQL has counted them since or not."""
    await memory.memories.remember(me, "사용자는 강남구에 거주")
    async with owner.transaction() as tx:
        ids = await _multiply(owner, me)
        if is_analyzed:
            await owner.execute("ANALYZE user_memories")
        read = await count_read_rows(
            owner,
            me.user_id,
            store.VERSIONS,
            {"user_id": me.user_id, "memory_ids": ids},
        )
        raise Rollback(tx)
    assert MANY <= read <= 5 * MANY


@pytest.mark.req("A18")
async def test_what_is_forgotten_as_a_whole_is_not_searched_for_versions(
    memory: Gieok, me: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await memory.memories.remember(me, "사용자는 강남구에 거주")
    await memory.memories.deactivate(me, before.memory_id)
    again = await memory.memories.remember(me, "사용자는 강남구에 거주")
    monkeypatch.delattr(store, "collect_versions")
    assert await memory.memories.forget_all(me) == 2
    assert await list_memories(memory, me, include_inactive=True) == []
    await memory.settled(me)
    about = {each.about for each in await memory.erasure.receipts(me)}
    assert about == {before.memory_id, again.memory_id}
