"""Two servers on one database serve a person alternately (E20)."""

from collections.abc import AsyncGenerator

import httpx
import pytest

from gieok import Config, Gieok
from gieok.surfaces.rest import Tokens, create_app
from gieok.testing import FixedClock
from support.own_installation import open_scripted
from support.rest_people import HOUR, SECRET, TRUST, Person, names, serving
from support.scripted_model import Script

MEMORIES = "/api/v1/users/me/memories"
SETTINGS = "/api/v1/users/me/memory-settings"


def open_client(url: str, headers: dict[str, str]) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=url, headers=headers, verify=TRUST, timeout=60)


@pytest.fixture
async def twice(
    memory: Gieok, config: Config, clock: FixedClock, script: Script
) -> AsyncGenerator[tuple[Person, Person]]:
    """One person, at two servers that share nothing but the database."""
    tokens = Tokens(SECRET, clock)
    user_id = f"person-{next(names)}@example.com"
    headers = {"Authorization": f"Bearer {tokens.issue(user_id, HOUR)}"}
    async with (
        open_scripted(config, clock, script) as second,
        serving(create_app(memory, tokens)) as here,
        serving(create_app(second, tokens)) as there,
        open_client(here, headers) as left,
        open_client(there, headers) as right,
    ):
        yield Person(user_id, left, memory), Person(user_id, right, second)


@pytest.mark.req("E20")
async def test_a_conversation_goes_on_at_another_server(
    twice: tuple[Person, Person],
) -> None:
    session_id = await twice[0].talks()
    for number in range(6):
        at = twice[number % 2].http
        turn = {"user_text": f"말 {number}", "assistant_text": f"답 {number}"}
        answer = await at.post(f"/api/v1/sessions/{session_id}/turns", json=turn)
        assert answer.status_code == 201, answer.text
    for person in twice:
        read = await person.http.get(f"/api/v1/sessions/{session_id}")
        said = [each["content"] for each in read.json()["messages"]]
        assert said == [f"{who} {n}" for n in range(6) for who in ("말", "답")]


@pytest.mark.req("E20")
async def test_what_one_server_changes_another_shows_at_once(
    twice: tuple[Person, Person],
) -> None:
    left, right = twice
    for person in twice:  # each has the empty list at hand now
        assert (await person.http.get(MEMORIES)).json()["total"] == 0
    known = await left.remembers("강남구에 산다", "location")
    assert (await right.http.get(MEMORIES)).json()["memories"][0]["id"] == known
    change = {"content": "마포구에 산다"}
    now = (await right.http.patch(f"{MEMORIES}/{known}", json=change)).json()["id"]
    (shown,) = (await left.http.get(MEMORIES)).json()["memories"]
    assert (shown["id"], shown["content"]) == (now, "마포구에 산다")
    assert (await left.http.delete(f"{MEMORIES}/{now}")).status_code == 204
    assert (await right.http.get(MEMORIES)).json()["total"] == 0
    await left.http.patch(SETTINGS, json={"is_enabled": False})
    refused = await right.http.post(MEMORIES, json={"content": "고양이를 키운다"})
    assert refused.status_code == 403
