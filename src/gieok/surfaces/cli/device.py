"""`device`: a device in a terminal, with or without a server (A10, A16, A17)."""

import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from gieok.kernel.errors import ConfigurationError, GieokError
from gieok.surfaces.cli.arguments import AsJson, clean_token, remove_line_end
from gieok.surfaces.cli.terminal import Terminal, get_terminal, render_plain

if TYPE_CHECKING:
    from collections.abc import Generator

    from gieok.device import Device, DeviceCursor, DeviceReport, SyncLoop

device = typer.Typer(help="help.device")
FileArgument = Annotated[
    Path, typer.Argument(help="arg.device_file", metavar="FILE", dir_okay=False)
]
NameOption = Annotated[str | None, typer.Option("--name", help="opt.device_name")]
ServerOption = Annotated[str | None, typer.Option("--server", help="opt.device_server")]
TokenOption = Annotated[
    str | None,
    typer.Option(
        "--token",
        help="opt.device_token",
        envvar="GIEOK_DEVICE_TOKEN",
        show_envvar=False,
        callback=clean_token,
    ),
]
PassphraseOption = Annotated[
    str | None,
    typer.Option(
        "--passphrase",
        help="opt.passphrase",
        envvar="GIEOK_DEVICE_PASSPHRASE",
        show_envvar=False,
        callback=remove_line_end,
    ),
]
WAIT_SECONDS = 10.0
"""How long the end of a talk waits for what was said to reach the server."""


class Resolution(StrEnum):
    """What becomes of what the cloud has not taken."""

    SEND = "send"
    DISCARD = "discard"


@device.command("talk", help="help.device.talk")
def talk(
    context: typer.Context,
    file: FileArgument,
    *,
    name: NameOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    passphrase: PassphraseOption = None,
) -> None:
    """Talk to a device, line by line."""
    terminal = get_terminal(context)
    with _open_device(terminal, file, name, passphrase) as opened:
        terminal.print_message("device.hello", name=opened.name)
        if server is None:
            _read_lines(terminal, opened)
            return
        with _create_loop(opened, server, token) as (loop, stop):
            syncing = threading.Thread(target=loop.run, daemon=True)
            syncing.start()
            try:
                _read_lines(terminal, opened)
            finally:
                stop.set()
                syncing.join(WAIT_SECONDS)
            loop.run_until_level()
            _print_state(terminal, file, opened, loop, server)


@device.command("status", help="help.device.status")
def status(
    context: typer.Context,
    file: FileArgument,
    *,
    name: NameOption = None,
    passphrase: PassphraseOption = None,
    as_json: AsJson = False,
) -> None:
    """Show where a device stands."""
    terminal = get_terminal(context)
    _require_file(file)
    with _open_device(terminal, file, name, passphrase) as opened:
        report = opened.report()
    if as_json:
        terminal.print_json(encode_report(report))
    else:
        _print_report(terminal, report)


@device.command("sync", help="help.device.sync")
def sync(
    context: typer.Context,
    file: FileArgument,
    *,
    server: Annotated[str, typer.Option("--server", help="opt.device_server")],
    name: NameOption = None,
    token: TokenOption = None,
    passphrase: PassphraseOption = None,
) -> None:
    """Exchange until all is in step, or the server is away; exit 1 if it is not."""
    terminal = get_terminal(context)
    with (
        _open_device(terminal, file, name, passphrase) as opened,
        _create_loop(opened, server, token) as (loop, _),
    ):
        loop.run_until_level()
        loop.exchange(is_polling=True)
        is_level = loop.run_until_level()
        _print_state(terminal, file, opened, loop, server)
    if not is_level:
        raise typer.Exit(1)


@device.command("resolve", help="help.device.resolve")
def resolve(
    context: typer.Context,
    file: FileArgument,
    choice: Annotated[Resolution, typer.Argument(help="arg.resolve")],
    *,
    name: NameOption = None,
    passphrase: PassphraseOption = None,
) -> None:
    """Send again what a device still has, or put it aside; exit 1 without need."""
    terminal = get_terminal(context)
    _require_file(file)
    with _open_device(terminal, file, name, passphrase) as opened:
        cursor = opened.cursor
        if cursor.conflict_state is None and cursor.error is None:
            terminal.print_message("device.no_conflict")
            raise typer.Exit(1)
        cursor = opened.resolve("send" if choice is Resolution.SEND else "discard")
    terminal.print_message("device.resolved", state=cursor.sync_status)


@contextmanager
def _open_device(
    terminal: Terminal, file: Path, name: str | None, passphrase: str | None
) -> "Generator[Device]":
    """Open a device, made where there is none, and close it when done."""
    try:
        from gieok.device import PassphraseKeys, open_device  # noqa: PLC0415 - an extra
    except ModuleNotFoundError:
        problem = "A device needs: pip install 'gieok[device]'."
        raise ConfigurationError(problem) from None
    if passphrase is None:
        asked = terminal.translate_message("device.passphrase")
        passphrase = str(typer.prompt(asked, hide_input=True, err=True))
    keys = PassphraseKeys(file.with_name(f"{file.name}.key"), passphrase)
    opened = open_device(file, name, keys)
    try:
        yield opened
    finally:
        opened.close()


@dataclass(frozen=True, slots=True)
class _StopSignal:
    """Waits, and tells whether to stop."""

    event: threading.Event

    def __call__(self, seconds: float) -> bool:
        return self.event.wait(seconds)


@contextmanager
def _create_loop(
    opened: "Device", server: str, token: str | None
) -> "Generator[tuple[SyncLoop, threading.Event]]":
    """Yield what keeps a device in step with a server, and what stops it."""
    from gieok.device import HttpTransport, SyncLoop  # noqa: PLC0415 - an extra
    from gieok.device.opening import read_clock_ms  # noqa: PLC0415

    if not token:
        problem = "A server needs a token: gieok token USER --device NAME."
        raise ConfigurationError(problem)
    shown, stop = token, threading.Event()
    transport = HttpTransport(server, lambda: shown, read_clock_ms)
    try:
        yield SyncLoop(opened, transport, _StopSignal(stop)), stop
    finally:
        transport.close()


def _require_file(file: Path) -> None:
    if not file.exists():
        problem = f"There is no device file {file}; `gieok device talk` makes one."
        raise ConfigurationError(problem)


def _read_lines(terminal: Terminal, opened: "Device") -> None:
    """Answer lines until /quit or the end of the input."""
    for line in sys.stdin:
        said = line.strip()
        if said == "/quit":
            return
        try:
            _answer_line(terminal, opened, said)
        except GieokError as error:
            terminal.print_error(error)


def _answer_line(terminal: Terminal, opened: "Device", said: str) -> None:
    """Say what the device has that bears on a line, and keep the turn."""
    from gieok.device import SpokenTurn  # noqa: PLC0415 - an extra

    if not said:
        return
    if said == "/status":
        _print_report(terminal, opened.report())
        return
    if said.startswith("/"):
        terminal.print_message("device.commands")
        return
    answer = terminal.translate_message("device.heard")
    for number, hit in enumerate(opened.recall(said, most=3)):
        found = terminal.translate_message("device.found", text=hit.text)
        terminal.out.print(render_plain(found))
        answer = answer if number else found
    opened.record(SpokenTurn(said, answer))
    terminal.out.print(render_plain(answer, "dim"))


def encode_report(report: "DeviceReport") -> dict[str, Any]:
    """Return how a device is as JSON; no content."""
    cursor = report.cursor
    return {
        "device_id": cursor.device_id,
        "sync_status": cursor.sync_status,
        "error": cursor.error,
        "conflict_state": cursor.conflict_state and dict(cursor.conflict_state),
        "waiting": report.waiting,
        "items": report.items,
        "last_pair_seq": cursor.last_pair_seq,
        "last_cloud_update_seq": cursor.last_cloud_update_seq,
        "rejected": dict(report.rejected),
        "put_aside": report.put_aside,
    }


def _print_report(terminal: Terminal, report: "DeviceReport") -> None:
    cursor = report.cursor
    rejected = ", ".join(f"{code} {n}" for code, n in sorted(report.rejected.items()))
    kind = (cursor.conflict_state or {}).get("kind")
    rows = {
        "name": cursor.device_id,
        "state": cursor.sync_status,
        "fault": cursor.error or kind,
        "waiting": report.waiting,
        "items": report.items,
        "sent": cursor.last_pair_seq,
        "applied": cursor.last_cloud_update_seq,
        "rejected": rejected,
        "aside": report.put_aside,
    }
    table = Table(show_header=False, box=None)
    for name, value in rows.items():
        if value not in {None, ""}:
            heading = terminal.translate_message(f"row.device.{name}")
            table.add_row(heading, render_plain(str(value)))
    terminal.out.print(table)


def _print_state(
    terminal: Terminal, file: Path, opened: "Device", loop: "SyncLoop", server: str
) -> None:
    """Say whether a device is in step, and what to do where it is not."""
    cursor = opened.cursor
    key = "device.level" if opened.is_level else _find_hindrance(cursor, loop)
    terminal.print_message(
        key,
        file=file,
        name=opened.name,
        server=server,
        state=cursor.error or cursor.sync_status,
        failure=loop.last_failure,
    )


def _find_hindrance(cursor: "DeviceCursor", loop: "SyncLoop") -> str:
    """Return the key of what says why a device is not in step."""
    hindrances = {
        "device.gone": cursor.error == "gone",
        "device.unreachable": loop.last_status == 0,
        "device.token": cursor.error == "token",
        "device.needs_user": cursor.needs_person,
    }
    return next((key for key, is_so in hindrances.items() if is_so), "device.away")
