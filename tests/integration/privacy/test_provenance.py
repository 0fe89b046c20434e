"""Whoever can write to the tables changes nothing unnoticed that a seal covers."""

import io
import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok import Gieok, Role, Scope, Turn
from gieok.kernel.errors import TamperedError
from gieok.kernel.language import Basis, Gist
from gieok.memories import Trust
from gieok.memories.rows import CONTENT as MEMORY
from gieok.privacy.provenance import encode_provenance
from gieok.privacy.rotation import KeyRotation
from gieok.sessions.message_store import CONTENT as MESSAGE
from gieok.sessions.message_store import Provenance
from gieok.testing import FixedClock
from support.database import Owner
from support.scripted_model import Script, fact

NONE = timedelta(0)


@given(
    st.uuids(),
    st.sampled_from(Role),
    st.datetimes(timezones=st.sampled_from([UTC, ZoneInfo("Asia/Seoul")])),
)
def test_what_the_seal_of_a_message_covers_is_encoded_as_of_any_row(
    session_id: UUID, role: Role, at: datetime
) -> None:
    provenance = Provenance(session_id, role, at)
    assert provenance.encode() == encode_provenance(*provenance)
    assert provenance.encode() == encode_provenance(session_id, role.value, at)


@pytest.fixture
async def session_id(memory: Gieok, me: Scope, script: Script) -> UUID:
    """A session of three messages and two memories of a person."""
    began = await memory.sessions.start(me)
    script.says(fact("사용자는 강남구에 산다", confidence=0.85))
    await memory.sessions.record(me, began.session_id, Turn("나 강남구 살아", "네."))
    await memory.sessions.append(
        me, began.session_id, role=Role.USER, content="고양이를 봤어"
    )
    await memory.settled(me)
    await memory.memories.remember(me, "고양이를 키운다")
    assert await memory.audit.verify(me)
    assert await memory.portability.unreadable(me) == {}
    return began.session_id


async def rows_of(owner: Owner, table: str, me: Scope) -> list[dict[str, Any]]:
    found = await owner.execute(
        f"SELECT to_jsonb(t) FROM {table} AS t WHERE user_id = %s".encode(),
        [me.user_id],
    )
    return [row[0] for row in await found.fetchall()]


async def write(owner: Owner, me: Scope, table: str, change: str) -> int:
    done = await owner.execute(
        f"UPDATE {table} SET {change} WHERE user_id = %s".encode(), [me.user_id]
    )
    return done.rowcount


MESSAGE_CHANGES = [
    "role = CASE role WHEN 'user' THEN 'assistant' ELSE 'user' END",
    "created_at = created_at - interval '1 microsecond'",
]
MEMORY_CHANGES = [
    "category = 'identity'",
    "confidence = 0.99",
    "source_type = 'system'",
    "source_session_id = gen_random_uuid()",
    "source_message_ids = source_message_ids || gen_random_uuid()",
    "source_candidate_ids = '{}'",
    "extractor = 'x'",
    "trust = 'confirmed'",
    "is_active = false",
    "last_confirmed_at = last_confirmed_at + interval '1 day'",
    "created_at = created_at - interval '1 day'",
]


@pytest.mark.req("A09", "D16")
@pytest.mark.parametrize("change", MESSAGE_CHANGES)
async def test_a_message_whose_provenance_was_changed_is_never_served(
    memory: Gieok, me: Scope, owner: Owner, session_id: UUID, change: str
) -> None:
    assert await write(owner, me, "session_messages", change) == 3
    memory.recall.drop(me)
    assert (await memory.sessions.read(me, session_id)).messages == ()
    assert not [h for h in await memory.recall.search(me, "고양이") if h.role]
    assert await memory.portability.unreadable(me) == {"session_messages": 3}
    with pytest.raises(TamperedError, match=r"session_messages row .* \(changed\)"):
        await memory.audit.verify(me)


@pytest.mark.req("A09", "D16")
@pytest.mark.usefixtures("session_id")
async def test_a_message_that_was_moved_to_another_session_is_never_served(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    another = await memory.sessions.start(me)
    change = f"session_id = '{another.session_id}'"
    assert await write(owner, me, "session_messages", change)
    assert (await memory.sessions.read(me, another.session_id)).messages == ()


@pytest.mark.req("A09", "D16")
@pytest.mark.parametrize("change", MEMORY_CHANGES)
@pytest.mark.usefixtures("session_id")
async def test_a_memory_whose_provenance_was_changed_is_never_served(
    memory: Gieok, me: Scope, owner: Owner, change: str
) -> None:
    kept = (await memory.memories.page(me))[0]
    assert await write(owner, me, "user_memories", change) == len(kept)
    memory.recall.drop(me)
    found, _ = await memory.memories.page(me, include_inactive=True)
    assert not [each for each in found if each in kept]
    assert len(found) <= len(kept) - 1
    block = await memory.context.build(me, "고양이")
    assert "키운다" not in block.text or found
    with pytest.raises(TamperedError):
        await memory.audit.verify(me)
    counted = await memory.portability.unreadable(me)
    assert counted["user_memories"] == len(kept) - len(found)


@pytest.mark.req("A09")
@pytest.mark.parametrize("table", ["session_messages", "user_memories"])
@pytest.mark.usefixtures("session_id")
async def test_a_row_that_was_removed_is_missed(
    memory: Gieok, me: Scope, owner: Owner, table: str
) -> None:
    (first, *_) = await rows_of(owner, table, me)
    row = "message_id" if table == "session_messages" else "memory_id"
    await owner.execute(f"DELETE FROM {table} WHERE {row} = %s".encode(), [first[row]])
    with pytest.raises(TamperedError, match=rf"{table} row {first[row]} \(missing\)"):
        await memory.audit.verify(me)
    found = await memory.audit.verify_all([me.user_id])
    assert found.broken[me.user_id].endswith("(missing)")


@pytest.mark.req("A09")
@pytest.mark.usefixtures("session_id")
async def test_a_memory_as_it_was_before_is_missed_when_it_is_put_back(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    before = await rows_of(owner, "user_memories", me)
    clock.advance(timedelta(hours=1))
    await memory.memories.remember(me, "사용자는 강남구에 산다")
    kept, _ = await memory.memories.page(me)
    assert Trust.REQUESTED in {each.trust for each in kept}
    assert await memory.audit.verify(me)
    for row in before:
        await put_back(owner, "user_memories", "memory_id", row)
    assert await memory.portability.unreadable(me) == {}, "the seals fit"
    with pytest.raises(TamperedError, match="sealed otherwise than last"):
        await memory.audit.verify(me)


@pytest.mark.req("A09", "A15")
@pytest.mark.usefixtures("session_id")
async def test_what_was_forgotten_is_noticed_when_it_is_put_back(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    before = await rows_of(owner, "user_memories", me)
    for row in before:
        await memory.memories.forget(me, UUID(row["memory_id"]))
    assert await memory.audit.verify(me)
    await put_back(owner, "user_memories", "memory_id", before[0])
    with pytest.raises(TamperedError, match="removed, and there again"):
        await memory.audit.verify(me)


LISTED_ROWS = [
    ("sessions", "session_id"),
    ("episodes", "episode_id"),
    ("short_term_summaries", "summary_id"),
]


@pytest.mark.req("A09", "D16")
@pytest.mark.parametrize(("table", "row"), LISTED_ROWS)
async def test_a_row_that_the_log_only_lists_is_missed_too(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock, table: str, row: str
) -> None:
    await talk_for_a_day(memory, me, clock)
    before = await rows_of(owner, table, me)
    # Not a session that holds messages: those would be missed first.
    gone = next(each[row] for each in before if not each.get("message_count"))
    await owner.execute(f"DELETE FROM {table} WHERE {row} = %s".encode(), [gone])
    with pytest.raises(TamperedError, match=rf"{table} row {gone} \(missing\)"):
        await memory.audit.verify(me)


@pytest.mark.req("A09", "A15")
async def test_an_episode_that_was_deleted_is_noticed_when_it_is_put_back(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    await talk_for_a_day(memory, me, clock)
    (before, *_) = await rows_of(owner, "episodes", me)
    await memory.episodes.delete(me, UUID(before["episode_id"]))
    assert await memory.audit.verify(me)
    await put_back(owner, "episodes", "episode_id", before)
    with pytest.raises(TamperedError, match="removed, and there again"):
        await memory.audit.verify(me)


async def talk_for_a_day(memory: Gieok, me: Scope, clock: FixedClock) -> None:
    """Leave a session with an episode, an empty one, and the summary of a day."""
    began = await memory.sessions.start(me)
    await memory.sessions.record(me, began.session_id, Turn("면접이 있어", "네."))
    await memory.episodes.create(
        me,
        persona_id=None,
        session_id=None,
        gist=Gist("면접을 앞두고 있음"),
        is_fallback=False,
        is_manual=True,
        summarizer="person",
    )
    await memory.sessions.close(me, began.session_id)
    await memory.sessions.start(me)
    clock.advance(timedelta(days=1))
    await memory.settled(me)
    assert await memory.audit.verify(me)


async def put_back(owner: Owner, table: str, key: str, row: dict[str, Any]) -> None:
    """Put a whole row back as it was."""
    await owner.execute(f"DELETE FROM {table} WHERE {key} = %s".encode(), [row[key]])
    await owner.execute(
        (
            f"INSERT INTO {table} "
            f"SELECT * FROM jsonb_populate_record(NULL::{table}, %s)"
        ).encode(),
        [json.dumps(row)],
    )


@pytest.mark.req("A09")
async def test_nothing_that_gieok_does_itself_is_taken_for_tampering(  # noqa: PLR0915
    memory: Gieok,
    me: Scope,
    other: Scope,
    script: Script,
    clock: FixedClock,
    session_id: UUID,
) -> None:
    async def sound() -> None:
        assert await memory.audit.verify(me)
        assert await memory.portability.unreadable(me) == {}

    kept, _ = await memory.memories.page(me)
    await memory.memories.deactivate(me, kept[0].memory_id)
    await sound()
    await memory.memories.reactivate(me, kept[0].memory_id)
    await sound()
    await memory.memories.remember(me, kept[1].content)
    await memory.settings.update(me, {"retention_days": 30})
    await memory.context.build(me, "고양이")
    await sound()
    second = await memory.sessions.start(me)
    script.says(fact("사용자는 강남구에 산다", basis=Basis.STATED))
    await memory.sessions.record(me, second.session_id, Turn("강남구 산다니까", "네."))
    await memory.settled(me)
    await sound()
    await memory.keys.renew([me.user_id], settles_in=NONE, destroyed_after=NONE)
    await sound()
    export = b"".join([chunk async for chunk in memory.portability.export(me)])
    await memory.portability.load(other, io.BytesIO(export))
    assert await memory.audit.verify(other)
    assert await memory.portability.unreadable(other) == {}
    await memory.erasure.session(me, session_id)
    await sound()
    clock.advance(timedelta(days=40))
    await memory.settled(me)
    await sound()
    await memory.erasure.person(other)
    await memory.audit.verify(other)


@pytest.mark.req("D16")
async def test_rows_of_the_last_release_open_and_are_bound_by_a_rotation(
    memory: Gieok, me: Scope, owner: Owner, session_id: UUID
) -> None:
    key = await memory.maintenance.vault.get_key(me)
    messages = (await memory.sessions.read(me, session_id)).messages
    kept, _ = await memory.memories.page(me)
    for message in messages:
        sealed = key.seal_text(MESSAGE, message.message_id, message.content)
        await owner.execute(
            "UPDATE session_messages SET content = %s WHERE message_id = %s",
            [sealed, message.message_id],
        )
    for each in kept:
        sealed = key.seal_text(MEMORY, each.memory_id, each.content, revision=1)
        await owner.execute(
            "UPDATE user_memories SET content = %s WHERE memory_id = %s",
            [sealed, each.memory_id],
        )
    await owner.execute("DELETE FROM memory_audit_log WHERE user_id = %s", [me.user_id])
    await owner.execute(
        "UPDATE user_counters SET audit_seq = 0, audit_hash = '\\x00' "
        "WHERE user_id = %s",
        [me.user_id],
    )
    assert (await memory.sessions.read(me, session_id)).messages == messages
    assert (await memory.memories.page(me))[0] == kept
    await memory.audit.verify(me)
    rotation = KeyRotation(memory.maintenance.database, memory.maintenance.vault)
    await rotation.renew([me.user_id], settles_in=NONE, destroyed_after=NONE)
    assert (await memory.sessions.read(me, session_id)).messages == messages
    assert (await memory.memories.page(me))[0] == kept
    await memory.audit.verify(me)
    await write(owner, me, "user_memories", "trust = 'confirmed'")
    await write(owner, me, "session_messages", "role = 'system'")
    assert (await memory.sessions.read(me, session_id)).messages == ()
    assert (await memory.memories.page(me, include_inactive=True))[0] == ()


async def test_a_memory_that_cannot_be_read_does_not_keep_another_from_being_kept(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    first = await memory.memories.remember(me, "고양이를 키운다")
    await write(owner, me, "user_memories", "trust = 'confirmed'")
    second = await memory.memories.remember(me, "고양이를 키운다")
    assert first.memory_id != second.memory_id
    assert (await memory.memories.page(me))[0] == (second,)
