"""The key file on the disk: private, written whole, and named when it is not usable."""

import base64
import binascii
import json
import os
import secrets
import stat
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gieok.kernel.errors import KeyFileError


@contextmanager
def read_fields(path: Path) -> Generator[dict[str, Any]]:
    """Read the file; what is wrong with it, or found wrong within, is named.

    Raises:
        KeyFileError: it is missing, damaged, or others can read it.
    """
    if not path.exists():
        problem = (
            f"The key file {path} is missing, but sealed data exists. Put the "
            "file back: without it nothing can be read."
        )
        raise KeyFileError(problem)
    if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        problem = f"Others can read the key file {path}: run `chmod 600 {path}`."
        raise KeyFileError(problem)
    try:
        yield dict(json.loads(path.read_text("utf-8")).items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        problem = (
            f"The key file {path} cannot be read ({type(error).__name__}). Put a "
            "copy of the undamaged file back: without it nothing can be read."
        )
        raise KeyFileError(problem) from error


def replace_file(path: Path, fields: Mapping[str, object]) -> None:
    """Put this in place of the file; a crash leaves the one or the other.

    Raises:
        KeyFileError: it cannot be written.
    """
    try:
        draft = _write_draft(path, fields)
        try:
            draft.replace(path)
        except OSError:
            draft.unlink()
            raise
        _ensure_entries(path.parent)
    except OSError as error:
        raise _to_key_file_error(path, error) from error


def create_file(path: Path, fields: Mapping[str, object]) -> None:
    """Write the file unless there is one; raises as `replace`.

    It is written whole under another name, then linked: two processes starting at once
    agree on one file, and a crash leaves no half of it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = _write_draft(path, fields)
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
        _ensure_entries(path.parent)
    except OSError as error:
        raise _to_key_file_error(path, error) from error


def encode_bytes(data: bytes) -> str:
    """Return bytes as the file holds them."""
    return base64.b64encode(data).decode()


def decode_bytes(text: str) -> bytes:
    """Return what was encoded.

    Raises:
        ValueError: it was not.
    """
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError from error


def _write_draft(path: Path, fields: Mapping[str, object]) -> Path:
    """Write a key file, safe on the disk, under a name nobody reads."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(fields, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    return draft


def _ensure_entries(folder: Path) -> None:
    """Have a folder's entries survive a power cut: what is sealed next relies on it."""
    if os.name != "posix":  # others open no folder
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _to_key_file_error(path: Path, error: OSError) -> KeyFileError:
    return KeyFileError(f"The key file {path} cannot be written ({error.strerror}).")
