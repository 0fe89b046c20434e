"""The server's disk is full while a device sends: the device keeps all, and goes on."""

import asyncio
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import pytest

from gieok import Config, open_memory
from gieok.database.embedded import run_embedded_postgres
from gieok.device import (
    Device,
    DeviceStatus,
    HttpTransport,
    PassphraseKeys,
    SpokenTurn,
    SyncLoop,
)
from gieok.device.device import MaskedTurn
from gieok.device.file import open_file
from gieok.device.opening import read_clock_ms
from gieok.device.wire import SyncReply, SyncRequest
from support.commands import run_command
from support.processes import own_config
from support.served import serve_gieok
from support.small_disk import move_database, small_disk

config = own_config
disk = small_disk

pytestmark = pytest.mark.acceptance
BULK = "가나다라마바사 " * 200
REFUSED, MOST = 3, 400
"""How often it is refused; turns that need more than what there are pages for."""


@dataclass
class Listening:
    """The way to the server, and what it answered."""

    inner: HttpTransport
    answers: Counter[tuple[int, str]] = field(default_factory=Counter[tuple[int, str]])

    def send(self, request: SyncRequest, encodings: tuple[str, ...] = ()) -> SyncReply:
        reply = self.inner.send(request, encodings)
        self.answers[reply.status, reply.code] += 1
        return reply


def open_speaker(folder: Path, name: str) -> Device:
    rows = open_file(folder / f"{name}.db", PassphraseKeys(folder / f"{name}.key", "t"))
    return Device(rows, name, read_clock_ms, uuid4, lambda: 0.1, MaskedTurn)


def say(device: Device, number: int) -> None:
    device.record(SpokenTurn(f"{number} {BULK}", f"{number} {BULK}"))


def say_until_full(
    device: Device, loop: SyncLoop, answers: Counter[tuple[int, str]]
) -> int:
    """Say things and send them until the server has no room; return how many."""
    for number in range(1, MOST):
        say(device, number)
        loop.run_until_level()
        if answers[507, "storage_full"] >= REFUSED:
            return number
    pytest.fail("the disk did not fill up")


@contextmanager
def fill_disk(disk: Path) -> Generator[None]:
    """Have no room on a disk, for as long as this is open."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(65_536)):
            pass
    yield
    ballast.unlink()


def require_all_kept(device: Device, said: int) -> None:
    """Fail unless a device has all it was told, and says that it waits to send it."""
    cursor, report = device.cursor, device.report()
    assert (cursor.sync_status, cursor.error) == (DeviceStatus.PENDING, None)
    assert cursor.newest_seq == said
    assert report.waiting == said - cursor.last_pair_seq > 0
    assert not report.rejected
    assert len(device.rows.list_pairs(0)) == said, "every word is still here"


def fetch_numbers(folder: Path, transport: HttpTransport) -> list[int]:
    """Return what comes down to another device, by the numbers that were said."""
    phone = open_speaker(folder, "phone")
    assert SyncLoop(phone, transport, lambda _: True).run_until_level()
    items = list(phone.rows.iterate_items("conversation_pair"))
    phone.close()
    return [int(str((item.body or {})["user_text"]).split()[0]) for item in items]


@pytest.mark.req("A10", "A16", "E19")
async def test_a_device_keeps_all_until_the_server_has_room_again(
    config: Config, disk: Path, tmp_path: Path
) -> None:
    first_start = run_command(config.data, "devices", "minji")
    assert first_start.returncode == 1, "the database is there, and nobody in it yet"
    async with run_embedded_postgres(config.data / "pg") as server:
        await move_database(server, disk)
        with serve_gieok(config.data) as served:
            token = served.issue_token("minji")
            transport = HttpTransport(served.url, lambda: token, read_clock_ms)
            line = Listening(transport)
            device = open_speaker(tmp_path, "speaker")
            loop = SyncLoop(device, line, lambda _: True)
            assert await asyncio.to_thread(loop.run_until_level)
            with fill_disk(disk):
                said = await asyncio.to_thread(
                    say_until_full, device, loop, line.answers
                )
                require_all_kept(device, said)
                assert {status for status, _ in line.answers} == {200, 507}

            assert await asyncio.to_thread(loop.run_until_level)
            heard = await asyncio.to_thread(fetch_numbers, tmp_path, transport)
            assert Counter(heard) == Counter(range(1, said + 1)), "each once"
            device.close()
            transport.close()
    async with open_memory(config, worker=False) as memory:
        me = memory.person("minji")
        taken = {each.last_pair_seq for each in await memory.sync.cursors(me)}
        assert taken == {said, 0}
        await memory.audit.verify(me)
