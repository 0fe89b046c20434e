"""`sync`: checks of a sync server from outside (A16, A17)."""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from gieok.kernel.errors import ConfigurationError, InvalidInputError
from gieok.surfaces.cli.arguments import AsJson, clean_token
from gieok.surfaces.cli.terminal import Terminal, get_terminal, render_plain

if TYPE_CHECKING:
    from gieok.conformance import ConformanceResult

sync = typer.Typer(help="help.sync")
_MARKS = {"passed": "✓", "fault": "✗", "skipped": "–"}
_STYLES = {"passed": "green", "fault": "bold red", "skipped": "dim"}


@sync.callback()
def group() -> None:
    """Check a sync server."""


@sync.command("check", help="help.sync.check")
def check(  # noqa: PLR0913 - most may be left out
    context: typer.Context,
    address: Annotated[str, typer.Argument(help="arg.address", metavar="URL")],
    *,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            help="opt.check_token",
            envvar="GIEOK_DEVICE_TOKEN",
            show_envvar=False,
            callback=clean_token,
        ),
    ] = None,
    other_token: Annotated[
        str | None,
        typer.Option("--other-token", help="opt.other_token", callback=clean_token),
    ] = None,
    device: Annotated[
        str | None, typer.Option("--device", help="opt.check_device")
    ] = None,
    only: Annotated[list[str] | None, typer.Option("--only", help="opt.only")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a correct device and a hostile one; exit 1 if the server is at fault."""
    terminal = get_terminal(context)
    if not token:
        problem = "It needs the token of a test person: gieok token USER."
        raise ConfigurationError(problem)
    results = _run_checks(
        terminal,
        address,
        token,
        as_json=as_json,
        checks=only,
        device=device,
        other_token=other_token,
    )
    faults = sum(each.outcome == "fault" for each in results)
    if as_json:
        checks = [encode_result(each) for each in results]
        terminal.print_json({"url": address, "faults": faults, "checks": checks})
    else:
        counts = {"count": len(results), "faults": faults}
        terminal.print_message("sync_check.done", **counts)
    if faults:
        raise typer.Exit(1)


def _run_checks(
    terminal: Terminal,
    address: str,
    token: str,
    *,
    as_json: bool,
    checks: list[str] | None,
    **options: Any,
) -> "list[ConformanceResult]":
    """Return how all checks ended; each is shown as it ends."""
    import httpx  # noqa: PLC0415 - an extra

    from gieok.conformance import CHECKS, run_checks  # noqa: PLC0415 - needs httpx

    unknown = {*(checks or ())} - {*CHECKS}
    if unknown:
        field = "only"
        raise InvalidInputError(field, f"each must be one of {', '.join(CHECKS)}")
    results: list[ConformanceResult] = []
    try:
        for result in run_checks(address, token, checks=checks or CHECKS, **options):
            results.append(result)
            if not as_json:
                _print_result(terminal, result)
    except (httpx.TransportError, httpx.InvalidURL) as error:
        problem = f"Nothing answers at {address}: {error}"
        raise ConfigurationError(problem) from None
    return results


def encode_result(result: "ConformanceResult") -> dict[str, str]:
    """Return how a check ended, as JSON."""
    return {
        "name": result.name,
        "kind": result.kind,
        "outcome": result.outcome,
        "detail": result.detail,
    }


def _print_result(terminal: Terminal, result: "ConformanceResult") -> None:
    row = Table.grid(padding=(0, 1))
    row.add_column(width=1)
    row.add_column(width=20)
    row.add_column()
    style = _STYLES[result.outcome]
    title = terminal.translate_message(f"sync_check.{result.name}")
    row.add_row(
        render_plain(_MARKS[result.outcome], style),
        render_plain(result.name, style),
        render_plain(f"{title}\n{result.detail}" if result.detail else title),
    )
    terminal.out.print(row)
