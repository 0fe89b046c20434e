"""Opens a device on its file with what it needs of the machine."""

import random
import time
from functools import partial
from pathlib import Path
from typing import Literal, get_args
from uuid import uuid4  # noqa: TID251 - ordered ids need a package devices lack

from gieok.device.device import Device, mask_turn
from gieok.device.file import DeviceFile, open_file, report_faults
from gieok.device.keys import DeviceKeyProvider
from gieok.device.store import DeviceRows
from gieok.kernel.errors import InvalidInputError

Personal = Literal["mask", "hide", "keep"]
"""What becomes of phone numbers and addresses, as `GIEOK_PII` of a server."""


def read_clock_ms() -> int:
    """Return the device's clock, in ms since 1970."""
    return time.time_ns() // 1_000_000


def open_device(
    path: Path,
    name: str | None,
    keys: DeviceKeyProvider,
    *,
    personal: Personal | None = None,
) -> Device:
    """Open a device on its file, made where there is none; close it when done.

    `name` is the app's id of the device, the same every time; None for the name that
    the file has, which in a new one is the file's own without its ending. `personal` is
    what becomes of phone numbers and addresses that are said, as `GIEOK_PII` of a
    server; None for what holds in this process.

    Raises:
        InvalidInputError: `personal` is none of these.
        ConfigurationError: the file is another device's.
        DataDirectoryError: another process has the file, or it cannot be written.
        KeyFileError: its key does not open.
        StorageFullError: the disk is full.
    """
    if personal is not None and personal not in get_args(Personal):
        problem = f"it must be one of {', '.join(get_args(Personal))}"
        raise InvalidInputError("personal", problem)
    file = open_file(path, keys)
    try:
        return Device(
            file,
            name or _find_name(file) or path.stem,
            read_clock_ms,
            uuid4,
            random.random,
            partial(mask_turn, personal=personal),
        )
    except BaseException:
        file.close()
        raise


def _find_name(file: DeviceFile) -> str | None:
    with report_faults():
        found = DeviceRows.from_file(file).find_cursor()
    return found and found.device_id
