"""Events turned into jobs by one statement inside the transaction that causes them.

The job table is procrastinate's; rows are added as its own function adds them, so that
the job travels in the same pipeline as the rows it follows. A job is only added when
none of its kind waits for the same already: the index of queueing locks tells, however
many jobs wait for others. No wake-up is lost by that: the caller holds the person's
counter row or the session's row from before the check until its commit, and the handler
takes both before it reads.
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
    INSERT INTO procrastinate_jobs
        (queue_name, task_name, lock, queueing_lock, args, scheduled_at)
    SELECT 'gieok', task,
           user_id::text || CASE WHEN due IS NULL THEN '' ELSE ':' || task END,
           task || ':' || user_id || ':' || about,
           jsonb_build_object('user_id', user_id, 'about', about), due
    FROM event
    ON CONFLICT (queueing_lock) WHERE status = 'todo' DO NOTHING
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
