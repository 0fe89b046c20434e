"""Two devices on real files and a server over real HTTP; and the simulation's cloud
held against that server."""

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Callable, Generator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from cloud_model import CloudModel

from gieok.device import (
    Device,
    DeviceFault,
    DeviceStatus,
    HttpTransport,
    PassphraseKeys,
    SpokenTurn,
    SyncLoop,
)
from gieok.device.device import mask_turn
from gieok.device.file import open_file
from gieok.device.opening import read_clock_ms
from gieok.device.wire import RequestKind, SyncReply, SyncRequest
from gieok.kernel.chain import advance_chain, hash_words, start_chain
from gieok.kernel.scope import Actor
from gieok.surfaces.rest import Tokens
from gieok.testing import FixedClock
from support.rest_people import HOUR, TRUST, Person

pytestmark = [pytest.mark.req("A01", "A08", "A10", "A16", "A17")]
Open = Callable[[str], Device]
PAIR = "conversation_pair"


@pytest.fixture
def open_device(tmp_path: Path) -> Generator[Open]:
    opened: list[Device] = []

    def open_one(name: str) -> Device:
        file = open_file(
            tmp_path / f"{name}.db", PassphraseKeys(tmp_path / f"{name}.key", "tea")
        )
        draw = random.Random(1).random  # noqa: S311 - a seeded one is wanted
        device = Device(file, name, read_clock_ms, uuid4, draw, mask_turn)
        opened.append(device)
        return device

    yield open_one
    for each in opened:
        each.close()


@pytest.fixture
def transport(minji: Person, address: str, tokens: Tokens) -> Generator[HttpTransport]:
    token = tokens.issue(minji.user_id, HOUR, Actor.DEVICE)
    opened = HttpTransport(address, lambda: token, read_clock_ms)
    yield opened
    opened.close()


async def keep_in_step(device: Device, transport: HttpTransport) -> bool:
    loop = SyncLoop(device, transport, lambda _: True)

    def run() -> bool:
        loop.run_until_level()
        loop.exchange(is_polling=True)
        return loop.run_until_level()

    return await asyncio.to_thread(run)


async def wait_until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not is_so():  # noqa: ASYNC110 - a thread makes it so
            await asyncio.sleep(0.05)


def has_item(device: Device, words: str) -> bool:
    return any(words in hit.text for hit in device.recall(words))


def list_items(device: Device) -> dict[tuple[str, str], Any]:
    return {(e.entity, e.item_id): e.body for e in device.rows.iterate_items()}


async def test_two_devices_converge_and_one_forget_reaches_both(
    open_device: Open, transport: HttpTransport, minji: Person
) -> None:
    speaker, phone = open_device("speaker"), open_device("phone")
    for number in range(11):
        speaker.record(SpokenTurn(f"물 {number}잔 마셨어", "네"))
    assert await keep_in_step(phone, transport)
    phone.record(SpokenTurn("내 번호는 010-1234-5678이야", "네"))
    memory = await minji.remembers("땅콩을 못 먹는다")
    for device in (speaker, phone, speaker, phone):
        assert await keep_in_step(device, transport)
    assert list_items(speaker) == list_items(phone)
    pairs = [key for key in list_items(phone) if key[0] == "conversation_pair"]
    assert len(pairs) == 12
    assert "1234-5678" not in repr(list_items(speaker))
    assert ("user_memory", memory) in list_items(speaker)
    assert phone.recall("물 몇 잔 마셨지?")
    assert phone.cursor.sync_status is DeviceStatus.OK

    gone = await minji.http.delete(f"/api/v1/users/me/memories/{memory}")
    assert gone.is_success
    for device in (speaker, phone):
        assert await keep_in_step(device, transport)
        assert not device.recall("땅콩")
    assert list_items(speaker) == list_items(phone)


@pytest.mark.req("A19")
@pytest.mark.parametrize("is_sent_first", [True, False])
async def test_a_number_said_over_two_turns_stays_nowhere(
    open_device: Open, transport: HttpTransport, *, is_sent_first: bool
) -> None:
    speaker, phone = open_device("speaker"), open_device("phone")
    assert await keep_in_step(speaker, transport)
    speaker.record(SpokenTurn("카드 번호 4111 1111 1111", "네, 그 뒤는요?"))
    if is_sent_first:
        assert await keep_in_step(speaker, transport)
        assert has_item(speaker, "4111"), "nothing says yet that it is a card's"
    speaker.record(SpokenTurn("1111", "네"))
    turns = [each["user_text"] for each in speaker.list_recent_turns()]
    assert turns == ["카드 번호 [카드번호]", "[card number]"]
    assert not has_item(speaker, "4111")
    for device in (speaker, phone):
        assert await keep_in_step(device, transport)
        assert "1111" not in repr(list_items(device))
    assert "1111" not in repr([pair.body for pair in speaker.rows.list_pairs(0)])
    assert speaker.report().rejected == {}
    assert speaker.cursor.sync_status is DeviceStatus.OK
    assert speaker.cursor.conflict_state is None


@pytest.mark.req("A17", "D04")
async def test_a_device_begins_anew_once_its_person_agrees_again(
    open_device: Open, transport: HttpTransport, minji: Person
) -> None:
    speaker, memory = open_device("speaker"), minji.gieok
    speaker.record(SpokenTurn("비밀 얘기야", "네"))
    assert await keep_in_step(speaker, transport)
    await memory.settings.consent(minji.scope, {"storage": False})
    await memory.maintenance.erase_withdrawn(minji.scope)
    assert await keep_in_step(speaker, transport)
    assert not has_item(speaker, "비밀")
    assert speaker.rows.list_pairs(0) == []
    await memory.settings.consent(minji.scope, {"storage": True})
    assert await keep_in_step(speaker, transport)
    speaker.record(SpokenTurn("이제 기억해", "네"))
    assert await keep_in_step(speaker, transport)
    assert speaker.cursor.error is None
    phone = open_device("phone")
    assert await keep_in_step(phone, transport)
    assert has_item(phone, "기억해")


@pytest.mark.req("A17", "D04")
async def test_what_was_said_since_its_person_agreed_again_stays(
    open_device: Open, transport: HttpTransport, minji: Person
) -> None:
    """Also of a device that hears of it only later: there was nothing left to erase."""
    speaker, memory = open_device("speaker"), minji.gieok
    speaker.record(SpokenTurn("비밀 얘기야", "네"))
    assert await keep_in_step(speaker, transport)
    await memory.settings.consent(minji.scope, {"storage": False})
    await memory.maintenance.erase_withdrawn(minji.scope)
    assert await keep_in_step(speaker, transport)
    await memory.settings.consent(minji.scope, {"storage": True})
    speaker.record(SpokenTurn("이제 기억해", "네"))
    assert await keep_in_step(speaker, transport)
    assert has_item(speaker, "기억해")
    assert not has_item(speaker, "비밀")
    sessions = (await minji.http.get("/api/v1/sessions")).json()["sessions"]
    assert [session["pair_count"] for session in sessions] == [1]


async def test_a_token_that_expires_in_the_middle_is_waited_out(
    open_device: Open, address: str, minji: Person, tokens: Tokens, clock: FixedClock
) -> None:
    speaker = open_device("speaker")
    said = [f"물 {number}잔 마셨어" for number in range(120)]
    for words in said:
        speaker.record(SpokenTurn(words, "네"))
    token = [tokens.issue(minji.user_id, timedelta(minutes=1), Actor.DEVICE)]
    transport = HttpTransport(address, lambda: token[0], read_clock_ms)
    loop = SyncLoop(speaker, transport, lambda _: True)
    while speaker.cursor.last_pair_seq == 0:
        await asyncio.to_thread(loop.exchange)
    taken = speaker.cursor.last_pair_seq
    clock.advance(timedelta(hours=1))
    for _ in range(3):
        await asyncio.to_thread(loop.exchange)
    assert speaker.cursor.error is DeviceFault.TOKEN
    assert 0 < taken == speaker.cursor.last_pair_seq < len(said)
    speaker.record(SpokenTurn("그래도 말할 수 있어", "네"))
    token[0] = tokens.issue(minji.user_id, HOUR, Actor.DEVICE)
    assert await keep_in_step(speaker, transport)
    transport.close()
    assert speaker.cursor.error is None
    pairs = [body for (kind, _), body in list_items(speaker).items() if kind == PAIR]
    words = Counter(body["user_text"] for body in pairs)
    assert words == Counter([*said, "그래도 말할 수 있어"])


async def test_a_device_splits_what_is_too_much_for_one_batch(
    open_device: Open, transport: HttpTransport, minji: Person
) -> None:
    """What it cannot foresee, as JSON is longer than its words, the cloud refuses."""
    speaker = open_device("speaker")
    for number in range(12):
        speaker.record(SpokenTurn(f"{number}" + '"' * 20_000, '"' * 20_000))
    assert await keep_in_step(speaker, transport)
    assert not speaker.report().rejected
    [cursor] = await minji.gieok.sync.cursors(minji.scope)
    assert cursor.last_pair_seq == 12


async def test_a_device_that_listens_hears_of_what_is_said_on_another(
    open_device: Open, transport: HttpTransport, minji: Person
) -> None:
    """And says what is said on it while it listens."""
    speaker, phone = open_device("speaker"), open_device("phone")
    stop = threading.Event()
    loops = [SyncLoop(each, transport, stop.wait) for each in (speaker, phone)]
    running = asyncio.gather(*(asyncio.to_thread(each.run) for each in loops))
    try:
        await wait_until(lambda: speaker.is_level and phone.is_level)
        speaker.record(SpokenTurn("보일러 켜줘", "네"))
        await wait_until(lambda: has_item(phone, "보일러"))
        phone.record(SpokenTurn("우산 챙길까", "네"))
        await wait_until(lambda: has_item(speaker, "우산"))
    finally:
        stop.set()
        await running
        await minji.remembers("땅콩을 못 먹는다")  # ends what still waits
    assert speaker.link.wait_s, "the server lets them wait"


async def test_who_hangs_up_while_waiting_is_waited_for_no_longer(
    open_device: Open, transport: HttpTransport, minji: Person
) -> None:
    phone = open_device("phone")
    assert await keep_in_step(phone, transport)
    request = phone.find_request(is_polling=True)
    assert request is not None
    params = {**request.fields, "wait": phone.link.wait_s}
    waiting = minji.gieok.sync.waiter.waiting
    headers = {"authorization": f"Bearer {transport.read_token()}"}
    async with httpx.AsyncClient(
        base_url=transport.address, headers=headers, verify=TRUST
    ) as http:
        asking = asyncio.create_task(http.get("/api/v1/sync/pull", params=params))
        await wait_until(lambda: bool(waiting))
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
    async with asyncio.timeout(phone.link.wait_s / 2):
        await wait_until(lambda: not waiting)


async def test_a_clone_is_found_and_loses_nothing(
    open_device: Open, transport: HttpTransport, tmp_path: Path
) -> None:
    first = open_device("speaker")
    first.record(SpokenTurn("하나", "네"))
    assert await keep_in_step(first, transport)
    first.close()
    folder = tmp_path / "clone"
    folder.mkdir()
    for end in ("db", "key"):
        copied = (tmp_path / f"speaker.{end}").read_bytes()
        (folder / f"speaker.{end}").write_bytes(copied)
    first = open_device("speaker")
    file = open_file(
        folder / "speaker.db", PassphraseKeys(folder / "speaker.key", "tea")
    )
    clone = Device(file, "speaker", read_clock_ms, uuid4, lambda: 0.0, mask_turn)
    first.record(SpokenTurn("둘", "네"))
    clone.record(SpokenTurn("셋", "네"))
    assert await keep_in_step(first, transport)
    before = clone.cursor.incarnation
    assert await keep_in_step(clone, transport)
    assert clone.cursor.incarnation != before
    assert await keep_in_step(first, transport)
    assert list_items(first) == list_items(clone)
    said = [
        body["user_text"]
        for (entity, _), body in list_items(first).items()
        if entity == "conversation_pair"
    ]
    assert sorted(said) == ["둘", "셋", "하나"], "each once"
    clone.close()


async def test_who_is_shut_out_empties_itself(
    open_device: Open, transport: HttpTransport, minji: Person
) -> None:
    device = open_device("speaker")
    device.record(SpokenTurn("비밀", "네"))
    assert await keep_in_step(device, transport)
    answer = await minji.http.post("/api/v1/sync/revoke/speaker")
    assert answer.is_success
    assert not await keep_in_step(device, transport)
    assert device.cursor.error is DeviceFault.GONE
    assert not list_items(device)


def describe(reply: SyncReply) -> tuple[Any, ...]:
    """Return what the rule decides of a reply; epochs and change numbers differ."""
    body = reply.body
    rejected = [(e["seq"], e["code"]) for e in body.get("rejected", ())]
    return reply.status, reply.code, body.get("up"), rejected, body.get("actions")


async def test_the_simulated_cloud_decides_as_the_server_does(  # noqa: PLR0915
    transport: HttpTransport, minji: Person
) -> None:
    """The same requests to both: what the simulation trusts is what is served."""
    model, name, me = CloudModel(), "kitchen", uuid4()
    epochs: list[str | None] = [None, None]
    at = start_chain(me)
    places = [at]
    pairs: list[dict[str, Any]] = []
    for seq in range(1, 7):
        pair_id, text = uuid4(), "BAD\0" if seq == 3 else f"말 {seq}"
        at = advance_chain(at, pair_id, hash_words("talk", text, "네"))
        places.append(at)
        pair = {"seq": seq, "pair_id": str(pair_id), "session": "talk"}
        pairs.append(pair | {"user_text": text, "assistant_text": "네"})

    async def ask(kind: RequestKind, who: UUID = me, **fields: Any) -> int:
        replies: list[SyncReply] = []
        for side in (0, 1):
            said = {"device_id": name, "incarnation": str(who), "epoch": epochs[side]}
            request = SyncRequest(kind, who, said | fields)
            if side == 0:
                reply = await asyncio.to_thread(transport.send, request)
            else:
                reply = model.handle(request)
            replies.append(reply)
            if kind is RequestKind.HELLO and reply.status == 200:
                epochs[side] = reply.body["epoch"]
        assert describe(replies[0]) == describe(replies[1]), (kind, fields)
        return replies[0].status

    def spell(seq: int) -> dict[str, Any]:
        return {"seq": seq, "chain": places[seq].chain.hex()}

    hello, push = RequestKind.HELLO, RequestKind.PUSH
    assert await ask(hello, up=spell(0), down=0, proto=1) == 200
    for base, some in ((0, pairs[:2]), (0, pairs[:3]), (2, pairs[2:5])):
        assert await ask(push, base=spell(base), pairs=some) == 200
    assert await ask(push, base=spell(6), pairs=[pairs[5] | {"seq": 7}]) == 409
    assert await ask(push, base=spell(5), pairs=[pairs[5] | {"seq": 8}]) == 409
    other = pairs[4] | {"user_text": "딴말"}
    assert await ask(push, base=spell(4), pairs=[other]) == 409
    forged = {"seq": 5, "chain": "00" * 16}
    assert await ask(hello, up=forged, down=0, proto=1) == 409
    assert await ask(push, uuid4(), base=spell(0), pairs=[]) == 409
    assert await ask(RequestKind.PULL, since=10**6) == 409
    assert await ask(hello, up=spell(2), down=0, proto=1) == 200
    assert await ask(push, base=spell(5), pairs=pairs[5:]) == 200
    assert await ask(hello, up=spell(6), down=0, waiting=3) == 200
    model.resolve(lambda: "discard")
    path = f"/api/v1/users/me/devices/{name}/resolve"
    assert (await minji.http.post(path, json={"resolution": "discard"})).is_success
    assert await ask(RequestKind.PULL, since=0) == 409
    assert await ask(push, base=spell(6), pairs=[]) == 409
    assert await ask(hello, up=spell(6), down=0) == 200
    assert await ask(hello, up=spell(6), down=0, waiting=3) == 200
