"""The audit log: append-only, chained, without content."""

import asyncio
from uuid import uuid4

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gieok import Actor, Gieok, Role, Scope, Turn
from gieok.database import Audit
from gieok.kernel.errors import TamperedError
from gieok.kernel.language import Basis
from support.database import Owner
from support.scripted_model import Script, fact

CANARY = "카나리아뷁"


async def lived(memory: Gieok, me: Scope, script: Script) -> None:
    """Leave a few lines of every kind."""
    session = await memory.sessions.start(me, config={"x": CANARY})
    script.says(fact(f"{CANARY} 하나"), fact(f"{CANARY} 둘", basis=Basis.OBSERVED))
    await memory.sessions.record(
        me, session.session_id, Turn(f"{CANARY} 살아", CANARY, "DEF", {"p": CANARY})
    )
    await memory.sessions.append(
        me, session.session_id, role=Role.USER, content=CANARY, metadata={"m": CANARY}
    )
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)
    await memory.settings.update(me, {"max_memories": 7})
    await memory.recall.search(me, CANARY)
    await memory.context.build(me, CANARY)
    kept = await memory.memories.remember(me, f"{CANARY} 셋")
    await memory.memories.get(me, kept.memory_id)
    await memory.memories.page(me)
    await memory.memories.deactivate(me, kept.memory_id)
    await memory.memories.reactivate(me, kept.memory_id)
    await memory.memories.forget(me, kept.memory_id)
    (waiting, *_) = await memory.memories.candidates(me)
    assert CANARY in waiting.claim


@pytest.mark.req("A09", "A18", "D03")
async def test_what_happens_to_data_is_written_down_with_actor_and_reason(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await lived(memory, me, script)
    lines = await memory.audit.lines(me)
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
    happened = {(x.event_type, x.target_table, x.reason) for x in lines}
    assert {
        ("create", "sessions", "session_started"),
        ("create", "conversation_pairs", "turn_recorded"),
        ("create", "session_messages", "message_recorded"),
        ("update", "sessions", "session_completed"),
        ("create", "user_memories", "llm_extraction"),
        ("create", "user_memories", "user_request"),
        ("update", "user_memories", "user_request"),
        ("delete", "user_memories", "user_request"),
        ("update", "memory_settings", "user_request"),
        ("access", "user_memories", "get"),
        ("access", "user_memories", "list"),
        ("access", "recall_items", "recall"),
    } <= happened
    actions = [
        x.details.get("action") for x in lines if x.target_table == "user_memories"
    ]
    assert {"created", "deactivated", "reactivated"} <= set(actions)
    assert {line.actor for line in lines} == {"user"}
    device = Scope(me.user_id, Actor.DEVICE)
    await memory.sessions.start(device)
    assert (await memory.audit.lines(me))[-1].actor == "device"


@pytest.mark.req("A09")
async def test_no_line_holds_content(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    await lived(memory, me, script)
    found = await owner.execute(
        "SELECT line::text FROM memory_audit_log AS line WHERE user_id = %s",
        [me.user_id],
    )
    rows = [row[0] for row in await found.fetchall()]
    assert len(rows) > 10
    assert not [row for row in rows if CANARY in row or "person-" in row]


@pytest.mark.req("A09")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memory_audit_log SET reason = 'nothing' WHERE user_id = %s",
        "DELETE FROM memory_audit_log WHERE user_id = %s",
        "TRUNCATE memory_audit_log /* %s */",
    ],
)
async def test_the_product_itself_can_only_append(
    memory: Gieok, me: Scope, statement: str
) -> None:
    await memory.sessions.start(me)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with memory.maintenance.database.begin(me) as tx:
            await tx.connection.execute(
                statement.encode() % str(me.user_id).join("''").encode()
            )
    assert await memory.audit.verify(me) == 1


async def five_lines(memory: Gieok, me: Scope) -> None:
    for _ in range(5):
        await memory.sessions.start(me)
    assert await memory.audit.verify(me) == 5


@pytest.mark.req("A09")
@pytest.mark.parametrize(
    "change",
    [
        "event_type = 'delete'",
        "target_table = 'users'",
        "target_id = gen_random_uuid()",
        "actor = 'admin'",
        "reason = 'nothing'",
        "details = '{\"n\": 1}'",
        "created_at = created_at + interval '1 microsecond'",
        "audit_id = gen_random_uuid()",
        "hash = '\\x00'",
        "seq = 30",
    ],
)
async def test_a_changed_line_is_named(
    memory: Gieok, me: Scope, owner: Owner, change: str
) -> None:
    await five_lines(memory, me)
    await owner.execute(
        f"UPDATE memory_audit_log SET {change} WHERE user_id = %s AND seq = 3".encode(),
        [me.user_id],
    )
    with pytest.raises(TamperedError, match="memory_audit_log line 3"):
        await memory.audit.verify(me)


@pytest.mark.req("A09")
@pytest.mark.parametrize("gone", [1, 3, 5])
async def test_a_removed_line_is_named_even_the_newest(
    memory: Gieok, me: Scope, owner: Owner, gone: int
) -> None:
    await five_lines(memory, me)
    await owner.execute(
        "DELETE FROM memory_audit_log WHERE user_id = %s AND seq = %s",
        [me.user_id, gone],
    )
    with pytest.raises(TamperedError, match=f"memory_audit_log line {gone}"):
        await memory.audit.verify(me)


@pytest.mark.req("A09")
async def test_a_log_that_was_emptied_is_noticed(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    await five_lines(memory, me)
    await owner.execute("DELETE FROM memory_audit_log WHERE user_id = %s", [me.user_id])
    with pytest.raises(TamperedError, match="line 1"):
        await memory.audit.verify(me)


@pytest.mark.req("A09")
@pytest.mark.parametrize("place", [0, 6])
async def test_a_line_put_in_is_named(
    memory: Gieok, me: Scope, owner: Owner, place: int
) -> None:
    await five_lines(memory, me)
    await owner.execute(
        """
        INSERT INTO memory_audit_log
        SELECT user_id, %s, %s, event_type, target_table, target_id, actor, reason,
               details, created_at, hash
        FROM memory_audit_log WHERE user_id = %s AND seq = 5
        """,
        [place, uuid4(), me.user_id],
    )
    with pytest.raises(TamperedError, match="memory_audit_log line"):
        await memory.audit.verify(me)


async def test_a_reader_is_not_alarmed_by_a_writer(memory: Gieok, me: Scope) -> None:
    await memory.accounts.ensure(me)

    async def write() -> None:
        for _ in range(25):
            await memory.sessions.start(me)

    async def check() -> None:
        for _ in range(25):
            await memory.audit.verify(me)

    await asyncio.gather(write(), write(), check(), check())
    assert await memory.audit.verify(me) == 50


@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    details=st.dictionaries(
        st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=5),
        st.none()
        | st.integers(-(2**53), 2**53)
        | st.floats(-1, 1).map(lambda number: number + 0.0)  # jsonb has no -0.0
        | st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=9),
        max_size=4,
    )
)
async def test_any_details_come_back_as_they_were_hashed(
    memory: Gieok, details: dict[str, str | float | None]
) -> None:
    somebody = Scope(uuid4())
    await memory.accounts.ensure(somebody)
    async with memory.maintenance.database.begin(somebody) as tx:
        tx.record_audit(Audit("export", "users", somebody.user_id, "test", details))
    assert await memory.audit.verify(somebody) == 1


@pytest.mark.parametrize("count", [1, 2, 100, 101, 102, 350])
async def test_any_number_of_lines_of_one_transaction_is_one_chain(
    memory: Gieok, count: int
) -> None:
    somebody = Scope(uuid4())
    await memory.accounts.ensure(somebody)
    async with memory.maintenance.database.begin(somebody) as tx:
        for number in range(count):
            details = {"number": number, "place": '\\x00 "부엌"'}
            tx.record_audit(Audit("export", "users", uuid4(), "test", details))
    lines = await memory.audit.lines(somebody, limit=count)
    assert [line.details["number"] for line in lines] == list(range(count))
    assert await memory.audit.verify(somebody) == count


async def test_nobody_reads_somebody_elses_log(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    await five_lines(memory, me)
    assert await memory.audit.lines(other) == ()
    assert await memory.audit.verify(other) == 0


@pytest.mark.req("A09", "A15")
async def test_the_log_of_an_erased_person_is_found_by_the_id_they_claim(
    memory: Gieok,
) -> None:
    claimed = "claimant@example.com"
    await memory.memories.remember(memory.person(claimed), CANARY)
    await memory.erasure.person(memory.person(claimed))
    again = memory.person(claimed)
    assert again.user_id not in await memory.maintenance.vault.keystore.list_people()
    lines = await memory.audit.lines(again)
    assert lines[-1].reason == "person_deleted"
    assert await memory.audit.verify(again) == len(lines)
    assert await memory.audit.lines(memory.person("claimant@example.org")) == ()
