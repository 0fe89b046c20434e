"""Every id of every route, tried by somebody whose it is not: as if it were missing.

The matrix is generated from the table of rights, which `test_rest_access` holds against
the routes there are: an address that is new is in it, or fails there.
"""

import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

import httpx
import psycopg
import pytest
from fastapi import FastAPI
from rest_people import HOUR, SECRET, NewPerson, Person, Script
from rest_things import TAINT, Owned, caller, everything, missing, owned_by

from gieok import Gieok
from gieok.surfaces.rest import Tokens
from gieok.surfaces.rest.rights import NEEDED, SOCKET
from gieok.testing import FixedClock

BODIES: Final[dict[str, Any]] = {
    "POST /api/v1/sessions/{session_id}/turns": {
        "user_text": "안녕",
        "assistant_text": "네",
    },
    "POST /api/v1/sessions/{session_id}/messages": {"role": "user", "content": "안녕"},
    "POST /api/v1/agent/{session_id}/resume": {},
    "PATCH /api/v1/memory/{memory_id}": {"summary": "바뀐 것"},
}
MOST_SKIPPED = 2
"""Statements of a failing pipeline that may or may not have been sent."""
BY_ID: Final = sorted(
    route for route in NEEDED if "{" in route and not route.startswith(SOCKET)
)
IN_BODY: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "POST /api/v1/chat/send": ("sessionId", {"personaId": "p", "message": "안녕"}),
    "POST /api/v1/chat/close": ("sessionId", {"personaId": "p"}),
    "POST /api/v1/memory/summarize": ("sessionId", {"personaId": "p"}),
    "POST /api/v1/memory/create": ("sessionId", {"personaId": "p"}),
    "POST /api/v1/agent/run": ("session_id", {"message": "안녕"}),
}
"""Where a body names a session; one's own of that name is another one."""
MALFORMED: Final = ("x", "0", "a" * 300, "%00", "..%2f..", "'%20or%201=1", "%EC%A0%9C")
VARIES: Final = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)"
)


@dataclass(slots=True)
class Answered:
    """What somebody gets to see, and how much work it was."""

    status: int
    body: str
    headers: dict[str, str] = field(default_factory=dict)
    statements: tuple[str, ...] = ()

    def is_like(self, other: "Answered") -> bool:
        """Tell whether nobody can tell the two apart.

        Of a pipeline in which a statement failed, it is chance how many of the
        following ones were sent; the server ran none of them.
        """
        told = (self.status, self.body, self.headers)
        return (
            told == (other.status, other.body, other.headers)
            and bool(self.statements)
            and abs(len(self.statements) - len(other.statements)) <= MOST_SKIPPED
        )


@pytest.fixture(scope="module")
async def victim(address: str, gieok: Gieok, tokens: Tokens) -> AsyncGenerator[Person]:
    async with caller(address, tokens.issue("victim", HOUR)) as http:
        yield Person("victim", http, gieok)


@pytest.fixture(scope="module")
async def theirs(victim: Person, script: Script) -> Owned:
    return await owned_by(victim, script)


@pytest.fixture(scope="module")
async def intruder(
    address: str, gieok: Gieok, tokens: Tokens, script: Script
) -> AsyncGenerator[Person]:
    """Somebody who has one of everything too, so that nothing happens first."""
    async with caller(address, tokens.issue("intruder", HOUR)) as http:
        person = Person("intruder", http, gieok)
        await owned_by(person, script)
        yield person


@dataclass(slots=True)
class Statements:
    asked: list[str] = field(default_factory=list[str])


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Statements:
    """Count what PostgreSQL is asked: the timing of an answer, without a clock."""
    counted = Statements()
    real: Any = psycopg.AsyncCursor.execute

    async def execute(self: Any, query: Any, *given: Any, **options: Any) -> Any:
        text = query if isinstance(query, str) else bytes(query).decode()
        if text:  # the pool asks nothing to see whether a connection lives
            counted.asked.append(" ".join(text.split()))
        return await real(self, query, *given, **options)

    monkeypatch.setattr(psycopg.AsyncCursor, "execute", execute)
    return counted


async def asked(
    http: httpx.AsyncClient, route: str, thing: str, counted: Statements
) -> Answered:
    method, path = route.split()
    where = re.sub(r"\{\w+\}", thing, path)
    counted.asked.clear()
    answer = await http.request(method, where, json=BODIES.get(route))
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    return Answered(answer.status_code, answer.text, headers, tuple(counted.asked))


def test_every_route_with_a_body_is_given_one(app: FastAPI) -> None:
    described = app.openapi()["paths"]
    for route in BY_ID:
        method, path = route.split()
        has_body = "requestBody" in described[path][method.lower()]
        assert has_body == (route in BODIES), route


@pytest.mark.parametrize("role", ["user", "admin"])
@pytest.mark.parametrize("route", BY_ID)
async def test_what_is_somebody_elses_is_missing(
    route: str,
    role: str,
    intruder: Person,
    theirs: Owned,
    tokens: Tokens,
    statements: Statements,
) -> None:
    token = tokens.issue(intruder.user_id, HOUR, role)
    async with caller(str(intruder.http.base_url), token) as http:
        await asked(http, route, missing(theirs.of(route)), statements)
        none = await asked(http, route, missing(theirs.of(route)), statements)
        other = await asked(http, route, theirs.of(route), statements)
    assert none.status == 404
    assert other.is_like(none), (other, none)


@pytest.mark.parametrize(
    ("erase", "uses"),
    [
        ("users/me/memories/{}", [r for r in BY_ID if "users/me/memories" in r]),
        ("sessions/{}", [r for r in BY_ID if "{session_id}" in r]),
        ("memory/{}", [r for r in BY_ID if "/api/v1/memory/" in r]),
    ],
    ids=["memory", "session", "episode"],
)
async def test_what_was_erased_is_missing(
    erase: str,
    uses: list[str],
    minji: Person,
    script: Script,
    statements: Statements,
) -> None:
    own = await owned_by(minji, script)
    gone = await minji.http.delete(f"/api/v1/{erase.format(own.of(uses[0]))}")
    assert gone.is_success
    for route in uses:
        none = await asked(minji.http, route, str(uuid4()), statements)
        erased = await asked(minji.http, route, own.of(route), statements)
        assert erased.is_like(none), (erased, none)
        assert erased.status == 404, route


@pytest.mark.parametrize("route", BY_ID)
async def test_what_is_no_id_finds_nothing(
    route: str, intruder: Person, statements: Statements
) -> None:
    for thing in MALFORMED:
        answer = await asked(intruder.http, route, thing, statements)
        assert answer.status in {404, 405, 422}, thing
        assert TAINT not in answer.body


@pytest.mark.parametrize("route", sorted(set(BY_ID) | set(IN_BODY)))
async def test_without_a_valid_token_all_ids_look_the_same(
    route: str,
    address: str,
    theirs: Owned,
    tokens: Tokens,
    statements: Statements,
) -> None:
    earlier = Tokens(SECRET, FixedClock(tokens.clock() - timedelta(hours=2)))
    expired = earlier.issue("victim", HOUR)
    for token in ("", expired):
        async with caller(address, token) as http:
            answers = [
                await asked(http, route, thing, statements)
                for thing in (theirs.of(route), str(uuid4()), "x")
            ]
        assert answers[0] == answers[1] == answers[2]
        assert (answers[0].status, answers[0].statements) == (401, ())


@pytest.mark.parametrize("route", sorted(IN_BODY))
async def test_a_session_named_in_a_body_is_ones_own(
    route: str, new_person: NewPerson, theirs: Owned
) -> None:
    """Names of sessions are the caller's: another's UUID is as good as any."""
    method, path = route.split()
    name, body = IN_BODY[route]
    seen: list[tuple[int, str]] = []
    for session_id in (str(uuid4()), theirs.session):
        async with new_person() as person:
            answer = await person.http.request(
                method, path, json={**body, name: session_id}
            )
        assert TAINT not in answer.text
        assert answer.status_code < 500
        seen.append((answer.status_code, VARIES.sub("…", answer.text)))
    assert seen[0] == seen[1]


async def test_nothing_of_theirs_was_changed_or_seen(
    victim: Person, theirs: Owned, intruder: Person, statements: Statements
) -> None:
    before = await everything(victim)
    assert all(TAINT in told for told in (before[0], before[1], before[4]))
    for route in BY_ID:
        answer = await asked(intruder.http, route, theirs.of(route), statements)
        assert TAINT not in answer.body
    assert await everything(victim) == before
    for path in (f"users/me/memories/{theirs.memory}", f"sessions/{theirs.session}"):
        assert (await victim.http.get(f"/api/v1/{path}")).status_code == 200
