"""A device that keeps to the specification: what it asks must be answered so."""

import gzip
import json
from typing import Any, Final
from uuid import UUID

from gieok.conformance.bench import CheckBench
from gieok.conformance.probe import (
    encode_position,
    read_answer,
    require,
    require_client_error,
    require_field,
)

PAIR: Final = "conversation_pair"
SMALL_PAGE: Final = 6
"""Items of a page, so that a snapshot has several."""


def check_join(bench: CheckBench) -> None:
    """A device that nobody knows joins, and is asked to take a snapshot."""
    device = bench.create_device()
    greeting = device.join()
    start = encode_position(device.positions[0])
    require(greeting.get("up") == start, f"up is {greeting.get('up')}, not the start")
    actions = require_field(greeting, "actions", list)
    require(
        "wipe" not in actions, "the person does not agree to sync: nothing to check"
    )
    require("snapshot" in actions, "a new device is not told to take a snapshot")
    for name in ("head", "server_ms"):
        require_field(greeting, name, int)
    for name in ("pairs", "bytes"):
        require_field(greeting["limits"], name, int)


def check_push(bench: CheckBench) -> None:
    """What was said is taken in order, and the chain is the same on both sides."""
    device = bench.create_joined()
    for text in ("불 켜줘", "é e\u0301 🏠", "a\nb"):
        device.record(text)
    answer = device.send_pairs(0)
    up = encode_position(device.positions[-1])
    require(answer.get("up") == up, f"up is {answer.get('up')}, not {up}")
    require(answer.get("rejected") == [], f"rejected: {answer.get('rejected')}")


def check_repeat(bench: CheckBench) -> None:
    """The same push changes nothing, and is answered the same."""
    device = bench.create_joined()
    device.record()
    device.record("a\u0000b")
    device.record()
    first, again = device.send_pairs(0), device.send_pairs(0)
    for name in ("up", "rejected"):
        require(first.get(name) == again.get(name), f"{name} differs the second time")
    ids = _list_pair_ids(device.read_snapshot())
    count = ids.count(device.pairs[0]["pair_id"])
    require(count == 1, f"the pair is there {count} times")


def check_rejection(bench: CheckBench) -> None:
    """A pair that cannot be kept uses up its number and does not hold up the next."""
    device = bench.create_joined()
    device.record("a\u0000b")
    device.record()
    answer = device.send_pairs(0)
    expected = [{"seq": 1, "code": "invalid"}]
    found = answer.get("rejected")
    require(found == expected, f"rejected is {found}, not {expected}")
    up = encode_position(device.positions[-1])
    require(answer.get("up") == up, "the number is not used up")
    ids = _list_pair_ids(device.read_snapshot())
    require(device.pairs[1]["pair_id"] in ids, "the pair after it is not kept")


def check_overlap(bench: CheckBench) -> None:
    """A push that begins before what was taken is taken from there on."""
    device = bench.create_joined()
    device.record()
    device.send_pairs(0)
    device.record("하나 더")
    answer = device.send_pairs(0)
    up = encode_position(device.positions[-1])
    require(answer.get("up") == up, f"up is {answer.get('up')}, not {up}")


def check_lost_answer(bench: CheckBench) -> None:
    """A device that never heard that its pairs were taken is told by hello."""
    device = bench.create_joined()
    device.record()
    device.send_pairs(0)
    greeting = read_answer(device.wire.send_json("hello", device.build_hello(0)))
    up = encode_position(device.positions[-1])
    require(greeting.get("up") == up, f"up is {greeting.get('up')}, not {up}")


def check_second_device(bench: CheckBench) -> None:
    """Another device hears what was said, by snapshot and by pull, once."""
    first, second = bench.create_joined(), bench.create_joined()
    before = first.record("먼저")
    for number in range(SMALL_PAGE):
        first.record(f"말 {number}")
    first.send_pairs(0)
    items = second.read_snapshot(SMALL_PAGE)
    require(before["pair_id"] in _list_pair_ids(items), "not in the snapshot")
    after = first.record("나중")
    first.send_pairs(len(first.pairs) - 1)
    changes = second.fetch_changes(limit=1)
    heard = [each for each in changes if each.get("id") == after["pair_id"]]
    require(bool(heard), "not in what is pulled after the snapshot")
    item: dict[str, Any] = heard[-1].get("item") or {}
    require(item.get("user_text") == "나중", "the words are not what was said")
    require(
        item.get("device_id") == first.name, f"device_id is {item.get('device_id')}"
    )
    ids = _list_pair_ids(second.read_snapshot())
    require(len(ids) == len(set(ids)), "a pair is there twice")


def check_ack(bench: CheckBench) -> None:
    """What was applied is noted, and does not go back."""
    device = bench.create_joined()
    device.read_snapshot()
    device.fetch_changes()
    body = device.identity | {"down": device.down}
    answer = read_answer(device.wire.send_json("ack", body))
    name = "last_cloud_update_seq"
    require(answer.get(name) == device.down, f"{name} is {answer.get(name)}")
    late = read_answer(device.wire.send_json("ack", device.identity | {"down": 0}))
    require(late.get(name) == device.down, "a late acknowledgement goes back")


def check_reinstall(bench: CheckBench) -> None:
    """Under a new incarnation, the same pair ids are kept once."""
    device = bench.create_joined()
    spoken = [device.record(), device.record("둘")]
    device.send_pairs(0)
    again = bench.create_joined(device.name)
    for pair in spoken:
        again.record(
            pair["user_text"], pair_id=pair["pair_id"], session=pair["session"]
        )
    answer = again.send_pairs(0)
    up = encode_position(again.positions[-1])
    require(answer.get("up") == up, f"up is {answer.get('up')}, not {up}")
    require(answer.get("rejected") == [], f"rejected: {answer.get('rejected')}")
    ids = _list_pair_ids(again.read_snapshot())
    counts = [ids.count(each["pair_id"]) for each in spoken]
    require(counts == [1, 1], f"the pairs are there {counts} times")


def check_compression(bench: CheckBench) -> None:
    """A gzip body is read where hello names it."""
    device = bench.create_joined()
    if "gzip" not in device.encodings:
        bench.skip("hello does not name gzip in limits.encodings")
    device.record("불 켜줘 " * 500)
    content = gzip.compress(json.dumps(device.build_push(0)).encode())
    headers = {"content-encoding": "gzip"}
    answer = read_answer(device.wire.send_body("push", content, headers))
    up = encode_position(device.positions[-1])
    require(answer.get("up") == up, f"up is {answer.get('up')}, not {up}")


def check_full_push(bench: CheckBench) -> None:
    """As many pairs as `limits.pairs` go in one push, and one more does not."""
    device = bench.create_joined()
    greeting = read_answer(device.wire.send_json("hello", device.build_hello()))
    most = require_field(greeting["limits"], "pairs", int)
    for number in range(most):
        device.record(f"말 {number}")
    require(device.send_pairs(0)["up"]["seq"] == most, "not all of them are taken")
    for number in range(most + 1):
        device.record(f"더 {number}")
    require_client_error(device.wire.send_json("push", device.build_push(most)))


def _list_pair_ids(items: list[dict[str, Any]]) -> list[str]:
    return [
        str(UUID(each["id"]))
        for each in items
        if each.get("entity") == PAIR and each.get("item")
    ]
