"""A person who asks for it is gone, and stays gone."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from psycopg.conninfo import make_conninfo

from gieok import Config, Gieok, Scope, Turn
from gieok.accounts import store as accounts
from gieok.bootstrap import KEYSTORE
from gieok.database.migrate import build_database_url
from gieok.erasure import Receipt, person_store
from gieok.kernel.errors import ConflictError, GieokError, NotFoundError
from gieok.kernel.language import Emotion, Gist
from gieok.privacy import ErasureKind, Place
from support.database import Owner
from support.own_installation import module_address, module_config, module_memory
from support.scripted_model import Script, fact

config, memory, address = module_config, module_memory, module_address

BEES = "사용자는 벌을 키움"


async def personal_tables(owner: Owner) -> set[str]:
    """Return every table with a column that names a person, from the catalogue."""
    found = await owner.execute(
        "SELECT table_name FROM information_schema.columns JOIN "
        "information_schema.tables USING (table_schema, table_name) "
        "WHERE table_schema = 'gieok' AND column_name = 'user_id' "
        "AND table_type = 'BASE TABLE'"
    )
    return {row[0] for row in await found.fetchall()}


async def rows(owner: Owner, me: Scope, table: str) -> int:
    query = f"SELECT count(*) FROM {table} WHERE user_id = %s"
    row = await (await owner.execute(query.encode(), [me.user_id])).fetchone()
    assert row is not None
    return row[0]


async def live(memory: Gieok, me: Scope, script: Script) -> UUID:
    """Leave something of a person wherever something can be left; return a session."""
    persona = await memory.accounts.persona(me, "mina")
    device = await memory.accounts.device(me, "tablet")
    session = await memory.sessions.start(me, persona_id=persona, device_id=device)
    script.says(fact(BEES))
    await memory.sessions.record(me, session.session_id, Turn("벌을 키워요", "네."))
    await memory.settled(me)
    await memory.settings.update(me, {"max_memories": 40})
    await memory.sign_ins.create_link(me)
    await memory.settings.consent(me, {"sync": False})
    await memory.episodes.create(
        me,
        persona_id=persona,
        session_id=session.session_id,
        gist=Gist("양봉", topics=("양봉",), emotion=Emotion.CALM, importance=5),
        is_fallback=False,
        is_manual=False,
        summarizer="x",
    )
    assert await memory.profile.get(me)
    return session.session_id


async def fill(owner: Owner, me: Scope) -> None:
    """Put a row into the tables that `live` leaves empty."""
    day = uuid4()
    await owner.execute(
        "INSERT INTO short_term_summaries (user_id, summary_id, date_key, "
        " summary_text, details, source_session_ids, source_digest, summarizer,"
        " created_at, updated_at, expires_at) VALUES (%s, %s, '2026-01-05', '', '',"
        " '{}', '', 'x', now(), now(), now())",
        [me.user_id, day],
    )
    await owner.execute(
        "INSERT INTO summary_entries (user_id, item_id, kind, revision, item)"
        " VALUES (%s, %s, 'day_summary', 1, '')",
        [me.user_id, day],
    )
    await owner.execute(
        "INSERT INTO mid_term_summaries (user_id, summary_id, week_key, summary_text,"
        " details, source_summary_ids, source_digest, summarizer, created_at,"
        " updated_at, expires_at) VALUES (%s, %s, '2026-W02', '', '', '{}', '', 'x',"
        " now(), now(), now())",
        [me.user_id, uuid4()],
    )
    await owner.execute(
        "INSERT INTO store_items (user_id, item_id, namespace_id, prefix_ids, seq,"
        " position, name, content, searchable, created_at, updated_at)"
        " VALUES (%s, %s, %s, '{}', 1, 1, '', '', false, now(), now())",
        [me.user_id, uuid4(), uuid4()],
    )
    await owner.execute(
        "INSERT INTO pending_receipts (user_id, memory_id, erased_at)"
        " VALUES (%s, %s, now())",
        [me.user_id, uuid4()],
    )
    await owner.execute(
        "INSERT INTO exports (user_id, export_id, position, sealed, created_at,"
        " expires_at) VALUES (%s, %s, 0, '', now(), now())",
        [me.user_id, uuid4()],
    )
    await owner.execute(
        "INSERT INTO memory_sync_cursors (user_id, cursor_id, device_id, incarnation,"
        " chain, last_sync_at, sync_status) VALUES (%s, %s, %s, %s, '', now(), 'ok')",
        [me.user_id, uuid4(), uuid4(), uuid4()],
    )
    thread = uuid4().hex
    await owner.execute(
        "INSERT INTO checkpoints (thread_id, checkpoint_id, checkpoint, user_id)"
        " VALUES (%s, 'a', '{}', %s)",
        [thread, me.user_id],
    )
    await owner.execute(
        "INSERT INTO checkpoint_blobs (thread_id, channel, version, type, user_id)"
        " VALUES (%s, 'a', '1', 'x', %s)",
        [thread, me.user_id],
    )
    await owner.execute(
        "INSERT INTO checkpoint_writes (thread_id, checkpoint_id, task_id, idx,"
        " channel, blob, user_id) VALUES (%s, 'a', 'b', 0, 'c', '', %s)",
        [thread, me.user_id],
    )


@pytest.mark.req("A15", "E19")
async def test_every_table_with_a_person_in_it_is_known_to_erasure(
    memory: Gieok, owner: Owner
) -> None:
    assert memory.erasure
    known = {
        *person_store.CONTENT_TABLES,
        *person_store.PERSON_TABLES,
        *person_store.CASCADED_TABLES,
        *person_store.RETAINED_TABLES,
    }
    assert await personal_tables(owner) == known


@pytest.mark.req("A15", "E19")
async def test_an_erased_person_leaves_no_row_key_job_or_cached_list(
    memory: Gieok, me: Scope, other: Scope, script: Script, owner: Owner
) -> None:
    session_id = await live(memory, me, script)
    await live(memory, other, script)
    await fill(owner, me)
    tables = await personal_tables(owner) - set(person_store.RETAINED_TABLES)
    assert [each for each in tables if not await rows(owner, me, each)] == []
    await memory.memories.page(me)
    before = {each: await rows(owner, other, each) for each in tables}
    seen: list[str] = []

    receipt = await memory.erasure.person(me, lambda table, _: seen.append(table))

    assert {each: await rows(owner, me, each) for each in tables} == dict.fromkeys(
        tables, 0
    )
    assert {each: await rows(owner, other, each) for each in tables} == before
    assert await memory.maintenance.vault.keystore.list_keys(me.user_id) == ()
    jobs = await owner.execute(
        "SELECT count(*) FROM procrastinate_jobs WHERE args->>'user_id' = %s",
        [str(me.user_id)],
    )
    assert await jobs.fetchone() == (0,)
    cache = memory.memories.cache
    assert await cache.get(f"memories:{me.user_id}:active") is None
    assert await cache.get_session(me.user_id, session_id) is None
    assert seen[0] == person_store.CONTENT_TABLES[0]
    assert receipt.counts["session_messages"] == 2
    assert receipt.parts["keys"] == "destroyed"


@pytest.mark.req("A15", "A18")
async def test_the_audit_log_outlives_the_person_and_still_holds(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await live(memory, me, script)
    before = await memory.audit.verify(me)
    await memory.erasure.person(me)
    assert await memory.audit.verify(me) > before
    last = (await memory.audit.lines(me))[-1]
    assert (last.event_type, last.target_table) == ("delete", "users")
    assert last.reason == "person_deleted"


@pytest.mark.req("E19")
@pytest.mark.usefixtures("replayed")
async def test_who_comes_back_is_a_new_person_with_new_keys(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    await live(memory, me, script)
    place = Place("user_memories", "content")
    old = (await memory.maintenance.vault.get_key(me)).seal_text(
        place, me.user_id, BEES
    )
    number = await memory.maintenance.database.wait_for_writers(me)
    await memory.erasure.person(me)
    assert await memory.recall.search(me, "벌을 키워요") == ()
    assert await memory.memories.page(me) == ((), 0)
    kept = await memory.memories.remember(me, "사용자는 수영을 함")
    assert [each.content for each in (await memory.memories.page(me))[0]] == [
        kept.content
    ]
    with pytest.raises(GieokError):
        (await memory.maintenance.vault.get_key(me)).open_text(place, me.user_id, old)
    assert await memory.maintenance.database.wait_for_writers(me) > number
    await memory.audit.verify(me)
    assert await memory.erasure.replay() == 0, "the new person is not the erased one"
    assert await rows(owner, me, "user_memories") == 1
    again = await memory.erasure.person(me)
    assert again.number == 2
    await memory.audit.verify(me)


@pytest.mark.req("A15")
async def test_erasing_twice_gives_the_same_receipt(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await live(memory, me, script)
    receipt = await memory.erasure.person(me)
    assert await memory.erasure.person(me) == receipt
    assert await memory.erasure.receipts(me) == (receipt,)
    assert await memory.erasure.receipt(me, receipt.receipt_id) == receipt


async def test_nobody_gets_a_receipt_for_a_stranger_or_of_another_person(
    memory: Gieok, me: Scope, other: Scope, script: Script
) -> None:
    with pytest.raises(NotFoundError, match="person"):
        await memory.erasure.person(me)
    await live(memory, other, script)
    receipt = await memory.erasure.person(other)
    assert await memory.erasure.receipts(me) == ()
    with pytest.raises(NotFoundError, match="receipt"):
        await memory.erasure.receipt(me, receipt.receipt_id)


@pytest.mark.req("E19")
async def test_a_receipt_that_was_changed_does_not_verify(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await live(memory, me, script)
    receipt = await memory.erasure.person(me)
    assert memory.erasure.verify(receipt)
    forged = [
        replace(receipt, number=2),
        replace(receipt, counts={**receipt.counts, "sessions": 9}),
        replace(receipt, about=uuid4()),
        replace(receipt, signature=bytes(64)),
    ]
    assert [memory.erasure.verify(each) for each in forged] == [False] * 4


@pytest.mark.req("A15")
@pytest.mark.parametrize("step", ["rows", "keys", "last"])
@pytest.mark.usefixtures("replayed")
async def test_an_erasure_that_was_killed_is_finished_by_the_next(
    memory: Gieok,
    me: Scope,
    script: Script,
    owner: Owner,
    step: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await live(memory, me, script)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        if step == "keys":
            patch.setattr(type(memory.maintenance.vault), "destroy", killed)
        if step == "last":
            patch.setattr(accounts, "delete_person", killed)
        with pytest.raises(KeyboardInterrupt):
            await memory.erasure.person(
                me, killed if step == "rows" else lambda _, __: None
            )
    assert await rows(owner, me, "users") == 1
    assert await memory.erasure.replay() == 1
    assert await rows(owner, me, "users") == 0
    (receipt,) = await memory.erasure.receipts(me)
    assert receipt.number == 1
    assert await memory.erasure.replay() == 0
    await memory.audit.verify(me)


@pytest.mark.req("E19")
@pytest.mark.usefixtures("replayed")
async def test_rows_that_a_backup_brings_back_are_erased_again(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    await live(memory, me, script)
    await memory.erasure.person(me)
    for table in ("erasure_receipts", "memory_audit_log"):
        query = f"DELETE FROM {table} WHERE user_id = %s"
        await owner.execute(query.encode(), [me.user_id])
    await owner.execute(
        "INSERT INTO users (user_id, created_at, updated_at) VALUES (%s, now(), now())",
        [me.user_id],
    )
    await owner.execute("INSERT INTO user_counters (user_id) VALUES (%s)", [me.user_id])
    assert await memory.erasure.replay() == 1
    assert await rows(owner, me, "users") == 0
    assert len(await memory.erasure.receipts(me)) == 1


@pytest.mark.req("E19")
@pytest.mark.usefixtures("replayed")
async def test_a_key_that_an_old_keystore_brings_back_is_destroyed(
    memory: Gieok, me: Scope, script: Script, address: str, config: Config
) -> None:
    assert config
    await live(memory, me, script)
    (held,) = await memory.maintenance.vault.keystore.list_keys(me.user_id)
    await memory.erasure.person(me)
    keystore = make_conninfo(build_database_url(address, KEYSTORE))
    async with await Owner.connect(keystore, autocommit=True) as old:
        await old.execute(
            "INSERT INTO user_keys (user_id, epoch, wrapped_by, wrapped)"
            " VALUES (%s, 0, %s, %s)",
            [me.user_id, held.wrapped_by, held.wrapped],
        )
    assert await memory.erasure.replay() == 1
    assert await memory.maintenance.vault.keystore.list_keys(me.user_id) == ()


@pytest.mark.req("A15")
async def test_a_device_goes_with_what_was_said_on_it_alone(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    session_id = await live(memory, me, script)
    elsewhere = (await memory.sessions.start(me)).session_id
    await memory.sessions.record(me, elsewhere, Turn("수영해요", "네."))
    device = memory.accounts.device_id(me, "tablet")
    receipt = await memory.erasure.device(me, device)
    assert (receipt.kind, receipt.about) == (ErasureKind.DEVICE, device)
    assert receipt.counts["sessions"] == 1
    assert memory.erasure.verify(receipt)
    assert await memory.accounts.device_names(me) == {}
    with pytest.raises(NotFoundError):
        await memory.sessions.read(me, session_id)
    assert len((await memory.sessions.read(me, elsewhere)).messages) == 2
    assert (await memory.memories.page(me))[1] == 0
    assert await rows(owner, me, "devices") == 0
    with pytest.raises(NotFoundError, match="device"):
        await memory.erasure.device(me, device)
    await memory.audit.verify(me)


@pytest.mark.req("A15")
async def test_what_was_said_on_a_device_stays_erased_though_it_was_shut_out_first(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await live(memory, me, script)
    device = memory.accounts.device_id(me, "tablet")
    await memory.sync.unregister(me, device)
    await memory.erasure.device(me, device)
    entries = await memory.maintenance.vault.keystore.ledger.list_entries()
    assert (ErasureKind.DEVICE, device) in [(e.kind, e.about) for e in entries]


@pytest.mark.req("A15")
async def test_a_memory_goes_and_another_persons_is_missing(
    memory: Gieok, me: Scope, other: Scope, script: Script
) -> None:
    await live(memory, me, script)
    ((kept,), _) = await memory.memories.page(me)
    with pytest.raises(NotFoundError):
        await memory.memories.forget(other, kept.memory_id)
    receipt: Receipt = await memory.memories.forget(me, kept.memory_id)
    assert memory.erasure.verify(receipt)
    assert (await memory.memories.page(me))[1] == 0
    assert await memory.erasure.receipts(me) == (receipt,)


async def test_a_key_taken_before_the_erasure_seals_nothing_after_it(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await live(memory, me, script)
    key = await memory.maintenance.vault.get_key(me)
    await memory.erasure.person(me)
    with pytest.raises(ConflictError):
        key.seal(Place("a", "b"), me.user_id, b"x")
