"""Opens the archive of another product: JSON, or a ZIP file that holds it."""

import json
import lzma
import struct
import zipfile
import zlib
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

from gieok.portability.checking import locate_errors, reject_file

MAX_BYTES: Final = 256 * 2**20
CONVERSATIONS_FILE: Final = "conversations.json"
DAMAGED: Final = (
    EOFError,
    KeyError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""What unpacking raises for a ZIP that was cut off, changed, or locked."""


@dataclass(frozen=True, slots=True)
class OpenedArchive:
    """The JSON of an archive, and the file of a ZIP that it was read from."""

    value: Any = field(repr=False)
    member: str | None = None


def open_archive(file: BinaryIO) -> OpenedArchive:
    """Return the JSON of an archive, or of the one inside a ZIP file.

    Raises:
        InvalidFileError: there is none, it is damaged, or it is over 256 MiB.
    """
    if not zipfile.is_zipfile(file):
        file.seek(0)
        return OpenedArchive(_parse_json(file.read(MAX_BYTES + 1)))
    member, text = _unpack_archive(file)
    with locate_errors(member=member):
        return OpenedArchive(_parse_json(text), member)


def _unpack_archive(file: BinaryIO) -> tuple[str, bytes]:
    """Return name and content of the file with conversations inside a ZIP file."""
    member = None
    try:
        with zipfile.ZipFile(file) as packed:
            names = [
                each for each in packed.namelist() if each.endswith(CONVERSATIONS_FILE)
            ]
            if not names:
                reject_file("it is not JSON, nor a ZIP file with conversations.json")
            member = CONVERSATIONS_FILE
            with packed.open(names[0]) as inside:
                return member, inside.read(MAX_BYTES + 1)
    except DAMAGED:
        with locate_errors(member=member):
            reject_file("it is damaged or cannot be unpacked")


def _parse_json(text: bytes) -> Any:
    if len(text) > MAX_BYTES:
        reject_file("it is too large")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        with locate_errors(line=error.lineno):
            reject_file("it is not JSON, nor a ZIP file with conversations.json")
    except (ValueError, RecursionError):
        reject_file("it is not JSON, nor a ZIP file with conversations.json")
