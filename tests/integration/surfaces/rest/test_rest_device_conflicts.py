"""Conflicts of devices as a person sees and ends them: real files, real HTTP (A17)."""

import asyncio
import shutil
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import pytest

from gieok.device import (
    Device,
    DeviceStatus,
    HttpTransport,
    PassphraseKeys,
    SpokenTurn,
    SyncLoop,
)
from gieok.device.device import mask_turn
from gieok.device.engine import MAX_FORKS
from gieok.device.file import open_file
from gieok.device.opening import read_clock_ms
from gieok.kernel.scope import Actor
from gieok.surfaces.rest import Tokens
from support.rest_people import HOUR, Person

pytestmark = [pytest.mark.req("A17")]
SPEAKER = "거실/speaker"


@dataclass
class Home:
    """A device on its file, and what goes over the line."""

    folder: Path
    transport: HttpTransport
    said: list[str] = field(default_factory=list)
    opened: list[Device] = field(default_factory=list)

    def open(self, file: str) -> SyncLoop:
        keys = PassphraseKeys(self.folder / "speaker.key", "tea")
        rows = open_file(self.folder / file, keys)
        device = Device(rows, SPEAKER, read_clock_ms, uuid4, lambda: 0.0, mask_turn)
        self.opened.append(device)
        return SyncLoop(device, self.transport, lambda _: True)

    def open_again(self, loop: SyncLoop) -> SyncLoop:
        loop.device.close()
        return self.open("speaker.db")

    def says(self, loop: SyncLoop, words: str) -> None:
        loop.device.record(SpokenTurn(words, "네"))
        self.said.append(words)

    def fork_until_somebody_is_needed(self) -> SyncLoop:
        loop = self.open("speaker.db")
        self.says(loop, "처음 한 말")
        assert loop.run_until_level()
        for number in range(MAX_FORKS):
            assert not loop.device.cursor.needs_person
            loop = self.fork(loop, number)
        assert loop.device.cursor.needs_person
        return loop

    def fork(self, loop: SyncLoop, number: int) -> SyncLoop:
        """Greet under the new incarnation, and fork before anything of it is taken."""
        while not loop.device.link.is_greeted or loop.device.link.needs_snapshot:
            loop.exchange()
        loop.device.close()
        shutil.copyfile(self.folder / "speaker.db", self.folder / f"copy-{number}.db")
        copy, loop = self.open(f"copy-{number}.db"), self.open("speaker.db")
        self.says(copy, f"복사본이 한 말 {number}")
        self.says(loop, f"기기가 한 말 {number}")
        while copy.device.cursor.last_pair_seq < copy.device.cursor.newest_seq:
            copy.exchange()
        copy.device.close()
        before = loop.device.cursor.incarnation
        while loop.device.cursor.incarnation == before:
            loop.exchange()
        return loop


@pytest.fixture
def home(
    tmp_path: Path, minji: Person, address: str, tokens: Tokens
) -> Generator[Home]:
    token = tokens.issue(minji.user_id, HOUR, Actor.DEVICE, device=SPEAKER)
    transport = HttpTransport(address, lambda: token, read_clock_ms)
    made = Home(tmp_path, transport)
    yield made
    for each in made.opened:
        each.close()
    transport.close()


async def see_device(minji: Person) -> dict[str, object]:
    answer = await minji.http.get("/api/v1/users/me/devices")
    (device,) = answer.json()["devices"]
    return device


async def resolve(minji: Person, resolution: str) -> tuple[int, str]:
    """Decide; return the status, and what became of it or why it cannot be."""
    path = f"/api/v1/users/me/devices/{SPEAKER}/resolve"
    answer = await minji.http.post(path, json={"resolution": resolution})
    body = answer.json()
    if answer.is_success:
        return answer.status_code, str(body["conflict_state"]["resolution"])
    return answer.status_code, body["error"]["code"]


async def list_words(minji: Person) -> list[str]:
    sessions, _ = await minji.gieok.sessions.page(minji.scope)
    read = [
        await minji.gieok.sessions.read(minji.scope, each.session_id)
        for each in sessions
    ]
    return sorted(
        message.content
        for each in read
        for message in each.messages
        if message.role.value == "user"
    )


async def wait_until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110 - a thread makes it so
            await asyncio.sleep(0.05)


@asynccontextmanager
async def listening(home: Home, device: Device, minji: Person) -> AsyncGenerator[None]:
    """Run a device as it always runs, once it waits for news."""
    stop = threading.Event()
    loop = SyncLoop(device, home.transport, stop.wait)
    running = asyncio.create_task(asyncio.to_thread(loop.run))
    try:
        await wait_until(lambda: minji.gieok.sync.waiter.waiting)
        yield
    finally:
        stop.set()
        await running
        await minji.remembers("땅콩을 못 먹는다")  # ends what still waits


async def test_who_forked_again_and_again_is_seen_and_sends_once_that_is_decided(
    home: Home, minji: Person
) -> None:
    loop = await asyncio.to_thread(home.fork_until_somebody_is_needed)
    device = loop.device
    assert not await asyncio.to_thread(loop.run_until_level)
    waiting = device.report().waiting
    seen = await see_device(minji)
    assert (seen["sync_status"], seen["conflict"]) == ("conflict", "needs_person")
    assert seen["ways_out"] == ["send", "discard"]
    state = seen["conflict_state"]
    assert isinstance(state, dict)
    assert (state["sent"], state["taken"]) == (waiting, 0)
    assert state["resolution"] is None
    home.says(loop, "기다리며 한 말")
    async with listening(home, device, minji):
        assert await resolve(minji, "send") == (200, "send")
        await wait_until(lambda: device.is_level)
    assert Counter(await list_words(minji)) == Counter(home.said), "each once"
    seen = await see_device(minji)
    assert (seen["sync_status"], seen["conflict"]) == ("ok", None)
    assert (seen["conflict_state"], seen["ways_out"]) == (None, [])
    reasons = [line.reason for line in await minji.gieok.audit.lines(minji.scope)]
    assert {"sync_needs_person", "conflict_resolved"} <= {*reasons}


async def test_what_somebody_does_not_want_is_put_aside_on_the_device(
    home: Home, minji: Person
) -> None:
    loop = await asyncio.to_thread(home.fork_until_somebody_is_needed)
    device = loop.device
    await asyncio.to_thread(loop.run_until_level)
    home.says(loop, "버릴 말")
    waiting = device.report().waiting
    assert await resolve(minji, "send") == (200, "send")
    assert await resolve(minji, "discard") == (200, "discard"), "it has not heard yet"
    assert (await see_device(minji))["conflict"] == "needs_person"
    again = home.open_again(loop)  # it starts anew, and knows nothing of the cloud
    assert await asyncio.to_thread(again.run_until_level)
    assert again.device.cursor.sync_status is DeviceStatus.OK
    assert again.device.report().rejected == {"discarded": waiting}
    words = await list_words(minji)
    assert "버릴 말" not in words
    assert Counter(words)["처음 한 말"] == 1
    assert (await see_device(minji))["conflict"] is None


async def test_a_copy_of_a_device_that_was_decided_about_loses_nothing(
    home: Home, minji: Person
) -> None:
    """It heard nothing of the conflict: it does not put aside what it said.

    Whoever still waits afterwards is decided about anew.
    """
    loop = await asyncio.to_thread(home.fork_until_somebody_is_needed)
    await asyncio.to_thread(loop.run_until_level)
    loop.device.close()
    shutil.copyfile(home.folder / "speaker.db", home.folder / "copy.db")
    copy = home.open("copy.db")
    with copy.device.file.begin() as rows:
        rows.execute("UPDATE sync_cursor SET conflict_state = NULL")
    home.says(copy, "복사본만 아는 말")
    assert await resolve(minji, "discard") == (200, "discard")
    assert await asyncio.to_thread(copy.run_until_level)
    assert not copy.device.report().rejected
    assert (await see_device(minji))["conflict"] is None
    waiting = home.open("speaker.db")
    assert not await asyncio.to_thread(waiting.run_until_level)
    assert await resolve(minji, "send") == (200, "send")
    assert await asyncio.to_thread(home.open_again(waiting).run_until_level)
    assert Counter(await list_words(minji)) == Counter(home.said)


async def test_nothing_is_decided_where_there_is_no_conflict(
    home: Home, minji: Person
) -> None:
    assert await resolve(minji, "send") == (404, "not_found")
    loop = home.open("speaker.db")
    home.says(loop, "하나")
    assert await asyncio.to_thread(loop.run_until_level)
    assert await resolve(minji, "send") == (409, "conflict")
    assert await resolve(minji, "both") == (422, "invalid_input")
    assert (await minji.http.post(f"/api/v1/sync/revoke/{SPEAKER}")).is_success
    assert await resolve(minji, "send") == (409, "conflict")
    assert (await see_device(minji))["ways_out"] == []


async def test_a_device_cannot_decide_about_itself_by_its_credential(
    home: Home, minji: Person
) -> None:
    token = home.transport.read_token()
    path = f"/api/v1/users/me/devices/{SPEAKER}/resolve"
    answer = await minji.http.post(
        path,
        json={"resolution": "send"},
        headers={"authorization": f"Bearer {token}"},
    )
    assert answer.status_code == 403
