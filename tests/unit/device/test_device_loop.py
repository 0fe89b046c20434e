"""The loop goes on, whatever its disk, its transport or its token does."""

import ssl
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import apsw
import httpx
import pytest

from gieok.device import Device, DeviceFault, HttpTransport, SpokenTurn, SyncLoop
from gieok.device.device import MaskedTurn
from gieok.device.engine import LONGEST_WAIT_S, Link
from gieok.device.file import DeviceFile, open_rows, report_faults
from gieok.device.model import DownloadedItem
from gieok.device.sealing import BodySealer
from gieok.device.syncing import GREET_S
from gieok.device.wire import (
    NO_ANSWER,
    RequestKind,
    SyncReply,
    SyncRequest,
    encode_position,
)
from gieok.kernel.chain import start_chain
from gieok.kernel.errors import DataDirectoryError, KeyFileError, StorageFullError
from support.pushed_pairs import take_pairs

pytestmark = pytest.mark.req("A16", "A17")
EPOCH, NOW_MS = "1.0.x", 1_790_000_000_000
DAY_MS = 24 * 60 * 60 * 1000
TEN_YEARS_MS = 3_650 * DAY_MS


@dataclass
class QuietCloud:
    """A cloud in which nothing changes; it may fail before it answers."""

    fail: Callable[[SyncRequest], None] = lambda _: None
    asked: list[SyncRequest] = field(default_factory=list[SyncRequest])
    now_ms: int = NOW_MS
    device_ms: int = NOW_MS
    is_gone: bool = False
    is_withheld: bool = False
    up: dict[str, Any] | None = None

    def send(self, request: SyncRequest, encodings: tuple[str, ...] = ()) -> SyncReply:
        del encodings
        self.asked.append(request)
        self.fail(request)
        if self.is_gone:
            return SyncReply(410, {"error": {"code": "device_gone"}})
        return SyncReply(200, self._answer(request), at_ms=self.device_ms)

    def count(self, kind: RequestKind) -> int:
        return sum(each.kind is kind for each in self.asked)

    def _answer(self, request: SyncRequest) -> dict[str, Any]:
        common = {"epoch": EPOCH, "head": 1, "wipe": self.is_withheld}
        if request.kind is RequestKind.HELLO:
            start = encode_position(start_chain(request.incarnation))
            actions = ["wipe"] if self.is_withheld else []
            said = {"limits": {"pairs": 50, "bytes": 9_000}, "actions": actions}
            at = {"up": self.up or start, "server_ms": self.now_ms}
            return common | said | at
        if request.kind is RequestKind.PUSH:
            self.up = take_pairs(request.fields)
            return common | {"up": self.up, "rejected": []}
        if request.kind is RequestKind.SNAPSHOT:
            return common | {"seq": 1, "next_page": None, "items": []}
        return common | {"since": 1, "to": 1, "changes": []}


@dataclass
class CallableTransport:
    """Sends by a function."""

    send: Callable[..., SyncReply]


@dataclass
class Waits:
    """Counts how often, and how long, a loop waits; it stops at the last of them."""

    most: int
    seconds: list[float] = field(default_factory=list[float])
    between: Callable[[], None] = lambda: None

    def __call__(self, seconds: float) -> bool:
        self.seconds.append(seconds)
        self.between()
        return len(self.seconds) >= self.most


@dataclass
class Faulty(Device):
    """A device whose disk fails some times while it applies."""

    faults: list[Exception] = field(default_factory=list[Exception])
    read_faults: list[Exception] = field(default_factory=list[Exception])

    def find_request(self, *, is_polling: bool = False) -> SyncRequest | None:
        if self.read_faults:
            with report_faults():
                raise self.read_faults.pop()
        return Device.find_request(self, is_polling=is_polling)

    def apply_reply(self, request: SyncRequest, reply: SyncReply) -> float:
        if self.faults:
            with report_faults():
                raise self.faults.pop()
        return Device.apply_reply(self, request, reply)


@pytest.fixture
def cloud() -> QuietCloud:
    return QuietCloud()


@pytest.fixture
def device() -> Faulty:
    return Faulty(
        DeviceFile(open_rows(":memory:"), BodySealer(bytes(32))),
        "kitchen",
        lambda: NOW_MS,
        iter(map(UUID, map("{:032x}".format, range(1, 1_000)))).__next__,
        lambda: 0.5,
        MaskedTurn,
    )


@pytest.mark.parametrize(
    "fault",
    [
        StorageFullError(),
        DataDirectoryError("away"),
        apsw.BusyError(),
        apsw.LockedError(),
        apsw.FullError(),
        OSError(28, "full"),
        OSError(5, "broken"),
    ],
)
def test_a_disk_that_fails_is_tried_again(
    cloud: QuietCloud, device: Faulty, fault: Exception
) -> None:
    device.faults = [fault, fault]
    waits = Waits(12)
    SyncLoop(device, cloud, waits).run()
    assert waits.seconds[:2] == [LONGEST_WAIT_S] * 2
    assert device.is_level


@pytest.mark.parametrize(
    "fault", [apsw.CorruptError(), apsw.NotADBError(), KeyFileError("gone")]
)
def test_what_cannot_be_read_is_told_once_and_tried_again(
    cloud: QuietCloud,
    device: Faulty,
    fault: Exception,
    caplog: pytest.LogCaptureFixture,
) -> None:
    device.read_faults = [fault, fault]
    waits = Waits(12)
    SyncLoop(device, cloud, waits).run()
    assert waits.seconds[:2] == [LONGEST_WAIT_S] * 2
    assert device.is_level
    (warned,) = caplog.messages
    assert "Error" in warned


def test_a_token_that_cannot_be_read_is_no_answer(
    cloud: QuietCloud, device: Faulty
) -> None:
    def fail(_: SyncRequest) -> None:
        raise PermissionError

    cloud.fail = fail
    waits = Waits(5)
    SyncLoop(device, cloud, waits).run()
    assert len(cloud.asked) == 5
    assert all(each > 0 for each in waits.seconds)
    cloud.fail = lambda _: None
    assert SyncLoop(device, cloud, waits).run_until_level()


def test_news_are_asked_for_again_after_the_asking_broke(
    cloud: QuietCloud, device: Faulty
) -> None:
    assert SyncLoop(device, cloud, Waits(1)).run_until_level()
    broken: list[SyncRequest] = []

    def fail(request: SyncRequest) -> None:
        if not broken:
            broken.append(request)
            raise PermissionError

    cloud.fail = fail
    SyncLoop(device, cloud, Waits(20, between=finish_requests)).run()
    assert broken[0].kind is RequestKind.PULL
    assert cloud.count(RequestKind.PULL) > 1


def test_what_was_pushed_is_recalled_before_its_copy_comes_down(
    cloud: QuietCloud, device: Faulty
) -> None:
    pair_id = f"{device.record(SpokenTurn('내일 병원에 가', '네')).pair_id}"
    assert SyncLoop(device, cloud, Waits(1)).run_until_level()
    assert [hit.item_id for hit in device.recall("병원")] == [pair_id]
    for until_ms, found in ((NOW_MS + 1, ["병원 예약"]), (NOW_MS, [])):
        body = {"user_text": "병원 예약", "assistant_text": ""}
        copy = DownloadedItem("conversation_pair", pair_id, body, until_ms)
        with device.file.begin():
            device.rows.put_items([copy])
        assert [hit.text.strip() for hit in device.recall("병원")] == found


@pytest.mark.parametrize("status", [NO_ANSWER, 408, 504])
def test_a_line_too_slow_for_a_batch_carries_smaller_ones(
    cloud: QuietCloud, device: Faulty, status: int
) -> None:
    """Whatever is larger does not get through in time."""
    sizes: list[int] = []

    def send(request: SyncRequest, encodings: tuple[str, ...] = ()) -> SyncReply:
        if request.kind is RequestKind.PUSH:
            sizes.append(len(request.fields["pairs"]))
            if sizes[-1] > 7:
                return SyncReply(status)
        return QuietCloud.send(cloud, request, encodings)

    transport = CallableTransport(send)
    for number in range(40):
        device.record(SpokenTurn(f"말 {number}", "네"))
    SyncLoop(device, transport, Waits(40)).run()
    assert device.is_level
    assert sizes[:3] == [15, 7, 14], "half, and twice as many once one is taken"


@pytest.mark.parametrize("most", [7, 1, 0])
def test_who_exchanges_until_level_tries_smaller_batches_on_a_slow_line(
    cloud: QuietCloud, device: Faulty, most: int
) -> None:
    """`gieok device sync` has no later try: it ends once not even one pair goes."""
    sizes: list[int] = []

    def send(request: SyncRequest, encodings: tuple[str, ...] = ()) -> SyncReply:
        if request.kind is RequestKind.PUSH:
            sizes.append(len(request.fields["pairs"]))
            if sizes[-1] > most:
                return SyncReply(504)
        return QuietCloud.send(cloud, request, encodings)

    for number in range(12):
        device.record(SpokenTurn(f"말 {number}", "네"))
    waits = Waits(100)
    loop = SyncLoop(device, CallableTransport(send), waits)
    assert loop.run_until_level() is (most > 0)
    assert len(waits.seconds) == sum(size > most for size in sizes) - (most == 0)


def test_who_exchanges_until_level_waits_for_no_cloud_that_is_away(
    device: Faulty,
) -> None:
    device.record(SpokenTurn("말", "네"))
    waits = Waits(100)
    away = CallableTransport(lambda *_: SyncReply(NO_ANSWER))
    assert not SyncLoop(device, away, waits).run_until_level()
    assert waits.seconds == []


def put_day(device: Device, until_ms: int) -> None:
    with device.file.begin():
        device.rows.put_items(
            [DownloadedItem("short_term_summary", "d1", {"summary_text": ""}, until_ms)]
        )


def count_items(device: Device) -> int:
    return len(list(device.rows.iterate_items()))


@pytest.mark.parametrize("until_ms", [NOW_MS + DAY_MS, NOW_MS - 1])
def test_what_a_clock_that_jumped_erased_too_early_comes_down_again(
    cloud: QuietCloud, device: Faulty, until_ms: int
) -> None:
    loop = SyncLoop(device, cloud, Waits(1))
    assert loop.run_until_level()
    put_day(device, until_ms)
    device.clock_ms = lambda: NOW_MS + TEN_YEARS_MS
    assert device.sweep() == 1
    device.clock_ms = lambda: NOW_MS
    power_cut = SyncLoop(device, cloud, Waits(1))
    cloud.fail = _require_no_copy
    assert not power_cut.run_until_level(), "it greets, and the copy does not come"
    device.link = Link()
    cloud.fail = lambda _: None
    before = cloud.count(RequestKind.SNAPSHOT)
    assert power_cut.run_until_level()
    assert cloud.count(RequestKind.SNAPSHOT) == before + 1
    assert device.cursor.swept_ms == 0
    device.renew_greeting()
    assert power_cut.run_until_level()
    assert cloud.count(RequestKind.SNAPSHOT) == before + 1, "one copy is enough"


def _require_no_copy(request: SyncRequest) -> None:
    if request.kind is RequestKind.SNAPSHOT:
        raise PermissionError


def test_what_was_said_by_a_good_clock_keeps_its_time_after_a_power_cut(
    cloud: QuietCloud, device: Faulty
) -> None:
    """The clock begins at 1970 then; the cloud tells it in its hello."""
    assert SyncLoop(device, cloud, Waits(1)).run_until_level()
    device.record(SpokenTurn("내일 병원에 가", "네"))
    cloud.now_ms += DAY_MS
    device.clock_ms = lambda: 60_000
    device.link = Link()
    cloud.device_ms = 60_000
    device.record(SpokenTurn("나 왔어", "네"))
    assert SyncLoop(device, cloud, Waits(1)).run_until_level()
    (pushed,) = [each for each in cloud.asked if each.kind is RequestKind.PUSH]
    told = [pair["client_ms"] for pair in pushed.fields["pairs"]]
    assert told == [NOW_MS, NOW_MS + DAY_MS]


@pytest.mark.parametrize("is_set_at_first", [True, False])
def test_nothing_expires_because_a_clock_is_set_or_loses_its_time(
    cloud: QuietCloud, device: Faulty, *, is_set_at_first: bool
) -> None:
    clocks = (NOW_MS, 60_000) if is_set_at_first else (60_000, NOW_MS)
    device.clock_ms = lambda: clocks[0]
    cloud.device_ms = clocks[0]
    assert SyncLoop(device, cloud, Waits(1)).run_until_level()
    put_day(device, NOW_MS + DAY_MS)
    device.clock_ms = lambda: clocks[1]
    assert device.read_cloud_ms() == NOW_MS
    assert device.sweep() == 0
    put_day(device, NOW_MS - 1)
    assert device.sweep() == 1


def test_what_expired_by_the_clouds_clock_needs_no_copy(
    cloud: QuietCloud, device: Faulty
) -> None:
    loop = SyncLoop(device, cloud, Waits(1))
    assert loop.run_until_level()
    put_day(device, NOW_MS)
    assert device.sweep() == 1
    assert loop.run_until_level()
    assert cloud.count(RequestKind.SNAPSHOT) == 1, "the first one"


def test_what_expires_is_erased_while_the_cloud_is_away(
    cloud: QuietCloud, device: Faulty
) -> None:
    cloud.fail = lambda _: (_ for _ in ()).throw(PermissionError())
    put_day(device, NOW_MS)
    seconds = iter(range(0, 10_000, 20)).__next__
    loop = SyncLoop(device, cloud, Waits(1), read_s=seconds)
    loop.run()
    assert count_items(device) == 0, "at once"
    put_day(device, NOW_MS)
    loop.wait = Waits(5)
    loop.run()
    assert count_items(device) == 0, "and from time to time"


def count_retained(device: Device) -> int:
    return len(device.rows.list_pairs(0))


def test_words_are_retained_for_seven_days_after_the_cloud_has_them(
    cloud: QuietCloud, device: Faulty
) -> None:
    loop = SyncLoop(device, cloud, Waits(1))
    assert loop.run_until_level()
    cloud.now_ms += 7 * DAY_MS
    for text in ("물 마셨어", "또 마셨어"):
        device.record(SpokenTurn(text, "네"))
    assert loop.run_until_level()
    cloud.now_ms += DAY_MS
    device.renew_greeting()
    assert loop.run_until_level()
    assert count_retained(device) == 2, "the cloud has them for a day"
    cloud.now_ms += 7 * DAY_MS + 1
    device.renew_greeting()
    assert loop.run_until_level()
    assert count_retained(device) == 1, "the last one stays"


def test_what_a_restored_cloud_has_anew_is_retained_anew(
    cloud: QuietCloud, device: Faulty
) -> None:
    loop = SyncLoop(device, cloud, Waits(1))
    for text in ("물 마셨어", "또 마셨어"):
        device.record(SpokenTurn(text, "네"))
    assert loop.run_until_level()
    device.renew_greeting()
    assert loop.run_until_level()
    cloud.up = None
    cloud.now_ms += 8 * DAY_MS
    device.renew_greeting()
    assert loop.run_until_level()
    device.renew_greeting()
    assert loop.run_until_level()
    assert count_retained(device) == 2


def test_a_restored_cloud_takes_what_was_masked_since_from_the_same_device(
    cloud: QuietCloud, device: Faulty
) -> None:
    """A number went up in two turns as it was said, and lies masked since."""

    def mask(turn: SpokenTurn, before: Sequence[str]) -> MaskedTurn:
        if turn.user_text != "5678":
            return MaskedTurn(turn, before)
        return MaskedTurn(turn, [each.replace("1234", "****") for each in before])

    device.mask = mask
    loop = SyncLoop(device, cloud, Waits(1))
    for text in ("010-1234", "5678"):
        device.record(SpokenTurn(text, "네"))
        assert loop.run_until_level()
    incarnation, newest = device.cursor.incarnation, device.cursor.newest_seq
    cloud.up = None
    device.renew_greeting()
    assert loop.run_until_level()
    assert device.cursor.incarnation == incarnation
    assert device.cursor.last_pair_seq == newest
    pushed = [each for each in cloud.asked if each.kind is RequestKind.PUSH]
    sent = [pair["user_text"] for pair in pushed[-1].fields["pairs"]]
    assert sent == ["010-****", "5678"]


def test_a_day_in_step_ends_with_a_greeting(cloud: QuietCloud, device: Faulty) -> None:
    now_s = 5.0
    loop = SyncLoop(device, cloud, Waits(1), read_s=lambda: now_s)
    assert loop.run_until_level()
    now_s += GREET_S - 1
    loop.exchange()
    assert cloud.count(RequestKind.HELLO) == 1
    now_s += 1
    assert loop.run_until_level()
    loop.exchange()
    assert cloud.count(RequestKind.HELLO) == 2


def finish_requests() -> None:
    """Wait for what is asked in threads of their own."""
    for each in threading.enumerate():
        if each.name == "gieok-device-request":
            each.join()


def test_who_may_hold_nothing_asks_once_a_minute_and_says_all_at_once(
    cloud: QuietCloud, device: Faulty
) -> None:
    cloud.is_withheld, now_s = True, 0.0
    pushed_s: list[float] = []

    def note(request: SyncRequest) -> None:
        if request.kind is RequestKind.PUSH:
            pushed_s.append(now_s)

    def wait(seconds: float) -> bool:
        nonlocal now_s
        finish_requests()
        if now_s < 300 <= now_s + seconds:
            device.record(SpokenTurn("물 마셨어", "네"))
        now_s += seconds
        return now_s >= 600

    cloud.fail = note
    SyncLoop(device, cloud, wait, read_s=lambda: now_s).run()
    assert 9 <= cloud.count(RequestKind.HELLO) <= 11
    assert len(cloud.asked) == cloud.count(RequestKind.HELLO) + 1
    assert 300 <= pushed_s[0] < 302


def test_emptying_a_full_disk_is_tried_again(cloud: QuietCloud, device: Faulty) -> None:
    device.record(SpokenTurn("물 마셨어", "네"))
    failed: list[int] = []

    def empty(_: DeviceFault | None) -> DeviceFile:
        device.file.empty_path = None
        failed.append(1)
        raise OSError(28, "full")

    device.file.empty_path = empty
    cloud.is_gone = True
    SyncLoop(device, cloud, Waits(5)).run()
    assert failed
    assert device.cursor.error is DeviceFault.GONE
    assert not device.rows.list_pairs(0)


def test_why_nothing_comes_back_is_told_once(
    device: Faulty, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("CERTIFICATE_VERIFY_FAILED") from httpcore_error

    httpcore_error = RuntimeError()
    httpcore_error.__cause__ = ssl.SSLCertVerificationError()
    client = httpx.Client(transport=httpx.MockTransport(refuse))
    transport = HttpTransport("https://cloud", lambda: "t", lambda: NOW_MS, client)
    loop = SyncLoop(device, transport, Waits(4))
    loop.run()
    (warned,) = caplog.messages
    assert "SSLCertVerificationError" in warned
    assert loop.last_failure == "SSLCertVerificationError"
    transport.close()
    loop.wait = Waits(4)
    loop.run()
    assert len(caplog.messages) == 2, "now it is something else: it was closed"
