"""The exchange of a device with the cloud, over real HTTP."""

import gzip
import json
from collections.abc import AsyncGenerator, Callable
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from gieok.kernel.scope import Actor
from gieok.surfaces.rest import Tokens
from gieok.surfaces.rest.errors import BATCH_BYTES, LIMIT_BYTES
from gieok.sync import Position, advance_chain, hash_words, start_chain
from support.rest_people import HOUR, TRUST, Person

SYNC = "/api/v1/sync"
GZIPPED = {"Content-Encoding": "gzip", "Content-Type": "application/json"}

pytestmark = pytest.mark.req("A08", "A16", "A17")


@pytest.fixture
async def http(
    minji: Person, address: str, tokens: Tokens
) -> AsyncGenerator[httpx.AsyncClient]:
    """A client with the device's own token."""
    token = tokens.issue(minji.user_id, HOUR, Actor.DEVICE)
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(
        base_url=address, headers=headers, verify=TRUST
    ) as client:
        yield client


def spelled(position: Position) -> dict[str, Any]:
    return {"seq": position.seq, "chain": position.chain.hex()}


def hello(incarnation: UUID, **changes: Any) -> dict[str, Any]:
    up = spelled(start_chain(incarnation))
    body = {"device_id": "거실/speaker", "incarnation": str(incarnation), "up": up}
    return body | changes


async def join(http: httpx.AsyncClient) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return who a device is that has just said hello, and the answer."""
    incarnation = uuid4()
    greeting = (await http.post(f"{SYNC}/hello", json=hello(incarnation))).json()
    me = {
        "device_id": "거실/speaker",
        "incarnation": str(incarnation),
        "epoch": greeting["epoch"],
    }
    return me, greeting


PAIR = {
    "seq": 1,
    "pair_id": str(uuid4()),
    "session": "talk",
    "user_text": "불 켜줘",
    "assistant_text": "켰어요",
    "route_family": "ODL",
}


async def test_a_device_joins_and_sends(http: httpx.AsyncClient) -> None:
    me, greeting = await join(http)
    assert greeting["actions"] == ["snapshot"]
    assert greeting["limits"]["pairs"] == 50
    part = (await http.get(f"{SYNC}/snapshot", params=me)).json()
    kinds = {each["entity"] for each in part["items"]}
    assert kinds == {"memory_settings", "consent", "user"}
    assert (part["next_page"], part["wipe"]) == (None, False)

    bad = PAIR | {"seq": 2, "pair_id": str(uuid4()), "user_text": "a\u0000b"}
    sent = me | {"base": greeting["up"], "pairs": [PAIR, bad]}
    pushed = [await http.post(f"{SYNC}/push", json=sent) for _ in range(2)]
    assert pushed[0].json() == pushed[1].json(), "P14"
    assert pushed[0].json()["rejected"] == [{"seq": 2, "code": "invalid"}]
    at = start_chain(UUID(me["incarnation"]))
    for each in (PAIR, bad):
        words = hash_words("talk", str(each["user_text"]), "켰어요")
        at = advance_chain(at, UUID(str(each["pair_id"])), words)
    assert pushed[0].json()["up"] == spelled(at)


async def test_a_device_hears_what_others_said_and_all_that_is_known(
    minji: Person, http: httpx.AsyncClient
) -> None:
    me, greeting = await join(http)
    sent = me | {"base": greeting["up"], "pairs": [PAIR]}
    await http.post(f"{SYNC}/push", json=sent)
    await minji.remembers("사용자는 벌을 키움")
    phone, _ = await join(http)
    page = (await http.get(f"{SYNC}/pull", params=phone | {"since": 0})).json()
    told = {each["entity"]: each for each in page["changes"]}
    assert told["conversation_pair"]["item"]["user_text"] == "불 켜줘"
    assert told["conversation_pair"]["item"]["device_id"] == "거실/speaker"
    assert told["session"]["item"]["pair_count"] == 1
    assert told["user_memory"]["item"]["content"] == "사용자는 벌을 키움"
    acked = await http.post(f"{SYNC}/ack", json=phone | {"down": page["to"]})
    assert acked.json()["sync_status"] == "ok"
    assert acked.json()["last_cloud_update_seq"] == page["head"]


async def test_each_refusal_has_its_status_and_code(
    minji: Person, http: httpx.AsyncClient
) -> None:
    me, greeting = await join(http)

    async def refusal(path: str, body: dict[str, Any]) -> tuple[int, str]:
        answer = await http.post(f"{SYNC}/{path}", json=body)
        assert set(answer.json()) == {"error"}
        return answer.status_code, answer.json()["error"]["code"]

    push = me | {"base": greeting["up"], "pairs": []}
    later = {"seq": 7, "chain": "0" * 32}
    assert await refusal("push", push | {"base": later}) == (409, "sync_gap")
    forged = greeting["up"] | {"chain": "0" * 32}
    assert await refusal("push", push | {"base": forged}) == (409, "sync_fork")
    assert await refusal("push", push | {"epoch": "x"}) == (409, "sync_epoch")
    unknown = push | {"incarnation": str(uuid4())}
    assert await refusal("push", unknown) == (409, "sync_unknown")
    assert await refusal("hello", hello(uuid4(), proto=9)) == (426, "protocol")
    assert await refusal("hello", hello(uuid4(), down=-1)) == (422, "invalid_input")
    assert await refusal("hello", hello(uuid4(), device_id="")) == (
        422,
        "invalid_input",
    )
    for wrong in ({"seq": 2**63, "chain": "0" * 32}, {"seq": 0, "chain": "zz"}):
        assert (await refusal("push", push | {"base": wrong}))[0] == 422
    assert (await refusal("ack", me | {"down": 10**9})) == (409, "sync_epoch")

    answer = await minji.http.post(f"{SYNC}/revoke/거실/speaker")
    assert answer.status_code == 204
    assert await refusal("push", push) == (410, "device_gone")
    assert (await minji.http.post(f"{SYNC}/revoke/nothing")).status_code == 404


async def test_nobody_reaches_a_device_of_somebody_else(
    minji: Person, other: Person, http: httpx.AsyncClient
) -> None:
    """P8: the same device id and incarnation are another device there."""
    me, greeting = await join(http)
    push = me | {"base": greeting["up"], "pairs": []}
    answer = await other.http.post(f"{SYNC}/push", json=push)
    assert answer.status_code in {409, 410}
    for path in ("pull", "snapshot"):
        answer = await other.http.get(f"{SYNC}/{path}", params=me | {"since": 0})
        assert answer.status_code in {409, 410}
    revoked = await other.http.post(f"{SYNC}/revoke/거실/speaker")
    assert revoked.status_code == 404
    assert len(await minji.gieok.sync.cursors(minji.scope)) == 1


def zipped(body: dict[str, Any]) -> bytes:
    return gzip.compress(json.dumps(body, ensure_ascii=False).encode())


async def test_bodies_are_compressed_both_ways(http: httpx.AsyncClient) -> None:
    me, greeting = await join(http)
    assert greeting["limits"]["encodings"] == ["gzip"]
    pair = PAIR | {"user_text": "불 켜줘 " * 1_000}
    sent = me | {"base": greeting["up"], "pairs": [pair]}
    pushed = await http.post(f"{SYNC}/push", content=zipped(sent), headers=GZIPPED)
    assert pushed.json()["up"]["seq"] == 1

    query = me | {"since": 0}
    for name, spelling in (("gzip", "gzip"), ("identity", None)):
        wanted = {"Accept-Encoding": name}
        answer = await http.get(f"{SYNC}/pull", params=query, headers=wanted)
        assert answer.headers.get("content-encoding") == spelling
        told = {each["entity"]: each["item"] for each in answer.json()["changes"]}
        assert told["conversation_pair"]["user_text"] == pair["user_text"]
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("spoil", "encoding", "status"),
    [
        (lambda body: body[:-4], "gzip", 422),
        (lambda body: body + b"more", "gzip", 422),
        (lambda body: body[:20] + b"\xff\xff" + body[22:], "gzip", 422),
        (gzip.decompress, "gzip", 422),
        (lambda body: body, "br", 422),
        (lambda _: gzip.compress(b" " * (LIMIT_BYTES + 1)), "gzip", 413),
        (lambda _: gzip.compress(b" " * (64 * LIMIT_BYTES)), "gzip", 413),
    ],
    ids=["cut", "trailing", "damaged", "plain", "another", "over", "bomb"],
)
async def test_a_compressed_body_that_is_none_is_refused_and_nothing_is_kept(
    minji: Person,
    http: httpx.AsyncClient,
    spoil: Callable[[bytes], bytes],
    encoding: str,
    status: int,
) -> None:
    me, greeting = await join(http)
    body = zipped(me | {"base": greeting["up"], "pairs": [PAIR]})
    headers = GZIPPED | {"Content-Encoding": encoding}
    answer = await http.post(f"{SYNC}/push", content=spoil(body), headers=headers)
    assert (answer.status_code, set(answer.json())) == (status, {"error"})
    [cursor] = await minji.gieok.sync.cursors(minji.scope)
    assert cursor.last_pair_seq == 0


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
async def test_a_batch_that_is_too_large_is_refused_and_a_long_pair_is_not(
    minji: Person, http: httpx.AsyncClient, encoding: str
) -> None:
    me, greeting = await join(http)
    assert greeting["limits"]["bytes"] == BATCH_BYTES
    long = PAIR | {"user_text": "불 켜줘 " * (BATCH_BYTES // 11)}
    pairs = [long, PAIR | {"seq": 2, "pair_id": str(uuid4())}]
    for sent, status in ((pairs, 413), (pairs[:1], 200)):
        body = me | {"base": greeting["up"], "pairs": sent}
        content = zipped(body)
        if encoding == "identity":
            content = gzip.decompress(content)
            assert len(content) > BATCH_BYTES
        headers = GZIPPED | {"Content-Encoding": encoding}
        answer = await http.post(f"{SYNC}/push", content=content, headers=headers)
        assert answer.status_code == status
        [cursor] = await minji.gieok.sync.cursors(minji.scope)
        assert cursor.last_pair_seq == (1 if status == 200 else 0)
        assert status == 200 or answer.json()["error"]["code"] == "batch_too_large"


async def test_only_sync_is_compressed(minji: Person) -> None:
    body = zipped({"content": "사용자는 벌을 키움"})
    address = "/api/v1/users/me/memories"
    answer = await minji.http.post(address, content=body, headers=GZIPPED)
    assert answer.status_code == 422
