"""Recorded exchanges of sync: written with placeholders, and played again."""

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx

CHOSEN = {
    "epoch": "epoch",
    "session_id": "session",
    "cursor_id": "cursor",
    "next_page": "page",
}
"""What a server chooses by itself, and what stands for it in a recording."""
ANYTHING = {"message": "{text}", "server_ms": "{number}", "field": "{field}"}
"""What differs between servers and times, and nobody goes by."""


def count_ids(start: int) -> Callable[[], UUID]:
    """Return what gives ids in order."""
    numbers = itertools.count(start * 1_000_000 + 1)
    return lambda: UUID(int=next(numbers))


@dataclass
class RecordingTransport(httpx.BaseTransport):
    """The way to a server, and what went over it."""

    exchanges: list[dict[str, Any]] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    inner: httpx.HTTPTransport = field(default_factory=httpx.HTTPTransport)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        sent = request.read()
        answer = self.inner.handle_request(request)
        content = answer.read()
        path = request.url.path
        if path.startswith("/api/v1/sync/"):
            asked: dict[str, Any] = {"method": request.method, "path": path}
            if request.method == "GET":
                asked["query"] = self._replace(dict(request.url.params))
            else:
                asked["body"] = self._replace(json.loads(sent))
            heard = {"status": answer.status_code, "body": json.loads(content)}
            heard["body"] = self._write(heard["body"])
            self.exchanges.append({"request": asked, "response": heard})
        return httpx.Response(answer.status_code, content=content)

    def close(self) -> None:
        self.inner.close()

    def _replace(self, part: Any) -> Any:
        """Return a part with placeholders for what the server has chosen before."""
        return substitute(part, self.names)

    def _write(self, part: Any, key: str = "") -> Any:
        """Return a part with placeholders for what the server chose."""
        if isinstance(part, dict):
            if part.get("entity") == "session":
                self._name(part["id"], "session")
            return {name: self._write(each, name) for name, each in part.items()}
        if isinstance(part, list):
            return [self._write(each, key) for each in part]
        if key in ANYTHING:
            return ANYTHING[key]
        return self._write_text(part, key) if isinstance(part, str) else part

    def _write_text(self, part: str, key: str) -> str:
        if key.endswith(("_at", "_until")):
            return "{time}"
        if key in CHOSEN:
            self._name(part, CHOSEN[key])
        return self.names.get(part, part)

    def _name(self, value: str, kind: str) -> None:
        if value not in self.names:
            count = sum(name.startswith("{" + kind) for name in self.names.values())
            self.names[value] = "{" + f"{kind}:{count + 1}" + "}"


def play(http: httpx.Client, exchanges: list[dict[str, Any]]) -> list[str]:
    """Send what was recorded, and return where an answer is another one."""
    bound: dict[str, str] = {}
    faults: list[str] = []
    for number, exchange in enumerate(exchanges, 1):
        asked, expected = exchange["request"], exchange["response"]
        answer = http.request(
            asked["method"],
            asked["path"],
            params=substitute(asked.get("query"), bound),
            json=substitute(asked.get("body"), bound),
        )
        heard = {"status": answer.status_code, "body": answer.json()}
        faults += compare(expected, heard, bound, f"{number}")
    return faults


def substitute(part: Any, bound: dict[str, str]) -> Any:
    """Return a part with what the server chose in place of its placeholders."""
    if isinstance(part, dict):
        return {name: substitute(each, bound) for name, each in part.items()}
    if isinstance(part, list):
        return [substitute(each, bound) for each in part]
    return bound.get(part, part) if isinstance(part, str) else part


def compare(expected: Any, found: Any, bound: dict[str, str], at: str) -> list[str]:
    """Return where something is not what is expected; placeholders are bound."""
    if isinstance(expected, str) and expected.startswith("{"):
        if ":" not in expected:
            return []
        known = bound.setdefault(expected, found)
        return [] if known == found else [f"{at}: {found!r} is not {known!r}"]
    if isinstance(expected, dict) and isinstance(found, dict):
        faults = [f"{at}.{name} is missing" for name in expected.keys() - found.keys()]
        for name in expected.keys() & found.keys():
            faults += compare(expected[name], found[name], bound, f"{at}.{name}")
        return faults
    if isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            return [f"{at} has {len(found)} entries, not {len(expected)}"]
        pairs = enumerate(zip(expected, found, strict=True))
        return [
            fault
            for place, (one, other) in pairs
            for fault in compare(one, other, bound, f"{at}[{place}]")
        ]
    return [] if expected == found else [f"{at}: {found!r} is not {expected!r}"]
