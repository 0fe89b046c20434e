"""A server whose tutor keeps cards in DynamoDB: whose they are, and how they go."""

import json
from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any

import pytest

from gieok import Config, Gieok, Scope
from gieok.database import ConsentWithdrawn, ErasurePending
from gieok.kernel.errors import (
    InvalidInputError,
    NotFoundError,
    NotPermittedError,
    UnavailableError,
)
from gieok.profile.tutor_cards import TutorCards
from gieok.testing import FixedClock
from gieok.worker.job_steps import ON
from support.card_table import find_item, open_with_table
from support.database import Owner
from support.kms_server import Line
from support.own_installation import module_address, module_config, module_memory
from support.restored_rows import remove_person, restore_consents
from support.tutor_cloud import TABLE

pytest.importorskip("boto3")
pytestmark = pytest.mark.parametrize("cloud", ["moto"], indirect=True)

config, memory, address = module_config, module_memory, module_address
CARD = {"name": "영광", "interests": ["AI"]}
ILL_CARD = {
    "name": "영광",
    "occupation": "우울증 약을 먹는 환자",
    "interests": ["AI", "우울증 약을 먹음"],
    "mentioned_facts": ["당뇨가 있음"],
}


@pytest.fixture
async def served(
    memory: Gieok, config: Config, clock: FixedClock, line: Line, client: Any
) -> AsyncGenerator[Gieok]:
    """A gieok on the same database whose tutor has a table."""
    assert memory, "it has started the database"
    assert client, "it has made the table"
    async with open_with_table(config, clock, line) as opened:
        yield opened


@pytest.fixture
def cards(served: Gieok) -> TutorCards:
    assert served.tutor_cards is not None
    return served.tutor_cards


@pytest.fixture
def person(served: Gieok, user: str) -> Scope:
    return served.person(user)


def read_items(client: Any) -> list[dict[str, Any]]:
    return client.scan(TableName=TABLE)["Items"]


async def list_agenda(owner: Owner, person: Scope) -> list[str]:
    found = await owner.execute(
        "SELECT task FROM agenda WHERE user_id = %s", [person.user_id]
    )
    return [row[0] for row in await found.fetchall()]


@pytest.mark.req("C04")
async def test_a_card_stands_under_the_pseudonym_and_makes_no_memories(
    served: Gieok, cards: TutorCards, client: Any, user: str, person: Scope
) -> None:
    await cards.replace(user, CARD)
    assert await cards.merge(user, {"interests": ["여행"]}) == {
        "name": "영광",
        "interests": ["AI", "여행"],
    }
    assert find_item(client, person)["memory"]["M"]["name"] == {"S": "영광"}
    assert user not in json.dumps(read_items(client)), "the app's id is not told"
    assert not await served.profile.get(person)


@pytest.mark.req("A15", "C04")
async def test_erasing_a_person_erases_the_item_and_the_receipt_says_so(
    served: Gieok, cards: TutorCards, client: Any, user: str, person: Scope
) -> None:
    await cards.replace(user, CARD)
    receipt = await served.erasure.person(person)
    assert receipt.parts["tutor_cards"] == "erased"
    assert receipt.counts["tutor_cards"] == 1
    assert served.erasure.verify(receipt)
    assert find_item(client, person) == {}
    assert await served.erasure.person(person) == receipt


@pytest.mark.req("A15", "C04")
async def test_a_card_of_before_the_erasure_goes_again_from_who_has_come_back(
    served: Gieok,
    cards: TutorCards,
    client: Any,
    clock: FixedClock,
    user: str,
    person: Scope,
) -> None:
    await served.erasure.replay()
    await cards.replace(user, CARD)
    copy = find_item(client, person)
    clock.advance(timedelta(minutes=1))
    await served.erasure.person(person)
    await served.memories.remember(person, "User likes jazz")
    client.put_item(TableName=TABLE, Item=copy)  # the table is restored
    assert await served.erasure.replay() == 1
    assert find_item(client, person) == {}
    clock.advance(timedelta(minutes=1))
    await cards.replace(user, CARD)
    assert await served.erasure.replay() == 0
    assert await cards.get(user) == CARD, "it is the new person's own"


@pytest.mark.req("A15", "C04")
@pytest.mark.parametrize("was_known", [0, 1])
async def test_a_card_of_who_has_come_back_stays_where_the_backup_does_not_know_that(
    served: Gieok,
    client: Any,
    owner: Owner,
    clock: FixedClock,
    user: str,
    was_known: int,
) -> None:
    person, cards = served.person(user), served.tutor_cards
    assert cards is not None
    await served.erasure.replay()
    await cards.replace(user, CARD)
    copy = find_item(client, person)
    clock.advance(timedelta(minutes=1))
    await served.erasure.person(person)
    clock.advance(timedelta(minutes=1))
    await cards.replace(user, ILL_CARD)
    if was_known:  # the backup is of before the erasure, or else of after it
        for back in (
            "DELETE FROM erasure_receipts WHERE user_id = %s",
            "UPDATE users SET incarnation = 0 WHERE user_id = %s",
        ):
            await owner.execute(back.encode(), [person.user_id])
    else:
        await remove_person(owner, person)
    assert await served.erasure.replay() == was_known
    assert not await served.accounts.is_known(person)
    assert await cards.load(person) == ILL_CARD
    assert await served.maintenance.vault.find_key(person), "it is the new person's"
    client.put_item(TableName=TABLE, Item=copy)  # the table is restored as well
    assert await served.erasure.replay() == 1
    assert find_item(client, person) == {}


@pytest.mark.req("A15", "C04")
async def test_an_erasure_is_not_done_while_the_table_does_not_answer(
    served: Gieok, client: Any, line: Line, owner: Owner, user: str
) -> None:
    person, cards = served.person(user), served.tutor_cards
    assert cards is not None
    await cards.replace(user, CARD)
    await served.memories.remember(person, "User likes jazz")
    line.is_down = True
    with pytest.raises(UnavailableError):
        await served.erasure.person(person)
    assert await served.erasure.receipts(person) == ()
    assert find_item(client, person), "it is still there"
    assert (await served.memories.page(person))[1] == 0, "the rest is not"
    assert await list_agenda(owner, person) == [ErasurePending.name]
    line.is_down = False
    (step,) = ON[ErasurePending]
    await step(served, person, person.user_id)
    (receipt,) = await served.erasure.receipts(person)
    assert receipt.counts["tutor_cards"] == 1
    assert find_item(client, person) == {}
    assert await list_agenda(owner, person) == []


@pytest.mark.req("A15", "C04")
async def test_what_is_written_of_somebody_who_is_erased_meanwhile_is_taken_back(
    served: Gieok,
    cards: TutorCards,
    client: Any,
    user: str,
    person: Scope,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await served.memories.remember(person, "User likes jazz")
    write = type(cards.documents).merge

    async def erase_first(*given: Any) -> Any:
        await served.erasure.person(person)
        return await write(*given)

    monkeypatch.setattr(type(cards.documents), "merge", erase_first)
    with pytest.raises(NotFoundError):
        await cards.merge(user, CARD)
    assert find_item(client, person) == {}


@pytest.mark.req("A15", "C04")
async def test_who_withdraws_consent_has_no_card(
    served: Gieok, cards: TutorCards, client: Any, user: str, person: Scope
) -> None:
    await cards.replace(user, CARD)
    await served.settings.consent(person, {"profile": False})
    assert await cards.get(user) == {}, "at once"
    await served.maintenance.erase_withdrawn(person)
    assert find_item(client, person) == {}
    with pytest.raises(NotPermittedError):
        await cards.merge(user, CARD)
    assert find_item(client, person) == {}


@pytest.mark.req("C05", "D04")
@pytest.mark.parametrize(
    ("changes", "left"),
    [
        ({"is_enabled": False}, {}),
        ({"allowed_categories": ["preference"]}, {"interests": ["AI"]}),
    ],
)
async def test_a_prompt_is_told_nothing_that_the_settings_withhold(
    served: Gieok,
    cards: TutorCards,
    user: str,
    person: Scope,
    changes: dict[str, Any],
    left: dict[str, Any],
) -> None:
    await cards.replace(user, CARD)
    assert await cards.quote(user) == CARD
    await served.settings.update(person, changes)
    assert await cards.quote(user) == left
    assert await cards.get(user) == CARD, "the person is shown it"


async def test_consent_withdrawn_while_the_table_is_away_is_carried_out_later(
    served: Gieok, client: Any, line: Line, owner: Owner, user: str
) -> None:
    person, cards = served.person(user), served.tutor_cards
    assert cards is not None
    await cards.replace(user, CARD)
    await served.memories.remember(person, "User likes jazz")
    await served.settings.consent(person, {"profile": False})
    line.is_down = True
    with pytest.raises(UnavailableError):
        await served.maintenance.erase_withdrawn(person)
    assert (await served.memories.page(person))[1] == 0, "the memories do not wait"
    assert ConsentWithdrawn.name in await list_agenda(owner, person)
    line.is_down = False
    for step in ON[ConsentWithdrawn]:
        await step(served, person, person.user_id)
    assert find_item(client, person) == {}


@pytest.mark.req("A15", "C04")
async def test_who_withdraws_consent_to_special_categories_has_none_in_the_card(
    served: Gieok, cards: TutorCards, line: Line, owner: Owner, user: str
) -> None:
    person = served.person(user)
    await cards.replace(user, ILL_CARD)
    await served.settings.consent(person, {"sensitive": False})
    assert await cards.get(user) == CARD, "at once"
    assert await cards.merge(user, {"interests": ["AI"]}) == CARD
    line.is_down = True
    with pytest.raises(UnavailableError):
        await served.maintenance.erase_withdrawn(person)
    assert ConsentWithdrawn.name in await list_agenda(owner, person)
    line.is_down = False
    for step in ON[ConsentWithdrawn]:
        await step(served, person, person.user_id)
    assert await cards.load(person) == CARD
    assert await served.maintenance.erase_withdrawn(person) == 0
    await served.settings.consent(person, {"sensitive": True})
    assert await cards.get(user) == CARD


@pytest.mark.req("A15", "C04")
@pytest.mark.parametrize("purpose", ["storage", "profile", "sensitive"])
async def test_a_card_that_was_agreed_to_since_the_backup_stays_after_a_restore(
    served: Gieok, client: Any, owner: Owner, clock: FixedClock, user: str, purpose: str
) -> None:
    person, cards = served.person(user), served.tutor_cards
    assert cards is not None
    await served.maintenance.replay()
    await cards.replace(user, ILL_CARD)
    copy = find_item(client, person)
    for agreed in (False, True):
        clock.advance(timedelta(hours=1))
        await served.settings.consent(person, {purpose: agreed})
    clock.advance(timedelta(hours=1))
    await cards.replace(user, ILL_CARD)
    await restore_consents(owner, person, [])
    assert (await served.maintenance.replay()).decisions == 2
    assert await cards.get(user) == ILL_CARD
    client.put_item(TableName=TABLE, Item=copy)  # the table is restored as well
    await restore_consents(owner, person, [])
    assert (await served.maintenance.replay()).decisions == 2
    assert await cards.load(person) == (CARD if purpose == "sensitive" else {})


async def test_what_the_settings_forbid_is_not_written(
    served: Gieok, cards: TutorCards, client: Any, user: str, person: Scope
) -> None:
    await served.settings.update(person, {"is_enabled": False})
    with pytest.raises(NotPermittedError):
        await cards.merge(user, CARD)
    with pytest.raises(InvalidInputError):
        await cards.replace(user, {"age": "7"})
    assert find_item(client, person) == {}


@pytest.mark.parametrize(
    ("changes", "consents", "allowed"),
    [
        ({}, {}, ILL_CARD),
        ({}, {"sensitive": False}, CARD),
        (
            {"allowed_categories": ["preference"]},
            {},
            {"interests": ILL_CARD["interests"]},
        ),
    ],
)
async def test_what_of_a_card_the_settings_let_be_written(
    served: Gieok,
    cards: TutorCards,
    user: str,
    changes: dict[str, Any],
    consents: dict[str, bool],
    allowed: dict[str, Any],
) -> None:
    await served.settings.update(served.person(user), changes)
    await served.settings.consent(served.person(user), consents)
    assert await cards.select_allowed(user, ILL_CARD) == allowed
    assert await cards.merge(user, allowed) == allowed


async def test_an_export_holds_the_card_or_fails(
    served: Gieok, cards: TutorCards, line: Line, user: str, person: Scope
) -> None:
    await cards.replace(user, CARD)

    async def export() -> list[dict[str, Any]]:
        data = b"".join([chunk async for chunk in served.portability.export(person)])
        return [json.loads(each) for each in data.splitlines()]

    lines = await export()
    held = [each["row"] for each in lines if each.get("part") == "profile"]
    assert held == [{"document": {"tutor_card": CARD}}]
    assert lines[-1]["manifest"]["parts"]["profile"]["count"] == 1
    line.is_down = True
    with pytest.raises(UnavailableError):
        await export()


async def test_an_export_with_a_card_of_the_table_is_taken_in_again(
    served: Gieok, cards: TutorCards, user: str, person: Scope, tmp_path: Any
) -> None:
    await cards.replace(user, CARD)
    await served.memories.remember(person, "User likes jazz")
    file = tmp_path / "export.jsonl"
    chunks = [chunk async for chunk in served.portability.export(person)]
    file.write_bytes(b"".join(chunks))
    with file.open("rb") as opened:
        await served.portability.load(served.person(f"{user}-2"), opened)
    assert (await served.memories.page(served.person(f"{user}-2")))[1] == 1
