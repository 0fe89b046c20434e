"""`serve`, `worker` and `token`: gieok for others."""

import asyncio
import gc
import signal
import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta
from typing import Annotated

import typer

from gieok.bootstrap import start_gieok
from gieok.facade import Gieok
from gieok.kernel.errors import ConfigurationError, UnavailableError
from gieok.kernel.scope import Actor
from gieok.surfaces.cli.arguments import AsJson, PersonArgument
from gieok.surfaces.cli.logs import log_to_stderr
from gieok.surfaces.cli.terminal import Terminal, get_terminal, run_command
from gieok.surfaces.cli.token_secret import open_tokens
from gieok.text.cleaning import clean_name
from gieok.worker import run_worker

HOST, PORT = "127.0.0.1", 8321
TTL_HOURS = 24.0


def serve(
    context: typer.Context,
    *,
    host: Annotated[str, typer.Option(help="opt.host")] = HOST,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="opt.port")] = PORT,
    worker: Annotated[bool, typer.Option(help="opt.worker")] = True,
) -> None:
    """Serve the REST API until SIGTERM or SIGINT."""
    terminal = get_terminal(context)
    log_to_stderr()
    with open_listener(host, port) as listener:
        run_command(lambda: _run_server(terminal, listener, with_worker=worker))


async def _run_server(
    terminal: Terminal, listener: socket.socket, *, with_worker: bool
) -> None:
    # Only a server needs these, and a worker's machine may lack them.
    from gieok.surfaces.cli.server import create_server  # noqa: PLC0415
    from gieok.surfaces.pages import add_pages  # noqa: PLC0415
    from gieok.surfaces.rest import Edge, Tokens, create_app  # noqa: PLC0415

    stop = _watch_stop_signals()
    async with _open_gieok(terminal) as (gieok, conninfo):
        await _verify_tutor_cards(terminal, gieok)
        tokens = Tokens(gieok.maintenance.vault.provider.token_secret, gieok.clock)
        edge = Edge.from_config(terminal.config, gieok.clock)
        proxies = terminal.config.trusted_proxies
        app = create_app(gieok, tokens, edge)
        add_pages(app, edge)
        server = create_server(app, proxies)
        exclude_loaded_objects()
        serving = asyncio.create_task(server.serve_on(listener))
        working = [start_worker(terminal, gieok, conninfo)] if with_worker else []
        _print_start(terminal, listener, with_worker=with_worker)
        try:
            await _wait_for_stop(stop, [serving, *working])
        finally:
            server.request_stop()
            await _wait_for_end([serving, *working], cancel=working)
    terminal.print_note("stopped")


def start_worker(terminal: Terminal, gieok: Gieok, conninfo: str) -> asyncio.Task[None]:
    """Run jobs until the task is cancelled, at the pace an app has set."""
    return asyncio.create_task(run_worker(gieok, conninfo, pace=terminal.parts.pace))


def _print_start(
    terminal: Terminal, listener: socket.socket, *, with_worker: bool
) -> None:
    address = _join_address(*listener.getsockname()[:2])
    terminal.print_message("serve.at", address=address)
    terminal.print_message("serve.worker" if with_worker else "serve.no_worker")
    terminal.print_message("serve.token")
    terminal.print_message("serve.pages")


async def _verify_tutor_cards(terminal: Terminal, gieok: Gieok) -> None:
    """Fail where the tutor's table cannot work; one that is away may come back."""
    if gieok.tutor_cards is None:
        return
    try:
        await gieok.tutor_cards.verify()
    except UnavailableError as error:
        terminal.print_note(
            "serve.no_tutor_cards", problem=error.message(terminal.language)
        )


def worker(context: typer.Context) -> None:
    """Run jobs until SIGTERM or SIGINT."""
    terminal = get_terminal(context)
    log_to_stderr()

    async def work() -> None:
        stop = _watch_stop_signals()
        async with _open_gieok(terminal) as (gieok, conninfo):
            exclude_loaded_objects()
            working = start_worker(terminal, gieok, conninfo)
            terminal.print_message("worker.running")
            try:
                await _wait_for_stop(stop, [working])
            finally:
                await _wait_for_end([working], cancel=[working])
        terminal.print_note("stopped")

    run_command(work)


def token(
    context: typer.Context,
    user: PersonArgument,
    *,
    ttl: Annotated[float, typer.Option(min=0.001, help="opt.ttl")] = TTL_HOURS,
    device: Annotated[str | None, typer.Option(help="opt.token_device")] = None,
    as_json: AsJson = False,
) -> None:
    """Print a bearer token of a person."""
    terminal = get_terminal(context)
    config = terminal.config
    name = clean_name("user_id", user)
    if not config.key_path.exists():
        run_command(lambda: _create_key_file(terminal))
    tokens = run_command(lambda: open_tokens(config))
    actor = Actor.USER if device is None else Actor.DEVICE
    issued = tokens.issue(name, timedelta(hours=ttl), actor, device=device)
    if as_json:
        terminal.print_json({"user_id": name, "token": issued, "ttl_hours": ttl})
    else:
        terminal.out.file.write(f"{issued}\n")


async def _create_key_file(terminal: Terminal) -> None:
    """Open gieok once, which makes the key file where it may be made."""
    async with terminal.open_gieok():
        pass


@asynccontextmanager
async def _open_gieok(terminal: Terminal) -> AsyncGenerator[tuple[Gieok, str]]:
    """Open gieok, warm, and say under which address its worker runs."""
    async with AsyncExitStack() as stack:
        with terminal.err.status(terminal.translate_message("opening")):
            gieok, addresses = await start_gieok(terminal.config, terminal.parts, stack)
            await gieok.warm_up(language=terminal.config.language)
        yield gieok, addresses.app


def exclude_loaded_objects() -> None:
    """Have no search for garbage look at what was loaded to stay.

    Rules, models and routes are a quarter of a million objects: to look at them all
    takes 0.1 s, in which nobody is answered, and comes back with every few thousand
    things that are said.
    """
    gc.collect()
    gc.freeze()


def open_listener(host: str, port: int) -> socket.socket:
    """Return a listening socket, whose connections send at once what is written.

    Otherwise the second half of an answer waits 40 ms for the client to acknowledge
    the first (RFC 896); asyncio turns that off for sockets of its own only.

    Raises:
        ConfigurationError: the address cannot be used.
    """
    is_ipv6 = ":" in host
    try:
        listener = socket.create_server(
            (host, port),
            family=socket.AF_INET6 if is_ipv6 else socket.AF_INET,
            backlog=2048,
            dualstack_ipv6=host == "::" and socket.has_dualstack_ipv6(),
        )
    except OSError as error:
        problem = (
            f"{_join_address(host, port)} cannot be listened on ({error.strerror}); "
            "try --port or --host."
        )
        raise ConfigurationError(problem) from error
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _join_address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _watch_stop_signals() -> asyncio.Event:
    """Return an event that SIGTERM and SIGINT set instead of ending the process."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # Windows has no such handlers
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


async def _wait_for_stop(
    stop: asyncio.Event, running: Sequence[asyncio.Task[None]]
) -> None:
    """Wait until it is time to stop; what ended by itself says why."""
    stopping = asyncio.create_task(stop.wait())
    try:
        done, _ = await asyncio.wait(
            [stopping, *running], return_when=asyncio.FIRST_COMPLETED
        )
    finally:
        stopping.cancel()
    for task in done:
        if task is not stopping:
            task.result()


async def _wait_for_end(
    tasks: Sequence[asyncio.Task[None]], *, cancel: Sequence[asyncio.Task[None]]
) -> None:
    """Wait until all have ended, of which some end only when they are cancelled."""
    for task in cancel:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task
