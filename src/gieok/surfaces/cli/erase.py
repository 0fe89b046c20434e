"""`erase` and `restore-check`: people who are gone, and stay gone."""

from typing import Annotated, Any

import typer

from gieok.erasure import Receipt
from gieok.surfaces.cli.arguments import AsJson, Person
from gieok.surfaces.cli.terminal import Terminal, run, terminal_of


def erase(
    context: typer.Context,
    user: Person,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="opt.yes")] = False,
    as_json: AsJson = False,
) -> None:
    """Erase everything about a person and destroy their keys."""
    terminal = terminal_of(context)
    if not yes:
        typer.confirm(terminal.say("erase.sure", user=user), abort=True, err=True)

    async def work() -> None:
        async with terminal.memory() as gieok:
            receipt = await gieok.erasure.person(gieok.person(user))
        if as_json:
            terminal.data(receipt_json(receipt))
        else:
            tell_receipt(terminal, receipt)

    run(work)


def restore_check(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Erase again what a restored backup brought back."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            done = await gieok.erasure.replay()
        if as_json:
            terminal.data({"erased_again": done})
        else:
            terminal.tell("restore.done", count=done)

    run(work)


def tell_receipt(terminal: Terminal, receipt: Receipt) -> None:
    """Tell people what was erased, and where the proof is."""
    terminal.tell(
        "erase.done",
        rows=sum(receipt.counts.values()),
        receipt=receipt.receipt_id,
        until=f"{receipt.backups_until:%Y-%m-%d %H:%M} UTC",
    )


def receipt_json(receipt: Receipt) -> dict[str, Any]:
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
