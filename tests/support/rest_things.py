"""One of everything for a person, to be looked for by somebody else."""

import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID, uuid4

import httpx

from gieok.kernel.language import Basis, Category, Finding, FindingOperation
from support.rest_people import TRUST, Person, Script

TAINT: Final = "카나리아 제비꽃"
"""In everything the victim has."""
_SAID: Final = [{"id": "m", "role": "user", "content": "안녕"}]
_TOLD: Final = {"sessionId": "s", "personaId": "p", "messages": _SAID}
_DEVICE: Final = {
    "device_id": "d",
    "incarnation": "1a7b0c52-7e0e-4d7c-9a55-0f4f7f3a2b11",
    "epoch": "0.0.0",
}
_FORGED: Final = {"seq": 0, "chain": "0" * 32}
_PAIR: Final = {
    "seq": 1,
    "pair_id": "5c1b2d6e-30a6-4a39-8e0b-6d2f6f2d9e10",
    "session": "s",
    "user_text": "안녕",
    "assistant_text": "네",
}
BODIES: Final[dict[str, Any]] = {
    "PATCH /api/v1/users/me": {"language": "ko"},
    "POST /api/v1/users/me/memories": {"content": "사용자는 벌을 키움"},
    "POST /api/v1/users/me/memories/forget": {"about": "my job"},
    "POST /api/v1/users/me/memories/rollback": {"since": "2020-01-01T00:00:00Z"},
    "PATCH /api/v1/users/me/memories/{memory_id}": {"delete_policy": "user_delete"},
    "PUT /api/v1/users/me/profile": {"occupation": "기획자"},
    "PATCH /api/v1/users/me/profile": {"interests": ["AI"]},
    "PATCH /api/v1/users/me/memory-settings": {"max_memories": 50},
    "PUT /api/v1/users/me/consents": {"sync": True},
    "PUT /api/v1/users/me/plan": {"plan": "free"},
    "POST /api/v1/sessions": {"persona": "p", "device": "d"},
    "POST /api/v1/sessions/{session_id}/turns": {
        "user_text": "안녕",
        "assistant_text": "네",
    },
    "POST /api/v1/sessions/{session_id}/messages": {"role": "user", "content": "안녕"},
    "POST /api/v1/users/me/devices": {"id": "d"},
    "POST /api/v1/users/me/devices/{device_id}/resolve": {"resolution": "send"},
    "POST /api/v1/sync/hello": {**_DEVICE, "up": _FORGED},
    "POST /api/v1/sync/push": {**_DEVICE, "base": _FORGED, "pairs": [_PAIR]},
    "POST /api/v1/sync/ack": {**_DEVICE, "down": 0},
    "POST /api/v1/a2a/requests": {"recognized_text": "안녕"},
    "POST /api/v1/a2a/results": {
        "request_id": "5c1b2d6e-30a6-4a39-8e0b-6d2f6f2d9e11",
        "session_id": "s",
        "recognized_text": "안녕",
        "assistant_text": "네",
    },
    "POST /api/v1/recall": {"query": "카나리아", "filters": {}},
    "POST /api/v1/context": {"query": "카나리아"},
    "POST /api/v1/tutor": {"action": "get_user_memory"},
    "POST /api/v1/chat/send": {
        "personaId": "p",
        "message": "안녕",
        "context": {"recentMessages": _SAID},
    },
    "POST /api/v1/chat/close": {"personaId": "p"},
    "POST /api/v1/agent/run": {"message": "안녕"},
    "POST /api/v1/agent/{session_id}/resume": {},
    "POST /api/v1/memory/summarize": _TOLD,
    "POST /api/v1/memory/create": {**_TOLD, "manualSummary": "벌 이야기"},
    "PATCH /api/v1/memory/{memory_id}": {"summary": "바뀐 것"},
}
"""A body that every route takes which takes one."""


@dataclass(frozen=True, slots=True)
class Owned:
    """Ids of what somebody has, by the first part of the address and its place."""

    memory: str
    candidate: str
    session: str
    episode: str
    export: str
    receipt: str
    device: str

    def of(self, route: str) -> str:
        if "{session_id}" in route:
            return self.session
        if "{candidate_id}" in route:
            return self.candidate
        if "{device_id}" in route:
            return self.device
        if "{token}" in route:
            return self.export
        if "{receipt_id}" in route:
            return self.receipt
        return self.memory if "users/me" in route else self.episode


def missing(thing: str) -> str:
    """Return an id that looks like one that is there."""
    try:
        UUID(thing)
    except ValueError:
        return secrets.token_urlsafe(len(thing) * 3 // 4)
    return str(uuid4())


async def owned_by(person: Person, script: Script, taint: str = TAINT) -> Owned:
    """Give a person one of everything, with the taint in it."""
    session = await person.talks()
    device = f"device {uuid4()}"
    await person.http.post("/api/v1/sessions", json={"device": device})
    turn = {"user_text": taint, "assistant_text": taint}
    await person.http.post(f"/api/v1/sessions/{session}/turns", json=turn)
    script.findings = [
        Finding(FindingOperation.ADD, taint, Category.HABIT, 0.7, Basis.OBSERVED, (0,))
    ]
    await person.gieok.settled(person.scope)
    found = await person.http.get("/api/v1/users/me/memory-candidates")
    kept = await person.http.post(
        "/api/v1/memory/create",
        json={
            "sessionId": "s",
            "personaId": "p",
            "messages": [{"role": "user", "content": taint}],
            "manualSummary": taint,
        },
    )
    gone = await person.http.delete(f"/api/v1/sessions/{await person.talks()}")
    assert gone.is_success
    me = "/api/v1/users/me"
    receipts = (await person.http.get(f"{me}/erasure-receipts")).json()["receipts"]
    export = (await person.http.post(f"{me}/export")).json()["path"]
    return Owned(
        export=export.rpartition("/")[2],
        receipt=receipts[0]["receipt_id"] if receipts else str(uuid4()),
        memory=await person.remembers(taint),
        candidate=found.json()["candidates"][0]["id"],
        session=session,
        episode=kept.json()["memory"]["id"],
        device=device,
    )


async def everything(person: Person) -> list[str]:
    """Return all that a person's lists tell."""
    lists = (
        "users/me/memories?include_inactive=true",
        "users/me/memory-candidates",
        "users/me/memory-settings",
        "sessions",
        "memory/list?includeArchived=true",
        "summaries/days",
    )
    return [(await person.http.get(f"/api/v1/{path}")).text for path in lists]


@asynccontextmanager
async def caller(address: str, token: str) -> AsyncGenerator[httpx.AsyncClient]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(
        base_url=address, headers=headers, verify=TRUST
    ) as http:
        yield http
