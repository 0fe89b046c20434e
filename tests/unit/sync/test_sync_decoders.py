"""Whatever a device sends is read, or refused by name; nothing else happens."""

import gzip
import json
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from gieok.kernel.errors import InvalidInputError
from gieok.surfaces.rest.compression import decode_gzip
from gieok.surfaces.rest.errors import BodyTooLargeError
from gieok.surfaces.rest.schemas.sync import SyncAck, SyncHello
from gieok.surfaces.rest.schemas.sync_push import SyncPush
from gieok.sync.epoch import Epoch
from gieok.sync.snapshot_pages import SnapshotPlace

pytestmark = pytest.mark.req("A16", "A17")
ANY_TIME = settings(max_examples=60)

MOST = 2_000
MODELS = (SyncHello, SyncPush, SyncAck)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda part: (
        st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=8), part)
    ),
    max_leaves=10,
)
PUSH: dict[str, Any] = {
    "device_id": "kitchen",
    "incarnation": str(UUID(int=7)),
    "epoch": "1.0.x",
    "base": {"seq": 0, "chain": "0" * 32},
    "pairs": [
        {
            "seq": 1,
            "pair_id": str(UUID(int=9)),
            "session": "talk",
            "user_text": "불 켜줘",
            "assistant_text": "켰어요",
        }
    ],
}


@ANY_TIME
@given(body=st.binary(max_size=300) | JSON.map(lambda part: json.dumps(part).encode()))
def test_bytes_are_a_message_or_refused(body: bytes) -> None:
    for model in MODELS:
        with pytest.raises(ValidationError):
            model.model_validate_json(body)


@ANY_TIME
@given(
    place=st.sampled_from(
        [(), ("base",), ("pairs", 0), ("base", "seq"), ("pairs", 0, "seq")]
    ),
    name=st.sampled_from(
        ["seq", "chain", "pair_id", "epoch", "pairs", "x", "client_ms"]
    ),
    value=JSON,
)
def test_a_number_that_is_taken_is_one(place: Any, name: str, value: Any) -> None:
    body = json.loads(json.dumps(PUSH))
    part: Any = body
    for key in place:
        part = part[key]
    if isinstance(part, dict):
        part[name] = value
    try:
        push = SyncPush.model_validate_json(json.dumps(body))
    except ValidationError:
        return
    for number in (push.base.seq, *(pair.seq for pair in push.pairs)):
        assert type(number) is int
        assert 0 <= number < 2**63
    assert len(push.base.to_position().chain) == 16
    assert all(pair.to_pair().turn.user_text is not None for pair in push.pairs)


@ANY_TIME
@given(text=st.text(max_size=80) | st.from_regex(r"[0-9]{1,20}-[0-9]-[0-9a-f]{30,34}"))
def test_a_page_is_a_place_or_refused(text: str) -> None:
    try:
        place = SnapshotPlace.parse(text)
    except InvalidInputError:
        return
    assert SnapshotPlace.parse(str(place)) == place


@ANY_TIME
@given(
    text=st.text(max_size=80) | st.from_regex(r"[0-9]{1,10}\.[0-9]{1,19}\.[0-9a-z]*")
)
def test_an_epoch_is_one_or_none(text: str) -> None:
    epoch = Epoch.parse(text)
    assert epoch is None or Epoch.parse(str(epoch)) == epoch


@ANY_TIME
@given(
    plain=st.binary(max_size=2 * MOST),
    cut=st.integers(0, 40),
    tail=st.binary(max_size=4),
)
def test_gzip_is_whole_and_within_its_bounds_or_refused(
    plain: bytes, cut: int, tail: bytes
) -> None:
    packed = gzip.compress(plain)
    spoiled = packed[: len(packed) - cut] + tail
    try:
        found = decode_gzip(spoiled, MOST)
    except BodyTooLargeError:
        assert len(plain) > MOST
    except InvalidInputError:
        assert spoiled != packed
    else:
        assert found == plain
        assert len(found) <= MOST


@ANY_TIME
@given(body=st.binary(max_size=300))
def test_bytes_that_are_no_gzip_are_refused(body: bytes) -> None:
    with pytest.raises((InvalidInputError, BodyTooLargeError)):
        decode_gzip(body, MOST)
