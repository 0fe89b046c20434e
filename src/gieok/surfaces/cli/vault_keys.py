"""`keys`: the keys that everything is sealed with, and their rotation."""

from dataclasses import asdict
from datetime import timedelta
from typing import Annotated

import typer

from gieok.privacy.rotation import SETTLES_IN
from gieok.surfaces.cli.arguments import AsJson
from gieok.surfaces.cli.bars import open_progress_bar
from gieok.surfaces.cli.terminal import get_terminal, run_command

keys = typer.Typer(help="help.keys", no_args_is_help=True)


@keys.command("status", help="help.keys.status")
def status(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Show which keys there are."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            found = await gieok.keys.get_status()
        if as_json:
            wrappings = [
                {**each._asdict(), "provider": each.provider}
                for each in found.wrappings
            ]
            terminal.print_json({**asdict(found), "wrappings": wrappings})
            return
        terminal.print_message("keys.wrapping", name=found.wrapping_key)
        for each in found.wrappings:
            provider = terminal.translate_message(f"keys.provider.{each.provider}")
            terminal.print_message(
                "keys.held", provider=provider, name=each.wrapped_by, keys=each.keys
            )
        if found.is_file_sealed:
            terminal.print_message("keys.sealed")
        terminal.print_message(
            "keys.people", people=found.people, rotating=found.rotating
        )

    run_command(work)


@keys.command("rotate", help="help.keys.rotate")
def rotate(
    context: typer.Context,
    *,
    people: Annotated[bool, typer.Option("--people", help="opt.people")] = False,
    person: Annotated[str | None, typer.Option("--person", help="arg.person")] = None,
    to_file: Annotated[bool, typer.Option("--to-file", help="opt.to_file")] = False,
    settle: Annotated[
        int, typer.Option("--settle", min=0, max=3_600, help="opt.settle")
    ] = int(SETTLES_IN.total_seconds()),
) -> None:
    """Replace the wrapping key; or the keys of people, and seal everything anew."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok(leaving_kms=to_file) as gieok:
            if not people and person is None:
                with open_progress_bar(terminal, "keys.rewrapping") as moved:
                    done = await gieok.keys.rotate_wrapping(moved)
                terminal.print_message("keys.rewrapped", count=f"{done:,}")
                return
            chosen = None if person is None else [gieok.person(person).user_id]
            terminal.print_note("keys.settling", seconds=settle)
            with open_progress_bar(terminal, "keys.resealing") as moved:
                done = await gieok.keys.renew(
                    chosen, settles_in=timedelta(seconds=settle), progress=moved
                )
            terminal.print_message("keys.resealed", count=f"{done:,}")

    run_command(work)


@keys.command("finish", help="help.keys.finish")
def finish(context: typer.Context) -> None:
    """Bring rotations of people's keys to their end, and destroy the old keys."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            with open_progress_bar(terminal, "keys.resealing") as moved:
                done = await gieok.keys.finish(progress=moved)
            left = (await gieok.keys.get_status()).rotating
        terminal.print_message("keys.resealed", count=f"{done:,}")
        terminal.print_message("keys.left", count=left)

    run_command(work)


@keys.command("retire", help="help.keys.retire")
def retire(context: typer.Context) -> None:
    """Destroy the wrapping keys before the newest."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            count = await gieok.keys.retire()
        terminal.print_message("keys.retired", count=count)

    run_command(work)
