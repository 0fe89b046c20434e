"""What comes due for people, and the sweep that turns it into jobs.

A person has at most one entry of a kind, for the earliest time; who acts on it enters
the next one. The sweep looks at what is due and at nothing else, however many people
and sessions there are; an entry leaves the agenda in the statement that queues its job,
so that two workers, a crash or hours of downtime neither lose nor repeat it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from gieok.database.arrays import to_array_literal
from gieok.database.events import AgendaEvent
from gieok.database.outbox import QUEUE_EVENTS
from gieok.database.transaction import Database, Transaction
from gieok.kernel.scope import Scope

BATCH: Final = 1_000
RETRY_AFTER: Final = timedelta(hours=1)
"""When an event comes again whose job was given up."""

_QUEUE_DUE: Final = (
    """
    WITH event AS (
        DELETE FROM agenda WHERE (user_id, task) IN (
            SELECT user_id, task FROM agenda WHERE due <= %(now)s
            ORDER BY due LIMIT %(batch)s FOR UPDATE SKIP LOCKED
        )
        RETURNING user_id, task, user_id AS about, NULL::timestamptz AS due
    ), queued AS (
    """
    + QUEUE_EVENTS
    + """
    )
    SELECT count(*) FROM event
    """
)


async def schedule_event(
    tx: Transaction, event: type[AgendaEvent], due: datetime
) -> None:
    """Enter an event of the person; an earlier entry of its kind stays."""
    await schedule_events(tx, {event: due})


async def schedule_events(
    tx: Transaction, due: Mapping[type[AgendaEvent], datetime]
) -> None:
    """Enter events of the person; earlier entries of their kinds stay.

    An entry that stays is not written again.
    """
    await tx.execute(
        """
        INSERT INTO agenda (user_id, task, due)
        SELECT %s, task, due
        FROM unnest(%s::text[], %s::timestamptz[]) AS event (task, due)
        ON CONFLICT (user_id, task) DO UPDATE SET due = excluded.due
        WHERE excluded.due < agenda.due
        """,
        [
            tx.scope.user_id,
            to_array_literal(event.name for event in due),
            to_array_literal(f'"{at.isoformat()}"' for at in due.values()),
        ],
    )


@dataclass(frozen=True, slots=True)
class Agenda:
    """What comes due for everyone."""

    database: Database

    async def enqueue_due(self) -> int:
        """Queue a job for everything that is due by now; return how many entries."""
        swept = 0
        while True:
            async with self.database.connection() as connection:
                found = await connection.execute(
                    _QUEUE_DUE, {"now": self.database.clock(), "batch": BATCH}
                )
                row = await found.fetchone()
            taken = row[0] if row else 0
            swept += taken
            if taken < BATCH:
                return swept

    async def schedule_retry(self, scope: Scope, event: type[AgendaEvent]) -> None:
        """Enter an event again whose job is given up now, unless the person is gone.

        Of its dead letters the last one stays.
        """
        async with self.database.begin(scope) as tx:
            await tx.execute(
                """
                WITH former AS (
                    DELETE FROM procrastinate_jobs
                    WHERE status = 'failed' AND task_name = %(task)s
                      AND args ->> 'user_id' = %(user_id)s::text
                )
                INSERT INTO agenda (user_id, task, due)
                SELECT user_id, %(task)s, %(due)s FROM users
                WHERE user_id = %(user_id)s
                ON CONFLICT (user_id, task)
                DO UPDATE SET due = least(agenda.due, excluded.due)
                """,
                {
                    "user_id": tx.scope.user_id,
                    "task": event.name,
                    "due": tx.now + RETRY_AFTER,
                },
            )
