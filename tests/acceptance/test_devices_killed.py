"""Devices lose nothing, whatever is killed and whatever the network does.

Devices, server, worker and PostgreSQL are processes of their own, with a line between
them that fails in every way; anything may be killed -9 at any moment. A slice runs with
the tests; the full run is in docs/reference/sync.md.
"""

import asyncio
import os
import random
import signal
import socket
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import httpx
import pytest

from gieok import Gieok, Scope
from gieok.kernel.clock import read_system_clock
from gieok.kernel.scope import Actor
from gieok.privacy import FileKeyProvider
from gieok.sessions import message_store
from gieok.surfaces.rest import Tokens
from support.fault_proxy import FAULTS, FaultyLine, open_faulty_line
from support.paths import PROGRAMS
from support.processes import Config, open_data, own_config

config = own_config

pytestmark = pytest.mark.acceptance
SEED = int(os.environ.get("GIEOK_KILL_SEED", "20261124"))
KILLS = int(os.environ.get("GIEOK_KILLS", "60"))
PAIRS = int(os.environ.get("GIEOK_PAIRS", "3000"))
DEVICES = int(os.environ.get("GIEOK_DEVICES", "6"))
PAUSE = os.environ.get("GIEOK_TALK_PAUSE", "0.02")
"""Seconds between two turns on a device."""
CALM = float(os.environ.get("GIEOK_KILL_PAUSE", "0.5"))
"""Most seconds between two kills."""
DEVICES_A_PERSON = 4
HEALED_WITHIN = 60.0
"""Seconds after which all queues are empty, once nothing fails any more."""
GIVEN_UP_AFTER = float(os.environ.get("GIEOK_GIVEN_UP_AFTER", "600"))
"""Seconds after which it is not waited for any longer to see what was lost."""
BATCH = 1_000


@dataclass(slots=True)
class TalkingDevice:
    """A device in a process of its own, and what it said was on its disk."""

    person: str
    name: str
    process: Process | None = None
    kept: dict[int, UUID] = field(default_factory=dict[int, UUID])
    newest: int = 0
    """Its last number, once it is level."""


@dataclass(slots=True)
class Household:
    """Everything that runs, and can be killed."""

    data: Path
    port: int
    line: FaultyLine
    address: str
    rng: random.Random
    devices: list[TalkingDevice]
    services: dict[str, Process] = field(default_factory=dict[str, Process])
    kills: Counter[str] = field(default_factory=Counter[str])
    tasks: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    async def start_service(self, name: str, program: str, *words: str) -> None:
        """Start the server or the worker; what it says is added to a log."""
        with (self.data.parent / f"{name}.log").open("ab") as log:
            self.services[name] = await asyncio.create_subprocess_exec(
                sys.executable,
                str(PROGRAMS / program),
                *words,
                env={
                    **os.environ,
                    "GIEOK_DATA": str(self.data),
                    "GIEOK_PERSON_RATE": "0",
                },
                stdin=PIPE,
                stdout=DEVNULL,
                stderr=log,
            )

    async def start_server(self) -> None:
        words = ("serve", "--port", str(self.port), "--no-worker")
        await self.start_service("server", "command.py", *words)

    async def start_worker(self) -> None:
        await self.start_service("worker", "idle_worker.py", str(self.data))

    async def start_device(self, device: TalkingDevice) -> None:
        key = FileKeyProvider.open(self.data / "gieok.key", create=False)
        token = Tokens(key.token_secret, read_system_clock).issue(
            device.person, timedelta(hours=12), Actor.DEVICE, device=device.name
        )
        device.process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(PROGRAMS / "talker.py"),
            str(self.data.parent),
            device.name,
            self.address,
            token,
            PAUSE,
            stdin=PIPE,
            stdout=PIPE,
        )
        task = asyncio.create_task(_listen(device, device.process))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def kill_any(self) -> None:
        """Kill -9 a device, or now and then something else, and start it again."""
        victims = ("device", "server", "worker", "database")
        (victim,) = self.rng.choices(victims, (20, 2, 2, 1))
        self.kills[victim] += 1
        if victim == "database":
            self._kill_database()
        elif victim == "device":
            device = self.rng.choice(self.devices)
            await _kill(device.process)
            await self.start_device(device)
        else:
            await _kill(self.services[victim])
            await asyncio.sleep(self.rng.uniform(0, 1))
            start = self.start_server if victim == "server" else self.start_worker
            await start()

    def _kill_database(self) -> None:
        """Kill the postmaster; whoever runs it starts it again."""
        with suppress(OSError, ValueError, IndexError):
            file = self.data / "pg" / "postmaster.pid"
            os.kill(int(file.read_text().splitlines()[0]), signal.SIGKILL)

    def count_kept(self) -> int:
        """Return how many pairs devices said were on their disks."""
        return sum(len(device.kept) for device in self.devices)

    def describe(self) -> str:
        """Return what runs and how far it came, for whoever looks for the cause."""
        running = {name: each.returncode for name, each in self.services.items()}
        devices = {
            each.name: (each.process and each.process.returncode, each.newest)
            for each in self.devices
        }
        logs = (self.data.parent / f"{name}.log" for name in self.services)
        ends = [log.read_text("utf-8")[-3_000:] for log in logs if log.exists()]
        database = (self.data / "pg" / "log").read_text("utf-8")[-2_000:]
        return "\n".join([f"ended: {running}, {devices}", *ends, database])

    async def stop(self) -> None:
        """End everything that runs, by id."""
        running = [*self.services.values(), *(each.process for each in self.devices)]
        for process in running:
            await _kill(process)
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def _kill(process: Process | None) -> None:
    if process is not None and process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if process is not None and process.stdin is not None:
        process.stdin.close()


async def _listen(device: TalkingDevice, process: Process) -> None:
    """Note what a device says, also what it said just before it was killed."""
    assert process.stdout is not None
    while line := (await process.stdout.readline()).decode():
        match line.split():
            case ["pair", pair_id, number] if line.endswith("\n"):
                device.kept[int(number)] = UUID(pair_id)
            case ["level", number]:
                device.newest = int(number)
            case _:
                pass


def _find_free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


async def _wait_until_ready(port: int) -> None:
    """Wait until the server answers that all it needs is there."""
    async with asyncio.timeout(60), httpx.AsyncClient() as http:
        while True:
            with suppress(httpx.TransportError):
                found = await http.get(f"http://127.0.0.1:{port}/health/ready")
                if found.is_success:
                    return
            await asyncio.sleep(0.1)


@asynccontextmanager
async def run_household(config: Config) -> AsyncGenerator[Household]:
    rng, port = random.Random(SEED), _find_free_port()  # noqa: S311 - moments
    devices = [
        TalkingDevice(f"person-{number // DEVICES_A_PERSON}", f"device-{number}")
        for number in range(DEVICES)
    ]
    line = FaultyLine(port, rng)
    async with open_faulty_line(line) as address:
        home = Household(config.data, port, line, address, rng, devices)
        try:
            await home.start_server()
            await _wait_until_ready(port)
            await home.start_worker()
            for device in devices:
                await home.start_device(device)
            yield home
        finally:
            await home.stop()


async def heal(home: Household) -> float:
    """Let nothing fail any more; return the seconds until all queues are empty."""
    home.line.share = 0
    began = time.monotonic()
    for device in home.devices:
        assert device.process is not None
        assert device.process.stdin is not None
        device.process.stdin.write(b"\n")
        await device.process.stdin.drain()
    while not all(device.newest for device in home.devices):
        if time.monotonic() - began > GIVEN_UP_AFTER:
            pytest.fail(f"after {GIVEN_UP_AFTER} s: {home.describe()}")
        await asyncio.sleep(0.1)
    return time.monotonic() - began


async def read_pairs(memory: Gieok, scope: Scope) -> list[tuple[UUID, str]]:
    """Return a person's pairs in the order in which the cloud took them."""
    key = await memory.maintenance.vault.get_key(scope)
    async with memory.maintenance.database.begin(scope) as tx:
        rows = await tx.fetch_all(
            """
            SELECT entity_id FROM memory_updates
            WHERE user_id = %s AND entity = 'conversation_pair' ORDER BY seq
            """,
            [scope.user_id],
        )
        order = [row[0] for row in rows]
        found: dict[UUID, str] = {}
        for start in range(0, len(order), BATCH):
            ids = order[start : start + BATCH]
            pairs = await message_store.list_pairs(tx, key, ids)
            found |= {pair.pair_id: pair.user_text for pair in pairs}
    return [(pair_id, found[pair_id]) for pair_id in order]


def find_faults(
    devices: Sequence[TalkingDevice], pairs: Sequence[tuple[UUID, str]]
) -> list[str]:
    """Return what was lost, doubled or out of order of a person's devices."""
    faults: list[str] = []
    for device in devices:
        said = [
            (pair_id, int(text.split()[1]))
            for pair_id, text in pairs
            if text.split()[0] == device.name
        ]
        numbers = [number for _, number in said]
        if numbers != list(range(1, device.newest + 1)):
            faults.append(f"{device.name}: {device.newest} said, {numbers} there")
        there = {number: pair_id for pair_id, number in said}
        faults += [
            f"{device.name} {number} is not there"
            for number, pair_id in device.kept.items()
            if there.get(number) != pair_id
        ]
    return faults


@pytest.mark.req("A10", "A16", "E19")
async def test_what_is_on_a_device_reaches_the_cloud_once_and_in_order(
    config: Config,
) -> None:
    async with run_household(config) as home:
        while home.kills.total() < KILLS or home.count_kept() < PAIRS:
            await asyncio.sleep(home.rng.uniform(0, CALM))
            if home.kills.total() < KILLS:
                await home.kill_any()
        seconds = await heal(home)
    kept, kills = home.count_kept(), dict(home.kills)
    figures = f"{kept} pairs, killed {kills}, faults {dict(home.line.counts)}"
    sys.stdout.write(f"{figures}, empty after {seconds:.1f} s\n")
    assert kept >= PAIRS
    assert set(home.line.counts) >= set(FAULTS), "every fault came"
    async with open_data(config) as memory:
        for person in {device.person for device in home.devices}:
            scope = memory.person(person)
            pairs = await read_pairs(memory, scope)
            mine = [device for device in home.devices if device.person == person]
            assert find_faults(mine, pairs) == []
            assert len(pairs) == sum(device.newest for device in mine)
            await memory.audit.verify(scope)
    assert seconds <= HEALED_WITHIN
