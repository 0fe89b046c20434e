"""People: pseudonyms, languages and time zones."""

import asyncio
from typing import Any

import pytest

from conftest import Owner
from gieok import Actor, Gieok, Scope
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.ids import pseudonym


def test_a_name_always_means_the_same_person(memory: Gieok) -> None:
    assert memory.person("minji") == memory.person("minji")
    assert memory.person("minji").user_id != memory.person("Minji").user_id
    assert memory.person("서울") == memory.person("서울"), "NFC and NFD"
    device = memory.person("minji", actor=Actor.DEVICE)
    assert device.user_id == memory.person("minji").user_id
    assert device.actor is Actor.DEVICE


def test_another_installation_gives_another_pseudonym(memory: Gieok) -> None:
    mine = memory.person("minji").user_id
    assert mine != pseudonym(bytes(32), "user", "minji")
    assert mine == pseudonym(memory.accounts.naming_secret, "user", "minji")


@pytest.mark.parametrize(
    "name", ["", "  ", "x" * 129, "a\nb", "\x00", "\ud800", None, 7]
)
def test_an_unusable_name_is_refused(memory: Gieok, name: Any) -> None:
    with pytest.raises(InvalidInputError, match="user_id"):
        memory.person(name)


async def test_asking_for_a_scope_touches_no_database(me: Scope, owner: Owner) -> None:
    found = await owner.execute("SELECT FROM users WHERE user_id = %s", [me.user_id])
    assert await found.fetchall() == []


async def test_a_new_person_is_free_korean_and_in_seoul(
    memory: Gieok, me: Scope
) -> None:
    person = await memory.accounts.get(me)
    assert (person.plan, person.language, person.time_zone) == (
        "free",
        "ko",
        "Asia/Seoul",
    )
    assert person.user_id == me.user_id
    assert person.created_at == memory.database.clock()


async def test_language_and_zone_change_one_by_one(memory: Gieok, me: Scope) -> None:
    assert (await memory.accounts.update(me, language="en")).time_zone == "Asia/Seoul"
    moved = await memory.accounts.update(me, time_zone="America/New_York")
    assert (moved.language, moved.time_zone) == ("en", "America/New_York")
    assert await memory.accounts.update(me) == moved
    assert await memory.accounts.get(me) == moved


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"language": "fr"}, "language"),
        ({"language": ""}, "language"),
        ({"time_zone": "Seoul"}, "time_zone"),
        ({"time_zone": ""}, "time_zone"),
        ({"time_zone": "Asia"}, "time_zone"),
        ({"time_zone": "../../etc/passwd"}, "time_zone"),
        ({"time_zone": "/etc/localtime"}, "time_zone"),
        ({"time_zone": "a\x00b"}, "time_zone"),
        ({"time_zone": "x" * 5_000}, "time_zone"),
        ({"language": "en", "time_zone": "Mars/Base"}, "time_zone"),
    ],
)
async def test_an_unknown_language_or_zone_is_named_and_nothing_changes(
    memory: Gieok, me: Scope, changes: dict[str, str], field: str
) -> None:
    before = await memory.accounts.get(me)
    with pytest.raises(InvalidInputError) as caught:
        await memory.accounts.update(me, **changes)
    assert caught.value.field == field
    assert await memory.accounts.get(me) == before


async def test_a_person_is_made_once_however_many_ask(memory: Gieok, me: Scope) -> None:
    made = await asyncio.gather(*(memory.accounts.get(me) for _ in range(20)))
    assert len(set(made)) == 1
    await memory.accounts.ensure(me)
    assert await memory.accounts.get(me) == made[0]
