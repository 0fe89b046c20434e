"""`devices`: the devices of a person; registered, seen, shut out, erased (A15)."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated

import typer
from rich.table import Table

from gieok.facade import Gieok
from gieok.kernel.scope import Actor, Scope
from gieok.surfaces.cli.arguments import DefaultListGroup, PersonArgument
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_message_view,
    build_table_view,
    print_result,
)
from gieok.surfaces.cli.erase import build_receipt_result
from gieok.surfaces.cli.terminal import Terminal, render_plain
from gieok.surfaces.cli.token_secret import open_tokens
from gieok.sync import DeviceConflict, DeviceResolution, SyncedDevice

devices = typer.Typer(cls=DefaultListGroup, help="help.devices")

ResolutionArgument = Annotated[DeviceResolution, typer.Argument(help="arg.resolution")]
DeviceArgument = Annotated[str, typer.Argument(help="arg.device", metavar="DEVICE")]


@devices.command("list", help="help.devices.list")
@print_result(known=True)
async def listing(gieok: Gieok, scope: Scope) -> CommandResult:
    """List a person's devices by the app's ids: last seen, and in step or not."""
    found = await gieok.sync.devices(scope)
    rows = [_encode_device(each) for each in found]
    return CommandResult(
        rows, build_table_view(found, _render_table, none="devices.none")
    )


@devices.command("register", help="help.devices.register")
@print_result
async def register(
    terminal: Terminal,
    gieok: Gieok,
    user: PersonArgument,
    device: DeviceArgument,
    *,
    days: Annotated[int, typer.Option(min=1, max=3_650, help="opt.token_days")] = 365,
) -> CommandResult:
    """Register a device and print its token, once."""
    found = await gieok.sync.register(gieok.person(user), device)
    tokens = await open_tokens(terminal.config)
    token = tokens.issue(user, timedelta(days=days), Actor.DEVICE, device=device)

    def view(terminal: Terminal) -> None:
        terminal.out.file.write(f"{token}\n")
        terminal.print_note("devices.registered", days=days)

    return CommandResult({**_encode_device(found), "token": token}, view)


@devices.command("resolve", help="help.devices.resolve")
@print_result(known=True)
async def resolve(
    gieok: Gieok, scope: Scope, device: DeviceArgument, resolution: ResolutionArgument
) -> CommandResult:
    """Decide what becomes of a conflict of a device."""
    known = gieok.accounts.device_id(scope, device)
    found = await gieok.sync.resolve(scope, known, resolution)
    waits = found.sides is not None and found.sides.resolution is not None
    message = "devices.resolution_waits" if waits else "devices.resolution_done"
    return CommandResult(_encode_device(found), build_message_view(message))


@devices.command("revoke", help="help.devices.revoke")
@print_result(sure="devices.revoke_sure")
async def revoke(gieok: Gieok, scope: Scope, device: DeviceArgument) -> CommandResult:
    """Shut a device out; what was said on it stays."""
    await gieok.sync.revoke(scope, gieok.accounts.device_id(scope, device))
    return CommandResult({"revoked": device}, build_message_view("devices.revoked"))


@devices.command("unregister", help="help.devices.unregister")
@print_result(sure="devices.revoke_sure")
async def unregister(
    gieok: Gieok, scope: Scope, device: DeviceArgument
) -> CommandResult:
    """Shut a device out and forget its name; what was said on it stays."""
    await gieok.sync.unregister(scope, gieok.accounts.device_id(scope, device))
    return CommandResult(
        {"unregistered": device}, build_message_view("devices.revoked")
    )


@devices.command("delete", help="help.devices.delete")
@print_result(sure="devices.sure")
async def delete(gieok: Gieok, scope: Scope, device: DeviceArgument) -> CommandResult:
    """Erase a device with what was said on it and learned from that alone."""
    known = gieok.accounts.device_id(scope, device)
    return build_receipt_result(await gieok.erasure.device(scope, known))


def _encode_device(device: SyncedDevice) -> dict[str, object]:
    """Return a device as stable JSON."""
    seen = device.last_seen_at
    return {
        "id": device.name,
        "sync_status": device.sync_status and device.sync_status.value,
        "conflict": device.conflict and device.conflict.value,
        "last_seen_at": seen and seen.isoformat(),
        "installations": device.installations,
        "conflict_state": device.sides and _encode_conflict(device.sides),
        "ways_out": [each.value for each in device.ways_out],
    }


def _encode_conflict(sides: DeviceConflict) -> dict[str, object]:
    """Return both sides of a conflict as stable JSON."""
    return {
        "kind": sides.kind.value,
        "since": sides.since.isoformat(),
        "sent": sides.sent,
        "taken": sides.taken,
        "resolution": sides.resolution and sides.resolution.value,
    }


def _describe_way_out(terminal: Terminal, device: SyncedDevice) -> str:
    """Say which decision a conflict waits for, or that one waits for the device."""
    sides = device.sides
    if sides is not None and sides.resolution is not None:
        return terminal.translate_message("devices.resolution_waits")
    names = "|".join(device.ways_out)
    return f"gieok devices resolve … {names}" if names else ""


def _render_table(terminal: Terminal, found: Sequence[SyncedDevice]) -> Table:
    table = Table(expand=False, header_style="bold")
    for column in ("device", "state", "seen", "way_out"):
        table.add_column(terminal.translate_message(f"column.{column}"))
    for each in found:
        seen = each.last_seen_at
        table.add_row(
            render_plain(each.name),
            terminal.translate_message(each.text_key),
            f"{seen:%Y-%m-%d %H:%M}" if seen else "",
            _describe_way_out(terminal, each),
        )
    return table
