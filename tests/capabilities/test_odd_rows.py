"""One row that holds what it never should fails no read: it is left out and counted."""

import io
import json
from datetime import timedelta
from uuid import UUID

import pytest

from gieok import Gieok, Role, Scope, Turn
from gieok.items import Put, Search
from gieok.sessions import store as session_store
from gieok.testing import FixedClock
from support.database import Owner
from support.scripted_model import Script, fact


@pytest.fixture
async def session_id(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> UUID:
    """A session of a person of whom something of every kind is kept."""
    persona = await memory.accounts.persona(me, "루나")
    began = await memory.sessions.start(me, persona_id=persona, config={"theme": 1})
    script.says(fact("사용자는 강남구에 산다"))
    await memory.sessions.record(me, began.session_id, Turn("나 강남구 살아", "네."))
    await memory.sessions.append(
        me, began.session_id, role=Role.USER, content="고양이", metadata={"m": 1}
    )
    await memory.sessions.close(me, began.session_id)
    await memory.settled(me)
    clock.advance(timedelta(days=8))
    await memory.settled(me)
    await memory.memories.remember(me, "고양이를 키운다")
    await memory.items.batch(
        me, [Put(("notes",), "key", {"text": "화분"}, texts=("화분",))]
    )
    await memory.settled(me)
    return began.session_id


async def read_everything(memory: Gieok, me: Scope, session_id: UUID) -> None:
    """Do whatever reads rows; whatever is there, none of it may fail."""
    memory.recall.drop(me)
    memory.items.drop(me)
    await memory.sessions.page(me)
    await memory.sessions.read(me, session_id)
    await memory.memories.page(me, include_inactive=True)
    await memory.memories.candidates(me)
    await memory.episodes.page(me)
    await memory.recall.search(me, "강남구에 사는 고양이")
    await memory.context.build(me, "고양이")
    await memory.items.batch(me, [Search(("notes",), query="화분")])
    await memory.accounts.persona_names(me)
    await memory.settled(me)


async def exported(memory: Gieok, me: Scope) -> bytes:
    return b"".join([chunk async for chunk in memory.portability.export(me)])


BYTES = "UPDATE {} SET {} = {} || '\\x00'::bytea WHERE user_id = %s"
CHANGED = [
    ("session_messages", "content"),
    ("session_messages", "metadata"),
    ("sessions", "session_summary"),
    ("recall_items", "item"),
    ("memory_candidates", "claim"),
    ("user_memories", "content"),
    ("user_memories", "content_embedding"),
    ("memory_history", "new_content"),
    ("short_term_summaries", "details"),
    ("mid_term_summaries", "summary_text"),
    ("episodes", "topics"),
    ("personas", "name"),
    ("store_items", "content"),
    ("store_items", "search"),
]


@pytest.mark.parametrize(("table", "column"), CHANGED)
async def test_rows_that_do_not_open_are_left_out_and_counted(
    memory: Gieok, me: Scope, owner: Owner, session_id: UUID, table: str, column: str
) -> None:
    statement = BYTES.format(table, column, column) + f" AND {column} IS NOT NULL"
    changed = await owner.execute(statement.encode(), [me.user_id])
    assert changed.rowcount
    await read_everything(memory, me, session_id)
    counted = await memory.portability.unreadable(me)
    assert set(counted) == {table}
    assert counted[table] <= changed.rowcount
    if (table, column) != ("recall_items", "item"):
        assert counted[table] == changed.rowcount


async def test_a_message_with_odd_metadata_costs_that_message_only(
    memory: Gieok, me: Scope, other: Scope, owner: Owner, session_id: UUID
) -> None:
    key = await memory.vault.get_key(me)
    before = (await memory.sessions.read(me, session_id)).messages
    odd = before[-1].message_id
    sealed = key.seal_text(session_store.METADATA, odd, "5")
    await owner.execute(
        "UPDATE session_messages SET metadata = %s WHERE message_id = %s", [sealed, odd]
    )
    await read_everything(memory, me, session_id)
    after = (await memory.sessions.read(me, session_id)).messages
    assert after == before[:-1]
    assert await memory.recall.search(me, "강남구")
    assert await memory.portability.unreadable(me) == {"session_messages": 1}
    export = await exported(memory, me)
    manifest = json.loads(export.splitlines()[-1])["manifest"]
    assert manifest["unreadable"] == {"messages": 1}
    await memory.portability.load(other, io.BytesIO(export))
    assert await memory.portability.unreadable(other) == {}
    theirs = await memory.sessions.read(other, session_id)
    assert [each.content for each in theirs.messages] == ["나 강남구 살아", "네."]


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("session_messages", "created_at"),
        ("user_memories", "last_confirmed_at"),
        ("user_memories", "created_at"),
        ("memory_candidates", "created_at"),
        ("episodes", "said_at"),
        ("store_items", "updated_at"),
    ],
)
async def test_times_without_a_value_in_python_fail_nothing(
    memory: Gieok, me: Scope, owner: Owner, session_id: UUID, table: str, column: str
) -> None:
    for value in ("infinity", "12345-01-01", "0044-03-15 BC"):
        await owner.execute(
            f"UPDATE {table} SET {column} = %s WHERE user_id = %s".encode(),
            [value, me.user_id],
        )
        await read_everything(memory, me, session_id)
        assert set(await memory.portability.unreadable(me)) == {table}
