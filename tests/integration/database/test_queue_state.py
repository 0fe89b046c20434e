"""What an operator is told of the queue while nobody works on it."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from psycopg.sql import SQL, Identifier, Placeholder

from gieok import Gieok, Scope
from gieok.database.jobs import STALLED_AFTER
from gieok.kernel.errors import ConflictError, NotFoundError
from gieok.surfaces.checks import CheckProblem, InstallationChecks
from gieok.surfaces.pages.texts import format_text
from gieok.worker.pace import NORMAL
from support.database import Owner
from support.memory_talk import record_turns
from support.own_installation import module_address, module_config, module_memory

config, memory, address = module_config, module_memory, module_address


@pytest.fixture(autouse=True)
async def _empty_queue(owner: Owner) -> None:
    await owner.execute("DELETE FROM procrastinate_jobs")


def build_checks(memory: Gieok) -> InstallationChecks:
    def translate(key: str, **details: object) -> str:
        return format_text(key, "en", **details)

    return InstallationChecks(memory, translate)


async def age(owner: Owner, hours: int) -> None:
    """Let whatever waits have waited for so long."""
    await owner.execute(
        "UPDATE procrastinate_events SET at = at - make_interval(hours => %s)", [hours]
    )


async def add_job(owner: Owner, task: str, **values: object) -> int:
    """Queue a job as it would stand there; return its number."""
    columns = {"queue_name": "gieok", "task_name": task, "args": "{}", **values}
    statement = SQL("INSERT INTO procrastinate_jobs ({}) VALUES ({}) RETURNING id")
    names = SQL(", ").join(map(Identifier, columns))
    places = SQL(", ").join([Placeholder()] * len(columns))
    found = await owner.execute(statement.format(names, places), [*columns.values()])
    row = await found.fetchone()
    assert row is not None
    return row[0]


async def test_a_queue_that_nobody_works_on_is_late(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    await record_turns(memory, me, "강남구 살아")
    assert "0 s late" in await build_checks(memory).check_queue()
    await age(owner, 24)
    with pytest.raises(CheckProblem, match=r"864\d\d s late"):
        await build_checks(memory).check_queue()


async def test_the_oldest_counts_however_many_came_later(
    memory: Gieok, owner: Owner
) -> None:
    await add_job(owner, "old")
    await age(owner, 24)
    await owner.execute(
        """
        INSERT INTO procrastinate_jobs (queue_name, task_name, args)
        SELECT 'gieok', 'new', '{}' FROM generate_series(1, 1100)
        """
    )
    with pytest.raises(CheckProblem, match=r"1101 waiting, 1101 due, 864\d\d s"):
        await build_checks(memory).check_queue()


async def test_what_waits_for_its_time_is_not_late(memory: Gieok, owner: Owner) -> None:
    """Nor is what waits behind it in a person's line, or was just tried again."""
    failing = await add_job(owner, "retried", lock="minji", status="failed")
    await add_job(owner, "later", lock="minji", scheduled_at="2999-01-01")
    await add_job(owner, "behind", lock="minji")
    await age(owner, 24)
    await memory.jobs.retry(failing)
    found = await build_checks(memory).check_queue()
    assert found == "3 waiting, 1 due, 0 s late"


async def add_busy_line(owner: Owner, *, silent_for: int) -> None:
    """Let a job run in a person's line, and one wait behind it for a day."""
    found = await owner.execute(
        """
        INSERT INTO procrastinate_workers (last_heartbeat)
        VALUES (now() - make_interval(secs => %s)) RETURNING id
        """,
        [silent_for],
    )
    row = await found.fetchone()
    assert row
    await add_job(owner, "running", lock="minji", status="doing", worker_id=row[0])
    await add_job(owner, "behind", lock="minji")
    await age(owner, 24)


async def test_what_waits_for_a_job_of_its_line_that_runs_is_not_late(
    memory: Gieok, owner: Owner
) -> None:
    """Who brings in 500 conversations fills one line for hours."""
    await add_busy_line(owner, silent_for=5)
    await add_job(owner, "of_nobody", status="doing")
    await add_job(owner, "of_somebody_else", lock="jun")
    found = await build_checks(memory).check_queue()
    assert found == "2 waiting, 1 due, 0 s late"


async def test_what_waits_for_a_worker_that_died_is_late(
    memory: Gieok, owner: Owner
) -> None:
    assert NORMAL.stalled_after == STALLED_AFTER.total_seconds()
    await add_busy_line(owner, silent_for=60)
    with pytest.raises(CheckProblem, match=r"1 due, 864\d\d s late"):
        await build_checks(memory).check_queue()


async def test_what_waited_for_another_s_time_is_late_from_then_on(
    memory: Gieok, owner: Owner
) -> None:
    just_now = datetime.now(UTC) - timedelta(seconds=10)
    await add_job(owner, "timed", lock="minji", scheduled_at=just_now)
    await add_job(owner, "behind", lock="minji")
    await age(owner, 24)
    found = await build_checks(memory).check_queue()
    assert re.fullmatch(r"2 waiting, 2 due, 1\d s late", found)


async def test_a_job_that_fails_is_listed_however_many_came_later(
    memory: Gieok, owner: Owner
) -> None:
    failing = await add_job(owner, "failing")
    await memory.jobs.record_failure(failing, "the model is away")
    for _ in range(3):
        await add_job(owner, "new")
    (found,) = await memory.jobs.list_retrying(limit=2)
    assert (found.job_id, found.failure) == (failing, "the model is away")


async def test_a_failed_job_whose_kind_waits_already_says_so(
    memory: Gieok, owner: Owner
) -> None:
    failed = await add_job(owner, "closed", status="failed", queueing_lock="closed:1")
    waiting = await add_job(owner, "closed", queueing_lock="closed:1")
    with pytest.raises(ConflictError, match="another one of its kind waits"):
        await memory.jobs.retry(failed)
    await owner.execute("DELETE FROM procrastinate_jobs WHERE id = %s", [waiting])
    await memory.jobs.retry(failed)
    with pytest.raises(NotFoundError, match="failed job"):
        await memory.jobs.retry(failed)
