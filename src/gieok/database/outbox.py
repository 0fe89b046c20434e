"""Events turned into jobs by one statement inside the transaction that causes them.

The job table is procrastinate's; its SQL function is called directly so that the job
travels in the same pipeline as the rows it follows. A job is only added when none of
its kind waits for the session already. No wake-up is lost by that: the caller holds the
person's counter row from before the check until its commit, and the handler takes that
row before it reads (`Database.wait_for_writers`).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from psycopg.types.json import Jsonb

from gieok.database.events import Event

if TYPE_CHECKING:
    from gieok.database.transaction import Transaction

QUEUE = "gieok"

DEFER = """
    SELECT procrastinate_defer_jobs_v1(array_agg(
        ROW(%(queue)s, task, 0, %(lock)s, waiting, args, due)
        ::procrastinate_job_to_defer_v1
    ))
    FROM unnest(
        %(tasks)s::text[], %(waiting)s::text[], %(args)s::jsonb[],
        %(due)s::timestamptz[]
    ) AS event (task, waiting, args, due)
    WHERE NOT EXISTS (
        SELECT FROM procrastinate_jobs
        WHERE queueing_lock = event.waiting AND status = 'todo'
    )
    HAVING count(*) > 0
"""


async def announce(tx: "Transaction", events: Sequence[Event]) -> None:
    """Queue what follows from events; one person's jobs run in order."""
    await tx.execute(
        DEFER,
        {
            "queue": QUEUE,
            "lock": str(tx.scope.user_id),
            "tasks": [event.name for event in events],
            "waiting": [f"{event.name}:{event.session_id}" for event in events],
            "args": [
                Jsonb(
                    {"user_id": str(event.user_id), "session_id": str(event.session_id)}
                )
                for event in events
            ],
            "due": [event.due for event in events],
        },
    )
