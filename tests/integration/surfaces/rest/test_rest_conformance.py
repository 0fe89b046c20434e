"""`gieok.conformance` finds nothing at our server, and each planted fault."""

import asyncio
import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from gieok.conformance import CHECKS, CheckOutcome, ConformanceResult, run_checks
from gieok.kernel.scope import Actor
from gieok.surfaces.rest import Tokens
from support.rest_people import HOUR, Person

pytestmark = pytest.mark.req("A16", "A17")

Answer = tuple[int, dict[str, Any]]
Lie = Callable[["LyingTransport", httpx.Request, int, dict[str, Any]], Answer]


@dataclass
class LyingTransport(httpx.BaseTransport):
    """The way to a server that does what it should not: it tells lies."""

    lie: Lie
    inner: httpx.HTTPTransport = field(default_factory=httpx.HTTPTransport)
    seen: list[str] = field(default_factory=list)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        sent = request.read().decode("utf-8", "replace")
        answer = self.inner.handle_request(request)
        body = json.loads(answer.read() or b"{}")
        status, body = self.lie(self, request, answer.status_code, body)
        self.seen.append(sent)
        return httpx.Response(status, json=body, headers={"retry-after": "0"})

    def close(self) -> None:
        self.inner.close()


def is_call(request: httpx.Request, name: str) -> bool:
    return request.url.path.endswith(f"/{name}")


def accept(status: int, call: str = "push") -> Lie:
    """Say that all is well where it is refused."""

    def lie(
        _: LyingTransport, request: httpx.Request, found: int, body: dict[str, Any]
    ) -> Answer:
        is_met = found == status and is_call(request, call)
        return (200, {}) if is_met else (found, body)

    return lie


def change(call: str, name: str, value: Callable[[Any], Any], nth: int = 0) -> Lie:
    """Spoil a field of an answer, from the nth time on that it is given."""
    count = iter(range(1_000))

    def lie(
        _: LyingTransport, request: httpx.Request, found: int, body: dict[str, Any]
    ) -> Answer:
        if found == 200 and is_call(request, call) and next(count) >= nth:
            body = body | {name: value(body[name])}
        return found, body

    return lie


def break_down(
    _: LyingTransport, __: httpx.Request, found: int, body: dict[str, Any]
) -> Answer:
    """Break down over whatever is not in order."""
    return (500 if found in {413, 422} else found), body


def keep_refused(
    told: LyingTransport, request: httpx.Request, found: int, body: dict[str, Any]
) -> Answer:
    """Show in the snapshot what was refused."""
    if is_call(request, "snapshot") and "items" in body:
        for sent in told.seen:
            if "몰래" in sent and sent.startswith("{"):
                pair = json.loads(sent)["pairs"][0]["pair_id"]
                extra = {"entity": "conversation_pair", "id": pair, "item": {"x": 1}}
                body["items"] = [*body["items"], extra]
    return found, body


def move_on(up: dict[str, Any]) -> dict[str, Any]:
    return up | {"seq": up["seq"] + 1}


FAULTS: list[tuple[str, Lie]] = [
    ("join", change("hello", "up", move_on)),
    ("join", change("hello", "actions", lambda _: [])),
    ("join", change("hello", "head", str)),
    ("push", change("push", "up", lambda up: up | {"chain": "0" * 32})),
    ("repeat", change("push", "rejected", lambda _: [], nth=1)),
    ("repeat", change("snapshot", "items", lambda items: items * 2)),
    ("rejection", change("push", "rejected", lambda _: [])),
    ("rejection", change("snapshot", "items", lambda _: [])),
    ("overlap", change("push", "up", lambda up: up | {"seq": 1})),
    ("lost_answer", change("hello", "up", lambda up: up | {"seq": 0})),
    ("second_device", change("pull", "changes", lambda _: [])),
    ("second_device", change("pull", "since", lambda n: n + 1)),
    ("second_device", change("pull", "to", lambda n: n - 10**6)),
    ("second_device", change("snapshot", "items", lambda _: [])),
    ("second_device", change("snapshot", "seq", lambda n: n + 1, nth=1)),
    ("ack", change("ack", "last_cloud_update_seq", lambda _: 0)),
    ("reinstall", change("snapshot", "items", lambda items: items * 2)),
    ("compression", change("push", "up", lambda up: up | {"seq": 0})),
    ("full_push", accept(422)),
    ("no_token", accept(401)),
    ("forged_token", accept(401)),
    ("versions", accept(426, "hello")),
    ("wrong_epoch", accept(409)),
    ("wrong_epoch", accept(409, "pull")),
    ("unknown_incarnation", accept(409, "snapshot")),
    ("other_person", accept(409, "pull")),
    ("gap", accept(409)),
    ("fork", accept(409)),
    ("fork", accept(409, "hello")),
    ("numbers", accept(422)),
    ("numbers", accept(422, "ack")),
    ("numbers", accept(422, "pull")),
    ("numbers_ahead", accept(409, "ack")),
    ("chains", accept(422)),
    ("ids", accept(422, "hello")),
    ("pages", accept(422, "snapshot")),
    ("shapes", accept(422)),
    ("bytes", accept(422)),
    ("many_pairs", accept(422)),
    ("large_turn", accept(413)),
    ("gzip_bomb", accept(413)),
    ("gzip", accept(422)),
    ("cut_body", change("hello", "up", move_on, nth=1)),
    ("refused_pairs", keep_refused),
    *[(name, break_down) for name in ("numbers", "ids", "shapes", "bytes", "gzip")],
]


@pytest.fixture
def check(
    minji: Person, other: Person, address: str, tokens: Tokens
) -> Callable[..., Any]:
    """Runs checks of our server, over a transport that may lie."""
    token, theirs = (
        tokens.issue(each.user_id, HOUR, Actor.DEVICE) for each in (minji, other)
    )

    async def run(
        checks: Collection[str] = CHECKS, lie: Lie | None = None
    ) -> list[ConformanceResult]:
        transport = LyingTransport(lie) if lie else None
        return await asyncio.to_thread(
            lambda: list(
                run_checks(
                    address,
                    token,
                    checks=checks,
                    other_token=theirs,
                    transport=transport,
                )
            )
        )

    return run


@pytest.mark.slow
async def test_our_server_passes(check: Callable[..., Any]) -> None:
    results = await check()
    assert tuple(each.name for each in results) == CHECKS
    faults = [each for each in results if each.outcome is not CheckOutcome.PASSED]
    assert [(each.name, each.detail) for each in faults] == []


@pytest.mark.parametrize(
    ("name", "lie"), FAULTS, ids=[f"{n}-{name}" for n, (name, _) in enumerate(FAULTS)]
)
async def test_a_planted_fault_is_found(
    name: str, lie: Lie, check: Callable[..., Any]
) -> None:
    wanted = {name, "gap"} if name == "refused_pairs" else {name}
    results = await check(wanted, lie)
    (result,) = (each for each in results if each.name == name)
    assert result.outcome is CheckOutcome.FAULT, result
    assert result.detail


def test_no_check_is_without_a_planted_fault() -> None:
    assert {name for name, _ in FAULTS} == {*CHECKS}
