"""The job table as an operator sees it: what waits, what failed, try again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from gieok.database.transaction import Database, Transaction
from gieok.kernel.errors import ConflictError, NotFoundError

WORKER_DIED: Final = "its worker died"
"""Why a job failed during which its worker ended."""
MAX_RETURNS: Final = 3
"""How often a job that was given up is tried again by itself."""
STALLED_AFTER: Final = timedelta(seconds=30)
"""A worker that was silent for longer is dead, as for `worker.pace.NORMAL`."""
RESOLVE_FAILURES: Final = """
    WITH given_up AS (
        SELECT id, task_name = %(done)s OR row_number() OVER (
            PARTITION BY task_name, args ORDER BY id DESC
        ) > 1 AS is_over, reason <> %(died)s AND (
            SELECT count(*) FROM procrastinate_events AS event
            WHERE event.job_id = failed.id AND event.type = 'failed'
        ) <= %(most)s AS may_return
        FROM procrastinate_jobs AS failed CROSS JOIN LATERAL (
            SELECT reason FROM job_failures WHERE job_id = failed.id LIMIT 1
        ) AS failure
        WHERE status = 'failed' AND args ->> 'user_id' = %(user_id)s::text
          AND task_name = ANY(%(tasks)s)
    ), gone AS (
        DELETE FROM procrastinate_jobs
        WHERE id = ANY(ARRAY(SELECT id FROM given_up WHERE is_over))
    )
    UPDATE procrastinate_jobs
    SET status = 'todo', attempts = 0, scheduled_at = NULL, queueing_lock = NULL
    WHERE id = ANY(ARRAY(SELECT id FROM given_up WHERE NOT is_over AND may_return))
"""
"""Acts on the failed jobs of one person, and reads those of nobody else."""


@dataclass(frozen=True, slots=True)
class Job:
    """One job; `arguments` holds ids only."""

    job_id: int
    task: str
    status: str
    attempts: int
    arguments: dict[str, Any]
    scheduled_at: datetime | None
    failure: str | None = None
    """Why it failed the last time; never content."""


@dataclass(frozen=True, slots=True)
class QueueLine:
    """How many jobs of one task are in one state."""

    task: str
    status: str
    count: int
    oldest: datetime | None
    """When the one that is there longest was queued."""


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits for a worker."""

    waiting: int
    due: int
    """How many of them a worker could take now, were it quick enough."""
    lag: timedelta
    """How long the one that is due longest has been due."""


@dataclass(frozen=True, slots=True)
class Jobs:
    """The jobs of everyone."""

    database: Database

    async def count_by_status(self) -> dict[str, int]:
        """Return how many jobs there are by status."""
        async with self.database.connection() as connection:
            found = await connection.execute(
                "SELECT status::text, count(*) FROM procrastinate_jobs GROUP BY status"
            )
            return dict(await found.fetchall())

    async def list_queue(self) -> tuple[QueueLine, ...]:
        """Return what waits, runs or was given up, by task and state."""
        async with self.database.connection() as connection:
            found = await connection.execute(
                """
                SELECT task_name, status::text, count(DISTINCT job.id), min(event.at)
                FROM procrastinate_jobs AS job LEFT JOIN procrastinate_events AS event
                  ON event.job_id = job.id AND event.type = 'deferred'
                WHERE status IN ('todo', 'doing', 'failed')
                GROUP BY task_name, status ORDER BY status, task_name
                """
            )
            return tuple(QueueLine(*row) for row in await found.fetchall())

    async def measure_backlog(self) -> Backlog:
        """Return how much waits, by the clock that workers go by.

        What waits in a person's line for a job that a living worker runs, or whose time
        is yet to come, is not due; where its time came, it is due since then.
        """
        async with self.database.connection() as connection:
            found = await connection.execute(
                """
                WITH waiting AS (
                    SELECT id, max(scheduled_at) OVER (
                        PARTITION BY coalesce(lock, id::text) ORDER BY id
                    ) AS timed_at, EXISTS (
                        SELECT FROM procrastinate_jobs AS running
                        JOIN procrastinate_workers AS worker ON worker.id = worker_id
                        WHERE running.status = 'doing' AND running.lock = job.lock
                          AND last_heartbeat > now() - %s
                    ) AS is_busy
                    FROM procrastinate_jobs AS job WHERE status = 'todo'
                ), due AS (
                    SELECT greatest(timed_at, (
                        SELECT max(at) FROM procrastinate_events
                        WHERE job_id = waiting.id
                          AND type IN ('deferred', 'deferred_for_retry', 'retried')
                    )) AS since
                    FROM waiting
                    WHERE NOT is_busy AND coalesce(timed_at <= now(), true)
                )
                SELECT (SELECT count(*) FROM waiting), count(*),
                       greatest(max(now() - since), interval '0')
                FROM due
                """,
                [STALLED_AFTER],
            )
            row = await found.fetchone()
            return Backlog(*row) if row else Backlog(0, 0, timedelta())

    async def list_failed(self, *, limit: int = 100) -> tuple[Job, ...]:
        """Return jobs that were given up after all their tries, newest first."""
        return await self._list_by_status("failed", limit)

    async def list_waiting(self, *, limit: int = 100) -> tuple[Job, ...]:
        """Return jobs that wait for their time or a worker, newest first."""
        return await self._list_by_status("todo", limit)

    async def list_retrying(self, *, limit: int = 100) -> tuple[Job, ...]:
        """Return jobs that failed and will be tried again, newest first."""
        return await self._list_by_status("todo", limit, failed_only=True)

    async def record_failure(self, job_id: int | None, reason: str) -> None:
        """Keep why a job failed, for whoever looks after the queue."""
        async with self.database.connection() as connection:
            await connection.execute(
                """
                INSERT INTO job_failures (job_id, reason)
                SELECT id, %s FROM procrastinate_jobs WHERE id = %s
                ON CONFLICT (job_id) DO UPDATE
                SET reason = excluded.reason, failed_at = excluded.failed_at
                """,
                [reason, job_id],
            )

    async def retry(self, job_id: int) -> None:
        """Put a failed job back in the queue.

        Raises:
            NotFoundError: there is no failed job of this number.
            ConflictError: another one of its kind waits already.
        """
        async with self.database.connection() as connection:
            done = await connection.execute(
                """
                UPDATE procrastinate_jobs
                SET status = 'todo', attempts = 0, scheduled_at = NULL
                WHERE id = %s AND status = 'failed' AND NOT EXISTS (
                    SELECT FROM procrastinate_jobs AS other
                    WHERE other.queueing_lock = procrastinate_jobs.queueing_lock
                      AND other.status = 'todo'
                )
                """,
                [job_id],
            )
            if done.rowcount == 0:
                found = await connection.execute(
                    """
                    SELECT FROM procrastinate_jobs WHERE id = %s AND status = 'failed'
                    """,
                    [job_id],
                )
                if found.rowcount:
                    reason = "another one of its kind waits already"
                    raise ConflictError(reason)
                thing = "failed job"
                raise NotFoundError(thing)

    async def retry_all(self) -> int:
        """Put every failed job back in the queue; return how many.

        Where another one of its kind waits already, it stays.
        """
        async with self.database.connection() as connection:
            done = await connection.execute(
                """
                UPDATE procrastinate_jobs
                SET status = 'todo', attempts = 0, scheduled_at = NULL
                WHERE id IN (
                    SELECT DISTINCT ON (coalesce(queueing_lock, id::text)) id
                    FROM procrastinate_jobs AS given_up
                    WHERE status = 'failed' AND NOT EXISTS (
                        SELECT FROM procrastinate_jobs AS other
                        WHERE other.queueing_lock = given_up.queueing_lock
                          AND other.status = 'todo'
                    )
                )
                """
            )
            return done.rowcount

    async def resolve_failures(
        self, user_id: UUID, done: str, waited: Sequence[str]
    ) -> None:
        """Remove the person's failed jobs of a task that is done by now.

        Those of tasks that waited for it are put back in the queue, one for each thing
        that they are about; what was given up `MAX_RETURNS` times before, or ended
        its worker, stays for an operator.
        """
        async with self.database.connection() as connection:
            await connection.execute(
                RESOLVE_FAILURES,
                {
                    "user_id": user_id,
                    "done": done,
                    "tasks": [done, *waited],
                    "died": WORKER_DIED,
                    "most": MAX_RETURNS,
                },
            )

    async def release_lock_unless_superseded(self, job_id: int | None) -> bool:
        """Tell whether a failing job is not needed: a later one of its kind waits.

        If none does, none can come between the job and its retry from now on: two
        waiting jobs of one queueing lock would be refused, and the person's other jobs
        would wait for this one forever.
        """
        async with self.database.connection() as connection:
            kept = await connection.execute(
                """
                UPDATE procrastinate_jobs AS own SET queueing_lock = NULL
                WHERE id = %s AND NOT EXISTS (
                    SELECT FROM procrastinate_jobs AS other
                    WHERE other.queueing_lock = own.queueing_lock
                      AND other.status = 'todo' AND other.id <> own.id
                )
                """,
                [job_id],
            )
            return kept.rowcount == 0

    async def _list_by_status(
        self, status: str, limit: int, *, failed_only: bool = False
    ) -> tuple[Job, ...]:
        async with self.database.connection() as connection:
            found = await connection.execute(
                """
                SELECT id, task_name, status::text, attempts, args, scheduled_at, reason
                FROM procrastinate_jobs LEFT JOIN job_failures ON job_id = id
                WHERE status = %s::procrastinate_job_status
                  AND (reason IS NOT NULL OR NOT %s)
                ORDER BY id DESC LIMIT %s
                """,
                [status, failed_only, limit],
            )
            return tuple(Job(*row) for row in await found.fetchall())


async def delete_person_jobs(tx: Transaction) -> None:
    """Remove every job about the person, done or not, but the one that runs now."""
    await tx.execute(
        """
        DELETE FROM procrastinate_jobs
        WHERE args->>'user_id' = %s AND status <> 'doing'
        """,
        [str(tx.scope.user_id)],
    )


async def delete_waiting_jobs(
    tx: Transaction, tasks: Sequence[str], about: Sequence[UUID]
) -> None:
    """Remove the jobs of these tasks that wait for any of these things."""
    person = tx.scope.user_id
    await tx.execute(
        """
        DELETE FROM procrastinate_jobs
        WHERE status = 'todo' AND queueing_lock = ANY(%s)
        """,
        [[f"{task}:{person}:{each}" for task in tasks for each in about]],
    )
