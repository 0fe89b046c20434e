"""Devices in folders of their own."""

import random
from collections.abc import Callable, Generator
from pathlib import Path
from uuid import uuid4

import pytest

from gieok.device import Device, PassphraseKeys
from gieok.device.device import mask_turn
from gieok.device.file import open_file

Open = Callable[..., Device]


@pytest.fixture
def open_device(tmp_path: Path) -> Generator[Open]:
    """Opens devices on real files; closes what a test leaves open."""
    opened: list[Device] = []

    def open_one(
        name: str = "kitchen", *, words: str = "tea", stem: str | None = None
    ) -> Device:
        stem = stem or name
        keys = PassphraseKeys(tmp_path / f"{stem}.key", words)
        file = open_file(tmp_path / f"{stem}.db", keys)
        rng = random.Random(1)  # noqa: S311 - a seeded one is wanted
        device = Device(
            file, name, lambda: 1_790_000_000_000, uuid4, rng.random, mask_turn
        )
        opened.append(device)
        return device

    yield open_one
    for each in opened:
        each.close()
