"""Nobody gets in without a token, and nobody into someone else's memory."""

import base64
import json
import re
from collections.abc import Callable
from datetime import timedelta

import httpx
import jwt
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from gieok.surfaces.rest import Tokens
from gieok.surfaces.rest.rights import NEEDED, SOCKET, find_needed_rights
from gieok.testing import FixedClock
from support.rest_people import HOUR, SECRET, Person

PUBLIC = {"GET /health/live", "GET /health/ready"}
PERSONAL = {
    "GET /api/v1/users/me/memories",
    "POST /api/v1/users/me/memories",
    "DELETE /api/v1/users/me/memories",
    "POST /api/v1/users/me/memories/forget",
    "POST /api/v1/users/me/memories/rollback",
    "GET /api/v1/users/me/memories/sources",
    "GET /api/v1/users/me/memories/updates",
    "GET /api/v1/users/me/memories/{memory_id}",
    "PATCH /api/v1/users/me/memories/{memory_id}",
    "DELETE /api/v1/users/me/memories/{memory_id}",
    "PUT /api/v1/users/me/memories/{memory_id}/pin",
    "DELETE /api/v1/users/me/memories/{memory_id}/pin",
    "POST /api/v1/users/me/memories/{memory_id}/deactivate",
    "POST /api/v1/users/me/memories/{memory_id}/reactivate",
    "GET /api/v1/users/me/profile",
    "PUT /api/v1/users/me/profile",
    "PATCH /api/v1/users/me/profile",
    "DELETE /api/v1/users/me/profile",
    "GET /api/v1/users/me/memory-candidates",
    "POST /api/v1/users/me/memory-candidates/{candidate_id}/confirm",
    "POST /api/v1/users/me/memory-candidates/{candidate_id}/reject",
    "GET /api/v1/users/me/memory-settings",
    "PATCH /api/v1/users/me/memory-settings",
    "GET /api/v1/users/me/memory-usage",
    "GET /api/v1/users/me/consents",
    "PUT /api/v1/users/me/consents",
    "GET /api/v1/users/me",
    "PATCH /api/v1/users/me",
    "DELETE /api/v1/users/me",
    "GET /api/v1/users/me/audit",
    "GET /api/v1/users/me/devices",
    "POST /api/v1/users/me/devices",
    "DELETE /api/v1/users/me/devices/{device_id}",
    "POST /api/v1/users/me/devices/{device_id}/resolve",
    "GET /api/v1/users/me/plan",
    "PUT /api/v1/users/me/plan",
    "POST /api/v1/users/me/export",
    "GET /api/v1/users/me/export/{token}",
    "GET /api/v1/users/me/erasure-receipts",
    "GET /api/v1/users/me/erasure-receipts/{receipt_id}",
    "GET /api/v1/users/me/erasure-receipts/{receipt_id}/devices",
    "POST /api/v1/sessions",
    "GET /api/v1/sessions",
    "GET /api/v1/sessions/{session_id}",
    "DELETE /api/v1/sessions/{session_id}",
    "POST /api/v1/sessions/{session_id}/pause",
    "POST /api/v1/sessions/{session_id}/resume",
    "POST /api/v1/agent/run",
    "POST /api/v1/agent/{session_id}/resume",
    "GET /api/v1/agent/{session_id}/state",
    "POST /api/v1/sessions/{session_id}/turns",
    "POST /api/v1/sessions/{session_id}/messages",
    "POST /api/v1/sessions/{session_id}/close",
    "GET /api/v1/sessions/{session_id}/reading",
    "GET /api/v1/sessions/{session_id}/summary",
    "GET /api/v1/summaries/days",
    "GET /api/v1/summaries/weeks",
    "POST /api/v1/a2a/requests",
    "POST /api/v1/a2a/results",
    "POST /api/v1/sync/hello",
    "POST /api/v1/sync/push",
    "GET /api/v1/sync/pull",
    "GET /api/v1/sync/snapshot",
    "POST /api/v1/sync/ack",
    "POST /api/v1/sync/revoke/{device_id}",
    "POST /api/v1/recall",
    "POST /api/v1/context",
    "POST /api/v1/tutor",
    "POST /api/v1/pages/links",
    "DELETE /api/v1/pages/sign-ins",
}
PERSONA = {
    "POST /api/v1/chat/send",
    "POST /api/v1/chat/close",
    "POST /api/v1/memory/summarize",
    "POST /api/v1/memory/create",
    "GET /api/v1/memory/load",
    "GET /api/v1/memory/list",
    "GET /api/v1/memory/search",
    "PATCH /api/v1/memory/{memory_id}",
    "DELETE /api/v1/memory/{memory_id}",
    "POST /api/v1/memory/{memory_id}/archive",
    "POST /api/v1/memory/{memory_id}/restore",
}
"""Those whose errors are written as the persona document has them."""
OTHER = {"GET /openapi.json", "HEAD /openapi.json"}
NOBODYS = "018f0000-0000-7000-8000-000000000000"
LISTED = sorted(PERSONAL | PERSONA | OTHER)


def routes(app: FastAPI) -> set[str]:
    return {
        f"{method} {(route.path or '').replace(':path}', '}')}"
        for route in iter_route_contexts(app.routes)
        for method in route.methods or ()
    }


def wrong_signature(tokens: Tokens) -> str:
    return Tokens(b"another secret that has 32 bytes", tokens.clock).issue("a", HOUR)


def no_algorithm(tokens: Tokens) -> str:
    claims = jwt.decode(tokens.issue("a", HOUR), options={"verify_signature": False})
    head, body = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()
        for part in ({"alg": "none", "typ": "JWT"}, claims)
    )
    return f"{head}.{body}."


def expired(tokens: Tokens) -> str:
    earlier = FixedClock(tokens.clock() - timedelta(hours=2))
    return Tokens(SECRET, earlier).issue("a", HOUR)


def test_every_route_is_listed_here(app: FastAPI) -> None:
    assert routes(app) == PUBLIC | PERSONAL | PERSONA | OTHER


def test_every_route_but_health_asks_for_rights(app: FastAPI) -> None:
    sockets = {
        f"{SOCKET} {route.path}"
        for route in iter_route_contexts(app.routes)
        if not route.methods
    }
    assert set(NEEDED) == (routes(app) - PUBLIC) | sockets
    for route, rights in NEEDED.items():
        method, path = route.split()
        assert rights, route
        assert (
            find_needed_rights(method, path.replace("{", "").replace("}", "")) == rights
        )


@pytest.mark.parametrize("route", LISTED)
async def test_every_route_but_health_needs_a_token(
    anyone: httpx.AsyncClient, route: str
) -> None:
    method, path = route.split()
    where = re.sub(r"\{\w+\}", "x", path)
    answer = await anyone.request(method, where, content=b"{ not JSON")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith('Bearer realm="gieok"')
    if method != "HEAD":
        error = answer.json()["error"]
        code = error if route in PERSONA else error["code"]
        assert code == ("UNAUTHORIZED" if route in PERSONA else "unauthenticated")


@pytest.mark.parametrize("make", [wrong_signature, no_algorithm, expired])
@pytest.mark.parametrize("route", LISTED)
async def test_no_route_takes_a_bad_token(
    anyone: httpx.AsyncClient, tokens: Tokens, route: str, make: Callable[..., str]
) -> None:
    method, path = route.split()
    where = re.sub(r"\{\w+\}", NOBODYS, path)
    headers = {"Authorization": f"Bearer {make(tokens)}"}
    answer = await anyone.request(method, where, headers=headers)
    assert answer.status_code == 401


@pytest.mark.parametrize(
    "authorization",
    [b"", b"Bearer", b"Basic bWluamk6eA==", b"bearer  x y", "민지".encode()],
    ids=repr,
)
async def test_what_is_no_bearer_token_is_refused(
    anyone: httpx.AsyncClient, authorization: bytes
) -> None:
    headers = {b"Authorization": authorization}
    answer = await anyone.get("/api/v1/sessions", headers=headers)
    assert answer.status_code == 401


async def test_the_scheme_is_read_without_regard_to_case(
    anyone: httpx.AsyncClient, tokens: Tokens
) -> None:
    headers = {"Authorization": f"bEARER {tokens.issue('someone', HOUR)}"}
    answer = await anyone.get("/api/v1/sessions", headers=headers)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/nowhere", "/redoc", "/health", "/health/live/"]
)
async def test_unknown_addresses_need_a_token_too(
    anyone: httpx.AsyncClient, minji: Person, path: str
) -> None:
    assert (await anyone.get(path)).status_code == 401
    known = await minji.http.get(path)
    assert (known.status_code, known.json()["error"]["code"]) == (404, "no_such_route")


async def test_a_token_in_the_address_is_no_token(
    anyone: httpx.AsyncClient, tokens: Tokens
) -> None:
    token = tokens.issue("someone", HOUR)
    for name in ("token", "access_token", "authorization"):
        answer = await anyone.get("/api/v1/sessions", params={name: token})
        assert answer.status_code == 401


async def test_no_other_origin_is_invited(minji: Person) -> None:
    headers = {
        "Origin": "https://elsewhere.example",
        "Access-Control-Request-Method": "GET",
    }
    for method in ("OPTIONS", "GET"):
        answer = await minji.http.request(method, "/api/v1/sessions", headers=headers)
        assert not [
            name for name in answer.headers if name.startswith("access-control")
        ]


@pytest.mark.parametrize("path", ["/api/v1/sessions", "/health/live", "/nowhere"])
async def test_every_answer_has_the_security_headers(
    minji: Person, anyone: httpx.AsyncClient, path: str
) -> None:
    for http in (minji.http, anyone):
        headers = (await http.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert headers["referrer-policy"] == "no-referrer"


async def test_the_same_person_written_in_nfd_is_the_same_person(
    anyone: httpx.AsyncClient, tokens: Tokens
) -> None:
    """macOS writes Hangul decomposed; it must not open another memory."""
    sessions: list[object] = []
    for user_id in ("민지-nfd", "\u1106\u1175\u11ab\u110c\u1175-nfd"):
        headers = {"Authorization": f"Bearer {tokens.issue(user_id, HOUR)}"}
        await anyone.post("/api/v1/sessions", headers=headers)
        found = await anyone.get("/api/v1/sessions", headers=headers)
        sessions.append(len(found.json()["sessions"]))
    assert sessions == [1, 2]
