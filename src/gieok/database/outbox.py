"""Events turned into jobs by one statement inside the transaction that causes them.

The job table is procrastinate's; its SQL function is called directly so that the job
travels in the same pipeline as the rows it follows. A job is only added when none of
its kind waits for the session already. No wake-up is lost by that: the caller holds the
person's counter row from before the check until its commit, and the handler takes that
row before it reads (`Database.wait_for_writers`).
"""

from typing import TYPE_CHECKING

from psycopg.types.json import Jsonb

from gieok.database.events import Event

if TYPE_CHECKING:
    from gieok.database.transaction import Transaction

QUEUE = "gieok"

DEFER = """
    SELECT procrastinate_defer_jobs_v1(ARRAY[
        ROW(%(queue)s, %(task)s, 0, %(lock)s, %(waiting)s, %(args)s, %(due)s)
        ::procrastinate_job_to_defer_v1
    ])
    WHERE NOT EXISTS (
        SELECT FROM procrastinate_jobs
        WHERE queueing_lock = %(waiting)s AND status = 'todo'
    )
"""


async def announce(tx: "Transaction", event: Event) -> None:
    """Queue what follows from an event; one person's jobs run in order."""
    await tx.execute(
        DEFER,
        {
            "queue": QUEUE,
            "task": event.name,
            "lock": str(event.user_id),
            "waiting": f"{event.name}:{event.session_id}",
            "args": Jsonb(
                {"user_id": str(event.user_id), "session_id": str(event.session_id)}
            ),
            "due": event.due,
        },
    )
