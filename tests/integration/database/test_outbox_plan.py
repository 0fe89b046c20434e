"""Queueing what follows costs the same however many jobs wait for others."""

from gieok import Gieok, Scope
from gieok.database.outbox import QUEUE_EVENTS
from support.jobs import list_queued_tasks

EVENTS = """
    WITH event AS (
        SELECT %(user_id)s::uuid AS user_id, 'turns_recorded' AS task,
               about, NULL::timestamptz AS due
        FROM unnest(ARRAY[%(user_id)s, %(user_id)s]::uuid[]) AS about
    )
"""


async def test_a_job_that_waits_is_found_by_its_lock_alone(
    memory: Gieok, me: Scope
) -> None:
    """Whatever PostgreSQL knows of the table, no other job is looked at."""
    async with memory.maintenance.database.begin(me) as tx:
        plan = await tx.fetch_all(
            "EXPLAIN " + EVENTS + QUEUE_EVENTS, {"user_id": me.user_id}
        )
    shown = "\n".join(row[0] for row in plan)
    assert "Conflict Arbiter Indexes: procrastinate_jobs_queueing_lock_idx_v1" in shown
    assert "on procrastinate_jobs " not in shown.partition("\n")[2]


async def test_what_happens_twice_before_anybody_looks_is_one_job(
    memory: Gieok, me: Scope
) -> None:
    for _ in range(2):
        async with memory.maintenance.database.begin(me) as tx:
            await tx.execute(EVENTS + QUEUE_EVENTS, {"user_id": me.user_id})
    assert await list_queued_tasks(memory, me) == ["turns_recorded"]
