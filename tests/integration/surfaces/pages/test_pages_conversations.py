"""Conversations, their days, weeks and episodes, and devices, in a real browser."""

from datetime import timedelta
from uuid import UUID

import httpx
import pytest

from gieok import Turn
from gieok.episodes import Episode
from gieok.kernel.language import Emotion, Gist
from gieok.sync import DeviceResolution
from gieok.testing import FixedClock
from support.episodes import PLAIN_EPISODE
from support.page_people import PagePerson
from support.page_reader import Reader

SAME = {"Sec-Fetch-Site": "same-origin"}


@pytest.mark.req("D14")
async def test_a_conversation_is_read_and_erased(me: Reader, minji: PagePerson) -> None:
    session = await minji.tells("I keep bees.", "How nice!", fact="Keeps bees")
    await me.goto("/me/conversations")
    await me.follow(me.page.locator("ul.cards a").first)
    assert await me.page.get_by_text("How nice!").count() == 1
    await me.follow(me.link("conversation.erase"))
    await me.follow(me.button("forget.button"))
    assert await me.read_heading() == me.say("receipt.title")
    assert str(session) not in await me.goto("/me/conversations")
    assert await minji.gieok.memories.page(minji.scope) == ((), 0)


@pytest.mark.req("D14")
async def test_a_long_conversation_is_read_from_its_end(
    me: Reader, minji: PagePerson
) -> None:
    session = await minji.gieok.sessions.start(minji.scope)
    for number in range(60):
        turn = Turn(f"Question {number}.", f"Answer {number}.")
        await minji.gieok.sessions.record(minji.scope, session.session_id, turn)
    await me.goto(f"/me/conversations/{session.session_id}")
    assert await me.page.locator("ol.messages li").count() == 100
    assert await me.page.get_by_text("Answer 59.").count() == 1
    await me.follow(me.link("pager.older"))
    assert await me.page.locator("ol.messages li").count() == 20
    assert await me.page.get_by_text("Question 0.").count() == 1
    await me.follow(me.link("pager.newer"))
    assert await me.page.get_by_text("Answer 59.").count() == 1


@pytest.mark.req("D14")
async def test_days_and_weeks_stand_in_a_calendar(
    me: Reader, minji: PagePerson, clock: FixedClock
) -> None:
    """A day links to what was said on it; an older month has its weeks only."""
    began = clock()
    try:
        for ahead in (0, 45):
            clock.set(began + timedelta(days=ahead))
            await minji.tells("I keep bees.", fact="Keeps bees")
            clock.set(began + timedelta(days=ahead + 8))
            await minji.gieok.settled(minji.scope)
        (day,) = await minji.gieok.summaries.days(minji.scope)
        weeks = await minji.gieok.summaries.weeks(minji.scope)
        await minji.signs_in(me.page)
        await me.goto("/me/conversations")
        calendar = me.page.locator("table.calendar")
        assert day.text in await me.read()
        name = day.date_key.isoformat()
        assert await calendar.locator("td a").get_attribute("href") == f"#{name}"
        assert await me.page.locator(f'[id="{name}"]').inner_text() == name
        older = me.page.get_by_role("navigation", name=me.say("conversations.months"))
        await me.follow(older.get_by_role("link").last)
        assert weeks[-1].text in await me.read()
        assert f"#{weeks[-1].week_key}" in [
            await each.get_attribute("href")
            for each in await calendar.locator("th a").all()
        ]
        assert await calendar.locator("td a").count() == 0
    finally:
        clock.set(began)


@pytest.mark.req("D14")
async def test_a_month_shows_its_own_days_and_weeks(
    http: httpx.AsyncClient, minji: PagePerson, clock: FixedClock
) -> None:
    began = clock()
    await minji.consents()
    try:
        for ahead in (0, 45):
            clock.set(began + timedelta(days=ahead))
            await minji.tells(f"I keep {ahead} bees.", fact="Keeps bees")
            clock.set(began + timedelta(days=ahead + 8))
            await minji.gieok.settled(minji.scope)
        await http.post(await minji.links(), headers=SAME)
        newest = (await http.get("/me/conversations")).text
        assert newest.count("I keep 45 bees.") == 2
        assert "I keep 0 bees." not in newest
        name = newest.split("/me/conversations?month=")[1].split('"')[0]
        older = (await http.get(f"/me/conversations?month={name}")).text
        assert older.count("I keep 0 bees.") == 1
        assert "I keep 45 bees." not in older
    finally:
        clock.set(began)


async def save_episode(
    minji: PagePerson, summary: str, importance: int, persona: str = "Mina"
) -> Episode:
    persona_id = await minji.gieok.accounts.persona(minji.scope, persona)
    gist = Gist(summary, ("bees", "roof"), Emotion.JOY, importance)
    saved = await minji.gieok.episodes.create(
        minji.scope, persona_id=persona_id, gist=gist, **PLAIN_EPISODE
    )
    return saved.episode


async def get_episode(minji: PagePerson, episode_id: UUID) -> Episode:
    return await minji.gieok.episodes.get(minji.scope, episode_id)


@pytest.mark.req("D14")
async def test_what_was_told_a_persona_is_found_by_who_told_it(
    me: Reader, minji: PagePerson
) -> None:
    await save_episode(minji, "The user keeps bees on the roof", 8)
    await minji.gieok.settled(minji.scope)
    await me.goto("/me/")
    await me.fill(me.page.get_by_role("searchbox"), "What about my bees?")
    await me.follow(me.button("known.search.button"))
    assert "keeps bees on the roof" in await me.read()


@pytest.mark.req("E06", "E11")
async def test_episodes_are_seen_by_persona_with_figures_over_time(
    me: Reader, minji: PagePerson
) -> None:
    await save_episode(minji, "The user keeps bees", 8)
    await save_episode(minji, "The user lost a bee", 3)
    await save_episode(minji, "The user sings", 5, persona="Jun <b>")
    await me.goto("/me/episodes")
    cards = me.page.locator("ul.cards li")
    assert await cards.count() == 3
    first = await cards.first.inner_text()
    for said in (
        "Jun <b>",
        me.say("emotion.joy"),
        me.say("episodes.importance", count=5),
    ):
        assert said in first
    assert await me.table("episodes.mean").locator("td").all_inner_texts() == ["5.3"]
    felt = await me.table("episodes.felt").locator("td").all_inner_texts()
    assert felt == ["3", "0", "0", "0", "0", "bees, roof"]
    chart = me.page.locator("#importance").locator("xpath=..").get_by_role("img")
    assert await chart.locator("rect").count() == 1
    mina = str(minji.gieok.accounts.persona_id(minji.scope, "Mina"))
    await me.choose(me.field("episodes.persona"), mina)
    await me.follow(me.button("known.show"))
    assert await cards.count() == 2
    await me.choose(me.field("episodes.persona"), "")
    await me.follow(me.button("known.show"))
    assert await cards.count() == 3


@pytest.mark.req("E12", "E22", "E23")
async def test_an_episode_is_edited(me: Reader, minji: PagePerson) -> None:
    episode_id = (await save_episode(minji, "The user keeps bees", 8)).episode_id
    await me.goto("/me/episodes")
    await me.follow(me.link("episodes.open"))
    await me.fill(me.field("episode.summary"), "The user keeps\nwild bees")
    await me.fill(me.field("episode.importance"), "9")
    await me.fill(me.field("episode.tags"), "hobby, summer")
    await me.follow(me.button("episode.edit"))
    assert await me.read_status() == me.say("done.saved")
    edited = await get_episode(minji, episode_id)
    assert (edited.summary, edited.importance) == ("The user keeps\nwild bees", 9)
    assert edited.tags == ("hobby", "summer")
    assert edited.is_edited


@pytest.mark.req("E13", "E14")
async def test_an_episode_is_archived_put_back_and_erased(
    me: Reader, minji: PagePerson
) -> None:
    episode_id = (await save_episode(minji, "The user keeps bees", 8)).episode_id
    await me.goto(f"/me/episodes/{episode_id}")
    await me.follow(me.button("episode.archive"))
    assert me.say("archived.user_request") in await me.read()
    assert not (await get_episode(minji, episode_id)).is_active
    await me.goto("/me/episodes")
    assert await me.page.locator("ul.cards li").count() == 0
    await me.tick(me.field("episodes.archived"))
    await me.follow(me.button("known.show"))
    await me.follow(me.link("episodes.open"))
    await me.follow(me.button("episode.restore"))
    assert (await get_episode(minji, episode_id)).is_active
    await me.follow(me.link("episode.erase"))
    assert me.say("episode_erase.stays") in await me.read()
    await me.follow(me.button("forget.button"))
    assert await me.read_status() == me.say("done.episode_erased")
    assert (await minji.gieok.episodes.page(minji.scope)).total == 0


@pytest.mark.req("E16")
async def test_what_gives_way_to_an_episode_is_said(
    me: Reader, minji: PagePerson
) -> None:
    """The free plan keeps five of a persona in use."""
    for number in range(1, 7):
        await save_episode(minji, f"The user told of journey {number}", number)
    await me.goto("/me/episodes?archived=true")
    card = me.page.get_by_role("listitem").filter(has_text="journey 1")
    assert me.say("archived.plan_limit") in await card.inner_text()
    page = await minji.gieok.episodes.page(minji.scope, include_archived=True)
    (archived,) = [each for each in page.episodes if not each.is_active]
    await minji.gieok.episodes.edit(minji.scope, archived.episode_id, importance=9)
    await me.goto(f"/me/episodes/{archived.episode_id}")
    await me.follow(me.button("episode.restore"))
    assert await me.read_status() == me.say("done.in_use_instead")


@pytest.mark.req("D14")
async def test_a_device_is_seen_and_erased(me: Reader, minji: PagePerson) -> None:
    device = await minji.gieok.accounts.device(minji.scope, "거실 스피커")
    await minji.gieok.sessions.start(minji.scope, device_id=device)
    await me.goto("/me/devices")
    assert await me.page.get_by_text(me.say("devices.this")).count() == 1
    await me.follow(me.link("devices.erase"))
    await me.follow(me.button("forget.button"))
    assert await me.read_heading() == me.say("receipt.title")
    assert await minji.gieok.accounts.device_names(minji.scope) == {}


@pytest.mark.req("A17", "D14")
async def test_a_device_that_waits_is_decided_about_from_the_page(
    me: Reader, minji: PagePerson
) -> None:
    await minji.waits("phone")
    await me.goto("/me/devices")
    assert me.say("devices.advice.needs_person") in await me.read()
    await me.follow(me.button("devices.resolve.discard"))
    assert await me.read_status() == me.say("done.saved")
    assert me.say("devices.decided.discard") in await me.read()
    (device,) = await minji.gieok.sync.devices(minji.scope)
    assert device.sides is not None
    assert device.sides.resolution is DeviceResolution.DISCARD


@pytest.mark.req("A17", "D14")
async def test_a_conflict_that_nobody_comes_back_from_is_over_from_the_page(
    me: Reader, minji: PagePerson
) -> None:
    await minji.forks("phone")
    await me.goto("/me/devices")
    await me.follow(me.button("devices.resolve.over"))
    assert await me.page.get_by_role("table").count() == 0
    (device,) = await minji.gieok.sync.devices(minji.scope)
    assert device.conflict is None


@pytest.mark.req("A17", "D14")
async def test_both_sides_of_a_conflict_are_seen(me: Reader, minji: PagePerson) -> None:
    await minji.forks("phone")
    await me.goto("/me/devices")
    turns = [me.say("devices.turns", count=count) for count in (1, 2)]
    row = me.page.get_by_role("row", name=turns[1])
    assert await row.locator("td").all_inner_texts() == turns
    assert me.say("devices.advice.fork") in await me.read()
    await me.follow(me.button("devices.revoke"))
    assert await me.read_status() == me.say("done.saved")
    assert await me.page.get_by_role("table").count() == 0
    (device,) = await minji.gieok.sync.devices(minji.scope)
    assert me.say(device.text_key) in await me.page.locator("ul.cards").inner_text()
