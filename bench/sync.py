"""Devices on real files in step with a `gieok serve` of its own, over real HTTP."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import NamedTuple

import apsw
import httpx
import psutil
from report import Figure, percentile
from rich.progress import Progress
from texts import Talk

from gieok import Config, open_memory
from gieok.device import Device, HttpTransport, PassphraseKeys, SpokenTurn, SyncLoop
from gieok.device import open_device as open_device_file
from gieok.device.opening import read_clock_ms
from gieok.device.wire import RequestKind
from gieok.exchange import ExchangeRequest
from gieok.kernel.clock import read_system_clock
from gieok.kernel.scope import Actor
from gieok.privacy import FileKeyProvider
from gieok.surfaces.rest import Tokens

PHONES = 5
MANY = 4
PUSHES_A_SECOND, MANY_PUSHES_A_SECOND = 1_500.0, 2_500.0
CHANGES_A_SECOND = 10_000.0
BEHIND = 1_000
BEHIND_SECONDS = 1.0
LIVE_SECONDS = 2.0
ENQUEUE_P50, ENQUEUE_P99 = 1.0, 15.0
SHARE_OF_JSON = 0.5
EXCHANGE = 1.3
WARM_UP = 50
"""Pairs sent first: a server that has just started loads the rules of masking, and a
connection that has just been opened plans its statements."""
TALKED, UTTERANCES = 150, 60
DEVICE_MEGABYTES = 60.0
SERVE = ("serve", "--port", "0", "--no-worker")
DEVICE_ALONE = """
import sys
from pathlib import Path
from gieok.device import HttpTransport, PassphraseKeys, SpokenTurn, open_device

place = Path(sys.argv[1])
device = open_device(place / "w.db", "w", PassphraseKeys(place / "w.key", "tea"))
HttpTransport("http://127.0.0.1:1", str, int)
for number in range(50):
    device.record(SpokenTurn(f"물 {number}잔 마셨어", "네"))
device.recall("물")
status = dict(line.split(":") for line in open("/proc/self/status"))
print(*(status[name].split()[0] for name in ("VmRSS", "VmHWM")))
"""
DEVICE_PUSHING = """
import sys
from pathlib import Path
from time import process_time

from sync import WARM_UP, record_turns, send_all

from gieok.device import HttpTransport, PassphraseKeys, SyncLoop, open_device
from gieok.device.opening import read_clock_ms

place, url, token, pairs = Path(sys.argv[1]), *sys.argv[2:4], int(sys.argv[4])
keys = PassphraseKeys(place.with_suffix(".key"), "tea")
device = open_device(place.with_suffix(".db"), place.name, keys)
transport = HttpTransport(url, lambda: token, read_clock_ms)
loop = SyncLoop(device, transport, lambda _: True)
loop.run_until_level()
record_turns(device, WARM_UP)
send_all(loop)
record_turns(device, pairs)
print("ready", flush=True)
sys.stdin.readline()
before = process_time()
send_all(loop)
print(process_time() - before, flush=True)
"""
"""A device that sends what it was told once a line comes; prints its processor time."""


@dataclass(slots=True)
class Wire:
    """Bytes of the bodies of pushes: as sent, and as plain JSON."""

    sent: int = 0
    plain: int = 0


class Spent(NamedTuple):
    """Processor time, in seconds: of the devices, the server, and PostgreSQL."""

    devices: float
    server: float
    database: float

    def subtract(self, before: "Spent") -> "Spent":
        """Return what was spent since."""
        return Spent(*(now - then for now, then in zip(self, before, strict=True)))


@dataclass(frozen=True, slots=True)
class Serving:
    """A server, and where devices of people have their files."""

    url: str
    folder: Path
    tokens: Tokens
    stack: ExitStack
    server: psutil.Process
    database: list[psutil.Process]
    wire: Wire = field(default_factory=Wire)

    def open_device(self, person: str, name: str) -> SyncLoop:
        """Return a device on a file of its own, in step with the server."""
        place = self.folder / f"{person}-{name}"
        keys = PassphraseKeys(place.with_suffix(".key"), "tea")
        device = open_device_file(place.with_suffix(".db"), name, keys)
        self.stack.callback(device.close)
        token = self.tokens.issue(person, timedelta(hours=1), Actor.DEVICE, device=name)
        client = httpx.Client(timeout=60, event_hooks={"request": [self._note]})
        transport = HttpTransport(self.url, lambda: token, read_clock_ms, client)
        self.stack.callback(transport.close)
        loop = SyncLoop(device, transport, lambda _: True)
        loop.run_until_level()
        return loop

    def read_spent(self) -> Spent:
        """Return the processor time that was used so far."""
        server = self.server.cpu_times()
        database = 0.0
        for process in self.database:
            for each in (process, *process.children(recursive=True)):
                times = each.cpu_times()
                database += times.user + times.system
        return Spent(process_time(), server.user + server.system, database)

    def _note(self, request: httpx.Request) -> None:
        if request.url.path.endswith("/push"):
            self.wire.sent += len(request.content)


async def measure(progress: Progress, *, quick: bool) -> list[Figure]:
    """Return what devices and the server did in a second, and what it weighed."""
    figures = await asyncio.to_thread(_measure, progress, 300 if quick else BEHIND)
    return [*figures, *await _exchange()]


async def _exchange() -> list[Figure]:
    """Return what an exchange takes of a person who said something, bundled models."""
    with TemporaryDirectory(prefix="gieok-bench-") as folder:
        config = Config(data=Path(folder) / "data")
        async with open_memory(config, worker=False) as gieok:
            me = gieok.person("one")
            session = (await gieok.sessions.start(me)).session_id
            for turn in Talk(1).turns(TALKED):
                await gieok.sessions.record(me, session, turn)
            await gieok.recall.index(me)
            await gieok.warm_up()
            alone: list[float] = []
            whole: list[float] = []
            for turn in Talk(2).turns(UTTERANCES):
                said = turn.user_text
                begun = perf_counter()
                await gieok.recall.embedder.queries([said + "."])
                alone.append(perf_counter() - begun)
                begun = perf_counter()
                asked = ExchangeRequest(recognized_text=said, device="speaker")
                await gieok.exchange.answer(me, asked)
                whole.append(perf_counter() - begun)
    name = "the exchange around an utterance, of embedding it"
    note = f"p50 {1_000 * median(whole):.1f} ms, embedding in it"
    return [Figure(name, median(whole) / median(alone), "×", None, EXCHANGE, note)]


def _measure(progress: Progress, pairs: int) -> list[Figure]:
    task = progress.add_task("devices", total=7)
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="gieok-bench-"))
        serving = stack.enter_context(_serve(Path(folder)))
        speaker = serving.open_device("one", "speaker")
        phones = [serving.open_device("one", f"phone {each}") for each in range(PHONES)]
        record_turns(speaker.device, WARM_UP)
        send_all(speaker)
        figures = _enqueue(speaker.device, pairs)
        progress.advance(task)
        figures += _push(serving, speaker, pairs)
        progress.advance(task)
        figures += _pull(serving, phones)
        progress.advance(task)
        figures += _push_many([serving], pairs, f"{MANY} people")
        progress.advance(task)
        with _serve(serving.folder) as beside:
            people = f"{MANY} people, of two servers"
            figures += _push_many([serving, beside], pairs, people)
        progress.advance(task)
        figures += _live(speaker, phones[0])
        progress.advance(task)
        figures += _weigh(serving.folder)
        progress.advance(task)
    return figures


@contextmanager
def _serve(folder: Path) -> Generator[Serving]:
    """Run `gieok serve` without a worker: what follows from turns is not sync.

    Another on the same folder shares its PostgreSQL, as servers behind a proxy do.
    """
    with ExitStack() as stack:
        data = folder / "data"
        process = subprocess.Popen(  # noqa: S603 - a program of ours
            [sys.executable, "-m", "gieok.surfaces.cli.app", *SERVE],
            env=os.environ
            | {
                "GIEOK_DATA": str(data),
                "GIEOK_PERSON_RATE": "0",
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        try:
            found = None
            while found is None:
                line = process.stdout.readline() if process.stdout else ""
                found = re.search(r"http://127\.0\.0\.1:\d+", line)
                if not line:
                    problem = "gieok serve did not start"
                    raise RuntimeError(problem)
            key = FileKeyProvider.open(data / "gieok.key", create=False)
            tokens = Tokens(key.token_secret, read_system_clock)
            yield Serving(
                found[0],
                folder,
                tokens,
                stack,
                psutil.Process(process.pid),
                _find_postmasters(data),
            )
        finally:
            stack.close()
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def _find_postmasters(data: Path) -> list[psutil.Process]:
    """Return the processes that PostgreSQL's own come from."""
    return [
        psutil.Process(int(file.read_text("utf-8").splitlines()[0]))
        for file in data.rglob("postmaster.pid")
    ]


def _enqueue(device: Device, pairs: int) -> list[Figure]:
    waits = record_turns(device, pairs)
    note = "masked, sealed, synchronous=FULL"
    return [
        Figure(
            "`record` on a device, p50",
            percentile(waits, 50),
            "ms",
            None,
            ENQUEUE_P50,
            note,
        ),
        Figure(
            "`record` on a device, p99",
            percentile(waits, 99),
            "ms",
            None,
            ENQUEUE_P99,
            note,
        ),
    ]


def record_turns(device: Device, pairs: int) -> list[float]:
    """Keep turns on a device; return what each of them took."""
    waits: list[float] = []
    for number, turn in enumerate(Talk(1).turns(pairs + 1)):
        begun = perf_counter()
        device.record(SpokenTurn(turn.user_text, turn.assistant_text))
        if number:  # the first one loads the rules of masking
            waits.append(perf_counter() - begun)
    return waits


def send_all(loop: SyncLoop, wire: Wire | None = None) -> None:
    """Send what waits on a device, and do nothing else."""
    while True:
        request = loop.device.find_request()
        if request is None or request.kind is not RequestKind.PUSH:
            return
        if wire is not None:
            plain = json.dumps(dict(request.fields), ensure_ascii=False)
            wire.plain += len(plain.encode())
        reply = loop.transport.send(request, loop.device.link.encodings)
        if reply.status != httpx.codes.OK:
            problem = f"a push was answered {reply.status}"
            raise RuntimeError(problem)
        loop.device.apply_reply(request, reply)


def _push(serving: Serving, loop: SyncLoop, pairs: int) -> list[Figure]:
    serving.wire.sent = 0
    begun, before = perf_counter(), serving.read_spent()
    send_all(loop, serving.wire)
    rate = pairs / (perf_counter() - begun)
    spent = serving.read_spent().subtract(before)
    share = serving.wire.sent / serving.wire.plain
    note = "batches of 50, the device's own work included"
    return [
        Figure("pushed by one device", rate, "pairs/s", PUSHES_A_SECOND, None, note),
        *_split_time("a pair of one device", spent, pairs),
        Figure("body of a push, of plain JSON", share, "×", None, SHARE_OF_JSON),
    ]


def _split_time(of: str, spent: Spent, times: int) -> list[Figure]:
    """Return how much processor time each part takes, and what two cores can give."""
    parts = zip(("device", "server", "PostgreSQL"), spent, strict=True)
    return [
        *(
            Figure(f"processor time of {of}: {who}", 1_000 * each / times, "ms")
            for who, each in parts
        ),
        Figure(f"what two cores can give of that: {of}", 2 * times / sum(spent), "/s"),
    ]


def _pull(serving: Serving, loops: Sequence[SyncLoop]) -> list[Figure]:
    """Bring devices up to date one after another; their median is what counts."""
    waits, changes = list[float](), 0
    spent = serving.read_spent()
    for loop in loops:
        loop.device.link = type(loop.device.link)()
        before = loop.device.cursor.last_cloud_update_seq
        begun = perf_counter()
        if not loop.run_until_level():
            problem = "a device is not in step"
            raise RuntimeError(problem)
        waits.append(perf_counter() - begun)
        changes = loop.device.cursor.last_cloud_update_seq - before
    spent = serving.read_spent().subtract(spent)
    behind = f"{changes} changes behind, hello and ack included; longest of {PHONES}"
    first, *_ = rates = [changes / each for each in waits]
    among = f"median of {PHONES}; the first {first:,.0f}, the slowest {min(rates):,.0f}"
    return [
        Figure("current again", max(waits), "s", None, BEHIND_SECONDS, behind),
        Figure(
            "pulled and applied",
            median(rates),
            "changes/s",
            CHANGES_A_SECOND,
            None,
            among,
        ),
        *_split_time("a change", spent, changes * len(waits)),
    ]


def _push_many(servers: Sequence[Serving], pairs: int, people: str) -> list[Figure]:
    """Push from devices of several people, each in a process of its own, as they are.

    A device's whole process is in the rate; only what it sent in the end is in its
    processor time.
    """
    with ExitStack() as stack:
        devices = [
            stack.enter_context(
                _run_device(
                    servers[n % len(servers)], f"{n + 1} of {people}", pairs // 2
                )
            )
            for n in range(MANY)
        ]
        for device in devices:
            _read_line(device)
        begun, before = perf_counter(), _read_all_spent(servers)
        for device in devices:
            _send_line(device)
        busy = sum(float(_read_line(device)) for device in devices)
        rate = MANY * (pairs // 2) / (perf_counter() - begun)
        spent = _read_all_spent(servers).subtract(before)._replace(devices=busy)
    note = "each device in a process of its own"
    return [
        Figure(
            f"pushed by devices of {people}",
            rate,
            "pairs/s",
            MANY_PUSHES_A_SECOND,
            None,
            note,
        ),
        *_split_time(f"a pair of {people}", spent, MANY * (pairs // 2)),
    ]


def _read_all_spent(servers: Sequence[Serving]) -> Spent:
    """Return the processor time of all servers, and of the PostgreSQL they share."""
    spent = [serving.read_spent() for serving in servers]
    return spent[0]._replace(server=sum(each.server for each in spent))


@contextmanager
def _run_device(
    serving: Serving, person: str, pairs: int
) -> Generator[subprocess.Popen[str]]:
    """Run a device of a person that sends so many pairs once a line comes."""
    place = serving.folder / f"{person} speaker"
    token = serving.tokens.issue(
        person, timedelta(hours=1), Actor.DEVICE, device=place.name
    )
    arguments = [str(place), serving.url, token, str(pairs)]
    process = subprocess.Popen(  # noqa: S603 - a program of ours
        [sys.executable, "-c", DEVICE_PUSHING, *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _send_line(process: subprocess.Popen[str]) -> None:
    if process.stdin:
        process.stdin.write("\n")
        process.stdin.flush()


def _read_line(process: subprocess.Popen[str]) -> str:
    line = process.stdout.readline() if process.stdout else ""
    if not line:
        problem = "a device's process ended"
        raise RuntimeError(problem)
    return line


def _live(here: SyncLoop, there: SyncLoop, times: int = 10) -> list[Figure]:
    """Return how long what is said on one device takes to be on another."""
    stop = threading.Event()
    waits: list[float] = []
    with ThreadPoolExecutor(2) as threads:
        for loop in (here, there):
            threads.submit(SyncLoop(loop.device, loop.transport, stop.wait).run)
        try:
            for _ in range(times):
                sleep(1.5)
                begun, pair = perf_counter(), here.device.record(SpokenTurn("응", "네"))
                while not _has_pair(there.device, str(pair.pair_id)):
                    sleep(0.01)
                waits.append(perf_counter() - begun)
        finally:
            stop.set()
    return [
        Figure("said on one device, on another, p50", median(waits), "s"),
        Figure(
            "said on one device, on another, longest",
            max(waits),
            "s",
            None,
            LIVE_SECONDS,
        ),
    ]


def _has_pair(device: Device, pair_id: str) -> bool:
    """Tell whether a pair is there; not yet, while the device's own thread reads."""
    try:
        found = device.file.connection.execute(
            "SELECT 1 FROM memory_items WHERE item_id = ?", [pair_id]
        )
    except apsw.ThreadingViolationError:
        return False
    return found.fetchone() is not None


def _weigh(folder: Path) -> list[Figure]:
    """Return what a process weighs that runs nothing but a device."""
    done = subprocess.run(  # noqa: S603 - a program of ours
        [sys.executable, "-c", DEVICE_ALONE, str(folder)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    now, most = (int(each) / 1_024 for each in done.stdout.split())
    note = "50 pairs recorded with masking"
    opening = "while scrypt makes the key of the passphrase"
    return [
        Figure("a device's process", now, "MB", None, DEVICE_MEGABYTES, note),
        Figure("the most it ever had", most, "MB", note=opening),
    ]
