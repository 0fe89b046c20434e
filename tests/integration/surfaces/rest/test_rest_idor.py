"""Every id of every route, tried by somebody whose it is not: as if it were missing.

Which routes there are, and where they name things, is read from the description: what
is new is tried too, or fails here because nobody said what it names.
"""

import re
from collections.abc import AsyncGenerator, Iterator
from copy import deepcopy
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Any, Final, NamedTuple
from unittest.mock import MagicMock
from uuid import uuid4

import httpx
import pytest

from gieok import Gieok
from gieok.surfaces.rest import Tokens, create_app
from gieok.surfaces.rest.rights import NEEDED, READ, WRITE
from gieok.testing import FixedClock
from support.rest_people import HOUR, SECRET, TRUST, NewPerson, Person, Script
from support.rest_statements import Statements
from support.rest_things import BODIES, TAINT, Owned, everything, missing, owned_by

pytestmark = [pytest.mark.req("D12"), pytest.mark.slow]

DESCRIBED: Final = create_app(MagicMock(), Tokens(SECRET, FixedClock())).openapi()
NAMES_A_THING: Final = re.compile(r"(?i)(^|_)(id|ids|token|persona|device)$|Ids?$")
KINDS: Final = {
    "/api/v1/users/me/memories/{memory_id}": "memory",
    "/api/v1/users/me/memory-candidates/{candidate_id}": "candidate",
    "/api/v1/users/me/export/{token}": "export",
    "/api/v1/users/me/devices/{device_id}": "device",
    "/api/v1/users/me/devices/{device_id}/resolve": "device",
    "/api/v1/sync/revoke/{device_id}": "device",
    "/api/v1/users/me/erasure-receipts/{receipt_id}": "receipt",
    "/api/v1/sessions/{session_id}": "session",
    "/api/v1/agent/{session_id}": "session",
    "/api/v1/memory/{memory_id}": "episode",
}
"""What a path names, by how it begins."""
REFERENCES: Final = {
    "filters.session_id",
    "memory_id",
    "session_id",
    "voice_context.session_id",
    "memory_snapshot.profile_hints[].id",
}
LABELS: Final = {
    "user_id": "victim",
    "persona": "p",
    "personaId": "p",
    "device": "d",
    "sessionId": "s",
    "context.recentMessages[].id": "m",
    "messages[].id": "m",
    "device_id": "d",
    "incarnation": "1a7b0c52-7e0e-4d7c-9a55-0f4f7f3a2b11",
    "pairs[].pair_id": "5c1b2d6e-30a6-4a39-8e0b-6d2f6f2d9e10",
    "pairs[].persona": "p",
    "request_id": "5c1b2d6e-30a6-4a39-8e0b-6d2f6f2d9e11",
    "Idempotency-Key": "5c1b2d6e-30a6-4a39-8e0b-6d2f6f2d9e12",
    "voice_context.active_workflow_id": "5c1b2d6e-30a6-4a39-8e0b-6d2f6f2d9e13",
    "active_workflow_id": "5c1b2d6e-30a6-4a39-8e0b-6d2f6f2d9e14",
    "id": "5c1b2d6e-30a6-4a39-8e0b-6d2f6f2d9e15",
}
"""Names that an app gives, each person's apart; the victim's is known to everybody."""
MALFORMED: Final = ("x", "0", "a" * 300, "%00", "..%2f..", "'%20or%201=1", "%EC%A0%9C")
VARIES: Final = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|memory-[0-9a-f]{16}"
    r"|\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)"
    r"|eyJ[\w-]+\.[\w-]+\.[\w-]+"  # a token, for the caller's own device
)


class Position(NamedTuple):
    """A place in a request that names a thing."""

    route: str
    where: str
    name: str


def _schema(schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref", "")
    return DESCRIBED["components"]["schemas"].get(reference.split("/")[-1], schema)


def _properties(schema: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    schema = _schema(schema)
    for part in (*schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from _properties(part, before)
    if "items" in schema:
        yield from _properties(schema["items"], f"{before}[]")
    for name, found in schema.get("properties", {}).items():
        whole = f"{before}.{name}".lstrip(".")
        yield whole, found
        yield from _properties(found, whole)


def _is_id(name: str, schema: dict[str, Any]) -> bool:
    said = [schema, *schema.get("anyOf", ())]
    return any(each.get("format") == "uuid" for each in said) or bool(
        NAMES_A_THING.search(name.rpartition(".")[2])
    )


def positions() -> Iterator[Position]:
    """Yield every place in the description that names a thing."""
    for path, methods in DESCRIBED["paths"].items():
        for method, operation in methods.items():
            route = f"{method.upper()} {path}"
            for each in operation.get("parameters", ()):
                if each["in"] == "path" or _is_id(each["name"], each["schema"]):
                    yield Position(route, each["in"], each["name"])
            for body in operation.get("requestBody", {}).get("content", {}).values():
                for name, schema in dict(_properties(body["schema"])).items():
                    if _is_id(name, schema):
                        yield Position(route, "body", name)


POSITIONS: Final = tuple(positions())
BY_PATH: Final = [each.route for each in POSITIONS if each.where == "path"]
BY_NAME: Final = [each for each in POSITIONS if each.where != "path"]


def kind_of(route: str) -> str:
    """Return what the path of a route names; a route that is new has none yet."""
    path = route.partition(" ")[2]
    (kind,) = {KINDS[start] for start in KINDS if path.startswith(start)}
    return kind


@dataclass(frozen=True, slots=True)
class Answered:
    """What somebody gets to see, and what was done for it."""

    status: int
    body: str
    headers: tuple[tuple[str, str], ...]
    statements: tuple[str, ...]


async def asked(
    http: httpx.AsyncClient, route: str, thing: str, counted: Statements
) -> Answered:
    method, path = route.split()
    where = re.sub(r"\{\w+\}", thing, path)
    counted.forget()
    answer = await http.request(method, where, json=BODIES.get(route))
    assert TAINT not in answer.text + repr(answer.headers)
    headers = sorted(pair for pair in answer.headers.items() if pair[0] != "date")
    return Answered(answer.status_code, answer.text, tuple(headers), counted.run)


@dataclass(frozen=True, slots=True)
class Cast:
    """The people, what they have, and how the intruder may come in."""

    victim: Person
    theirs: Owned
    gone: Owned
    """What the intruder had before everything of theirs was erased."""
    credentials: dict[str, dict[str, str]]
    address: str

    def comes(self, credential: str) -> httpx.AsyncClient:
        headers = self.credentials[credential]
        return httpx.AsyncClient(base_url=self.address, headers=headers, verify=TRUST)


@pytest.fixture(scope="module")
async def people(
    address: str, gieok: Gieok, tokens: Tokens, script: Script
) -> AsyncGenerator[Cast]:
    def bearer(name: str, by: Tokens = tokens, role: str = "user") -> dict[str, str]:
        return {"Authorization": f"Bearer {by.issue(name, HOUR, role)}"}

    async def key(*rights: str) -> dict[str, str]:
        made = await gieok.access.create("another app", [*rights, "act_as"])
        return {"X-API-Key": made.secret, "X-Gieok-User": "intruder"}

    earlier = Tokens(SECRET, FixedClock(tokens.clock() - timedelta(hours=2)))
    credentials = {
        "nothing": {},
        "expired": bearer("victim", earlier),
        "person": bearer("intruder"),
        "stranger": bearer("never met"),
        "admin": bearer("intruder", role="admin"),
        "app": await key("read", "write"),
        "reader": await key("read"),
        "writer": await key("write"),
    }
    async with (
        httpx.AsyncClient(
            base_url=address, headers=bearer("victim"), verify=TRUST
        ) as of_victim,
        httpx.AsyncClient(
            base_url=address, headers=credentials["person"], verify=TRUST
        ) as of_intruder,
    ):
        victim = Person("victim", of_victim, gieok)
        intruder = Person("intruder", of_intruder, gieok)
        gone = await owned_by(intruder, script, "사라진 것")
        assert (await of_intruder.delete("/api/v1/users/me")).status_code == 204
        await owned_by(intruder, script, "자기 것")
        theirs = await owned_by(victim, script)
        used = await of_victim.post(
            f"/api/v1/sessions/{theirs.session}/turns",
            json={"user_text": TAINT, "assistant_text": TAINT},
            headers={"Idempotency-Key": LABELS["Idempotency-Key"]},
        )
        assert used.status_code == 201
        before = await everything(victim)
        assert all(TAINT in told for told in (before[0], before[1], before[4]))
        yield Cast(victim, theirs, gone, credentials, address)
        assert await everything(victim) == before, "nothing of theirs was changed"
        for route in BY_PATH:
            if route.startswith("GET") and not route.endswith("/state"):
                where = route.split()[1].replace("{", "{0.").replace("_id}", "}")
                where = re.sub(r"\{.*?\}", getattr(theirs, kind_of(route)), where)
                assert (await of_victim.get(where)).status_code == 200, where


def test_every_route_with_an_id_or_a_body_is_tried() -> None:
    bodies = {
        f"{method.upper()} {path}"
        for path, methods in DESCRIBED["paths"].items()
        for method, operation in methods.items()
        if "requestBody" in operation
    }
    assert bodies == set(BODIES)
    assert {kind_of(route) for route in BY_PATH} == {
        each.name for each in fields(Owned)
    }
    assert {each.name for each in BY_NAME} == REFERENCES | set(LABELS)
    assert {route for route in NEEDED if "{" in route} - set(BY_PATH) == {
        "WEBSOCKET /api/v1/sessions/{session_id}/events"  # see test_rest_events
    }


@pytest.mark.parametrize("credential", ["person", "stranger", "admin", "app"])
@pytest.mark.parametrize("route", BY_PATH)
async def test_what_is_somebody_elses_or_erased_is_missing(
    route: str, credential: str, people: Cast, statements: Statements
) -> None:
    kind = kind_of(route)
    theirs, gone = getattr(people.theirs, kind), getattr(people.gone, kind)
    async with people.comes(credential) as http:
        await asked(http, route, missing(theirs), statements)
        none = await asked(http, route, missing(theirs), statements)
        assert none.status == 404
        assert none.statements
        assert await asked(http, route, theirs, statements) == none
        if kind != "receipt":  # it stays, to prove what went
            assert await asked(http, route, gone, statements) == none


@pytest.mark.parametrize("route", BY_PATH)
async def test_what_is_no_id_finds_nothing(
    route: str, people: Cast, statements: Statements
) -> None:
    async with people.comes("person") as http:
        for thing in MALFORMED:
            answer = await asked(http, route, thing, statements)
            assert answer.status in {404, 405, 422}, thing


@pytest.mark.parametrize("credential", ["nothing", "expired", "reader", "writer"])
@pytest.mark.parametrize("route", BY_PATH)
async def test_who_may_not_ask_learns_nothing(
    route: str, credential: str, people: Cast, statements: Statements
) -> None:
    allows = {"reader": READ, "writer": WRITE}.get(credential)
    if allows and NEEDED[route] <= allows:
        pytest.skip("this key may ask")
    kind = kind_of(route)
    theirs, gone = getattr(people.theirs, kind), getattr(people.gone, kind)
    async with people.comes(credential) as http:
        await asked(http, route, theirs, statements)
        answers = {
            await asked(http, route, thing, statements)
            for thing in (theirs, gone, missing(theirs), "x")
        }
    (answer,) = answers
    assert answer.status == (403 if allows else 401)
    assert not [each for each in answer.statements if "app.user_id" in each]


@pytest.mark.parametrize("route", BY_PATH)
async def test_what_is_ones_own_is_found(
    route: str, new_person: NewPerson, script: Script
) -> None:
    """Or else the others would prove nothing."""
    method, path = route.split()
    async with new_person() as person:
        own = getattr(await owned_by(person, script, "자기 것"), kind_of(route))
        where = re.sub(r"\{\w+\}", own, path)
        answer = await person.http.request(method, where, json=BODIES.get(route))
    assert answer.status_code in {200, 201, 204, 409} or path.startswith(
        "/api/v1/agent/"  # nothing ran in it, which is answered like a missing one
    )


@pytest.mark.parametrize("position", BY_NAME, ids=" ".join)
async def test_a_name_in_a_body_or_query_is_ones_own(
    position: Position,
    people: Cast,
    new_person: NewPerson,
    statements: Statements,
) -> None:
    """Another's session, or a name another gave, is as good as any."""
    method, path = position.route.split()
    named = "memory" if position.name == "memory_id" else "session"
    theirs = getattr(people.theirs, named)
    known = [theirs, LABELS.get(position.name, theirs)]
    seen: set[tuple[Any, ...]] = set()
    for thing in (str(uuid4()), *known):
        async with new_person() as person:
            body = deepcopy(BODIES.get(position.route))
            query = {"q": "카나리아", "personaId": "x"} if body is None else {}
            headers = {position.name: thing} if position.where == "header" else {}
            if position.where == "query":
                query[position.name] = thing
            elif position.where == "body":
                _put(body, position.name, thing)
            where = await _reach(person.http, path)
            statements.forget()
            answer = await person.http.request(
                method, where, json=body, params=query, headers=headers
            )
        assert TAINT not in answer.text + repr(answer.headers)
        told = VARIES.sub("…", answer.text.replace(f'"{thing}"', '"…"'))
        seen.add((answer.status_code, told, statements.run))
    assert len(seen) == 1, seen


async def _reach(http: httpx.AsyncClient, path: str) -> str:
    """Return a path, of a session of one's own where it names one."""
    if "{session_id}" not in path:
        return path
    begun = await http.post("/api/v1/sessions", json={})
    return path.format(session_id=begun.json()["id"])


def _put(body: Any, name: str, thing: str) -> None:
    """Put a thing where a dotted name says."""
    first, _, rest = name.partition(".")
    if first.endswith("[]"):
        body = body.setdefault(first[:-2], [{}])[0]
        body[rest] = thing
    elif rest:
        _put(body.setdefault(first, {}), rest, thing)
    else:
        body[first] = thing
