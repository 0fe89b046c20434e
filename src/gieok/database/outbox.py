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
        ROW(%(queue)s, task, 0, line, waiting, args, due)
        ::procrastinate_job_to_defer_v1
    ))
    FROM unnest(
        %(tasks)s::text[], %(lines)s::text[], %(waiting)s::text[], %(args)s::jsonb[],
        %(due)s::timestamptz[]
    ) AS event (task, line, waiting, args, due)
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
            "tasks": [event.name for event in events],
            "lines": [_line(event) for event in events],
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


def _line(event: Event) -> str:
    """Return the lock under which a job runs: one line of jobs per person.

    What waits for its time has a line of its own, because the queue lets nothing pass
    a job that came earlier, even while that one is not due.
    """
    later = "" if event.due is None else f":{event.name}"
    return f"{event.user_id}{later}"
