"""Opens a device on its file with what it needs of the machine."""

import random
import time
from pathlib import Path
from uuid import uuid4  # noqa: TID251 - ordered ids need a package devices lack

from gieok.device.device import Device, mask_turn
from gieok.device.file import open_file
from gieok.device.keys import DeviceKeyProvider


def read_clock_ms() -> int:
    """Return the device's clock, in ms since 1970."""
    return time.time_ns() // 1_000_000


def open_device(path: Path, name: str, keys: DeviceKeyProvider) -> Device:
    """Open a device on its file, made where there is none; close it when done.

    `name` is the app's id of the device, the same every time.

    Raises:
        DataDirectoryError: another process has the file, or it cannot be written.
        KeyFileError: its key does not open.
        StorageFullError: the disk is full.
    """
    return Device(
        open_file(path, keys),
        name,
        read_clock_ms,
        uuid4,
        random.random,
        mask_turn,
    )
