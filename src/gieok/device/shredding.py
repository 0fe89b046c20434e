"""Files that are wholly on the disk, and files that are wholly gone."""

import os
from pathlib import Path
from typing import Final

_CHUNK: Final = 1024 * 1024


def write_file(path: Path, data: bytes) -> None:
    """Put a file in place, readable by its owner alone; it survives a power cut."""
    draft = path.with_name(path.name + ".new")
    number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(number, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    ensure_entries(path.parent)


def shred_file(path: Path) -> None:
    """Overwrite a file with zeros, and remove it."""
    with path.open("r+b") as file:
        left = file.seek(0, os.SEEK_END)
        file.seek(0)
        while left > 0:
            left -= file.write(bytes(min(left, _CHUNK)))
        file.flush()
        os.fsync(file.fileno())
    path.unlink()
    ensure_entries(path.parent)


def ensure_entries(path: Path) -> None:
    """Have a folder's entries survive a power cut."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
