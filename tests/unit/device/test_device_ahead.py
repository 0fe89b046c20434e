"""While a device applies a page the next one is on its way, and nothing rests on it."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest

from gieok.device import Device, SpokenTurn, SyncLoop
from gieok.device.device import MaskedTurn
from gieok.device.engine import build_next_request
from gieok.device.file import DeviceFile, open_rows
from gieok.device.sealing import BodySealer
from gieok.device.wire import RequestKind, SyncReply, SyncRequest
from gieok.kernel.chain import start_chain
from gieok.kernel.errors import StorageFullError
from support.pushed_pairs import take_pairs

pytestmark = pytest.mark.req("A08", "A16")
EPOCH, HEAD, PAGE = "1.0.x", 12, 3


@dataclass
class PagedCloud:
    """A cloud with changes up to `HEAD`, a few in a page; it notes who asks when."""

    asked: list[tuple[str, int]] = field(default_factory=list)
    aside: list[int] = field(default_factory=list)
    """From where those pages were asked that the device did not wait for."""
    is_down: bool = False

    def send(self, request: SyncRequest, encodings: tuple[str, ...] = ()) -> SyncReply:
        del encodings
        since = int(request.fields.get("since") or 0)
        self.asked.append((str(request.kind), since))
        if threading.current_thread() is not threading.main_thread():
            self.aside.append(since)
        if self.is_down:
            return SyncReply(503)
        return SyncReply(200, self._answer(request, since))

    def _answer(self, request: SyncRequest, since: int) -> Mapping[str, Any]:
        up = {"seq": 0, "chain": start_chain(request.incarnation).chain.hex()}
        common = {"epoch": EPOCH, "head": HEAD, "wipe": False}
        if request.kind is RequestKind.HELLO:
            limits = {"pairs": 50, "bytes": 1_000}
            said = {"up": up, "server_ms": 1, "limits": limits, "actions": []}
            return common | said
        if request.kind is RequestKind.SNAPSHOT:
            return common | {"seq": 1, "next_page": None, "items": []}
        if request.kind is RequestKind.PUSH:
            return common | {"up": take_pairs(request.fields), "rejected": []}
        to = min(since + PAGE, HEAD)
        changes = [_spell_memory(number) for number in range(since + 1, to + 1)]
        return common | {"since": since, "to": to, "changes": changes}


def _spell_memory(number: int) -> dict[str, Any]:
    item = {"content": f"{number}번째"}
    each = {"entity": "user_memory", "id": str(UUID(int=number)), "operation": "put"}
    return each | {"item": item}


@dataclass
class Applied(Device):
    """A device that takes its time to apply, and may have a full disk."""

    is_full: bool = False
    wait_for_next: Callable[[], None] = lambda: None

    def apply_reply(self, request: SyncRequest, reply: SyncReply) -> float:
        if build_next_request(request, reply):
            self.wait_for_next()
        if self.is_full:
            raise StorageFullError
        return Device.apply_reply(self, request, reply)


@pytest.fixture
def cloud() -> PagedCloud:
    return PagedCloud()


@pytest.fixture
def device() -> Applied:
    return Applied(
        DeviceFile(open_rows(":memory:"), BodySealer(bytes(32))),
        "kitchen",
        lambda: 1,
        iter(map(UUID, map("{:032x}".format, range(1, 1_000)))).__next__,
        lambda: 0.5,
        MaskedTurn,
    )


def list_ids(device: Device) -> set[int]:
    return {UUID(item.item_id).int for item in device.rows.iterate_items()}


def test_the_next_page_is_asked_for_while_one_is_applied(
    cloud: PagedCloud, device: Applied
) -> None:
    loop = SyncLoop(device, cloud, lambda _: True)

    def wait_for_next() -> None:
        assert loop.ahead is not None
        loop.ahead.wait()
        told.append((device.cursor.last_cloud_update_seq, cloud.asked[-1][1]))

    told: list[tuple[int, int]] = []
    device.wait_for_next = wait_for_next
    assert loop.run_until_level()
    assert list_ids(device) == set(range(2, HEAD + 1))
    pulls = [since for kind, since in cloud.asked if kind == "pull"]
    assert pulls == [1, 4, 7, 10], "each page once"
    assert cloud.aside == pulls[1:], "all but the first"
    assert told == [(1, 4), (4, 7), (7, 10)], "one page ahead, never more"


def test_a_page_that_came_ahead_of_one_that_was_not_kept_is_not_applied(
    cloud: PagedCloud, device: Applied
) -> None:
    loop = SyncLoop(device, cloud, lambda _: True)
    while device.cursor.last_cloud_update_seq == 0:
        loop.exchange()
    device.is_full = True
    with pytest.raises(StorageFullError):
        loop.exchange()
    assert (device.cursor.last_cloud_update_seq, list_ids(device)) == (1, set())
    device.is_full = False
    assert loop.run_until_level()
    assert list_ids(device) == set(range(2, HEAD + 1))


def test_what_is_said_meanwhile_goes_up_first_and_the_page_is_asked_for_again(
    cloud: PagedCloud, device: Applied
) -> None:
    loop = SyncLoop(device, cloud, lambda _: True)
    while device.cursor.last_cloud_update_seq < 4:
        loop.exchange()
    device.record(SpokenTurn("물 마셨어", "네"))
    assert loop.ahead is not None
    loop.ahead.wait()
    assert loop.run_until_level()
    assert list_ids(device) == set(range(2, HEAD + 1))
    pulls = [("pull", since) for since in (1, 4)]
    assert cloud.asked[2:7] == [*pulls, ("push", 0), ("pull", 4), ("pull", 7)]


def test_an_answer_ahead_that_failed_is_waited_out_as_any_other(
    cloud: PagedCloud, device: Applied
) -> None:
    loop = SyncLoop(device, cloud, lambda _: True)

    def go_down() -> None:
        assert loop.ahead is not None
        loop.ahead.wait()
        cloud.is_down = True

    while device.cursor.last_cloud_update_seq == 0:
        loop.exchange()
    device.wait_for_next = go_down
    assert not loop.run_until_level()
    reached = device.cursor.last_cloud_update_seq
    assert list_ids(device) == set(range(2, reached + 1)), "all that came, in order"
    device.wait_for_next, cloud.is_down = lambda: None, False
    assert loop.run_until_level()
    assert list_ids(device) == set(range(2, HEAD + 1))


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"to": "3", "head": 9},
        {"to": 3},
        {"to": 3, "head": 3},
        {"to": 3, "head": 9, "wipe": True},
        {"to": True, "head": 9},
        {"next_page": "5-x"},
    ],
)
def test_nothing_is_asked_ahead_of_a_page_that_does_not_say_what_follows(
    body: dict[str, Any],
) -> None:
    asked = SyncRequest(RequestKind.PULL, UUID(int=1), {"since": 0})
    assert build_next_request(asked, SyncReply(200, body)) is None
    assert build_next_request(asked, SyncReply(503, {"to": 3, "head": 9})) is None


def test_the_next_part_of_a_whole_copy_is_asked_ahead_too() -> None:
    asked = SyncRequest(RequestKind.SNAPSHOT, UUID(int=1), {"epoch": EPOCH})
    following = build_next_request(asked, SyncReply(200, {"next_page": "5-x"}))
    assert following is not None
    assert following.fields == {"epoch": EPOCH, "page": "5-x"}
    assert build_next_request(asked, SyncReply(200, {"next_page": None})) is None
