"""Whatever a cloud answers, a device keeps its words, and acts on nothing unclear."""

import copy
import json
import random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gieok.device import Device, DeviceFault, SpokenTurn
from gieok.device.device import MaskedTurn
from gieok.device.engine import LONGEST_WAIT_S, compute_wait
from gieok.device.file import DeviceFile, open_rows
from gieok.device.sealing import BodySealer
from gieok.device.wire import (
    HelloAnswer,
    PageAnswer,
    PartAnswer,
    PushAnswer,
    SyncReply,
    SyncRequest,
)
from gieok.kernel.chain import start_chain
from gieok.kernel.errors import KeyFileError, TamperedError

pytestmark = pytest.mark.req("A16", "A17")
ANY_TIME = settings(max_examples=60)

INCARNATION = UUID(int=7)
UP = {"seq": 0, "chain": start_chain(INCARNATION).chain.hex()}
PAIR = {
    "entity": "conversation_pair",
    "id": str(UUID(int=9)),
    "operation": "put",
    "item": {"user_text": "말", "retention_until": "2027-01-01T00:00:00+00:00"},
}
ANSWERS: dict[str, dict[str, Any]] = {
    "hello": {
        "epoch": "1.0.x",
        "up": UP,
        "head": 3,
        "server_ms": 1_790_000_000_000,
        "limits": {"pairs": 50, "bytes": 99_000, "encodings": ["gzip"], "wait_s": 5},
        "actions": [],
    },
    "push": {"up": UP, "head": 3, "rejected": [{"seq": 1, "code": "invalid"}]},
    "pull": {
        "epoch": "1.0.x",
        "since": 0,
        "to": 3,
        "head": 3,
        "more": False,
        "wipe": False,
        "changes": [PAIR],
    },
    "snapshot": {
        "epoch": "1.0.x",
        "seq": 3,
        "next_page": None,
        "wipe": False,
        "items": [PAIR],
    },
    "ack": {},
}
DECODERS = (HelloAnswer, PushAnswer, PageAnswer, PartAnswer)
UNREADABLE = (KeyError, TypeError, ValueError, OverflowError, AttributeError)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=40)
    | st.sampled_from([2**63, -1, "9999-99-99", "0" * 32, "0001-01-01T00:00:00Z"]),
    lambda part: (
        st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=8), part)
    ),
    max_leaves=8,
)


def list_places(part: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return every place in an answer at which something else may stand."""
    keys: list[Any] = []
    if isinstance(part, dict):
        keys = list(part)
    elif isinstance(part, list):
        keys = list(range(len(part)))
    below = [place for key in keys for place in list_places(part[key], (*at, key))]
    return [*([at] if at else []), *below]


def find_part(body: Any, place: tuple[Any, ...]) -> Any:
    """Return what stands at a place of an answer."""
    for key in place:
        body = body[key]
    return body


@st.composite
def spoiled(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    """Return an answer with one place taken away, or something else there."""
    body = copy.deepcopy(ANSWERS[kind])
    places = list_places(body)
    if not places:
        return draw(st.dictionaries(st.text(max_size=8), JSON))
    *path, last = draw(st.sampled_from(places))
    part: Any = body
    for key in path:
        part = part[key]
    if draw(st.booleans()):
        part[last] = draw(JSON)
    else:
        del part[last]
    return body


def create_device() -> Device:
    rows = open_rows(":memory:")
    rng = random.Random(1)  # noqa: S311 - a seeded one is wanted
    ids = iter([INCARNATION, *(UUID(int=n) for n in range(100, 200))])
    device = Device(
        DeviceFile(rows, BodySealer(bytes(32))),
        "kitchen",
        lambda: 1_790_000_000_000,
        lambda: next(ids),
        rng.random,
        MaskedTurn,
    )
    device.record(SpokenTurn("불 켜줘", "켰어요"))
    device.record(SpokenTurn("꺼줘", "껐어요"))
    return device


def bring(device: Device, kind: str) -> SyncRequest:
    """Return the request of a kind, once all before it is answered well."""
    while True:
        request = device.find_request(is_polling=True)
        assert request is not None
        if request.kind == kind:
            return request
        body = copy.deepcopy(ANSWERS[request.kind])
        if request.kind == "hello" and kind == "snapshot":
            body["actions"] = ["snapshot"]
        if request.kind == "push":
            newest = device.cursor.newest
            body["up"] = {"seq": newest.seq, "chain": newest.chain.hex()}
            body["rejected"] = []
        device.apply_reply(request, SyncReply(200, body))


def read_words(device: Device) -> set[str]:
    return {str(each.body["user_text"]) for each in device.rows.list_pairs(0)}


@ANY_TIME
@given(body=JSON)
def test_a_decoder_reads_or_says_that_it_cannot(body: Any) -> None:
    for decoder in DECODERS:
        try:
            decoder.from_body(body)
        except UNREADABLE:
            continue


@pytest.mark.parametrize("kind", [*ANSWERS])
@ANY_TIME
@given(data=st.data())
def test_a_spoiled_answer_loses_nothing(kind: str, data: st.DataObject) -> None:
    device = create_device()
    request = bring(device, kind)
    before, words = device.cursor, read_words(device)
    body = data.draw(spoiled(kind))
    assume(body.get("wipe") is not True)  # an order to empty the device, and no mistake
    wait_s = device.apply_reply(request, SyncReply(200, body, at_ms=1_790_000_000_000))
    after = device.cursor
    assert 0 <= wait_s <= 300
    assert after.newest_seq >= before.last_pair_seq
    rejected = device.rows.count_rejected()
    assert len(read_words(device)) + sum(rejected.values()) == len(words)
    assert after.last_pair_seq <= after.newest_seq
    assert after.error in {None, DeviceFault.REFUSED}
    device.find_request(is_polling=True)
    device.record(SpokenTurn("그래도", "네"))
    assert "그래도" in read_words(device)
    device.close()


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        (kind, place)
        for kind, body in ANSWERS.items()
        for place in list_places(body)
        if type(find_part(body, place)) is int
    ],
)
def test_a_number_that_no_file_can_hold_is_not_understood(
    kind: str, place: tuple[Any, ...]
) -> None:
    device = create_device()
    request = bring(device, kind)
    before = device.cursor
    body = copy.deepcopy(ANSWERS[kind])
    find_part(body, place[:-1])[place[-1]] = 2**63
    device.apply_reply(request, SyncReply(200, body))
    assert device.cursor.up == before.up
    assert device.cursor.last_cloud_update_seq == before.last_cloud_update_seq
    device.close()


@ANY_TIME
@given(
    status=st.integers(-1, 999),
    body=JSON,
    kind=st.sampled_from(["hello", "push", "pull", "snapshot"]),
)
def test_any_refusal_leaves_a_device_that_talks(
    status: int, body: Any, kind: str
) -> None:
    device = create_device()
    request = bring(device, kind)
    shown = body if isinstance(body, dict) else {"error": body}
    before = read_words(device)
    wait_s = device.apply_reply(request, SyncReply(status, shown))
    assert 0 <= wait_s <= 300
    is_gone = device.cursor.error is DeviceFault.GONE
    assert not is_gone, "only our server's word empties a device"
    kept = len(read_words(device)) + sum(device.rows.count_rejected().values())
    assert kept == len(before)
    device.close()


def refuse(status: int, code: str, field: str | None = None) -> SyncReply:
    """Return an error as our server writes it."""
    return SyncReply(status, {"error": {"code": code, "message": "", "field": field}})


@pytest.mark.parametrize("kind", [*ANSWERS])
def test_only_the_word_of_our_server_empties_a_device(kind: str) -> None:
    device = create_device()
    request, before = bring(device, kind), read_words(device)
    for body in ({}, {"error": "gone"}, {"error": {"code": "moved"}}):
        wait_s = device.apply_reply(request, SyncReply(410, body))
        assert device.cursor.error is DeviceFault.REFUSED
        assert read_words(device) == before
        assert wait_s <= LONGEST_WAIT_S, "it asks again"
    device.apply_reply(request, refuse(410, "device_gone"))
    assert device.cursor.error is DeviceFault.GONE
    assert not read_words(device)


def count_sent(device: Device) -> int:
    request = device.find_request()
    assert request is not None
    assert request.kind == "push"
    return len(request.fields["pairs"])


@pytest.mark.parametrize("status", [400, 404, 413, 422, 451])
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"error": {"code": "invalid_input", "field": "body"}},
        {"error": {"code": "invalid_input", "field": "base.seq"}},
        {"error": {"code": "ambiguous_length"}},
        {"error": {"code": "batch_too_large"}},
    ],
)
def test_what_does_not_blame_a_pair_puts_none_aside(
    status: int, body: dict[str, Any]
) -> None:
    device = create_device()
    before = read_words(device)
    waited = 0.0
    for _ in range(12):
        request = bring(device, "push")
        waited += device.apply_reply(request, SyncReply(status, body))
    assert read_words(device) == before
    assert not device.rows.count_rejected()
    assert device.cursor.error is DeviceFault.REFUSED
    assert waited > 0, "it does not ask again and again at once"


@pytest.mark.parametrize(
    "reply",
    [
        refuse(413, "body_too_large"),
        refuse(422, "invalid_input", "pairs.0.planner_summary"),
    ],
)
def test_a_pair_that_the_cloud_blames_holds_up_no_other(reply: SyncReply) -> None:
    device = create_device()
    device.apply_reply(bring(device, "push"), reply)
    assert count_sent(device) == 1, "which of them it is shows by sending fewer"
    device.apply_reply(bring(device, "push"), reply)
    assert device.rows.count_rejected() == {"unreadable": 1}
    assert read_words(device) == {"꺼줘"}
    bring(device, "push")


def test_pushes_grow_again_once_they_are_taken() -> None:
    device = create_device()
    for number in range(5):
        device.record(SpokenTurn(f"{number}", "네"))
    device.apply_reply(bring(device, "push"), refuse(413, "batch_too_large"))
    sizes: list[int] = []
    while device.report().waiting:
        pairs = bring(device, "push").fields["pairs"]
        sizes.append(len(pairs))
        request = device.find_request()
        assert request is not None
        at = device.rows.find_position(pairs[-1]["seq"], INCARNATION)
        assert at is not None
        up = {"seq": at.seq, "chain": at.chain.hex()}
        device.apply_reply(
            request, SyncReply(200, ANSWERS["push"] | {"up": up, "rejected": []})
        )
    assert sizes == [3, 4]


def test_a_cloud_that_cannot_unpack_is_sent_to_in_plain() -> None:
    device = create_device()
    request = bring(device, "push")
    assert device.link.encodings == ("gzip",)
    wait_s = device.apply_reply(
        request, refuse(422, "invalid_input", "content-encoding")
    )
    assert (wait_s, device.link.encodings) == (0.0, ())
    device.apply_reply(request, SyncReply(503))
    bring(device, "push")
    assert device.link.encodings == (), "nor after the next greeting"
    device.apply_reply(request, refuse(422, "invalid_input", "content-encoding"))
    assert device.cursor.error is DeviceFault.REFUSED
    assert not device.rows.count_rejected()


@ANY_TIME
@given(sealed=st.binary(max_size=200), row=st.text(max_size=10))
def test_what_was_not_sealed_here_does_not_open(sealed: bytes, row: str) -> None:
    with pytest.raises(TamperedError):
        BodySealer(bytes(32)).open("conversation_pairs", row, sealed)


@ANY_TIME
@given(
    content=st.binary(max_size=200) | JSON.map(lambda part: json.dumps(part).encode())
)
def test_what_is_no_key_file_does_not_open(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from gieok.device import PassphraseKeys  # noqa: PLC0415 - only here

    path = tmp_path_factory.getbasetemp() / "any.key"
    path.write_bytes(content)
    with pytest.raises(KeyFileError):
        PassphraseKeys(path, "tea").load_key(is_new=False)
    assert path.read_bytes() == content


@pytest.mark.parametrize("failures", [1, 3, 7, 40, 10_000])
def test_however_often_it_failed_it_tries_again_within_a_minute(failures: int) -> None:
    waits = [compute_wait(failures, lambda chance=chance: chance) for chance in (0, 1)]
    assert waits[0] == 0
    assert waits[1] == min(2.0 ** (min(failures, 20) - 1), LONGEST_WAIT_S) < 60
