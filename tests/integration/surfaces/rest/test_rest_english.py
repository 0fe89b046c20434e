"""Somebody who speaks English and lives in New York, over HTTP, with the real model."""

import re
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from gieok import ALL_CATEGORIES, Config, Parts, Settings, open_memory
from gieok.surfaces.rest import Tokens, create_app
from gieok.testing import FixedClock
from support.rest_people import HOUR, SECRET, TRUST, Person, serving

ME = "/api/v1/users/me"
HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
EVENING = datetime(2026, 3, 3, 1, 30, tzinfo=UTC)
"""Half past eight in the evening of 2 March in New York, 3 March in Seoul."""


class Watched(httpx.AsyncClient):
    """A client that takes no answer with a Korean character in it."""

    async def request(self, *args: object, **kwargs: object) -> httpx.Response:
        answer = await super().request(*args, **kwargs)  # pyright: ignore[reportArgumentType]
        assert not HANGUL.search(answer.text), answer.text
        return answer


@pytest.fixture(scope="module")
def clock() -> FixedClock:
    return FixedClock(EVENING)


@pytest.fixture(scope="module")
async def ann(
    clock: FixedClock, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Person]:
    data: Path = tmp_path_factory.mktemp("english")
    config = Config(data=data, defaults=Settings(allowed_categories=ALL_CATEGORIES))
    async with open_memory(config, parts=Parts(clock=clock), worker=False) as gieok:
        tokens = Tokens(SECRET, clock)
        headers = {"Authorization": f"Bearer {tokens.issue('ann', 240 * HOUR)}"}
        async with (
            serving(create_app(gieok, tokens)) as url,
            Watched(base_url=url, headers=headers, verify=TRUST) as http,
        ):
            yield Person("ann", http, gieok)


async def talked(ann: Person) -> str:
    """Return the address of a conversation that has ended and been read."""
    session = (await ann.http.post("/api/v1/sessions", json={})).json()
    assert session["language"] == "en"
    path = f"/api/v1/sessions/{session['id']}"
    for said in (
        "I live in Brooklyn, near the park.",
        "I work as a nurse and I'm allergic to peanuts.",
        "I have a job interview at the hospital tomorrow and I'm really nervous.",
    ):
        turn = {"user_text": said, "assistant_text": "Got it."}
        assert (await ann.http.post(f"{path}/turns", json=turn)).status_code == 201
    await ann.http.post(f"{path}/close")
    await ann.gieok.settled(ann.scope)
    return path


async def check_the_day_after(ann: Person) -> None:
    (day,) = (await ann.http.get("/api/v1/summaries/days")).json()["summaries"]
    assert day["date_key"] == "2026-03-02", "the evening there, not the morning after"
    block = await ann.http.post("/api/v1/context", json={"query": "where do I live?"})
    assert "About the user" in block.text
    assert "2026-03-02" in block.text
    asked = {"query": "what did I say yesterday?"}
    assert (await ann.http.post("/api/v1/recall", json=asked)).json()["hits"]
    greeting = await ann.gieok.context.greeting(ann.scope, None)
    assert greeting
    assert greeting.text.startswith("Yesterday")


async def check_forgetting(ann: Person) -> None:
    wish = {"about": "forget where I live"}
    done = (await ann.http.post(f"{ME}/memories/forget", json=wish)).json()
    assert any("Brooklyn" in each for each in done["forgotten"])
    await ann.gieok.settled(ann.scope)
    assert (await ann.http.get(f"{ME}/erasure-receipts")).json()["receipts"]


@pytest.mark.req("A03", "B02", "D08")
async def test_an_english_speaker_in_new_york_never_meets_korean(
    ann: Person, clock: FixedClock
) -> None:
    http = ann.http
    change = {"language": "en", "time_zone": "America/New_York"}
    assert (await http.patch(ME, json=change)).json().items() >= change.items()
    session = await talked(ann)
    known = (await http.get(f"{ME}/memories")).json()["memories"]
    slots = {each["subcategory"]: each["content"] for each in known}
    assert "Brooklyn" in slots["home"]
    assert {each["source_type"] for each in known} == {"inferred"}
    for each in known:
        whole = (await http.get(f"{ME}/memories/{each['id']}")).json()
        assert whole["history"][0]["trigger"] == "rules_extraction"
    assert (await http.get(f"{session}/summary")).json()["summary"]["summary"]

    clock.advance(timedelta(days=1))
    await ann.gieok.settled(ann.scope)
    await check_the_day_after(ann)
    clock.advance(timedelta(days=7))
    await ann.gieok.settled(ann.scope)
    (week,) = (await http.get("/api/v1/summaries/weeks")).json()["summaries"]
    assert week["week_key"] == "2026-W10"
    await check_forgetting(ann)
    for wrong in (f"{ME}/memories/{known[0]['id'][::-1]}", f"{session}x"):
        assert (await http.get(wrong)).is_client_error
    assert (await http.patch(ME, json={"language": "fr"})).status_code == 422
