"""An app makes a link to a person's pages, and takes it back."""

import httpx
import pytest

from gieok.kernel.scope import Actor
from gieok.surfaces.rest import Tokens
from support.rest_people import HOUR, Person

pytestmark = pytest.mark.req("D14")
LINKS = "/api/v1/pages/links"


async def test_a_link_is_a_path_that_ends(minji: Person) -> None:
    answer = await minji.http.post(LINKS)
    assert answer.status_code == 201
    link = answer.json()
    assert link["path"].startswith("/me/open/")
    opened = await minji.gieok.sign_ins.open(link["path"].rpartition("/")[2])
    assert opened.scope == minji.scope


async def test_revoking_ends_links_and_sign_ins(minji: Person) -> None:
    made = [(await minji.http.post(LINKS)).json()["path"] for _ in range(2)]
    secret = made[0].rpartition("/")[2]
    opened = await minji.gieok.sign_ins.open(secret)
    answer = await minji.http.delete("/api/v1/pages/sign-ins")
    assert answer.status_code == 204
    assert await minji.gieok.sign_ins.list(minji.scope) == []
    assert not await minji.gieok.sign_ins.has_link(made[1].rpartition("/")[2])
    assert opened.sign_in.expires_at - opened.sign_in.created_at > 11 * HOUR


async def test_one_persons_revoking_leaves_the_others_signed_in(
    minji: Person, other: Person
) -> None:
    link = (await other.http.post(LINKS)).json()["path"].rpartition("/")[2]
    await minji.http.delete("/api/v1/pages/sign-ins")
    assert await other.gieok.sign_ins.has_link(link)


async def test_a_device_gets_no_link(
    anyone: httpx.AsyncClient, tokens: Tokens, minji: Person
) -> None:
    token = tokens.issue(minji.user_id, HOUR, Actor.DEVICE)
    headers = {"Authorization": f"Bearer {token}"}
    assert (await anyone.post(LINKS, headers=headers)).status_code == 403


async def test_without_pages_nothing_is_there(anyone: httpx.AsyncClient) -> None:
    assert (await anyone.get("/me/")).status_code == 404
