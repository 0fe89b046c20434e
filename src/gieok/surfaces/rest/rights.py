"""Which rights every address asks for: what is not listed here is open to nobody."""

import re
from collections.abc import Mapping
from typing import Final

from gieok.access import Right
from gieok.text.patterns import compile_lazily

READ: Final = frozenset({Right.READ})
WRITE: Final = frozenset({Right.WRITE})
ADMIN: Final = frozenset({Right.ADMIN})
BOTH: Final = READ | WRITE
"""For what changes something and answers with what was known before: chat, the card."""
OWN: Final = BOTH
"""What the token of a person gives: everything that is theirs."""
SOCKET: Final = "WEBSOCKET"

_ME: Final = "/api/v1/users/me"
_SESSIONS: Final = "/api/v1/sessions"
_ONE: Final = f"{_SESSIONS}/{{session_id}}"
_MEMORY: Final = "/api/v1/memory"
NEEDED: Final[Mapping[str, frozenset[Right]]] = {
    "GET /openapi.json": READ,
    "HEAD /openapi.json": READ,
    f"GET {_ME}/memories": READ,
    f"POST {_ME}/memories": BOTH,
    f"DELETE {_ME}/memories": WRITE,
    f"POST {_ME}/memories/rollback": WRITE,
    f"GET {_ME}/memories/sources": READ,
    f"GET {_ME}/memories/updates": READ,
    f"PUT {_ME}/memories/{{memory_id}}/pin": BOTH,
    f"DELETE {_ME}/memories/{{memory_id}}/pin": WRITE,
    f"POST {_ME}/memories/forget": BOTH,
    f"GET {_ME}/memories/{{memory_id}}": READ,
    f"PATCH {_ME}/memories/{{memory_id}}": BOTH,
    f"DELETE {_ME}/memories/{{memory_id}}": WRITE,
    f"POST {_ME}/memories/{{memory_id}}/deactivate": WRITE,
    f"POST {_ME}/memories/{{memory_id}}/reactivate": BOTH,
    f"GET {_ME}/profile": READ,
    f"PUT {_ME}/profile": BOTH,
    f"PATCH {_ME}/profile": BOTH,
    f"DELETE {_ME}/profile": WRITE,
    f"GET {_ME}/memory-candidates": READ,
    f"POST {_ME}/memory-candidates/{{candidate_id}}/confirm": BOTH,
    f"POST {_ME}/memory-candidates/{{candidate_id}}/reject": WRITE,
    f"GET {_ME}/memory-settings": READ,
    f"PATCH {_ME}/memory-settings": WRITE,
    f"GET {_ME}/memory-usage": READ,
    f"GET {_ME}/consents": READ,
    f"PUT {_ME}/consents": WRITE,
    f"GET {_ME}": READ,
    f"PATCH {_ME}": WRITE,
    f"DELETE {_ME}": WRITE,
    f"GET {_ME}/audit": READ,
    f"GET {_ME}/devices": READ,
    f"POST {_ME}/devices": BOTH,
    f"POST {_ME}/devices/{{device_id}}/resolve": WRITE,
    f"DELETE {_ME}/devices/{{device_id}}": WRITE,
    f"GET {_ME}/plan": READ,
    f"PUT {_ME}/plan": ADMIN,
    f"POST {_ME}/export": READ,
    f"GET {_ME}/export/{{token}}": READ,
    f"GET {_ME}/erasure-receipts": READ,
    f"GET {_ME}/erasure-receipts/{{receipt_id}}": READ,
    f"GET {_ME}/erasure-receipts/{{receipt_id}}/devices": READ,
    f"POST {_SESSIONS}": WRITE,
    f"GET {_SESSIONS}": READ,
    f"GET {_ONE}": READ,
    f"DELETE {_ONE}": WRITE,
    f"POST {_ONE}/turns": WRITE,
    f"POST {_ONE}/messages": WRITE,
    f"POST {_ONE}/pause": WRITE,
    f"POST {_ONE}/resume": WRITE,
    f"POST {_ONE}/close": WRITE,
    f"GET {_ONE}/reading": READ,
    f"GET {_ONE}/summary": READ,
    f"{SOCKET} {_ONE}/events": READ,
    "GET /api/v1/summaries/days": READ,
    "GET /api/v1/summaries/weeks": READ,
    "POST /api/v1/a2a/requests": BOTH,
    "POST /api/v1/a2a/results": WRITE,
    "POST /api/v1/sync/hello": BOTH,
    "POST /api/v1/sync/push": WRITE,
    "GET /api/v1/sync/pull": READ,
    "GET /api/v1/sync/snapshot": READ,
    "POST /api/v1/sync/ack": BOTH,
    "POST /api/v1/sync/revoke/{device_id}": WRITE,
    "POST /api/v1/pages/links": BOTH,
    "DELETE /api/v1/pages/sign-ins": WRITE,
    "POST /api/v1/tutor": BOTH,
    "POST /api/v1/recall": READ,
    "POST /api/v1/context": READ,
    "POST /api/v1/chat/send": BOTH,
    "POST /api/v1/chat/close": WRITE,
    "POST /api/v1/agent/run": BOTH,
    "POST /api/v1/agent/{session_id}/resume": BOTH,
    "GET /api/v1/agent/{session_id}/state": READ,
    f"POST {_MEMORY}/summarize": BOTH,
    f"POST {_MEMORY}/create": BOTH,
    f"GET {_MEMORY}/load": READ,
    f"GET {_MEMORY}/list": READ,
    f"GET {_MEMORY}/search": READ,
    f"PATCH {_MEMORY}/{{memory_id}}": BOTH,
    f"DELETE {_MEMORY}/{{memory_id}}": WRITE,
    f"POST {_MEMORY}/{{memory_id}}/archive": WRITE,
    f"POST {_MEMORY}/{{memory_id}}/restore": BOTH,
}
_MAY_HOLD_SLASHES: Final = frozenset({"device_id"})
"""Ids that an app gives as it likes."""


def _build_pattern(route: str) -> re.Pattern[str]:
    """Return what matches the requests of a route that names things."""
    parts = re.split(r"\{(\w+)\}", route)
    for at, part in enumerate(parts):
        named = ".+" if part in _MAY_HOLD_SLASHES else "[^/]+"
        parts[at] = named if at % 2 else re.escape(part)
    return compile_lazily("".join(parts))


_PATTERNS: Final = tuple(
    (route, _build_pattern(route)) for route in NEEDED if "{" in route
)
FOR_NOBODY: Final = frozenset(
    {
        f"POST {_SESSIONS}",
        f"GET {_ONE}",
        f"DELETE {_ONE}",
        f"POST {_ONE}/turns",
        f"POST {_ONE}/messages",
        f"POST {_ONE}/pause",
        f"POST {_ONE}/resume",
        f"POST {_ONE}/close",
    }
)
"""What an app may ask without naming a person: an anonymous session, and nothing that
reads or writes anybody's memory (B02)."""

FOR_DEVICES: Final = frozenset(
    {
        "POST /api/v1/a2a/requests",
        "POST /api/v1/a2a/results",
        "POST /api/v1/sync/hello",
        "POST /api/v1/sync/push",
        "GET /api/v1/sync/pull",
        "GET /api/v1/sync/snapshot",
        "POST /api/v1/sync/ack",
    }
)
"""What the token of a device opens; one that is stolen reads nothing else."""


def find_needed_rights(method: str, path: str) -> frozenset[Right] | None:
    """Return the rights that a request needs; None where no address is listed."""
    return NEEDED.get(_match_route(method, path))


def is_for_nobody(method: str, path: str) -> bool:
    """Tell whether a request may be about nobody."""
    return _match_route(method, path) in FOR_NOBODY


def is_for_devices(method: str, path: str) -> bool:
    """Tell whether a device may ask this."""
    return _match_route(method, path) in FOR_DEVICES


def _match_route(method: str, path: str) -> str:
    """Return the listed address of a request; itself where there is none."""
    request = f"{method} {path}"
    if request in NEEDED:
        return request
    fits = (route for route, pattern in _PATTERNS if pattern.fullmatch(request))
    return next(fits, request)
