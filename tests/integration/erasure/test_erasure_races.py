"""Whoever writes while they are erased comes back as somebody who can be erased."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from psycopg.errors import DeadlockDetected, SerializationFailure

from gieok import Gieok, Scope, Turn
from gieok.accounts import store as accounts
from gieok.database import Transaction
from gieok.database.transaction import ContentionError
from gieok.erasure import person_store
from gieok.kernel.errors import ConflictError, NotFoundError
from gieok.settings import consent_rules
from support.database import Owner

ERASURES = 10
Writing = Callable[[Gieok, Scope], Awaitable[object]]


async def agree(memory: Gieok, me: Scope) -> object:
    return await memory.settings.consent(me, {"words": True})


async def say(memory: Gieok, me: Scope) -> object:
    session = await memory.sessions.start(me)
    return await memory.sessions.record(me, session.session_id, Turn("차 좋아해", "네"))


async def keep(memory: Gieok, me: Scope) -> object:
    return await memory.memories.remember(me, "사용자는 벌을 키움")


async def move(memory: Gieok, me: Scope) -> object:
    return await memory.accounts.update(me, language="en")


async def miscount(owner: Owner, me: Scope) -> None:
    """Let the person's row miss the last erasure, as once it could."""
    await owner.execute(
        "UPDATE users SET incarnation = incarnation - 1 WHERE user_id = %s",
        [me.user_id],
    )


async def is_kept(owner: Owner, me: Scope) -> bool:
    found = await owner.execute("SELECT FROM users WHERE user_id = %s", [me.user_id])
    return await found.fetchone() is not None


async def wait_for_lock(owner: Owner) -> None:
    """Return once somebody waits for a row that another transaction holds."""
    waiting = (
        "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
        "AND query LIKE '%INSERT INTO users%'"
    )
    for _ in range(500):
        if await (await owner.execute(waiting)).fetchone() is not None:
            return
        await asyncio.sleep(0.02)
    pytest.fail("nobody came back")


@pytest.mark.req("A15", "E19")
async def test_who_comes_back_while_the_erasure_commits_counts_it(
    memory: Gieok, me: Scope, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    await agree(memory, me)
    delete, back = accounts.delete_person, list[asyncio.Task[object]]()

    async def delete_slowly(tx: Transaction) -> None:
        await delete(tx)
        await tx.fetch_one("SELECT 1")
        back.append(asyncio.create_task(agree_anew()))
        await wait_for_lock(owner)

    async def agree_anew() -> object:
        return await agree(memory, me)

    with monkeypatch.context() as patch:
        patch.setattr(accounts, "delete_person", delete_slowly)
        assert (await memory.erasure.person(me)).number == 1
    await asyncio.gather(*back)
    async with memory.maintenance.database.begin(me) as tx:
        row = await tx.fetch_one("SELECT incarnation FROM users")
    assert row == (1,)
    assert (await memory.erasure.person(me)).number == 2
    await memory.audit.verify(me)


@pytest.mark.req("A15", "E19")
async def test_who_is_erased_while_they_decide_comes_back_and_is_held(
    memory: Gieok, me: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two who decide at once would else both write the first version."""
    await agree(memory, me)
    build, erased = consent_rules.build_entries, list[int]()

    async def build_after_erasure(*asked: Any) -> object:
        if not erased:
            erased.append((await memory.erasure.person(me)).number)
        return await build(*asked)

    with monkeypatch.context() as patch:
        patch.setattr(consent_rules, "build_entries", build_after_erasure)
        await agree(memory, me)
    assert erased == [1]
    versions = [each.version for each in await memory.settings.consent_history(me)]
    assert versions == [1]
    assert (await memory.erasure.person(me)).number == 2
    await memory.audit.verify(me)


@pytest.mark.req("A15", "E19")
@pytest.mark.parametrize("write", [agree, keep, say])
@pytest.mark.usefixtures("replayed")
async def test_who_missed_an_erasure_is_erased_by_the_same_call(
    memory: Gieok, me: Scope, owner: Owner, write: Writing
) -> None:
    await keep(memory, me)
    first = await memory.erasure.person(me)
    await write(memory, me)
    await miscount(owner, me)
    second = await memory.erasure.person(me)
    assert (first.number, second.number) == (1, 2)
    assert not await is_kept(owner, me)
    assert await memory.erasure.person(me) == second
    assert await memory.erasure.replay() == 0
    await memory.audit.verify(me)


@pytest.mark.req("A15", "E19")
@pytest.mark.parametrize("write", [agree, keep])
@pytest.mark.usefixtures("replayed")
async def test_restore_check_ends_an_erasure_that_failed_of_who_missed_one(
    memory: Gieok, me: Scope, other: Scope, owner: Owner, write: Writing
) -> None:
    for each in (me, other):
        await keep(memory, each)
        await memory.erasure.person(each)
        await write(memory, each)
        await miscount(owner, each)
    async with memory.maintenance.database.begin(me) as tx:
        tables = person_store.CONTENT_TABLES
        gone = [await person_store.delete_batch(tx, each, 10) for each in tables]
        assert any(gone) == (write is keep)
    await memory.maintenance.vault.destroy(me)
    if write is agree:
        await keep(memory, other)
    assert await memory.erasure.replay() == 1
    assert not await is_kept(owner, me)
    assert [each.number for each in await memory.erasure.receipts(me)] == [2, 1]
    assert await is_kept(owner, other), "nobody asked for it"
    assert len((await memory.memories.page(other))[0]) == 1
    assert await memory.erasure.replay() == 0
    assert (await memory.erasure.person(other)).number == 2


@pytest.mark.req("A15", "E19")
@pytest.mark.usefixtures("replayed")
async def test_restore_check_goes_on_with_others_and_tells_that_one_failed(
    memory: Gieok, me: Scope, other: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    for each in (me, other):
        await keep(memory, each)
        with pytest.raises(KeyboardInterrupt):
            await memory.erasure.person(each, killed)
    lock = person_store.lock_person

    async def fail_for_me(tx: Transaction) -> int | None:
        if tx.scope.user_id == me.user_id:
            raise ZeroDivisionError
        return await lock(tx)

    with monkeypatch.context() as patch:
        patch.setattr(person_store, "lock_person", fail_for_me)
        with pytest.raises(ConflictError, match="1 erasures failed"):
            await memory.maintenance.replay()
    assert not await memory.accounts.is_known(other)
    assert await memory.accounts.is_known(me)
    assert (await memory.maintenance.replay()).erasures == 1
    assert not await memory.accounts.is_known(me)


async def write_until(
    memory: Gieok, me: Scope, write: Writing, done: asyncio.Event
) -> list[Exception]:
    """Write again and again; return what was neither done nor refused as erased."""
    wrong: list[Exception] = []
    while not done.is_set():
        try:
            await write(memory, me)
        except (ConflictError, NotFoundError):
            await asyncio.sleep(0)
        except Exception as error:  # noqa: BLE001 - it is to be none
            wrong.append(error)
    return wrong


async def write_once_more(memory: Gieok, me: Scope, write: Writing) -> None:
    """Write; who comes back may be refused once."""
    try:
        await write(memory, me)
    except ConflictError:
        await write(memory, me)


@pytest.mark.req("A15", "E19")
@pytest.mark.parametrize("write", [agree, keep, say, move])
async def test_who_writes_all_the_time_is_erased_again_and_again(
    memory: Gieok, me: Scope, owner: Owner, write: Writing
) -> None:
    await write(memory, me)
    done = asyncio.Event()
    writing = [
        asyncio.create_task(write_until(memory, me, write, done)) for _ in range(3)
    ]
    for _ in range(ERASURES):
        await memory.erasure.person(me)
        await asyncio.sleep(0.05)
    done.set()
    assert [error for each in writing for error in await each] == []
    await write_once_more(memory, me, write)
    receipt = await memory.erasure.person(me)
    assert not await is_kept(owner, me)
    numbers = [each.number for each in await memory.erasure.receipts(me)]
    assert sorted(numbers) == list(range(1, receipt.number + 1))
    await memory.audit.verify(me)


@pytest.mark.req("A15", "E19")
async def test_an_erasure_that_is_broken_off_for_a_writer_begins_again(
    memory: Gieok, me: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep(memory, me)
    delete, broken = person_store.delete_batch, iter((True, True))

    async def delete_later(*given: Any) -> int:
        if next(broken, False):
            raise DeadlockDetected
        return await delete(*given)

    monkeypatch.setattr(person_store, "delete_batch", delete_later)
    assert (await memory.erasure.person(me)).number == 1
    assert not await memory.accounts.is_known(me)


@pytest.mark.req("A15")
@pytest.mark.parametrize("error", [DeadlockDetected, SerializationFailure])
async def test_who_came_second_is_told_to_try_again(
    memory: Gieok, me: Scope, error: type[Exception]
) -> None:
    with pytest.raises(ContentionError, match="try again"):
        async with memory.maintenance.database.begin(me):
            raise error
