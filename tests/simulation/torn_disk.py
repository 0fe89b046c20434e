"""A disk that loses, when the power goes, whatever was not synced, piece by piece."""

import itertools
import random
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import apsw

from gieok.device import file as device_file
from gieok.device.connection import RowConnection
from gieok.device.file import open_rows

VFS = "torn"
NAME = "device.db"
SECTOR = 512
_WAL = 2
_ROLLBACK = 1
_VERSIONS = slice(18, 20)
_numbers = itertools.count()


class PowerGoneError(Exception):
    """The power went in the midst of a write or a sync."""


@dataclass
class TornFile:
    """Bytes as a program sees them, those on the platter, and what is between."""

    seen: bytearray = field(default_factory=bytearray)
    synced: bytes = b""
    between: list[tuple[int, bytes]] = field(default_factory=list)
    """What was written since, in pieces of a sector; a size alone is a truncation."""

    def write(self, data: bytes, offset: int) -> None:
        self.seen[len(self.seen) :] = bytes(max(0, offset - len(self.seen)))
        self.seen[offset : offset + len(data)] = data
        for at in range(0, len(data), SECTOR):
            self.between.append((offset + at, data[at : at + SECTOR]))

    def truncate(self, size: int) -> None:
        del self.seen[size:]
        self.between.append((size, b""))

    def sync(self) -> None:
        self.synced, self.between = bytes(self.seen), []

    def survive(self, rng: random.Random) -> "TornFile":
        """Return what is there once the power is back: any part of what was between."""
        left = bytearray(self.synced)
        share = rng.choice([0.0, 0.3, 0.7, 1.0])
        for offset, data in self.between:
            if rng.random() >= share:
                continue
            if not data:
                del left[offset:]
                continue
            left[len(left) :] = bytes(max(0, offset - len(left)))
            left[offset : offset + len(data)] = data
        return TornFile(bytearray(left), bytes(left))


@dataclass
class TornDisk:
    """The files of one device; the power goes after so many writes and syncs."""

    files: dict[str, TornFile] = field(default_factory=dict)
    left: int | None = None
    is_dead: bool = False

    def spend(self) -> bool:
        """Return whether something still reaches the disk; raise where it ends."""
        if self.is_dead:
            return False
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                self.is_dead = True
                raise PowerGoneError
        return True

    def survive(self, rng: random.Random) -> "TornDisk":
        """Return the disk after the power cut; the old one takes nothing any more."""
        self.is_dead = True
        del VFS_OF_ALL.disks[self.number]
        files = {name: each.survive(rng) for name, each in self.files.items()}
        return TornDisk(files)

    def __post_init__(self) -> None:
        """Be found by the names of its files."""
        self.number = next(_numbers)
        VFS_OF_ALL.disks[self.number] = self

    def open(self, data: bytes | None = None) -> RowConnection:
        """Return the rows of the device's file, by the code that opens real ones."""
        if data is not None:
            plain = bytearray(data)
            plain[_VERSIONS] = bytes([_ROLLBACK, _ROLLBACK])
            self.files = {NAME: TornFile(plain, bytes(plain))}
        with patch.object(device_file, "connect_rows", self._connect):
            return open_rows(f"{self.number}/{NAME}")

    def _connect(self, name: str) -> Any:
        rows = apsw.Connection(name, vfs=VFS)
        # The journal's index is in memory then: this disk has nothing to share.
        rows.execute("PRAGMA locking_mode = EXCLUSIVE")
        return rows


@dataclass
class TornHandle:
    """An open file."""

    disk: TornDisk
    file: TornFile

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's
        return bytes(self.file.seen[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        if self.disk.spend():
            self.file.write(bytes(data), offset)

    def xTruncate(self, size: int) -> None:  # noqa: N802
        if self.disk.spend():
            self.file.truncate(size)

    def xSync(self, flags: int) -> None:  # noqa: ARG002, N802
        if self.disk.spend():
            self.file.sync()

    def xFileSize(self) -> int:  # noqa: N802
        return len(self.file.seen)

    def xClose(self) -> None:  # noqa: N802
        pass

    def xLock(self, level: int) -> None:  # noqa: N802
        pass

    def xUnlock(self, level: int) -> None:  # noqa: N802
        pass

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        return False

    def xFileControl(self, operation: int, pointer: int) -> bool:  # noqa: ARG002, N802
        return False

    def xSectorSize(self) -> int:  # noqa: N802
        return SECTOR

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        return 0


class TornVfs(apsw.VFS):
    """What SQLite asks of a file system, of the disk of the device that opens."""

    def __init__(self) -> None:
        self.disks: dict[int, TornDisk] = {}
        super().__init__(VFS, base="")

    def xOpen(self, name: Any, flags: list[int]) -> Any:  # noqa: N802
        flags[1] = flags[0]
        whole = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        disk, short = self._find(whole)
        return TornHandle(disk, disk.files.setdefault(short, TornFile()))

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: ARG002, FBT001, N802
        disk, short = self._find(filename)
        if disk.spend():
            disk.files.pop(short, None)

    def xAccess(self, pathname: str, flags: int) -> bool:  # noqa: ARG002, N802
        disk, short = self._find(pathname)
        return short in disk.files

    def _find(self, name: str) -> tuple[TornDisk, str]:
        number, _, short = name.partition("/")
        return self.disks.get(int(number)) or TornDisk(is_dead=True), short

    def xFullPathname(self, name: str) -> str:  # noqa: N802
        return name


VFS_OF_ALL = TornVfs()
