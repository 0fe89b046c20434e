"""Whatever is erased leaves one receipt, and soon no backup of it opens."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from gieok import Gieok, Scope, Turn
from gieok.database import Event, KeyOutdated, MemoriesForgotten
from gieok.kernel.errors import TamperedError
from gieok.kernel.language import Basis, FindingOperation
from gieok.memories.rows import CONTENT
from gieok.privacy import ErasureKind
from gieok.privacy.receipt_issuer import KEYSTORE_BACKUPS, RENEWED_AFTER, RENEWED_WITHIN
from gieok.privacy.rotation import DESTROYED_AFTER, SETTLES_IN
from gieok.testing import FixedClock
from gieok.worker.job_steps import ON
from support.database import Owner
from support.scripted_model import Script, fact
from support.session_talk import announced

BEES = "사용자는 벌을 키움"
HOURLY = timedelta(hours=1)
Forget = Callable[[Gieok, Scope, UUID, Script], Awaitable[object]]


async def by_id(memory: Gieok, me: Scope, gone: UUID, _: Script) -> None:
    receipt = await memory.memories.forget(me, gone)
    assert (receipt,) == await memory.erasure.receipts(me), "it is there at once"


async def by_all(memory: Gieok, me: Scope, _gone: UUID, _: Script) -> None:
    await memory.memories.forget_all(me)


async def by_word(memory: Gieok, me: Scope, gone: UUID, script: Script) -> None:
    """Say "잊어줘" in a conversation."""
    wish = replace(
        fact(BEES, basis=Basis.REQUESTED),
        operation=FindingOperation.DELETE,
        target=str(gone),
    )
    script.says(wish)
    session_id = (await memory.sessions.start(me)).session_id
    await memory.sessions.record(me, session_id, Turn("벌 얘기는 잊어줘", "네."))
    await memory.memories.extract(me, session_id)


async def worked(memory: Gieok, me: Scope, event: type[Event]) -> None:
    """Do what the worker does when something happened."""
    for step in ON[event]:
        await step(memory, me, me.user_id)


async def sealed_content(owner: Owner, memory_id: UUID) -> bytes:
    """Return what a backup of the data would hold of a memory."""
    found = await owner.execute(
        "SELECT content FROM user_memories WHERE memory_id = %s", [memory_id]
    )
    row = await found.fetchone()
    assert row is not None
    return bytes(row[0])


async def two_hours_later(memory: Gieok, me: Scope) -> None:
    """Let time go by in the keystore, which dates its keys itself."""
    async with memory.maintenance.vault.keystore.pool.connection() as keystore:
        await keystore.execute(
            "UPDATE user_keys SET settled_at = settled_at - interval '2 hours' "
            "WHERE user_id = %s",
            [me.user_id],
        )


@pytest.mark.req("A15", "A18")
@pytest.mark.parametrize("forget", [by_id, by_all, by_word])
@pytest.mark.usefixtures("replayed")
async def test_a_forgotten_memory_has_one_receipt_however_it_was_forgotten(
    memory: Gieok, me: Scope, script: Script, owner: Owner, forget: Forget
) -> None:
    kept = await memory.memories.remember(me, BEES)
    await forget(memory, me, kept.memory_id, script)
    assert (await memory.memories.page(me, include_inactive=True))[1] == 0
    assert await announced(owner, "memories_forgotten", me.user_id) == 1
    await asyncio.gather(*(worked(memory, me, MemoriesForgotten) for _ in range(4)))
    (receipt,) = await memory.erasure.receipts(me)
    assert memory.erasure.verify(receipt)
    assert (receipt.kind, receipt.about) == (ErasureKind.MEMORY, kept.memory_id)
    assert receipt.requested_at <= receipt.finished_at
    assert receipt.parts["checkpoints"] == "kept", "and it says what it did not do"
    entered = [
        entry.about
        for entry in await memory.maintenance.vault.keystore.ledger.list_entries()
        if entry.user_id == me.user_id and entry.kind is ErasureKind.MEMORY
    ]
    assert entered == [kept.memory_id], "so that a restored backup forgets it too"
    assert await memory.erasure.replay() == 0
    await memory.audit.verify(me)


@pytest.mark.req("A15")
async def test_every_memory_of_many_has_its_own_receipt_and_later_ones_get_theirs(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    first = [await memory.memories.remember(me, f"사실 {n}") for n in range(5)]
    theirs = await memory.memories.remember(other, BEES)
    await memory.memories.forget_all(me)
    assert await memory.erasure.attest(me) == 5
    second = await memory.memories.remember(me, "사실 6")
    receipt = await memory.memories.forget(me, second.memory_id)
    assert {each.about for each in await memory.erasure.receipts(me)} == {
        each.memory_id for each in (*first, second)
    }
    assert receipt.about == second.memory_id
    assert await memory.erasure.receipts(other) == ()
    assert (await memory.memories.page(other))[0][0].memory_id == theirs.memory_id


@pytest.mark.req("A15", "E19")
async def test_after_less_than_a_person_was_erased_the_persons_key_is_renewed(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    gone = await memory.memories.remember(me, BEES)
    kept = await memory.memories.remember(me, "사용자는 수영을 함")
    in_backup = await sealed_content(owner, gone.memory_id)
    receipt = await memory.memories.forget(me, gone.memory_id)
    assert receipt.parts["keys"] == "renewal_due"
    until = receipt.finished_at + RENEWED_WITHIN + KEYSTORE_BACKUPS
    assert receipt.backups_until == until
    clock.advance(RENEWED_AFTER - timedelta(seconds=1))
    await memory.agenda.enqueue_due()
    assert await announced(owner, KeyOutdated.name, me.user_id) == 0
    clock.advance(timedelta(seconds=1))
    await memory.agenda.enqueue_due()
    assert await announced(owner, KeyOutdated.name, me.user_id) == 1
    await worked(memory, me, KeyOutdated)
    assert len(await memory.maintenance.vault.keystore.list_keys(me.user_id)) == 2
    await two_hours_later(memory, me)
    await memory.keys.finish()
    (held,) = await memory.maintenance.vault.keystore.list_keys(me.user_id)
    assert held.epoch == 1, "the worker's hourly step destroyed the key before it"
    key = await memory.maintenance.vault.get_key(me)
    with pytest.raises(TamperedError):
        key.open_text(CONTENT, gone.memory_id, in_backup, revision=1)
    assert (await memory.memories.get(me, kept.memory_id)).content == kept.content
    steps = RENEWED_AFTER + SETTLES_IN + DESTROYED_AFTER + 2 * HOURLY
    assert steps <= RENEWED_WITHIN, "what the receipt says"


@pytest.mark.req("A15")
async def test_a_key_that_is_being_renewed_is_tried_again_and_an_erased_one_never(
    memory: Gieok, me: Scope, other: Scope, owner: Owner
) -> None:
    await memory.memories.remember(me, BEES)
    assert await memory.erasure.renew_key(me)
    assert not await memory.erasure.renew_key(me)
    assert not await memory.erasure.renew_key(other), "who is not there"
    found = await owner.execute(
        "SELECT user_id FROM agenda WHERE task = 'key_outdated' AND user_id = ANY(%s)",
        [[me.user_id, other.user_id]],
    )
    assert await found.fetchall() == [(me.user_id,)]
    await memory.erasure.person(me)
    assert await memory.maintenance.vault.keystore.list_keys(me.user_id) == ()
