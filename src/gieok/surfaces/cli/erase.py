"""`erase` and `restore-check`: people who are gone, and stay gone."""

from typing import Annotated, Any

import typer

from gieok.erasure import Receipt
from gieok.surfaces.cli.arguments import AsJson, PersonArgument
from gieok.surfaces.cli.terminal import Terminal, get_terminal, run_command


def erase(
    context: typer.Context,
    user: PersonArgument,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="opt.yes")] = False,
    as_json: AsJson = False,
) -> None:
    """Erase everything about a person and destroy their keys."""
    terminal = get_terminal(context)
    if not yes:
        typer.confirm(
            terminal.translate_message("erase.sure", user=user), abort=True, err=True
        )

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            receipt = await gieok.erasure.person(gieok.person(user))
        if as_json:
            terminal.print_json(encode_receipt(receipt))
        else:
            print_receipt(terminal, receipt)

    run_command(work)


def restore_check(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Erase again what a restored backup brought back."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            done = await gieok.erasure.replay()
        if as_json:
            terminal.print_json({"erased_again": done})
        else:
            terminal.print_message("restore.done", count=done)

    run_command(work)


def print_receipt(terminal: Terminal, receipt: Receipt) -> None:
    """Tell people what was erased, and where the proof is."""
    terminal.print_message(
        "erase.done",
        rows=sum(receipt.counts.values()),
        receipt=receipt.receipt_id,
        until=f"{receipt.backups_until:%Y-%m-%d %H:%M} UTC",
    )


def encode_receipt(receipt: Receipt) -> dict[str, Any]:
    """Return a receipt as a program reads it."""
    return {
        "receipt_id": str(receipt.receipt_id),
        "user_id": str(receipt.user_id),
        "kind": receipt.kind.value,
        "about": str(receipt.about),
        "number": receipt.number,
        "requested_at": receipt.requested_at.isoformat(),
        "finished_at": receipt.finished_at.isoformat(),
        "backups_until": receipt.backups_until.isoformat(),
        "parts": dict(receipt.parts),
        "counts": dict(receipt.counts),
        "signature": receipt.signature.hex(),
    }
