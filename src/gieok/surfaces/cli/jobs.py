"""`jobs`: what waits, what failed, try again."""

from typing import Annotated

import typer

from gieok.surfaces.cli import show
from gieok.surfaces.cli.arguments import AsJson, DefaultListGroup
from gieok.surfaces.cli.terminal import get_terminal, run_command

jobs = typer.Typer(cls=DefaultListGroup, help="help.jobs")


@jobs.command("list", help="help.jobs.list")
def listing(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Count jobs by status; list those that fail and those that were given up."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            counts = await gieok.jobs.count_by_status()
            failed = await gieok.jobs.list_failed()
            retrying = await gieok.jobs.list_retrying()
        if as_json:
            terminal.print_json(show.encode_jobs(counts, failed, retrying))
            return
        for status, number in sorted(counts.items()):
            terminal.print_message("jobs.count", status=status, count=number)
        if retrying:
            terminal.print_message("jobs.retrying")
            terminal.out.print(show.render_jobs(terminal, retrying))
        if failed:
            terminal.out.print(show.render_jobs(terminal, failed))
            terminal.print_message("jobs.retry_hint")
        else:
            terminal.print_message("jobs.none_failed")

    run_command(work)


@jobs.command("retry", help="help.jobs.retry")
def retry(
    context: typer.Context,
    job_id: Annotated[int, typer.Argument(help="arg.job", metavar="ID")],
    *,
    as_json: AsJson = False,
) -> None:
    """Put a failed job back in the queue."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            await gieok.jobs.retry(job_id)
        if as_json:
            terminal.print_json({"retried": job_id})
        else:
            terminal.print_message("jobs.retried", job=job_id)

    run_command(work)
