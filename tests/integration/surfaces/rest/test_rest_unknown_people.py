"""Who reads about somebody nobody knows leaves no key of theirs behind."""

from uuid import uuid4

import pytest

from gieok.surfaces.rest.rights import NEEDED, READ
from support.rest_people import Person

PLACES = {"device_id": "kitchen", "token": "x" * 43}
INSTALLATION = {"device_id": "kitchen", "incarnation": str(uuid4()), "epoch": "1"}
QUERIES = {
    "/api/v1/users/me/memories/sources": {"memory_id": str(uuid4())},
    "/api/v1/memory/search": {"q": "tea"},
    "/api/v1/memory/load": {"personaId": "amy"},
    "/api/v1/sync/pull": INSTALLATION | {"since": "0"},
    "/api/v1/sync/snapshot": INSTALLATION,
}
BODIES = {
    "/api/v1/recall": {"query": "tea"},
    "/api/v1/context": {"query": "tea"},
    "/api/v1/users/me/export": {},
}
READING = [
    route
    for route, needed in NEEDED.items()
    if needed == READ and route.split()[0] in {"GET", "POST"}
]


def fill(path: str) -> str:
    """Return an address with something in each of its places."""
    for name in [part[1:-1] for part in path.split("/") if part.startswith("{")]:
        path = path.replace(f"{{{name}}}", PLACES.get(name, str(uuid4())))
    return path


@pytest.mark.parametrize("route", READING)
async def test_reading_makes_no_key_for_somebody_unknown(
    minji: Person, route: str
) -> None:
    method, path = route.split()
    keystore = minji.gieok.maintenance.vault.keystore
    before = await keystore.list_people()
    answer = await minji.http.request(
        method, fill(path), params=QUERIES.get(path), json=BODIES.get(path)
    )
    assert answer.status_code != 422, answer.text
    assert answer.status_code < 500, answer.text
    assert await keystore.list_people() == before
