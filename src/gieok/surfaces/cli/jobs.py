"""`jobs`: what waits, what failed, try again."""

from typing import Annotated

import typer

from gieok.surfaces.cli import show
from gieok.surfaces.cli.arguments import AsJson, ListsByDefault
from gieok.surfaces.cli.terminal import run, terminal_of

jobs = typer.Typer(cls=ListsByDefault, help="help.jobs")


@jobs.command("list", help="help.jobs.list")
def listing(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Count jobs by status; list those that fail and those that were given up."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            counts = await gieok.jobs.counts()
            failed = await gieok.jobs.failed()
            retrying = await gieok.jobs.retrying()
        if as_json:
            terminal.data(show.jobs_json(counts, failed, retrying))
            return
        for status, number in sorted(counts.items()):
            terminal.tell("jobs.count", status=status, count=number)
        if retrying:
            terminal.tell("jobs.retrying")
            terminal.out.print(show.job_table(terminal, retrying))
        if failed:
            terminal.out.print(show.job_table(terminal, failed))
            terminal.tell("jobs.retry_hint")
        else:
            terminal.tell("jobs.none_failed")

    run(work)


@jobs.command("retry", help="help.jobs.retry")
def retry(
    context: typer.Context,
    job_id: Annotated[int, typer.Argument(help="arg.job", metavar="ID")],
    *,
    as_json: AsJson = False,
) -> None:
    """Put a failed job back in the queue."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            await gieok.jobs.retry(job_id)
        if as_json:
            terminal.data({"retried": job_id})
        else:
            terminal.tell("jobs.retried", job=job_id)

    run(work)
