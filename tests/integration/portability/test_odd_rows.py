"""One row that holds what it never should fails no read: it is left out and counted."""

import io
import json
from uuid import UUID

import pytest

from gieok import Gieok, Scope
from gieok.privacy import Place
from gieok.sessions import message_store, session_store
from support.database import Owner
from support.exports import export_bytes
from support.odd_rows import read_everything

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
    key = await memory.maintenance.vault.get_key(me)
    before = (await memory.sessions.read(me, session_id)).messages
    odd = before[-1].message_id
    sealed = key.seal_text(message_store.METADATA, odd, "5")
    await owner.execute(
        "UPDATE session_messages SET metadata = %s WHERE message_id = %s", [sealed, odd]
    )
    await read_everything(memory, me, session_id)
    after = (await memory.sessions.read(me, session_id)).messages
    assert after == before[:-1]
    assert await memory.recall.search(me, "강남구")
    assert await memory.portability.unreadable(me) == {"session_messages": 1}
    export = await export_bytes(memory, me)
    manifest = json.loads(export.splitlines()[-1])["manifest"]
    assert manifest["unreadable"] == {"messages": 1}
    await memory.portability.load(other, io.BytesIO(export))
    assert await memory.portability.unreadable(other) == {}
    theirs = await memory.sessions.read(other, session_id)
    assert [each.content for each in theirs.messages] == ["나 강남구 살아", "네."]


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ("message_id", message_store.METADATA),
        ("pair_id", message_store.PLANNER_SUMMARY),
        ("session_id", session_store.CONFIG),
    ],
)
async def test_half_a_surrogate_kept_by_an_earlier_version_is_told_as_a_mark(
    memory: Gieok, me: Scope, owner: Owner, session_id: UUID, row: str, place: Place
) -> None:
    key = await memory.maintenance.vault.get_key(me)
    found = await owner.execute(
        f"SELECT {row} FROM {place.table} WHERE user_id = %s LIMIT 1".encode(),
        [me.user_id],
    )
    ((item,),) = await found.fetchall()
    sealed = key.seal_text(place, item, r'{"a": ["\ud83d", "\ud83d\ude00"]}')
    await owner.execute(
        f"UPDATE {place.table} SET {place.column} = %s WHERE {row} = %s".encode(),
        [sealed, item],
    )
    assert len((await memory.sessions.read(me, session_id)).messages) == 3
    assert '{"a":["?","😀"]}'.encode() in await export_bytes(memory, me)


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
