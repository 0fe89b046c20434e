"""`keys`: the keys that everything is sealed with, and their rotation."""

from dataclasses import asdict
from datetime import timedelta
from typing import Annotated

import typer

from gieok.facade import Gieok
from gieok.kernel.errors import InvalidInputError
from gieok.privacy.rotation import SETTLES_IN
from gieok.surfaces.cli.bars import open_progress_bar
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_message_view,
    print_result,
)
from gieok.surfaces.cli.terminal import Terminal

keys = typer.Typer(help="help.keys", no_args_is_help=True)


@keys.command("status", help="help.keys.status")
@print_result
async def status(gieok: Gieok) -> CommandResult:
    """Show which keys there are."""
    found = await gieok.keys.get_status()
    wrappings = [
        {**each._asdict(), "provider": each.provider} for each in found.wrappings
    ]

    def view(terminal: Terminal) -> None:
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

    return CommandResult({**asdict(found), "wrappings": wrappings}, view)


@keys.command("rotate", help="help.keys.rotate")
@print_result
async def rotate(
    terminal: Terminal,
    *,
    people: Annotated[bool, typer.Option("--people", help="opt.people")] = False,
    person: Annotated[str | None, typer.Option("--person", help="arg.person")] = None,
    to_file: Annotated[bool, typer.Option("--to-file", help="opt.to_file")] = False,
    tokens: Annotated[bool, typer.Option("--tokens", help="opt.token_secret")] = False,
    settle: Annotated[
        int, typer.Option("--settle", min=0, max=3_600, help="opt.settle")
    ] = int(SETTLES_IN.total_seconds()),
) -> CommandResult:
    """Replace the wrapping key, the keys of people, or the secret of tokens."""
    if tokens:
        if people or person is not None or to_file:
            reason = "it goes without --people, --person and --to-file"
            raise InvalidInputError("--tokens", reason)
        return await _rotate_token_secret(terminal)
    async with terminal.open_gieok(leaving_kms=to_file) as gieok:
        if not people and person is None:
            with open_progress_bar(terminal, "keys.rewrapping") as moved:
                done = await gieok.keys.rotate_wrapping(moved)
            view = build_message_view("keys.rewrapped", count=f"{done:,}")
            return CommandResult({"rewrapped": done}, view)
        chosen = None if person is None else [gieok.person(person).user_id]
        terminal.print_note("keys.settling", seconds=settle)
        with open_progress_bar(terminal, "keys.resealing") as moved:
            done = await gieok.keys.renew(
                chosen, settles_in=timedelta(seconds=settle), progress=moved
            )
    return CommandResult(
        {"resealed": done}, build_message_view("keys.resealed", count=f"{done:,}")
    )


async def _rotate_token_secret(terminal: Terminal) -> CommandResult:
    async with terminal.open_gieok() as gieok:
        await gieok.keys.rotate_token_secret()

    def view(terminal: Terminal) -> None:
        terminal.print_message("keys.tokens_replaced")
        terminal.print_message("keys.tokens_needed")

    return CommandResult({"replaced": "token_secret"}, view)


@keys.command("finish", help="help.keys.finish")
@print_result
async def finish(terminal: Terminal, gieok: Gieok) -> CommandResult:
    """Bring rotations of people's keys to their end, and destroy the old keys."""
    with open_progress_bar(terminal, "keys.resealing") as moved:
        done = await gieok.keys.finish(progress=moved)
    left = (await gieok.keys.get_status()).rotating

    def view(terminal: Terminal) -> None:
        terminal.print_message("keys.resealed", count=f"{done:,}")
        terminal.print_message("keys.left", count=left)

    return CommandResult({"resealed": done, "rotating": left}, view)


@keys.command("retire", help="help.keys.retire")
@print_result
async def retire(gieok: Gieok) -> CommandResult:
    """Destroy the wrapping keys before the newest."""
    count = await gieok.keys.retire()
    return CommandResult(
        {"retired": count}, build_message_view("keys.retired", count=count)
    )
