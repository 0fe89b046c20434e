"""What comes due is queued once, however many look, and whenever they look."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from gieok import ALL_CATEGORIES, Config, Gieok, Parts, Scope, Settings, open_memory
from gieok.database import (
    Agenda,
    PeriodEnded,
    SessionsMayBeIdle,
    schedule_event,
)
from gieok.kernel.errors import UnavailableError
from gieok.maintenance import Maintenance
from gieok.sessions import Status, Turn
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from gieok.worker import Pace
from support.database import Owner
from support.jobs import list_queued_tasks, wait_until

HOUR = timedelta(hours=1)


async def entered(memory: Gieok, scope: Scope, *after: timedelta) -> None:
    """Expect the end of a day at several times; the earliest counts."""
    await memory.accounts.ensure(scope)
    async with memory.maintenance.database.begin(scope) as tx:
        for span in after:
            await schedule_event(tx, PeriodEnded, tx.now + span)


async def test_what_is_due_is_queued_and_what_is_not_stays(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    await entered(memory, me, 3 * HOUR, HOUR, 2 * HOUR)
    await memory.agenda.enqueue_due()
    assert await list_queued_tasks(memory, me) == []
    clock.advance(HOUR)
    await memory.agenda.enqueue_due()
    await memory.agenda.enqueue_due()
    assert await list_queued_tasks(memory, me) == ["period_ended"]


async def test_a_sweep_makes_up_for_a_month_in_which_nobody_swept(
    memory: Gieok, me: Scope, other: Scope, clock: FixedClock
) -> None:
    await entered(memory, me, HOUR)
    await entered(memory, other, 700 * HOUR)
    clock.advance(720 * HOUR)
    await memory.agenda.enqueue_due()
    assert (
        await list_queued_tasks(memory, me)
        == await list_queued_tasks(memory, other)
        == ["period_ended"]
    )


async def test_a_clock_that_ran_back_queues_nothing_early(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    await entered(memory, me, HOUR)
    clock.advance(-100 * HOUR)
    await memory.agenda.enqueue_due()
    assert await list_queued_tasks(memory, me) == []


async def test_sweeps_at_the_same_time_queue_each_entry_once(
    memory: Gieok, clock: FixedClock, owner: Owner
) -> None:
    people = [memory.person(f"swept-{number}") for number in range(60)]
    for scope in people:
        await entered(memory, scope, HOUR)
    clock.advance(HOUR)
    swept = await asyncio.gather(*(memory.agenda.enqueue_due() for _ in range(4)))
    assert sum(swept) >= len(people)
    for scope in people:
        assert await list_queued_tasks(memory, scope) == ["period_ended"]
    left = await owner.execute(
        "SELECT count(*) FROM agenda WHERE user_id = ANY(%s)",
        [[scope.user_id for scope in people]],
    )
    assert await left.fetchone() == (0,)


async def test_an_entry_whose_job_waits_already_is_not_queued_again(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    for _ in range(2):
        await entered(memory, me, HOUR)
        clock.advance(HOUR)
        await memory.agenda.enqueue_due()
    assert await list_queued_tasks(memory, me) == ["period_ended"]


async def test_a_sweep_reads_what_is_due_and_nothing_else(
    memory: Gieok, owner: Owner
) -> None:
    await owner.execute("SET enable_seqscan = off")
    await owner.execute("SET enable_bitmapscan = off")
    plan = await owner.execute(
        "EXPLAIN SELECT user_id, task FROM agenda WHERE due <= now() "
        "ORDER BY due LIMIT 1000 FOR UPDATE SKIP LOCKED"
    )
    lines = [row[0] for row in await plan.fetchall()]
    assert any("agenda_by_due" in line for line in lines)
    assert memory.agenda.database is memory.maintenance.database


@pytest.fixture
async def two_workers(tmp_path: Path) -> AsyncGenerator[Gieok]:
    """Gieok whose sessions rest at once, with two workers that sweep every second."""
    config = Config(
        data=tmp_path,
        pause=timedelta(milliseconds=50),
        idle=timedelta(seconds=1),
        defaults=Settings(allowed_categories=ALL_CATEGORIES),
    )
    parts = Parts(
        model=ScriptedModel(),
        embedder=HashEmbedder(),
        tokenizer=WordTokenizer(),
        pace=Pace(poll=0.1, sweep="* * * * * *", tend="* * * * * *"),
    )
    async with (
        open_memory(config, parts=parts) as one,
        open_memory(config, parts=parts),
    ):
        yield one


@pytest.mark.req("E01", "E03", "E17")
async def test_two_workers_end_a_quiet_session_and_keep_one_episode(
    two_workers: Gieok,
) -> None:
    gieok = two_workers
    me = gieok.person("minji")
    session = await gieok.sessions.start(me)
    await gieok.sessions.record(me, session.session_id, Turn("내일 면접이야", "잘해!"))

    async def is_kept() -> bool:
        return (await gieok.episodes.page(me)).total > 0

    await wait_until(is_kept, seconds=30)
    ended = (await gieok.sessions.read(me, session.session_id)).session
    assert (ended.status, ended.ended_reason) == (Status.EXPIRED, "rested")
    page = await gieok.episodes.page(me)
    assert [episode.session_id for episode in page.episodes] == [session.session_id]
    assert SessionsMayBeIdle.name not in await list_queued_tasks(gieok, me)
    assert isinstance(page.episodes[0].episode_id, UUID)


@pytest.mark.req("A09", "E19")
async def test_workers_seal_the_audit_log_and_take_new_keys_into_use(
    two_workers: Gieok,
) -> None:
    gieok = two_workers
    me = gieok.person("jiho")
    await gieok.sessions.start(me)
    first = (await gieok.maintenance.vault.get_key(me)).epoch
    await gieok.keys.begin([me.user_id], settles_in=timedelta(0))

    async def is_tended() -> bool:
        gieok.maintenance.vault.opened.clear()
        renewed = (await gieok.maintenance.vault.get_key(me)).epoch > first
        return renewed and bool(await gieok.audit.seals.get_hashes(me.user_id))

    await wait_until(is_tended, seconds=30)


@pytest.fixture
def slow_changes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many jobs entered changed defaults at once, each time one began."""
    running, began = [0], list[int]()

    async def schedule(_: Maintenance) -> int:
        running[0] += 1
        began.append(running[0])
        await asyncio.sleep(2.5)
        running[0] -= 1
        return 0

    monkeypatch.setattr(Maintenance, "schedule_default_changes", schedule)
    return began


async def test_one_job_at_a_time_enters_changed_defaults(
    slow_changes: list[int], two_workers: Gieok
) -> None:
    async def has_begun_often() -> bool:
        return len(slow_changes) > 2

    await wait_until(has_begun_often, seconds=30)
    assert max(slow_changes) == 1
    assert await two_workers.jobs.list_failed() == ()


@pytest.fixture
def failing_sweeps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sweeps of the agenda that failed; every one does."""
    failed: list[int] = []

    async def fail(_: Agenda) -> int:
        failed.append(len(failed))
        what, reason = "database", "it is away"
        raise UnavailableError(what, reason)

    monkeypatch.setattr(Agenda, "enqueue_due", fail)
    return failed


async def test_a_sweep_that_fails_leaves_no_dead_letter(
    failing_sweeps: list[int], two_workers: Gieok
) -> None:
    """The next tick tries again; a line a minute would bury what needs somebody."""

    async def has_failed_again() -> bool:
        return len(failing_sweeps) > 2

    await wait_until(has_failed_again)
    assert await two_workers.jobs.list_failed() == ()
