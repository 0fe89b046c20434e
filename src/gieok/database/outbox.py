"""Events turned into jobs by one statement inside the transaction that causes them.

The job table is procrastinate's; its SQL function is called directly so that the job
travels in the same pipeline as the rows it follows. A job is only added when none of
its kind waits for the session already. No wake-up is lost by that: the caller holds the
person's counter row from before the check until its commit, and the handler takes that
row before it reads (`Database.wait_for_writers`).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gieok.database.arrays import array_of
from gieok.database.events import Event

if TYPE_CHECKING:
    from gieok.database.transaction import Transaction

QUEUE = "gieok"

# One line of jobs per person. What waits for its time has a line of its own: the queue
# lets nothing pass a job that came earlier, even while that one is not due.
DEFER = """
    WITH event AS (
        SELECT task, session_id, due,
               task || ':' || %(user_id)s::text || ':' || session_id AS waiting
        FROM unnest(
            %(tasks)s::text[], %(sessions)s::text[], %(due)s::timestamptz[]
        ) AS event (task, session_id, due)
    )
    SELECT procrastinate_defer_jobs_v1(array_agg(
        ROW(
            %(queue)s, task, 0,
            %(user_id)s::text || CASE WHEN due IS NULL THEN '' ELSE ':' || task END,
            waiting,
            jsonb_build_object('user_id', %(user_id)s::text, 'session_id', session_id),
            due
        )::procrastinate_job_to_defer_v1
    ))
    FROM event
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
            "user_id": str(tx.scope.user_id),
            "tasks": array_of(event.name for event in events),
            "sessions": array_of(str(event.session_id) for event in events),
            "due": array_of(
                f'"{event.due.isoformat()}"' if event.due else "NULL"
                for event in events
            ),
        },
    )
