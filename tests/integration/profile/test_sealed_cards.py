"""Cards in DynamoDB that are sealed with their person's key."""

from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any

import pytest

from gieok import Config, Gieok, Scope
from gieok.kernel.errors import (
    ConfigurationError,
    ConflictError,
    UnavailableError,
)
from gieok.profile.dynamodb_items import SEALED
from gieok.profile.tutor_cards import TutorCards
from gieok.testing import FixedClock
from support.card_table import build_item_key, find_item, open_with_table
from support.kms_server import Line
from support.tutor_cloud import TABLE

pytest.importorskip("boto3")
DynamoProfileDocuments = pytest.importorskip(
    "gieok.profile.dynamodb"
).DynamoProfileDocuments
CARD = {"name": "영광", "interests": ["AI"]}
AT_ONCE = timedelta()


@pytest.fixture
async def sealing(
    memory: Gieok, config: Config, clock: FixedClock, line: Line, client: Any
) -> AsyncGenerator[Gieok]:
    assert memory, "it has started the database"
    assert client, "it has made the table"
    async with open_with_table(config, clock, line, seals_tutor_cards=True) as opened:
        yield opened


@pytest.fixture
async def plain(
    sealing: Gieok, config: Config, clock: FixedClock, line: Line
) -> AsyncGenerator[Gieok]:
    """A server of the same people that does not seal."""
    assert sealing, "it is there first"
    async with open_with_table(config, clock, line) as opened:
        yield opened


@pytest.fixture
def person(sealing: Gieok, user: str) -> Scope:
    return sealing.person(user)


def get_cards(served: Gieok) -> TutorCards:
    assert served.tutor_cards is not None
    return served.tutor_cards


def read_map(client: Any, person: Scope) -> dict[str, Any]:
    return find_item(client, person)["memory"]["M"]


def write_place(client: Any, person: Scope, name: str, value: dict[str, Any]) -> None:
    """Write as another program does, which knows nothing of seals."""
    client.update_item(
        TableName=TABLE,
        Key=build_item_key(person),
        UpdateExpression="SET memory.#n = :v",
        ExpressionAttributeNames={"#n": name},
        ExpressionAttributeValues={":v": value},
    )


@pytest.mark.req("C04")
async def test_a_sealed_card_says_nothing_to_who_reads_the_table(
    sealing: Gieok, client: Any, user: str, person: Scope
) -> None:
    cards = get_cards(sealing)
    await cards.replace(user, CARD)
    merged = await cards.merge(user, {"interests": ["여행"]})
    assert merged == {"name": "영광", "interests": ["AI", "여행"]}
    assert await cards.get(user) == merged
    assert list(read_map(client, person)) == [SEALED]
    item = str(find_item(client, person)).encode()
    for word in ("영광", "AI", "여행"):
        assert word.encode() not in item
    lines = [chunk async for chunk in sealing.portability.export(person)]
    assert any("여행".encode() in each for each in lines), "an export is readable"
    await cards.replace(user, {})
    assert await cards.get(user) == {}


@pytest.mark.req("C04")
async def test_special_categories_go_from_a_sealed_card_and_from_beside_it(
    sealing: Gieok, client: Any, user: str, person: Scope
) -> None:
    cards = get_cards(sealing)
    await cards.replace(user, {**CARD, "mentioned_facts": ["당뇨가 있음"]})
    write_place(client, person, "occupation", {"S": "우울증 약을 먹는 환자"})
    write_place(client, person, "theme", {"S": "dark"})
    await sealing.settings.consent(person, {"sensitive": False})
    assert await sealing.maintenance.erase_withdrawn(person) == 1
    assert await cards.load(person) == {**CARD, "theme": "dark"}
    assert set(read_map(client, person)) == {SEALED, "theme"}
    assert await sealing.maintenance.erase_withdrawn(person) == 0


async def test_what_stood_there_before_is_sealed_with_the_next_write(
    sealing: Gieok, plain: Gieok, client: Any, user: str, person: Scope
) -> None:
    await get_cards(plain).replace(user, CARD)
    write_place(client, person, "theme", {"S": "dark"})
    assert await get_cards(sealing).get(user) == {**CARD, "theme": "dark"}
    assert set(read_map(client, person)) == {"name", "interests", "theme"}
    await get_cards(sealing).merge(user, CARD)
    assert set(read_map(client, person)) == {SEALED, "theme"}, "nothing else is ours"
    assert await get_cards(sealing).get(user) == {**CARD, "theme": "dark"}


async def test_what_another_program_writes_beside_it_is_part_of_the_card(
    sealing: Gieok, client: Any, user: str, person: Scope
) -> None:
    cards = get_cards(sealing)
    await cards.replace(user, CARD)
    write_place(client, person, "name", {"S": "영수"})
    write_place(client, person, "interests", {"L": [{"S": "요리"}]})
    both = {"name": "영수", "interests": ["AI", "요리"]}
    assert await cards.get(user) == both
    assert await cards.merge(user, {}) == both
    assert list(read_map(client, person)) == [SEALED]
    write_place(client, person, "interests", {"N": "7"})
    assert await cards.get(user) == {"name": "영수", "interests": 7}
    await cards.merge(user, {"interests": ["요리"]})
    assert (await cards.get(user))["name"] == "영수"


async def test_who_stops_sealing_reads_on_and_unseals_with_the_next_write(
    sealing: Gieok, plain: Gieok, client: Any, user: str, person: Scope
) -> None:
    await get_cards(sealing).replace(user, CARD)
    assert await get_cards(plain).get(user) == CARD
    await get_cards(plain).merge(user, {"preferences": ["천천히"]})
    assert read_map(client, person) == {
        "name": {"S": "영광"},
        "interests": {"L": [{"S": "AI"}]},
        "preferences": {"L": [{"S": "천천히"}]},
    }


async def test_a_card_that_never_opens_is_left_out_until_one_is_written(
    sealing: Gieok, client: Any, user: str, person: Scope
) -> None:
    cards = get_cards(sealing)
    await cards.replace(user, CARD)
    with pytest.raises(ConfigurationError, match="sealed with its person's key"):
        await cards.documents.get(str(person.user_id))
    sealed = bytearray(read_map(client, person)[SEALED]["B"])
    sealed[-1] ^= 1
    write_place(client, person, SEALED, {"B": bytes(sealed)})
    write_place(client, person, "theme", {"S": "dark"})
    before = find_item(client, person)
    assert await cards.get(user) == {"theme": "dark"}
    assert await cards.merge(user, {}) == {"theme": "dark"}
    assert find_item(client, person) == before
    assert await sealing.portability.unreadable(person) == {"tutor_cards": 1}
    assert [chunk async for chunk in sealing.portability.export(person)]
    assert await cards.merge(user, CARD) == {**CARD, "theme": "dark"}
    assert await sealing.portability.unreadable(person) == {}
    write_place(client, person, SEALED, {"B": bytes(sealed)})
    await cards.replace(user, {})
    assert set(read_map(client, person)) == {"theme"}
    write_place(client, person, SEALED, {"B": bytes(sealed)})
    write_place(client, person, "name", {"S": "영수"})
    await sealing.settings.consent(person, {"sensitive": False})
    assert await sealing.maintenance.erase_withdrawn(person) == 1
    assert await cards.load(person) == {"name": "영수", "theme": "dark"}
    assert await sealing.maintenance.erase_withdrawn(person) == 0


@pytest.mark.req("C04")
async def test_a_card_that_takes_the_place_of_one_that_never_opens_keeps_what_may_stay(
    sealing: Gieok,
    client: Any,
    user: str,
    person: Scope,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cards, read = get_cards(sealing), DynamoProfileDocuments._read  # noqa: SLF001
    await cards.replace(user, CARD)
    sealed = bytearray(read_map(client, person)[SEALED]["B"])
    sealed[-1] ^= 1
    write_place(client, person, SEALED, {"B": bytes(sealed)})
    await sealing.settings.consent(person, {"sensitive": False})
    reads: list[Any] = []

    async def read_before_another_process_writes(*given: Any) -> Any:
        reads.append(item := await read(*given))
        if len(reads) == 1:
            await cards.replace(user, CARD)
        return item

    monkeypatch.setattr(
        DynamoProfileDocuments, "_read", read_before_another_process_writes
    )
    assert await sealing.maintenance.erase_withdrawn(person) == 0
    assert reads[0].is_unreadable
    assert await cards.load(person) == CARD


@pytest.mark.req("C04", "D16")
async def test_a_table_put_back_to_before_a_key_was_renewed_holds_nobody_up(
    sealing: Gieok, client: Any, user: str, person: Scope
) -> None:
    cards, people = get_cards(sealing), [person.user_id]
    await cards.replace(user, CARD)
    copy = find_item(client, person)
    for _ in range(2):
        await sealing.keys.renew(people, settles_in=AT_ONCE, destroyed_after=AT_ONCE)
        client.put_item(TableName=TABLE, Item=copy)
    sealing.maintenance.vault.forget(person)
    keystore = sealing.maintenance.vault.keystore
    assert [each.epoch for each in await keystore.list_keys(person.user_id)] == [2]
    assert [chunk async for chunk in sealing.portability.export(person)]
    assert await cards.get(user) == {}
    assert await cards.merge(user, CARD) == CARD
    assert await cards.get(user) == CARD


async def test_one_persons_card_does_not_open_as_anothers(
    sealing: Gieok, client: Any, user: str, person: Scope
) -> None:
    cards, other = get_cards(sealing), sealing.person(f"{user}-2")
    await cards.replace(user, CARD)
    await cards.replace(f"{user}-2", {"name": "영수"})
    write_place(client, other, SEALED, read_map(client, person)[SEALED])
    assert await cards.get(f"{user}-2") == {}


@pytest.mark.req("D16")
async def test_a_new_key_seals_the_card_anew_and_changes_nothing_else(
    sealing: Gieok, client: Any, clock: FixedClock, user: str, person: Scope
) -> None:
    cards = get_cards(sealing)
    await cards.replace(user, CARD)
    before = find_item(client, person)
    clock.advance(timedelta(hours=1))
    assert await sealing.keys.renew(
        [person.user_id], settles_in=AT_ONCE, destroyed_after=AT_ONCE
    )
    sealing.maintenance.vault.forget(person)
    assert [
        key.epoch
        for key in await sealing.maintenance.vault.keystore.list_keys(person.user_id)
    ] == [1]
    after = find_item(client, person)
    assert after["updatedAt"] == before["updatedAt"], "nobody changed the card"
    assert after["memory"] != before["memory"]
    assert await cards.get(user) == CARD
    assert await sealing.keys.finish() == 0


@pytest.mark.req("D16")
async def test_an_old_key_stays_while_the_table_does_not_answer(
    sealing: Gieok, line: Line, user: str, person: Scope
) -> None:
    cards = get_cards(sealing)
    await cards.replace(user, CARD)
    line.is_down = True
    with pytest.raises(UnavailableError):
        await sealing.keys.renew(
            [person.user_id], settles_in=AT_ONCE, destroyed_after=AT_ONCE
        )
    sealing.maintenance.vault.forget(person)
    assert len(await sealing.maintenance.vault.keystore.list_keys(person.user_id)) == 2
    line.is_down = False
    assert await cards.get(user) == CARD
    assert await sealing.keys.finish(destroyed_after=AT_ONCE)
    sealing.maintenance.vault.forget(person)
    assert len(await sealing.maintenance.vault.keystore.list_keys(person.user_id)) == 1
    assert await cards.get(user) == CARD


@pytest.mark.req("A15", "C04")
async def test_a_copy_of_the_table_says_nothing_of_who_was_erased(
    sealing: Gieok, client: Any, user: str, person: Scope
) -> None:
    cards = get_cards(sealing)
    await cards.replace(user, CARD)
    copy = find_item(client, person)
    receipt = await sealing.erasure.person(person)
    assert receipt.counts["tutor_cards"] == 1
    client.put_item(TableName=TABLE, Item=copy)  # the table is restored
    assert await cards.get(user) == {}


async def test_nothing_is_sealed_for_somebody_who_is_erased_meanwhile(
    sealing: Gieok,
    client: Any,
    user: str,
    person: Scope,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cards = get_cards(sealing)
    await cards.replace(user, CARD)
    write = type(cards.documents).merge

    async def erase_first(*given: Any) -> Any:
        await sealing.erasure.person(person)
        return await write(*given)

    monkeypatch.setattr(type(cards.documents), "merge", erase_first)
    with pytest.raises(ConflictError, match="erased meanwhile"):
        await cards.merge(user, CARD)
    assert find_item(client, person) == {}
