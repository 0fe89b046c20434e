"""Every answer that holds something remembered leaves a record of it (D16)."""

import re

import pytest

from gieok.access import Right
from gieok.surfaces.rest.rights import NEEDED, SOCKET
from support.rest_people import Person, Script
from support.rest_things import BODIES, TAINT, owned_by

TOLD_BY = {
    "GET /api/v1/users/me/memories",
    "GET /api/v1/users/me/memories/{memory_id}",
    "GET /api/v1/users/me/profile",
    "GET /api/v1/users/me/memory-candidates",
    "GET /api/v1/users/me/export/{token}",
    "GET /api/v1/sessions/{session_id}",
    "GET /api/v1/sessions/{session_id}/summary",
    "GET /api/v1/memory/load",
    "GET /api/v1/memory/list",
    "GET /api/v1/memory/search",
    "POST /api/v1/recall",
    "POST /api/v1/context",
    "POST /api/v1/tutor",
}
"""At least these tell what was planted."""
ERASES = {"PUT /api/v1/users/me/profile"}
"""Answers with what it is given: what was planted is gone then."""


def _may_erase(needed: tuple[str, object]) -> bool:
    """Tell whether a route may erase, which takes an export that waits along."""
    return not needed[0].startswith("GET ")


async def records(minji: Person) -> int:
    lines = await minji.gieok.audit.lines(minji.scope, limit=10_000)
    return len([x for x in lines if x.event_type in {"access", "export"}])


@pytest.mark.req("D16")
async def test_every_answer_that_holds_something_remembered_leaves_a_record(
    minji: Person, script: Script
) -> None:
    owned = await owned_by(minji, script)
    told: set[str] = set()
    for route, needs in sorted(NEEDED.items(), key=_may_erase):
        method, path = route.split(" ")
        if Right.READ not in needs or method in {SOCKET, "HEAD"} or route in ERASES:
            continue
        before = await records(minji)
        answer = await minji.http.request(
            method,
            re.sub(r"\{\w+\}", owned.of(route), path),
            params={"query": "카나리아", "q": "카나리아", "personaId": "p"}
            if method == "GET"
            else None,
            json=BODIES.get(route),
        )
        if TAINT in answer.text:
            told.add(route)
            assert await records(minji) > before, route
    assert told >= TOLD_BY, TOLD_BY - told
