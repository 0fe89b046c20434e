"""`erase` and `restore-check`: people who are gone, and stay gone."""

from typing import Any

from gieok.erasure import Receipt
from gieok.facade import Gieok
from gieok.kernel.scope import Scope
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_message_view,
    print_result,
)
from gieok.surfaces.cli.terminal import Terminal


@print_result(sure="erase.sure")
async def erase(gieok: Gieok, scope: Scope) -> CommandResult:
    """Erase everything about a person and destroy their keys."""
    return build_receipt_result(await gieok.erasure.person(scope))


@print_result
async def restore_check(gieok: Gieok) -> CommandResult:
    """Erase again what a restored backup brought back, and withhold it again."""
    done = await gieok.maintenance.replay()
    counts = {
        "erased_again": done.erasures,
        "decided_again": done.decisions,
        "revoked_again": done.revocations,
    }
    return CommandResult(counts, build_message_view("restore.done", **counts))


def build_receipt_result(receipt: Receipt) -> CommandResult:
    """Return a receipt as the answer of a command."""
    return CommandResult(
        encode_receipt(receipt), lambda terminal: print_receipt(terminal, receipt)
    )


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
