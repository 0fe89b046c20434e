"""The worker: procrastinate over gieok's own job table."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from uuid import UUID

from procrastinate import App, JobContext, PsycopgConnector, RetryStrategy
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager
from procrastinate.retry import RetryDecision
from procrastinate.worker import Worker

from gieok.database import AgendaEvent, Event, ReadingFailed
from gieok.database.jobs import WORKER_DIED
from gieok.database.outbox import QUEUE
from gieok.database.pool import limit_silence
from gieok.facade import Gieok
from gieok.kernel.background import mark_background
from gieok.kernel.errors import GieokError, ModelRefusedError, NotFoundError
from gieok.kernel.logs import get_logger
from gieok.kernel.scope import Actor, Scope
from gieok.worker.job_steps import ON, RETRY_EVENTS, JobStep
from gieok.worker.pace import NORMAL, Pace

log = get_logger("gieok.worker")


class WorkerDiedError(Exception):
    """What a job failed of whose worker is gone without a word."""


class JobRetry(RetryStrategy):
    """Tries again what failed, and at once what a worker that stops broke off."""

    def get_retry_decision(
        self, *, exception: BaseException, job: Job
    ) -> RetryDecision | None:
        """Return when to try again; a job broken off never becomes a dead letter."""
        if isinstance(exception, asyncio.CancelledError):
            return RetryDecision(retry_in={"seconds": 0})
        if job.task_name == ReadingFailed.name:
            return None  # the agenda brings it again in an hour
        return super().get_retry_decision(exception=exception, job=job)


RETRY = JobRetry(max_attempts=7, exponential_wait=2)
"""Eight tries over four minutes, then the job is a dead letter (`gieok jobs`)."""
EVENTS = {event.name: event for event in ON}
"""The events whose jobs a worker runs, by name."""
STOP_SECONDS = 3
"""In which jobs under way may end by themselves once the worker is to stop."""


async def run_worker(gieok: Gieok, conninfo: str, *, pace: Pace = NORMAL) -> None:
    """Run jobs until cancelled; those under way have three seconds to end.

    What is broken off then is tried again by the next worker. No job keeps others
    waiting who ask something meanwhile (`kernel.background`).
    Jobs of a worker that died are tried again once its heartbeat is overdue, as often
    as those that fail. A database that went away is waited for, and nothing that goes
    wrong ends it: a server that runs it beside its requests would end as well.
    """
    while True:
        try:
            await _run_until_failure(gieok, conninfo, pace)
        except ConnectorException as error:
            log.warning("worker_lost_database", error=type(error).__name__)
        except Exception as error:  # noqa: BLE001 - whatever it is, the next try may do
            log.warning("worker_failed", error=type(error).__name__)
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise asyncio.CancelledError
        await asyncio.sleep(pace.poll)


async def stop_worker(running: asyncio.Task[None]) -> None:
    """Cancel the task of `run_worker`, wait for its end, and raise what went wrong."""
    running.cancel()
    await asyncio.wait([running])
    if not running.cancelled():
        running.result()


async def _run_until_failure(gieok: Gieok, conninfo: str, pace: Pace) -> None:
    connector = PsycopgConnector(
        conninfo=limit_silence(conninfo), min_size=1, max_size=4
    )
    app = App(connector=connector)
    for event in ON:
        task = app.task(name=event.name, queue=QUEUE, retry=RETRY, pass_context=True)
        task(_create_job(gieok, event))
    _schedule_stalled_retry(app, gieok, pace)
    _schedule_agenda_sweep(app, gieok, pace)
    _schedule_default_changes(app, gieok, pace)
    _schedule_maintenance(app, gieok, pace)
    worker = Worker(
        app,
        queues=[QUEUE],
        concurrency=pace.concurrency,
        fetch_job_polling_interval=pace.poll,
        update_heartbeat_interval=pace.heartbeat,
        stalled_worker_timeout=pace.stalled_after,
        install_signal_handlers=False,
        delete_jobs="successful",
        shutdown_graceful_timeout=STOP_SECONDS,
    )
    try:
        async with stop_when_cancelled(worker), app.open_async():
            await worker.run()
    finally:
        # Broken off while it opens, the pool's own tasks would run on for ever.
        await connector.close_async()


@asynccontextmanager
async def stop_when_cancelled(
    worker: Worker, check_seconds: float = 0.5
) -> AsyncGenerator[None]:
    """Ask a worker to stop that runs on though the current task was cancelled.

    procrastinate swallows a cancellation that comes just as it starts. Another one
    would break off a stop under way, before the jobs are put back; asking does not.
    """
    task = asyncio.current_task()

    async def watch() -> None:
        while True:
            await asyncio.sleep(check_seconds)
            if task is not None and task.cancelling():
                worker.stop()

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()


def _create_job(gieok: Gieok, event: type[Event]) -> Callable[..., Awaitable[None]]:
    async def follow(context: JobContext, *, user_id: str, about: str) -> None:
        scope = Scope(UUID(user_id), Actor.CLOUD)
        try:
            with mark_background():
                for step in ON[event]:
                    await _run_step(step, gieok, scope, UUID(about))
            if issubclass(event, AgendaEvent):
                await _resolve_failures(gieok, scope, event)
        except (Exception, asyncio.CancelledError) as error:
            if isinstance(error, Exception):
                await _record_failure(gieok, context.job, error)
            if not await gieok.jobs.release_lock_unless_superseded(context.job.id):
                raise

    return follow


async def _resolve_failures(
    gieok: Gieok, scope: Scope, event: type[AgendaEvent]
) -> None:
    """Clear away what failed before an event was acted on, and try what waited for it.

    What failed there stands in the way of nothing now, such as a model that was away.
    """
    waited = [each.name for each, retry in RETRY_EVENTS.items() if retry is event]
    await gieok.jobs.resolve_failures(scope.user_id, event.name, waited)


async def _record_failure(gieok: Gieok, job: Job, error: Exception) -> None:
    """Keep why a job failed, and let it come again in an hour if it is given up."""
    reason = _describe_error(error)
    log.warning("job_failed", task=job.task_name, reason=reason)
    await gieok.jobs.record_failure(job.id, reason)
    if RETRY.get_retry_decision(exception=error, job=job):
        return
    retry_event = _find_retry_event(EVENTS.get(job.task_name), error)
    if retry_event is not None:
        scope = Scope(UUID(str(job.task_kwargs["user_id"])), Actor.CLOUD)
        await gieok.agenda.schedule_retry(scope, retry_event)


def _find_retry_event(
    event: type[Event] | None, error: Exception
) -> type[AgendaEvent] | None:
    """Return what is tried again an hour after a job was given up, if anything.

    A conversation that a model refuses is not: it would be refused again.
    """
    if event is None:
        return None
    if issubclass(event, AgendaEvent):
        return event
    return None if isinstance(error, ModelRefusedError) else RETRY_EVENTS.get(event)


def _describe_error(error: Exception) -> str:
    """Return what failed: our own messages hold no content, others' may."""
    if isinstance(error, WorkerDiedError):
        return WORKER_DIED
    return str(error) if isinstance(error, GieokError) else type(error).__name__


async def _run_step(step: JobStep, gieok: Gieok, scope: Scope, about: UUID) -> None:
    try:
        await step(gieok, scope, about)
    except NotFoundError:
        # The session or person was erased since; there is nothing to follow.
        log.info("nothing_to_follow", step=step.__name__, user_id=str(scope.user_id))


def _schedule_stalled_retry(app: App, gieok: Gieok, pace: Pace) -> None:
    """Let the jobs of dead workers be tried again, or give them up."""

    @app.periodic(cron=pace.sweep)
    @app.task(queue=QUEUE, queueing_lock="stalled", pass_context=True)
    async def take_up_stalled(context: JobContext, timestamp: int) -> None:
        del timestamp
        manager = context.app.job_manager
        with _log_failure("take_up_stalled"):
            stalled = await manager.get_stalled_jobs(
                seconds_since_heartbeat=pace.stalled_after
            )
            for job in stalled:
                try:
                    await _take_up(gieok, manager, job)
                except ConnectorException as error:
                    # It ended meanwhile, or all else fails as well.
                    failed = type(error).__name__
                    log.warning("stalled_job_left", job_id=job.id, error=failed)


async def _take_up(gieok: Gieok, manager: JobManager, job: Job) -> None:
    """Retry the job of a dead worker later, unless it was its last try."""
    if await gieok.jobs.release_lock_unless_superseded(job.id):
        await manager.finish_job(job, Status.SUCCEEDED, delete_job=True)
        return
    death = WorkerDiedError()
    await _record_failure(gieok, job, death)
    decision = RETRY.get_retry_decision(exception=death, job=job)
    if decision is None:
        await manager.finish_job(job, Status.FAILED, delete_job=False)
    else:
        await manager.retry_job(job, retry_at=decision.retry_at)
    log.warning("stalled_job_taken_up", job_id=job.id, task=job.task_name)


def _schedule_agenda_sweep(app: App, gieok: Gieok, pace: Pace) -> None:
    """Queue what has come due; several workers share one sweep."""
    task = app.task(name="sweep_agenda", queue=QUEUE, queueing_lock="agenda")
    work = _wrap_periodic("sweep_agenda", gieok.agenda.enqueue_due)
    app.periodic(cron=pace.sweep)(task(work))


def _schedule_default_changes(app: App, gieok: Gieok, pace: Pace) -> None:
    """Enter for everybody that an operator changed the defaults, if one did.

    One job at a time, each for a portion of the people: others run in between.
    """
    name, lock = "schedule_default_changes", "defaults"
    task = app.task(name=name, queue=QUEUE, queueing_lock=lock, lock=lock)
    work = _wrap_periodic(name, gieok.maintenance.schedule_default_changes)
    app.periodic(cron=pace.sweep)(task(work))


def _schedule_maintenance(app: App, gieok: Gieok, pace: Pace) -> None:
    """Destroy person keys that were replaced, and seal the audit log."""
    for lock, work in (("rotation", gieok.keys.finish), ("seal", gieok.audit.seal)):
        name = f"tend_{lock}"
        task = app.task(name=name, queue=QUEUE, queueing_lock=lock)
        app.periodic(cron=pace.tend)(task(_wrap_periodic(name, work)))


def _wrap_periodic(
    name: str, work: Callable[[], Awaitable[object]]
) -> Callable[..., Awaitable[None]]:
    async def tend(timestamp: int) -> None:
        del timestamp
        with _log_failure(name):
            await work()

    return tend


@contextmanager
def _log_failure(name: str) -> Generator[None]:
    """Tell of what failed and go on: it is no dead letter, as it soon comes again."""
    try:
        yield
    except GieokError as error:
        log.warning(
            "periodic_job_failed",
            task=name,
            error=type(error).__name__,
            code=error.code,
        )
