"""The file of a device: SQLite, one process, every commit on the disk.

A damaged file is put aside and an empty one begun: what the cloud has comes down again.
A device that was told to empty itself leaves a mark first that says why, so that a
power cut in the midst of it leaves nothing behind and does not change what follows.
"""

import errno
import fcntl
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import apsw

from gieok.device.connection import RowConnection, connect_rows
from gieok.device.keys import DeviceKeyProvider
from gieok.device.model import DeviceFault
from gieok.device.schema import MIGRATIONS, SCHEMA, VERSION
from gieok.device.sealing import BodySealer
from gieok.device.shredding import shred_file, write_file
from gieok.kernel.errors import DataDirectoryError, StorageFullError

_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA secure_delete = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA temp_store = MEMORY",
)
_DAMAGED: Final = (apsw.CorruptError, apsw.NotADBError)
_REFUSED: Final = (
    apsw.ReadOnlyError,
    apsw.CantOpenError,
    apsw.PermissionsError,
    apsw.BusyError,
    apsw.LockedError,
)
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_BESIDE: Final = ("-wal", "-shm", "-journal")
_ASIDE: Final = ".damaged-"
_CONTENT: Final = b"content"
"""What the mark says where content alone was erased."""


class DamagedFileError(DataDirectoryError):
    """The file is damaged: opened again, it is put aside and an empty one begun."""


@dataclass(slots=True)
class DeviceFile:
    """An open file: rows, and the key for what is in them.

    `put_aside` names the damaged file in place of which this one was begun.
    """

    connection: RowConnection = field(repr=False)
    sealer: BodySealer
    put_aside: Path | None = None
    emptied_fault: DeviceFault | None = None
    """What is the matter since it was emptied, where that was not ended."""
    close_lock: Callable[[], None] = field(default=lambda: None, repr=False)
    empty_path: "Callable[[DeviceFault | None], DeviceFile] | None" = field(
        default=None, repr=False
    )
    end_emptying: Callable[[], None] = field(default=lambda: None, repr=False)
    """Call it once it is on the disk that the file was emptied."""

    @contextmanager
    def begin(self) -> Generator[RowConnection]:
        """Open the one transaction of a step; it is on the disk when this returns.

        Raises:
            StorageFullError: the disk is full; nothing was written.
            DataDirectoryError: the file cannot be written.
        """
        with report_faults():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def empty(self, fault: DeviceFault | None) -> "DeviceFile":
        """Return an empty file in place of this one, of which nothing is left.

        `fault` is what is the matter since then, and is known after a power cut too.

        Raises:
            StorageFullError: the disk is full; ask again.
            DataDirectoryError: it cannot be written.
        """
        if self.empty_path is not None:
            with report_faults():
                return self.empty_path(fault)
        with self.begin() as rows:
            clear_tables(rows)
        return self

    def close(self) -> None:
        """Close the file, and let another process have it."""
        self.connection.close()
        self.close_lock()


def clear_tables(rows: RowConnection, *, but: str = "") -> None:
    """Erase every row but those of a table, within an open transaction."""
    for (table,) in rows.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> ?", (but,)
    ).fetchall():
        rows.execute(f"DELETE FROM {table}")


@contextmanager
def report_faults() -> Generator[None]:
    """Say in our words what the disk refuses.

    Raises:
        StorageFullError: it is full.
        DamagedFileError: what is there cannot be read.
        DataDirectoryError: it may not be written, or does not answer.
    """
    try:
        yield
    except apsw.FullError as error:
        raise StorageFullError from error
    except _DAMAGED as error:
        problem = "The device's file is damaged: open it again."
        raise DamagedFileError(problem) from error
    except _REFUSED as error:
        raise DataDirectoryError("The device's file cannot be written.") from error
    except OSError as error:
        if error.errno in _FULL:
            raise StorageFullError from error
        raise DataDirectoryError("The device's folder cannot be written.") from error
    except apsw.IOError as error:
        raise DataDirectoryError("The device's disk does not answer.") from error


def open_file(path: Path, keys: DeviceKeyProvider) -> DeviceFile:
    """Open the file of a device, made where there is none.

    Raises:
        DataDirectoryError: another process has it, or it cannot be written.
        KeyFileError: its key does not open.
        StorageFullError: the disk is full.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unlock = lock_file(path.with_name(path.name + ".lock"))
    except OSError as error:
        raise DataDirectoryError("The device's folder cannot be written.") from error
    try:
        return _open_locked(path, keys, unlock)
    except BaseException:
        unlock()
        raise


def lock_file(path: Path) -> Callable[[], None]:
    """Keep every other process out; call what is returned to let them in.

    Raises:
        DataDirectoryError: another process is in.
    """
    number = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(number)
        raise DataDirectoryError(
            "Another process uses the device's file: stop it, or take another file."
        ) from error

    is_locked = True

    def unlock() -> None:
        # Once: by the second time the number may be somebody else's file.
        nonlocal is_locked
        if is_locked:
            is_locked = False
            os.close(number)

    return unlock


def _open_locked(
    path: Path, keys: DeviceKeyProvider, unlock: Callable[[], None]
) -> DeviceFile:
    mark = path.with_name(path.name + ".emptying")
    fault = None
    if mark.exists():
        fault = None if mark.read_bytes() == _CONTENT else DeviceFault.GONE
        _shred_all(path, keys)
    sealer = BodySealer(keys.load_key(is_new=not path.exists()))
    put_aside = None
    try:
        connection = open_rows(str(path))
    except DamagedFileError:
        put_aside = _put_aside(path)
        connection = open_rows(str(path))
    opened = DeviceFile(connection, sealer, put_aside, fault, unlock)

    def empty(fault: DeviceFault | None) -> DeviceFile:
        write_file(mark, b"" if fault else _CONTENT)
        opened.connection.close()
        return _open_locked(path, keys, unlock)

    opened.empty_path = empty
    opened.end_emptying = lambda: mark.unlink(missing_ok=True)
    return opened


def open_rows(name: str) -> RowConnection:
    """Open rows under a name, or ":memory:", and have the tables there.

    Raises:
        DamagedFileError: they are damaged.
        DataDirectoryError: they cannot be written.
    """
    with report_faults():
        connection = connect_rows(name)
        try:
            connection.set_busy_timeout(1_000)
            for pragma in _PRAGMAS:
                connection.execute(pragma)
            _prepare_tables(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def _prepare_tables(connection: RowConnection) -> None:
    (state,) = _read_row(connection, "PRAGMA quick_check(1)")
    if state != "ok":
        raise apsw.CorruptError(state)
    (version,) = _read_row(connection, "PRAGMA user_version")
    if version > VERSION:
        raise DataDirectoryError(
            "The device's file is of a newer gieok: update this one."
        )
    if version == 0:
        connection.execute(SCHEMA)
        return
    for migration in MIGRATIONS[version - 1 :]:
        connection.execute(migration)


def _read_row(connection: RowConnection, statement: str) -> tuple[Any, ...]:
    row = connection.execute(statement).fetchone()
    assert row is not None  # noqa: S101 - a pragma answers
    return row


def _put_aside(path: Path) -> Path:
    """Rename a damaged file, with what lies beside it."""
    number = 1
    while (aside := path.with_name(f"{path.name}{_ASIDE}{number}")).exists():
        number += 1
    path.rename(aside)
    for end in _BESIDE:
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).rename(aside.with_name(aside.name + end))
    return aside


def _shred_all(path: Path, keys: DeviceKeyProvider) -> None:
    """Overwrite the file, what lies beside it and what was put aside; not the mark."""
    keys.destroy_key()
    for each in list(path.parent.iterdir()):
        if _is_of_device(each.name, path.name) and each.is_file():
            shred_file(each)


def _is_of_device(name: str, device: str) -> bool:
    """Tell whether a file is a device's own, beside it, or was put aside of it."""
    for end in _BESIDE:
        name = name.removesuffix(end)
    aside = device + _ASIDE
    return name == device or (
        name.startswith(aside) and name.removeprefix(aside).isdecimal()
    )
