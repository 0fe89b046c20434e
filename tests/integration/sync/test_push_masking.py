"""What a push masked knowing all that was said before is not looked at again."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gieok import Gieok, Scope
from gieok.sessions import RecordedPair
from gieok.sessions.masking import RecentTexts
from gieok.sessions.reader_store import UnmaskedSession, claim_unmasked
from support.session_talk import with_parts
from support.sync_device import Device

FIRST, SECOND = "카드 번호 앞은 4539 1488", "뒤는 0343 6467"
MASKED = ["뒤는 [카드번호]", "카드 번호 앞은 [카드번호]"]


def restart(memory: Gieok) -> Gieok:
    """Return another process, which has heard nothing yet."""
    sessions = with_parts(memory.sessions, recent=RecentTexts())
    return replace(memory, sync=replace(memory.sync, sessions=sessions))


async def list_unmasked(memory: Gieok, me: Scope) -> Sequence[UnmaskedSession]:
    async with memory.maintenance.database.begin(me) as tx:
        return await claim_unmasked(tx, None)


async def read_texts(memory: Gieok, me: Scope) -> list[str]:
    """Return what another device of the person is told."""
    phone = Device(memory, me, "phone")
    await phone.join()
    return sorted(
        item.user_text
        for item in phone.store.values()
        if isinstance(item, RecordedPair)
    )


@pytest.mark.req("A18")
async def test_what_one_process_took_is_masked_for_good(
    memory: Gieok, me: Scope
) -> None:
    device = Device(memory, me)
    await device.join()
    device.says(FIRST)
    await device.push()
    device.says(SECOND)
    for number in range(12):  # the session is full by then, and goes on in another
        device.says(f"물 {number}잔 마셨어")
    await device.push()
    assert await list_unmasked(memory, me) == []
    assert (await read_texts(memory, me))[:1] == MASKED[:1]
    assert set(MASKED) <= set(await read_texts(memory, me))


@pytest.mark.req("A18")
async def test_a_number_that_two_processes_took_is_mended(
    memory: Gieok, me: Scope
) -> None:
    device = Device(memory, me)
    await device.join()
    device.says(FIRST)
    await device.push()
    device.memory = restart(memory)
    device.says(SECOND)
    await device.push()
    assert await read_texts(memory, me) == MASKED


@pytest.mark.req("A18")
async def test_a_number_over_two_sessions_and_two_processes_is_mended(
    memory: Gieok, me: Scope
) -> None:
    device = Device(memory, me)
    await device.join()
    for number in range(7):
        device.says(f"물 {number}잔 마셨어")
    device.says(FIRST)
    await device.push()
    assert await list_unmasked(memory, me) == []
    device.memory = restart(memory)
    device.says(SECOND)
    await device.push()
    (behind,) = await list_unmasked(memory, me)
    assert behind.continues is not None, "a session that goes on in another"


@pytest.mark.req("A18")
async def test_what_waits_to_be_looked_at_keeps_waiting(
    memory: Gieok, me: Scope
) -> None:
    """A push that knows all that came last does not answer for what came before."""
    device = Device(memory, me)
    await device.join()
    device.says(FIRST)
    await device.push()
    device.memory = restart(memory)
    device.says(SECOND)
    await device.push()
    for number in range(4):
        device.says(f"물 {number}잔 마셨어")
        await device.push()
    (behind,) = await list_unmasked(memory, me)
    assert behind.start == 2
