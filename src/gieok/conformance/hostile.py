"""A broken or hostile device: each request must be refused, and nothing taken.

After each of them the server must still answer, and the device aimed at must stand
where it stood; in the end none of the pairs may be anywhere.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from typing import Any, Final

import httpx

from gieok.conformance.bench import CheckBench
from gieok.conformance.probe import (
    encode_position,
    require,
    require_client_error,
    require_refusal,
)

TEN_MB: Final = 10 * 2**20
BOMB_MB: Final = 256
BEYOND: Final = (-1, -(2**63), 2**63, 2**64, 10**40)
"""Numbers that no counter has."""
STRANGE: Final[tuple[object, ...]] = ("1", 1.5, True, None, [], {}, "９")
"""What is no whole number, though some take it for one."""
_NO_DEVICE: Final = ("", " ", "a\u0000b", "x" * 200, "\ud800", 7, None)
_UNAUTHORIZED: Final = 401


def check_no_token(bench: CheckBench) -> None:
    """Without a token nothing is answered."""
    _check_token(bench, None)


def check_forged_token(bench: CheckBench) -> None:
    """A token that nobody issued opens nothing."""
    spoiled = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJtaW5qaSIsImV4cCI6OTk5OTk5OTk5OX0."
    _check_token(bench, f"Bearer {spoiled}")


def _check_token(bench: CheckBench, authorization: str | None) -> None:
    body = bench.get_target().build_push(1, [bench.build_unwanted()])
    request = bench.wire.http.build_request("POST", "/api/v1/sync/push", json=body)
    request.headers.pop("authorization", None)
    if authorization is not None:
        request.headers["authorization"] = authorization
    require_refusal(bench.wire.http.send(request), _UNAUTHORIZED)


def check_versions(bench: CheckBench) -> None:
    """A version that is not spoken is answered by 426, and joins nobody."""
    for version in (0, 2, 99, -1):
        device = bench.create_device()
        answer = bench.wire.send_json("hello", device.build_hello(proto=version))
        require_refusal(answer, 426, "protocol")
        device.epoch = bench.get_target().epoch
        answer = bench.wire.send_json("push", device.build_push(0, []))
        require_refusal(answer, 409, "sync_unknown")


def check_wrong_epoch(bench: CheckBench) -> None:
    """Another epoch than the present one is refused everywhere."""
    target = bench.get_target()
    for epoch in (f"{target.epoch}x", "0", "x" * 64):
        wrong = target.identity | {"epoch": epoch}
        push = target.build_push(1, [bench.build_unwanted()], epoch=epoch)
        require_refusal(bench.wire.send_json("push", push), 409, "sync_epoch")
        for call in ("pull", "snapshot"):
            answer = bench.wire.fetch(
                call, wrong | {"since": 0} if call == "pull" else wrong
            )
            require_refusal(answer, 409, "sync_epoch")
        require_refusal(
            bench.wire.send_json("ack", wrong | {"down": 0}), 409, "sync_epoch"
        )
    endless = target.identity | {"epoch": "1" * 65}
    require_client_error(bench.wire.send_json("ack", endless | {"down": 0}))


def check_unknown_incarnation(bench: CheckBench) -> None:
    """An installation that never said hello is nobody's."""
    target = bench.get_target()
    unknown = str(bench.new_id())
    push = target.build_push(1, [bench.build_unwanted()], incarnation=unknown)
    require_refusal(bench.wire.send_json("push", push), 409, "sync_unknown")
    asking = target.identity | {"incarnation": unknown}
    answer = bench.wire.fetch("pull", asking | {"since": 0})
    require_refusal(answer, 409, "sync_unknown")
    require_refusal(bench.wire.fetch("snapshot", asking), 409, "sync_unknown")


def check_other_person(bench: CheckBench) -> None:
    """Another person's device id and incarnation open nothing with one's own token."""
    if bench.other is None:
        bench.skip("it needs the token of another test person")
    target = bench.get_target()
    body = target.build_push(1, [bench.build_unwanted()])
    answers = [
        bench.other.send_json("push", body),
        bench.other.fetch("pull", target.identity | {"since": 0}),
        bench.other.fetch("snapshot", target.identity),
        bench.other.send_json("ack", target.identity | {"down": 0}),
    ]
    for answer in answers:
        require_client_error(answer)


def check_gap(bench: CheckBench) -> None:
    """A missing number, before the first pair or between two, is refused whole."""
    target = bench.get_target()
    ahead = encode_position(target.positions[1]) | {"seq": 7}
    pair = bench.build_unwanted(seq=8)
    body = target.build_push(1, [pair], base=ahead)
    require_refusal(bench.wire.send_json("push", body), 409, "sync_gap")
    for second in (4, 2, 1, 0):
        pairs = [bench.build_unwanted(), bench.build_unwanted(seq=second)]
        answer = bench.wire.send_json("push", target.build_push(1, pairs))
        require_refusal(answer, 409, "sync_gap")


def check_fork(bench: CheckBench) -> None:
    """Other words under numbers that were taken are refused, also by hello."""
    target = bench.get_target()
    pair = bench.build_unwanted("다른 말", seq=1)
    answer = bench.wire.send_json("push", target.build_push(0, [pair]))
    require_refusal(answer, 409, "sync_fork")
    forged = encode_position(target.positions[1]) | {"chain": "0" * 32}
    body = target.build_push(1, [bench.build_unwanted()], base=forged)
    require_refusal(bench.wire.send_json("push", body), 409, "sync_fork")
    hello = target.build_hello() | {"up": forged}
    require_refusal(bench.wire.send_json("hello", hello), 409, "sync_fork")


def check_numbers(bench: CheckBench) -> None:
    """Negative and huge numbers, and what is none, are refused wherever one stands."""
    target = bench.get_target()
    for wrong in (*BEYOND, *STRANGE):
        at = {**encode_position(target.positions[1]), "seq": wrong}
        pair = bench.build_unwanted(seq=wrong)
        bodies: list[tuple[str, dict[str, Any]]] = [
            ("hello", target.build_hello(up=1) | {"up": at}),
            ("hello", target.build_hello(down=wrong)),
            ("push", target.build_push(1, [bench.build_unwanted()], base=at)),
            ("push", target.build_push(1, [pair])),
            ("ack", target.identity | {"down": wrong}),
        ]
        for call, body in bodies:
            require_client_error(bench.wire.send_json(call, body))
    for wrong in (*BEYOND, "x", "1.5", ""):
        for name in ("since", "limit"):
            query = target.identity | {"since": 0} | {name: wrong}
            require_client_error(bench.wire.fetch("pull", query))


def check_numbers_ahead(bench: CheckBench) -> None:
    """Changes that never were are neither acknowledged nor pulled after."""
    target = bench.get_target()
    for ahead in (10**9, 2**63 - 1):
        answer = bench.wire.send_json("ack", target.identity | {"down": ahead})
        require_refusal(answer, 409, "sync_epoch")
        answer = bench.wire.fetch("pull", target.identity | {"since": ahead})
        require_refusal(answer, 409, "sync_epoch")


def check_chains(bench: CheckBench) -> None:
    """What is no chain of sixteen bytes is refused."""
    target = bench.get_target()
    for wrong in ("", "0" * 31, "0" * 33, "g" * 32, "０" * 32, 0, None, "0" * 10**5):
        at = {"seq": 1, "chain": wrong}
        body = target.build_push(1, [bench.build_unwanted()], base=at)
        require_client_error(bench.wire.send_json("push", body))


def check_ids(bench: CheckBench) -> None:
    """Ids that are none are refused, of devices, installations and pairs."""
    target = bench.get_target()
    for wrong in _NO_DEVICE:
        hello = target.build_hello(device_id=wrong)
        require_client_error(_send_escaped(bench, "hello", hello))
    for wrong in ("", "x", "' OR 1=1 --", 7, None, "0" * 31):
        push = target.build_push(1, [bench.build_unwanted() | {"pair_id": wrong}])
        require_client_error(bench.wire.send_json("push", push))
        hello = target.build_hello(incarnation=wrong)
        require_client_error(bench.wire.send_json("hello", hello))


def check_pages(bench: CheckBench) -> None:
    """A place in a snapshot that was never given out is refused."""
    target = bench.get_target()
    wrong = ("x", "-1-0-" + "0" * 32, "1-z-" + "0" * 32, "0" * 10**4, "1-0-\u0000")
    for page in wrong:
        answer = bench.wire.fetch("snapshot", target.identity | {"page": page})
        require_client_error(answer)


def check_shapes(bench: CheckBench) -> None:
    """Bodies of another shape are refused."""
    target = bench.get_target()
    pair = bench.build_unwanted()
    wrong_pairs: list[object] = [
        pair | {"user_text": 7},
        pair | {"planner_summary": []},
        pair | {"client_ms": "now"},
        pair | {"unknown": 1},
        {name: pair[name] for name in pair if name != "session"},
        7,
        None,
    ]
    for each in wrong_pairs:
        answer = bench.wire.send_json("push", target.build_push(1, [each]))
        require_client_error(answer)
    bodies: list[object] = [[], "x", None, {}, target.build_push(1) | {"pairs": {}}]
    for body in bodies:
        require_client_error(bench.wire.send_json("push", body))


def check_bytes(bench: CheckBench) -> None:
    """Bodies that are no JSON are refused: broken, cut, endless deep, not UTF-8."""
    body = _encode_push(bench)
    wrong = {
        "nothing": b"",
        "half of it": body[: len(body) // 2],
        "two of them": body + body,
        "not UTF-8": body.replace("몰래".encode(), b"\xff\xfe"),
        "not a number": body.replace(b'"seq": 1,', b'"seq": NaN,'),
        "deep": b'{"device_id":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        "zeros": bytes(1_000),
    }
    for name, content in wrong.items():
        answer = bench.wire.send_body("push", content)
        is_refused = 400 <= answer.status_code < 500  # noqa: PLR2004 - a class
        require(is_refused, f"{name}: 4xx expected, not {answer.status_code}")


def check_many_pairs(bench: CheckBench) -> None:
    """More pairs than one push may hold are refused whole."""
    target = bench.get_target()
    pairs = [bench.build_unwanted(seq=number) for number in range(2, 5_002)]
    require_client_error(bench.wire.send_json("push", target.build_push(1, pairs)))


def check_large_turn(bench: CheckBench) -> None:
    """A turn of 10 MB is refused, and the connection may be closed."""
    target = bench.get_target()
    pair = bench.build_unwanted("가" * (TEN_MB // 3))
    _require_refused(lambda: bench.wire.send_json("push", target.build_push(1, [pair])))


def check_gzip_bomb(bench: CheckBench) -> None:
    """A small body that unpacks to 256 MB is refused without being unpacked."""
    packer = zlib.compressobj(9, wbits=31)
    zeros = bytes(2**20)
    packed = b"".join(packer.compress(zeros) for _ in range(BOMB_MB)) + packer.flush()
    headers = {"content-encoding": "gzip"}
    _require_refused(lambda: bench.wire.send_body("push", packed, headers))


def check_gzip(bench: CheckBench) -> None:
    """What is not one whole gzip stream is refused, and encodings nobody offered."""
    packed = gzip.compress(_encode_push(bench))
    wrong = [
        (packed[:-4], "gzip"),
        (packed + b"more", "gzip"),
        (packed[:20] + b"\xff\xff" + packed[22:], "gzip"),
        (_encode_push(bench), "gzip"),
        (packed, "br"),
        (gzip.compress(packed), "gzip, gzip"),
    ]
    for content, encoding in wrong:
        headers = {"content-encoding": encoding}
        require_client_error(bench.wire.send_body("push", content, headers))


def check_cut_body(bench: CheckBench) -> None:
    """A connection that is cut in the midst of a body takes nothing."""
    body = _encode_push(bench)

    class CutError(Exception):
        """The cable is pulled."""

    def stream() -> Iterator[bytes]:
        yield body[:-10]
        raise CutError

    headers = {"content-length": str(len(body))}
    try:
        bench.wire.send_body("push", stream(), headers)
    except (CutError, httpx.TransportError):
        return


def check_refused_pairs(bench: CheckBench) -> None:
    """None of the pairs that were refused is anywhere."""
    device = bench.create_joined()
    items = device.read_snapshot()
    found = bench.unwanted & {str(each.get("id")) for each in items}
    require(not found, f"{len(found)} pairs are kept that were refused")


def _encode_push(bench: CheckBench) -> bytes:
    body = bench.get_target().build_push(1, [bench.build_unwanted()])
    return json.dumps(body, ensure_ascii=False).encode()


def _send_escaped(bench: CheckBench, call: str, body: dict[str, Any]) -> httpx.Response:
    """Return the answer to a body that may hold what UTF-8 has no bytes for."""
    return bench.wire.send_body(call, json.dumps(body).encode())


def _require_refused(send: Callable[[], httpx.Response]) -> None:
    """Fail unless a body that is too large is refused or its connection closed."""
    try:
        answer = send()
    except httpx.TransportError:
        return
    require_client_error(answer)
