"""Events turned into jobs by one statement inside the transaction that causes them.

The job table is procrastinate's; its SQL function is called directly so that the job
travels in the same pipeline as the rows it follows. A job is only added when none of
its kind waits for the same already. No wake-up is lost by that: the
caller holds the person's counter row or the session's row from before the check until
its commit, and the handler takes both before it reads.
"""

from collections.abc import Sequence
from typing import Final

from gieok.database.arrays import to_array_literal
from gieok.database.events import Event
from gieok.database.execution import Execution

QUEUE: Final = "gieok"

# One line of jobs per person. What waits for its time has a line of its own: the queue
# lets nothing pass a job that came earlier, even while that one is not due.
QUEUE_EVENTS: Final = """
    SELECT procrastinate_defer_jobs_v1(array_agg(
        ROW(
            'gieok', task, 0,
            user_id::text || CASE WHEN due IS NULL THEN '' ELSE ':' || task END,
            task || ':' || user_id || ':' || about,
            jsonb_build_object('user_id', user_id, 'about', about),
            due
        )::procrastinate_job_to_defer_v1
    ))
    FROM event
    WHERE NOT EXISTS (
        SELECT FROM procrastinate_jobs
        WHERE queueing_lock = task || ':' || user_id || ':' || about
          AND status = 'todo'
    )
    HAVING count(*) > 0
"""
"""Queues jobs for the rows of `event (user_id, task, about, due)`."""

_ANNOUNCE: Final = (
    """
    WITH event AS (
        SELECT %(user_id)s::uuid AS user_id, event.*
        FROM unnest(
            %(tasks)s::text[], %(about)s::uuid[], %(due)s::timestamptz[]
        ) AS event (task, about, due)
    )
    """
    + QUEUE_EVENTS
)


async def enqueue_events(tx: Execution, events: Sequence[Event]) -> None:
    """Queue what follows from events; one person's jobs run in order."""
    await tx.execute(
        _ANNOUNCE,
        {
            "user_id": tx.scope.user_id,
            "tasks": to_array_literal(event.name for event in events),
            "about": to_array_literal(str(event.about) for event in events),
            "due": to_array_literal(
                f'"{event.due.isoformat()}"' if event.due else "NULL"
                for event in events
            ),
        },
    )
