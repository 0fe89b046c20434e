"""People: pseudonyms, languages and time zones."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from gieok import Actor, Config, Gieok, Scope, Turn
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.ids import derive_pseudonym, generate_id
from gieok.opening import open_for_maintenance
from gieok.settings import Purpose
from support.database import Owner
from support.fake_parts import PARTS
from support.scripted_model import Script, fact


def test_a_name_always_means_the_same_person(memory: Gieok) -> None:
    assert memory.person("minji") == memory.person("minji")
    assert memory.person("minji").user_id != memory.person("Minji").user_id
    assert memory.person("서울") == memory.person("서울"), "NFC and NFD"
    device = memory.person("minji", actor=Actor.DEVICE)
    assert device.user_id == memory.person("minji").user_id
    assert device.actor is Actor.DEVICE


def test_another_installation_gives_another_pseudonym(memory: Gieok) -> None:
    mine = memory.person("minji").user_id
    assert mine != derive_pseudonym(bytes(32), "user", "minji")
    assert mine == derive_pseudonym(memory.accounts.naming_secret, "user", "minji")


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
    assert person.created_at == memory.clock()


async def test_language_and_zone_change_one_by_one(memory: Gieok, me: Scope) -> None:
    assert (await memory.accounts.update(me, language="en")).time_zone == "Asia/Seoul"
    moved = await memory.accounts.update(me, time_zone="America/New_York")
    assert (moved.language, moved.time_zone) == ("en", "America/New_York")
    assert await memory.accounts.update(me) == moved
    assert await memory.accounts.get(me) == moved


async def test_a_change_is_numbered_and_audited_once_and_no_change_is_not(
    memory: Gieok, me: Scope
) -> None:
    await memory.accounts.update(me, language="en")
    seq = await memory.maintenance.database.wait_for_writers(me)
    for _ in range(2):
        await memory.accounts.update(me, language="en", time_zone="Asia/Seoul")
    assert await memory.maintenance.database.wait_for_writers(me) == seq
    (line,) = await memory.audit.lines(me)
    assert (line.event_type, line.target_table) == ("update", "users")


async def test_people_met_later_have_the_installations_language_and_zone(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    await memory.accounts.ensure(me)
    await memory.accounts.set_defaults(language="en", time_zone="Europe/London")
    try:
        zones = [await memory.accounts.time_zone(each) for each in (me, other)]
        assert zones == ["Asia/Seoul", "Europe/London"]
        assert not await memory.accounts.is_known(other)
        met = await memory.accounts.get(other)
        assert (met.language, met.time_zone) == ("en", "Europe/London")
        assert (await memory.accounts.get(me)).language == "ko", "known before"
    finally:
        await memory.accounts.set_defaults(language="ko", time_zone="Asia/Seoul")


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


async def test_a_persona_and_a_device_are_known_by_pseudonyms_of_their_person(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    accounts = memory.accounts
    mina = await accounts.persona(me, "Mina")
    assert mina == await accounts.persona(me, "Mina") == accounts.persona_id(me, "Mina")
    assert mina not in {
        await accounts.persona(other, "Mina"),
        await accounts.persona(me, "mina"),
        await accounts.device(me, "Mina"),
    }
    assert accounts.persona_id(me, "서울") == accounts.persona_id(me, "서울")
    assert (await accounts.persona_names(me))[mina] == "Mina"
    assert set((await accounts.persona_names(me)).values()) == {"Mina", "mina"}
    phone = accounts.device_id(me, "Mina")
    assert await accounts.device_names(me) == {phone: "Mina"}
    assert await accounts.device_names(other) == {}


async def test_the_names_of_personas_and_devices_are_sealed(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    await memory.accounts.persona(me, "Canary-persona-까나리")
    await memory.accounts.device(me, "Canary-device-까나리")
    for table in ("personas", "devices"):
        found = await owner.execute(
            f"SELECT name FROM {table} WHERE user_id = %s".encode(),
            [me.user_id],
        )
        ((name,),) = await found.fetchall()
        assert b"anary" not in name
        assert "까나리".encode() not in name


async def test_a_persona_is_kept_and_numbered_once_however_many_ask(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    asked = (memory.accounts.persona(me, "Mina") for _ in range(20))
    (persona,) = set(await asyncio.gather(*asked))
    found = await owner.execute(
        "SELECT entity, entity_id, operation FROM memory_updates WHERE user_id = %s",
        [me.user_id],
    )
    assert await found.fetchall() == [("persona", persona, "put")]
    (line,) = await memory.audit.lines(me)
    assert (line.event_type, line.target_id) == ("create", persona)


@pytest.mark.parametrize(
    "name", ["", "  ", "x" * 129, "a\nb", "\x00", "\ud800", None, 7]
)
async def test_an_unusable_persona_or_device_is_refused_by_its_name(
    memory: Gieok, me: Scope, name: Any
) -> None:
    for kind in ("persona", "device"):
        with pytest.raises(InvalidInputError) as caught:
            await getattr(memory.accounts, kind)(me, name)
        assert caught.value.field == kind
    assert await memory.accounts.persona_names(me) == {}


@pytest.mark.parametrize("name", [".", "..", "a/../b", "a/.", "../", "a\\..", "%2E."])
async def test_a_device_is_not_named_what_leads_elsewhere_in_a_path(
    memory: Gieok, me: Scope, name: str
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        await memory.accounts.device(me, name)
    assert caught.value.field == "device"
    assert "URL" in caught.value.message("ko")
    assert await memory.accounts.device_names(me) == {}


async def test_a_device_that_was_so_named_before_stays(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    named = await memory.accounts.device(me, "x")
    old = memory.accounts.device_id(me, "..")
    await owner.execute("UPDATE devices SET device_id = %s", [old])
    assert (await memory.accounts.device(me, "..")) == old != named


async def test_a_name_with_dots_in_it_is_one(memory: Gieok, me: Scope) -> None:
    for name in ("...", "a..b", "v1.2", ".kitchen", "a/b.c"):
        await memory.accounts.device(me, name)
    assert len(await memory.accounts.device_names(me)) == 5


@pytest.mark.req("B02")
async def test_who_says_no_name_talks_without_memory_and_without_error(
    memory: Gieok, script: Script
) -> None:
    session_id = generate_id()
    visitor = await memory.anonymous(session_id)
    assert visitor == memory.accounts.anonymous(session_id)
    assert visitor != memory.accounts.anonymous(generate_id())
    assert not (await memory.settings.get(visitor)).is_enabled
    await memory.sessions.start(visitor, session_id=session_id)
    script.says(fact("사용자는 강남구에 거주"))
    await memory.sessions.record(visitor, session_id, Turn("나 강남구 살아", "네"))
    await memory.settled(visitor)
    assert (await memory.memories.page(visitor))[0] == ()
    assert await memory.recall.search(visitor, "강남구") == ()
    assert not await memory.context.build(visitor, "어디 살지?")
    assert await memory.episodes.remember(visitor, session_id) is None
    read = await memory.sessions.read(visitor, session_id)
    assert [m.content for m in read.messages] == ["나 강남구 살아", "네"]


async def test_looking_at_an_installation_changes_nothing_for_people_met_later(
    memory: Gieok, config: Config, other: Scope
) -> None:
    """An operator's shell need not have the variables that the server runs with."""
    elsewhere = replace(
        config, language="en", time_zone="Europe/London", consent="explicit"
    )
    async with open_for_maintenance(elsewhere, parts=PARTS):
        pass
    met = await memory.accounts.get(other)
    assert (met.language, met.time_zone) == ("ko", "Asia/Seoul")
    agreed = {c.purpose for c in await memory.settings.consents(other) if c.granted}
    assert Purpose.STORAGE in agreed
