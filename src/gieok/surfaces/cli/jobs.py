"""`jobs`: what waits, what failed, try again."""

from typing import Annotated

import typer

from gieok.facade import Gieok
from gieok.surfaces.cli import encoding, show
from gieok.surfaces.cli.arguments import DefaultListGroup
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_message_view,
    print_result,
)
from gieok.surfaces.cli.terminal import Terminal

jobs = typer.Typer(cls=DefaultListGroup, help="help.jobs")


@jobs.command("list", help="help.jobs.list")
@print_result
async def listing(gieok: Gieok) -> CommandResult:
    """Count jobs by status; list those that fail and those that were given up."""
    counts = await gieok.jobs.count_by_status()
    failed = await gieok.jobs.list_failed()
    retrying = await gieok.jobs.list_retrying()

    def view(terminal: Terminal) -> None:
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

    return CommandResult(encoding.encode_jobs(counts, failed, retrying), view)


@jobs.command("retry", help="help.jobs.retry")
@print_result
async def retry(
    terminal: Terminal,
    gieok: Gieok,
    job_id: Annotated[int | None, typer.Argument(help="arg.job", metavar="ID")] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="opt.jobs_all")] = False,
) -> CommandResult:
    """Put a failed job, or all of them, back in the queue."""
    if everything == (job_id is not None):
        raise typer.BadParameter(terminal.translate_message("jobs.which"))
    if job_id is None:
        count = await gieok.jobs.retry_all()
        return CommandResult(
            {"retried": count}, build_message_view("jobs.retried_all", count=count)
        )
    await gieok.jobs.retry(job_id)
    return CommandResult(
        {"retried": job_id}, build_message_view("jobs.retried", job=job_id)
    )
