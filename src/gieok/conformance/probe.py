"""A device of which every word on the wire can be chosen."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast
from uuid import UUID

import httpx

from gieok.conformance.model import CheckFailedError
from gieok.kernel.chain import Position, advance_chain, hash_words, start_chain

PATH: Final = "/api/v1/sync/"
MAX_ITEMS: Final = 1_000_000
_TRIES: Final = 5
_OK: Final = 200
_TOO_MANY: Final = 429
_LONGEST_WAIT_S: Final = 60.0

Content = bytes | Iterable[bytes]


@dataclass(slots=True)
class Wire:
    """Calls a server; waits where there were too many requests."""

    http: httpx.Client
    wait: Callable[[float], None] = time.sleep

    def send_json(self, call: str, body: object) -> httpx.Response:
        """Return the answer to a JSON body."""
        return self._send("POST", call, json=body)

    def send_body(
        self, call: str, content: Content, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """Return the answer to a body as it is given."""
        kind = {"content-type": "application/json"}
        return self._send(
            "POST", call, content=content, headers=kind | {**(headers or {})}
        )

    def fetch(self, call: str, query: Mapping[str, object]) -> httpx.Response:
        """Return the answer to a query."""
        params = {
            name: str(value) for name, value in query.items() if value is not None
        }
        return self._send("GET", call, params=params)

    def _send(self, method: str, call: str, **options: Any) -> httpx.Response:
        for _ in range(_TRIES):
            answer = self.http.request(method, PATH + call, **options)
            if answer.status_code != _TOO_MANY:
                return answer
            after = float(answer.headers.get("retry-after", 1))
            self.wait(min(after, _LONGEST_WAIT_S))
        reason = "429 again and again"
        raise CheckFailedError(reason)


@dataclass(slots=True)
class ProbeDevice:
    """One installation: what it says, and where it stands by its own count."""

    wire: Wire
    name: str
    incarnation: UUID
    new_id: Callable[[], UUID]
    epoch: str | None = None
    down: int = 0
    encodings: tuple[str, ...] = ()
    pairs: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    positions: list[Position] = field(default_factory=list[Position])

    def __post_init__(self) -> None:
        """Stand at the beginning of the chain."""
        self.positions.append(start_chain(self.incarnation))

    @property
    def identity(self) -> dict[str, Any]:
        """Who asks, as push, pull, snapshot and ack spell it."""
        incarnation = str(self.incarnation)
        return {"device_id": self.name, "incarnation": incarnation, "epoch": self.epoch}

    def build_hello(self, up: int = -1, **changes: object) -> dict[str, Any]:
        """Return the body of a hello at one of its positions, the last by default."""
        at = encode_position(self.positions[up])
        return {**self.identity, "up": at, "down": self.down, "proto": 1, **changes}

    def build_push(
        self, after: int, pairs: Sequence[object] | None = None, **changes: object
    ) -> dict[str, Any]:
        """Return the body of a push after one of its positions."""
        sent = self.pairs[after:] if pairs is None else pairs
        at = encode_position(self.positions[after])
        return {**self.identity, "base": at, "pairs": sent, **changes}

    def build_pair(self, text: str = "불 켜줘", **changes: object) -> dict[str, Any]:
        """Return a pair under the next number, without saying it."""
        return {
            "seq": len(self.pairs) + 1,
            "pair_id": str(self.new_id()),
            "session": f"check-{self.incarnation.hex[-12:]}",
            "user_text": text,
            "assistant_text": "켰어요",
            **changes,
        }

    def record(self, text: str = "불 켜줘", **changes: object) -> dict[str, Any]:
        """Return a pair that it says from now on."""
        pair = self.build_pair(text, **changes)
        texts = (pair["session"], pair["user_text"], pair["assistant_text"])
        last = self.positions[-1]
        following = advance_chain(last, UUID(pair["pair_id"]), hash_words(*texts))
        self.pairs.append(pair)
        self.positions.append(following)
        return pair

    def join(self) -> dict[str, Any]:
        """Say hello, adopt the epoch, and return the greeting."""
        greeting = read_answer(self.wire.send_json("hello", self.build_hello()))
        self.epoch = require_field(greeting, "epoch", str)
        limits = require_field(greeting, "limits", dict)
        self.encodings = tuple(cast("list[str]", limits.get("encodings") or []))
        return greeting

    def send_pairs(self, after: int) -> dict[str, Any]:
        """Send what it said after a position, and return the answer."""
        return read_answer(self.wire.send_json("push", self.build_push(after)))

    def read_snapshot(self, limit: int = 500) -> list[dict[str, Any]]:
        """Return the items of all pages, and stand where the snapshot says."""
        items: list[dict[str, Any]] = []
        numbers: set[int] = set()
        page: str | None = None
        while len(items) < MAX_ITEMS:
            query = {**self.identity, "limit": limit, "page": page}
            part = read_answer(self.wire.fetch("snapshot", query))
            require(part.get("epoch") == self.epoch, "a page is of another epoch")
            numbers.add(require_field(part, "seq", int))
            items += require_field(part, "items", list)
            page = part.get("next_page")
            if page is None:
                break
        require(len(numbers) == 1, f"the pages name different seq: {sorted(numbers)}")
        self.down = numbers.pop()
        return items

    def fetch_changes(self, limit: int = 500) -> list[dict[str, Any]]:
        """Return all changes after where it stands, and stand at the last one."""
        changes: list[dict[str, Any]] = []
        while len(changes) < MAX_ITEMS:
            query = {**self.identity, "since": self.down, "limit": limit}
            page = read_answer(self.wire.fetch("pull", query))
            since, to, head = (
                int(require_field(page, name, int)) for name in ("since", "to", "head")
            )
            require(since == self.down, f"since is {since}, asked was {self.down}")
            require(since <= to <= head, f"to is {to} after {since}, head is {head}")
            changes += require_field(page, "changes", list)
            has_moved, self.down = to != self.down, to
            require(
                has_moved or to == head, "a page brings nothing, and is not the last"
            )
            if to == head:
                require(page.get("more") is False, "more is not false at the head")
                break
        return changes


def encode_position(position: Position) -> dict[str, Any]:
    """Return a position as it goes over the wire."""
    return {"seq": position.seq, "chain": position.chain.hex()}


def require(holds: bool, otherwise: str) -> None:  # noqa: FBT001 - reads as a sentence
    """Fail the check unless something holds."""
    if not holds:
        raise CheckFailedError(otherwise)


def require_field(body: Mapping[str, Any], name: str, kind: type[Any]) -> Any:
    """Return a field of an answer, which must be there and of a type."""
    found = body.get(name)
    require(type(found) is kind, f"{name} is not {kind.__name__}: {found!r}"[:200])
    return found


def read_answer(answer: httpx.Response) -> dict[str, Any]:
    """Return the body of an answer that must be 200."""
    require(answer.status_code == _OK, f"200 expected: {describe(answer)}")
    body = decode_body(answer)
    require(body is not None, "the answer is no JSON object")
    return body or {}


def require_refusal(answer: httpx.Response, status: int, code: str = "") -> None:
    """Fail unless an answer refuses, with this status and code."""
    expected = f"{status} {code}".strip()
    is_so = answer.status_code == status and (not code or read_code(answer) == code)
    require(is_so, f"{expected} expected: {describe(answer)}")


def require_client_error(answer: httpx.Response) -> None:
    """Fail unless an answer blames the request."""
    is_so = 400 <= answer.status_code < 500  # noqa: PLR2004 - the class of a status
    require(is_so, f"4xx expected: {describe(answer)}")


def describe(answer: httpx.Response) -> str:
    """Return status and code of an answer."""
    return f"{answer.status_code} {read_code(answer)}".strip()


def read_code(answer: httpx.Response) -> str:
    """Return the code of an error; empty if there is none."""
    error: Any = (decode_body(answer) or {}).get("error")
    if not isinstance(error, dict):
        return ""
    return str(cast("dict[str, Any]", error).get("code", ""))


def decode_body(answer: httpx.Response) -> dict[str, Any] | None:
    """Return an answer's JSON object; None if it is none."""
    try:
        body = answer.json()
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", body) if isinstance(body, dict) else None
