"""Keys are rotated without losing anything, whenever it is interrupted."""

import asyncio
import io
import random
from collections import OrderedDict
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from gieok import Gieok, Scope, Turn
from gieok.kernel.errors import (
    AuthenticationError,
    ConflictError,
    KeyFileError,
    TamperedError,
)
from gieok.privacy import FileKeyProvider, Keyring, PersonKey, Vault
from gieok.privacy.rotation import KeyRotation, reseal_batch
from gieok.privacy.sealed_columns import SEALED_COLUMNS, UNSEALED_COLUMNS
from gieok.surfaces.rest import Tokens
from gieok.testing import FixedClock
from support.database import Owner
from support.exports import export_bytes, leave_everything, parse_export, select_rows
from support.scripted_model import Script

NOW = timedelta()
LATER = timedelta(hours=1)


@pytest.fixture
def apart(memory: Gieok) -> KeyRotation:
    """A process of its own: its vault knows nothing of what the others did."""
    vault = memory.maintenance.vault
    return KeyRotation(
        memory.maintenance.database,
        Vault(vault.keystore, vault.provider, OrderedDict()),
    )


@pytest.mark.req("D16")
async def test_every_sealed_column_is_known_to_the_rotation(owner: Owner) -> None:
    found = await owner.execute(
        """
        SELECT table_name, column_name FROM information_schema.columns AS one
        WHERE table_schema = current_schema() AND data_type = 'bytea' AND EXISTS (
            SELECT FROM information_schema.columns AS two
            WHERE two.table_schema = one.table_schema
              AND two.table_name = one.table_name AND two.column_name = 'user_id'
        )
        """
    )
    there = {(table, column) for table, column in await found.fetchall()}
    known = {(each.table, each.column) for each in SEALED_COLUMNS} | UNSEALED_COLUMNS
    assert there - known == set()
    assert known - there == {("checkpoints", "metadata")}, "sealed inside JSON"


@pytest.mark.req("D16")
async def test_a_persons_key_is_replaced_and_everything_still_opens(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock, apart: KeyRotation
) -> None:
    await leave_everything(memory, me, script, clock)
    before = select_rows(parse_export(await export_bytes(memory, me)))
    sealed = await apart.renew([me.user_id], settles_in=NOW, destroyed_after=LATER)
    assert sealed > 40
    held = await memory.maintenance.vault.keystore.list_keys(me.user_id)
    assert [key.epoch for key in held] == [0, 1], "the old key waits"
    memory.maintenance.vault.forget(me)  # a process asks again after a minute
    assert select_rows(parse_export(await export_bytes(memory, me))) == before
    await apart.finish(destroyed_after=NOW)
    assert [
        k.epoch for k in await memory.maintenance.vault.keystore.list_keys(me.user_id)
    ] == [1]
    memory.maintenance.vault.forget(me)
    memory.recall.drop(me)
    assert select_rows(parse_export(await export_bytes(memory, me))) == before
    assert await memory.recall.search(me, "강남구")
    again = await memory.memories.remember(me, "고양이를 키운다")
    assert again.content == "고양이를 키운다"
    digest = (await memory.maintenance.vault.get_key(me)).compute_digest("x")
    await apart.renew([me.user_id], settles_in=NOW, destroyed_after=NOW)
    memory.maintenance.vault.forget(me)
    assert (await memory.maintenance.vault.get_key(me)).compute_digest("x") == digest, (
        "equal texts still meet"
    )


@pytest.mark.req("D16")
async def test_both_keys_are_read_and_the_old_one_written_until_all_know_the_new(
    memory: Gieok, me: Scope, apart: KeyRotation
) -> None:
    await memory.memories.remember(me, "하나")
    rotating = asyncio.create_task(
        apart.renew([me.user_id], settles_in=timedelta(hours=9))
    )
    while len(await memory.maintenance.vault.keystore.list_keys(me.user_id)) < 2:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    rotating.cancel()  # killed while it waits
    memory.maintenance.vault.forget(me)
    assert (await memory.maintenance.vault.get_key(me)).epoch == 0, (
        "nobody seals with the new one yet"
    )
    await memory.memories.remember(me, "둘")
    assert await apart.finish() == 0, "it is not time yet"
    assert (await apart.get_status()).rotating >= 1


@pytest.mark.req("D16")
async def test_a_rotation_killed_in_the_middle_goes_on(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock, apart: KeyRotation
) -> None:
    await leave_everything(memory, me, script, clock)
    before = select_rows(parse_export(await export_bytes(memory, me)))
    await apart._add_next_key(me.user_id, NOW)  # noqa: SLF001 - a step at a time
    held = await apart.keystore.list_keys(me.user_id)
    key = await apart.vault.unwrap_keys(me, held)
    for column in SEALED_COLUMNS[: len(SEALED_COLUMNS) // 2]:
        await reseal_batch(memory.maintenance.database, me, key, column)
        memory.maintenance.vault.forget(me)
        assert select_rows(parse_export(await export_bytes(memory, me))) == before
    assert await apart.renew([me.user_id], settles_in=NOW, destroyed_after=NOW)
    memory.maintenance.vault.forget(me)
    assert select_rows(parse_export(await export_bytes(memory, me))) == before
    assert [
        k.epoch for k in await memory.maintenance.vault.keystore.list_keys(me.user_id)
    ] == [1]


async def pass_days(apart: KeyRotation, me: Scope, days: int) -> None:
    """Let time go by in the keystore, which dates its keys itself."""
    async with apart.keystore.pool.connection() as keystore:
        await keystore.execute(
            "UPDATE user_keys SET settled_at = settled_at - make_interval(days => %s) "
            "WHERE user_id = %s",
            [days, me.user_id],
        )


async def damage(owner: Owner, memory_id: UUID) -> None:
    """Let a memory's content not open any more, whatever is done."""
    await owner.execute(
        "UPDATE user_memories SET content = substring(content, 1, 90) "
        "WHERE memory_id = %s",
        [memory_id],
    )


async def set_trust(owner: Owner, memory_id: UUID, trust: str) -> str:
    """Change what a memory's content is bound to; return what it was."""
    found = await owner.execute(
        """
        UPDATE user_memories AS new SET trust = %s FROM user_memories AS old
        WHERE new.memory_id = %s AND old.memory_id = new.memory_id
        RETURNING old.trust
        """,
        [trust, memory_id],
    )
    row = await found.fetchone()
    assert row
    return row[0]


@pytest.mark.req("D16")
async def test_a_value_that_does_not_open_keeps_no_old_key_for_good(
    memory: Gieok, me: Scope, owner: Owner, apart: KeyRotation
) -> None:
    damaged = await memory.memories.remember(me, "하나")
    kept = await memory.memories.remember(me, "고양이를 키운다")
    await damage(owner, damaged.memory_id)
    assert await apart.renew([me.user_id], settles_in=NOW)
    await pass_days(apart, me, 29)
    await apart.finish()
    assert len(await apart.keystore.list_keys(me.user_id)) == 2
    await pass_days(apart, me, 1)
    await apart.finish()
    for epoch in (1, 2):
        (new,) = await apart.keystore.list_keys(me.user_id)
        assert new.epoch == epoch
        memory.maintenance.vault.forget(me)
        assert (await memory.memories.get(me, kept.memory_id)).content == kept.content
        with pytest.raises(TamperedError):
            await memory.memories.get(me, damaged.memory_id)
        await apart.renew([me.user_id], settles_in=NOW, destroyed_after=NOW)
    held = await apart.keystore.list_keys(me.user_id)
    assert len(held) == 1, "the key of what does not open is gone already"
    await memory.erasure.person(me)


@pytest.mark.req("D16")
async def test_a_value_opens_again_once_what_it_is_bound_to_is_put_back(
    memory: Gieok, me: Scope, owner: Owner, apart: KeyRotation
) -> None:
    kept = await memory.memories.remember(me, "고양이를 키운다")
    trust = await set_trust(owner, kept.memory_id, "import")
    await apart.renew([me.user_id], settles_in=NOW, destroyed_after=NOW)
    await set_trust(owner, kept.memory_id, trust)
    assert await apart.finish(destroyed_after=NOW) == 1
    assert len(await apart.keystore.list_keys(me.user_id)) == 1
    memory.maintenance.vault.forget(me)
    assert (await memory.memories.get(me, kept.memory_id)).content == kept.content


@pytest.mark.req("D16")
async def test_what_a_receipt_promises_goes_before_what_does_not_open(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock, apart: KeyRotation
) -> None:
    damaged = await memory.memories.remember(me, "하나")
    await damage(owner, damaged.memory_id)
    forgotten = await memory.memories.remember(me, "고양이를 키운다")
    await memory.memories.forget(me, forgotten.memory_id)
    await apart.renew([me.user_id], settles_in=NOW, destroyed_after=NOW)
    assert len(await apart.keystore.list_keys(me.user_id)) == 1
    clock.advance(timedelta(days=31))
    memory.maintenance.vault.forget(me)
    later = await memory.memories.remember(me, "둘")
    await damage(owner, later.memory_id)
    await apart.renew([me.user_id], settles_in=NOW, destroyed_after=NOW)
    assert len(await apart.keystore.list_keys(me.user_id)) == 2


@pytest.mark.req("D16")
async def test_nobody_gets_a_new_key_where_nobody_is_named(
    memory: Gieok, me: Scope, apart: KeyRotation
) -> None:
    await memory.memories.remember(me, "하나")
    assert await apart.renew([], settles_in=NOW, destroyed_after=NOW) == 0
    (only,) = await apart.keystore.list_keys(me.user_id)
    assert only.epoch == 0


@pytest.mark.req("D16")
async def test_who_is_erased_meanwhile_keeps_nobody_elses_old_key(
    memory: Gieok, me: Scope, other: Scope, apart: KeyRotation
) -> None:
    class Erased:
        async def reseal(self, scope: Scope, key: PersonKey) -> int:
            del key
            if scope.user_id == me.user_id:
                raise ConflictError("the person was erased meanwhile")
            return 0

    for person in (me, other):
        await memory.memories.remember(person, "하나")
    people = [me.user_id, other.user_id]
    with pytest.raises(ConflictError):
        await replace(apart, stores=(Erased(),)).renew(
            people, settles_in=NOW, destroyed_after=NOW
        )
    (new,) = await apart.keystore.list_keys(other.user_id)
    assert new.epoch == 1


@pytest.mark.req("D16")
async def test_the_wrapping_key_is_replaced_and_the_old_one_retired(
    memory: Gieok, me: Scope, other: Scope, apart: KeyRotation, tmp_path: Path
) -> None:
    """The installation's own file is left alone: the test rotates a copy, and back."""
    await memory.memories.remember(me, "하나")
    original = memory.maintenance.vault.provider.file
    assert original
    copy = replace(original, path=tmp_path / "gieok.key").write()
    ring = replace(memory.maintenance.vault.provider, path=copy.path, file=copy)
    mine = KeyRotation(memory.maintenance.database, replace(apart.vault, provider=ring))
    people = (await mine.get_status()).people
    assert await mine.rotate_wrapping() >= people
    status = await mine.get_status()
    assert status.wrapping_key != original.key_id
    assert {w.wrapped_by for w in status.wrappings} == {status.wrapping_key}
    running = Vault(memory.maintenance.vault.keystore, ring, OrderedDict())
    assert await running.get_key(me), "a process with the old file reads the new one"
    await running.get_key(other)  # and still wraps with the old key
    assert await mine.retire() == 1
    assert {w.wrapped_by for w in await mine.keystore.list_wrappings()} == {
        status.wrapping_key
    }
    with pytest.raises(KeyFileError, match="rotated while"):
        await running.get_key(memory.person("someone-new"))
    with pytest.raises(KeyFileError, match="another installation"):
        await original.unwrap((await mine.keystore.list_keys(me.user_id))[0].wrapped)
    # Back to the key of the other tests, as after a crash before the first re-wrap.
    back = replace(
        original,
        path=copy.path,
        previous=FileKeyProvider.open(copy.path, create=False).wrapping_keys,
    )
    back.write()
    assert await mine.rotate_wrapping() >= people, "an interrupted run goes on"
    assert (await mine.get_status()).wrapping_key == original.key_id


@pytest.mark.req("D16")
async def test_the_secret_of_tokens_is_replaced_and_nothing_else(
    memory: Gieok, me: Scope, apart: KeyRotation, tmp_path: Path
) -> None:
    await memory.memories.remember(me, "하나")
    original = memory.maintenance.vault.provider.file
    assert original
    older = FileKeyProvider.generate(tmp_path, b"n" * 32, b"t" * 32)
    copy = replace(
        original, path=tmp_path / "gieok.key", previous={"old": older.wrapping_key}
    ).write()
    ring = replace(memory.maintenance.vault.provider, path=copy.path, file=copy)
    vault = Vault(apart.keystore, ring, OrderedDict())
    rotation = KeyRotation(memory.maintenance.database, vault)
    before = Tokens(ring.token_secret, memory.clock)
    token = before.issue("minji", LATER)
    await rotation.rotate_token_secret()

    started = await Keyring.open(copy.path)
    after = Tokens(started.token_secret, memory.clock)
    with pytest.raises(AuthenticationError):
        after.verify(token)
    assert after.verify(after.issue("minji", LATER)).person == "minji"
    assert before.verify(token), "a server that was not started again"

    assert started.file == replace(copy, token_secret=started.token_secret)
    assert copy.path.stat().st_mode & 0o777 == 0o600
    opened = Vault(apart.keystore, started, OrderedDict())
    await opened.verify()
    key = await memory.maintenance.vault.get_key(me)
    assert (await opened.get_key(me)).compute_digest("x") == key.compute_digest("x")


@pytest.mark.parametrize("what", ["rotate_wrapping", "rotate_token_secret", "retire"])
async def test_two_do_not_rotate_at_once(
    memory: Gieok, apart: KeyRotation, what: str
) -> None:
    path = memory.maintenance.vault.provider.path
    before = path.read_bytes()
    async with memory.maintenance.vault.keystore.lock_rotation():
        with pytest.raises(ConflictError):
            await getattr(apart, what)()
    assert path.read_bytes() == before


@pytest.mark.req("D16")
async def test_every_changed_byte_of_a_thousand_sealed_rows_is_noticed(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    """One random byte of each row, and each byte of one row: 100 % rejected."""
    session = await memory.sessions.start(me)
    for number in range(500):
        turn = Turn(f"나 {number}번째로 강남구 살아", "네, 기억할게요.")
        await memory.sessions.record(me, session.session_id, turn)
    key = await memory.maintenance.vault.get_key(me)
    column = next(each for each in SEALED_COLUMNS if each.table == "session_messages")
    found = await owner.execute(
        f"SELECT {column.selected} FROM session_messages WHERE user_id = %s".encode(),
        [me.user_id],
    )
    sealed = await found.fetchall()
    assert len(sealed) == 1_000
    chance = random.Random(1)  # noqa: S311 - no secret
    flips = [
        (row, chance.randrange(len(row[2])), 1 << chance.randrange(8)) for row in sealed
    ]
    flips += [
        (sealed[0], at, change)
        for at in range(len(sealed[0][2]))
        for change in range(1, 256)
    ]
    rejected = 0
    for row, at, change in flips:
        assert column.open_text(key, row)
        changed = bytearray(row[2])
        changed[at] ^= change
        with pytest.raises(TamperedError, match=r"session_messages\.content"):
            column.open(key, (*row[:2], bytes(changed), *row[3:]))
        rejected += 1
    assert rejected == len(flips)


@pytest.mark.req("D16")
async def test_a_lost_keystore_is_named_and_nothing_is_made_in_its_place(
    memory: Gieok, me: Scope, tmp_path: Path
) -> None:
    await memory.memories.remember(me, "하나")
    with pytest.raises(KeyFileError, match="is missing, but sealed data exists"):
        FileKeyProvider.open(tmp_path / "gone.key", create=False)
    foreign = await Keyring.open(tmp_path / "gieok.key", probe=None)
    vault = Vault(memory.maintenance.vault.keystore, foreign, OrderedDict())
    with pytest.raises(KeyFileError, match="another installation"):
        await vault.verify()
    with pytest.raises(KeyFileError, match="another installation"):
        await vault.get_key(me)


async def test_an_import_is_sealed_with_the_key_of_its_person(
    memory: Gieok, me: Scope, other: Scope, owner: Owner
) -> None:
    await memory.memories.remember(me, "하나")
    file = io.BytesIO(await export_bytes(memory, me))
    await memory.portability.load(other, file)
    mine, theirs = [
        await owner.execute(
            "SELECT content FROM user_memories WHERE user_id = %s", [who.user_id]
        )
        for who in (me, other)
    ]
    assert await mine.fetchall() != await theirs.fetchall()
