"""Who cannot say who they are may not go on trying."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from gieok import Config, Gieok
from gieok.cache import LocalCache
from gieok.kernel.errors import ConfigurationError
from gieok.surfaces.cli.server import create_server
from gieok.surfaces.rest import Edge, Tokens, create_app
from gieok.surfaces.rest.errors import RateLimitedError
from gieok.surfaces.rest.limits import MAX_KNOWN, StrangerLimits, derive_network
from support.rest_people import HOUR, TRUST, running
from support.session_talk import with_parts
from support.sockets import read_close_code

LIST = "/api/v1/sessions"


class Ticks:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def guarded(gieok: Gieok, tokens: Tokens, most: int) -> FastAPI:
    """Return an app with buckets of its own."""
    sessions = with_parts(gieok.sessions, cache=LocalCache())
    return create_app(replace(gieok, sessions=sessions), tokens, Edge(per_address=most))


@asynccontextmanager
async def called(
    gieok: Gieok, tokens: Tokens, most: int, trusted: tuple[str, ...] = ()
) -> AsyncGenerator[httpx.AsyncClient]:
    async with (
        running(create_server(guarded(gieok, tokens, most), trusted)) as url,
        httpx.AsyncClient(base_url=url, verify=TRUST) as http,
    ):
        yield http


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_too_many_without_valid_credentials_have_to_wait(
    gieok: Gieok, tokens: Tokens
) -> None:
    async with called(gieok, tokens, 3) as http:
        wrong: list[dict[str, str]] = [
            {},
            bearer("gk_" + "x" * 43),
            bearer("a.b.c"),
            {"X-API-Key": "gk_guess"},
            bearer("another.guess."),
        ]
        answers = [await http.get(LIST, headers=headers) for headers in wrong]
        assert [each.status_code for each in answers] == [401, 401, 401, 429, 429]
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 20
        assert answers[-1].headers["x-content-type-options"] == "nosniff"
        assert answers[-1].json()["error"]["code"] == "rate_limited"
        told = await http.get("/api/v1/memory/list")
        assert told.json()["error"] == "RATE_LIMITED"
        assert (await http.get("/nowhere")).status_code == 429
        assert (await http.get("/health/live")).status_code == 200


async def test_guessing_gets_no_further_and_locks_nobody_out(
    gieok: Gieok, tokens: Tokens
) -> None:
    key = await gieok.access.create("app", ["read", "act_as"])
    right = {"X-API-Key": key.secret, "X-Gieok-User": "a"}
    used = await gieok.access.create("used", ["read", "act_as"])
    known, new = bearer(tokens.issue("known", HOUR)), bearer(tokens.issue("new", HOUR))
    async with called(gieok, tokens, 2) as http:
        for person in ("a", "b"):
            acting = {"X-API-Key": used.secret, "X-Gieok-User": person}
            assert (await http.get(LIST, headers=acting)).status_code == 200
        assert (await http.get(LIST, headers=known)).status_code == 200
        wrong = [(await http.get(LIST)).status_code for _ in range(3)]
        assert wrong == [401, 401, 429]
        for guessed in (right, new):
            assert (await http.get(LIST, headers=guessed)).status_code == 429
        met = {"X-API-Key": used.secret, "X-Gieok-User": "c"}
        for welcome in (known, met):
            assert (await http.get(LIST, headers=welcome)).status_code == 200


async def test_a_proxy_is_believed_only_if_it_is_trusted(
    gieok: Gieok, tokens: Tokens
) -> None:
    def of(number: int) -> dict[str, str]:
        return {"X-Forwarded-For": f"203.0.113.{number}"}

    async with called(gieok, tokens, 1) as http:
        seen = [(await http.get(LIST, headers=of(n))).status_code for n in range(3)]
        assert seen == [401, 429, 429]
    async with called(gieok, tokens, 1, ("10.0.0.0/8", "127.0.0.1/32")) as http:
        seen = [(await http.get(LIST, headers=of(n))).status_code for n in range(3)]
        assert seen == [401, 401, 401]
        forged = {"X-Forwarded-For": "198.51.100.7, 203.0.113.1"}
        assert (await http.get(LIST, headers=forged)).status_code == 429


async def test_a_socket_counts_too(gieok: Gieok, tokens: Tokens) -> None:
    app = guarded(gieok, tokens, 2)
    good: dict[str, Any] = bearer(tokens.issue("a", HOUR))
    assert await read_close_code(app, good) == 4404
    codes = [await read_close_code(app, bearer("wrong")) for _ in range(3)]
    assert codes == [4401, 4401, 4429]
    assert await read_close_code(app, good) == 4404


async def test_no_limit_is_none(gieok: Gieok, tokens: Tokens) -> None:
    async with called(gieok, tokens, 0) as http:
        seen = {(await http.get(LIST)).status_code for _ in range(20)}
    assert seen == {401}


async def test_an_address_may_try_again_after_a_while() -> None:
    ticks = Ticks()
    strangers = StrangerLimits(LocalCache(), 1, ticks)
    await strangers.count_failure("a")
    with pytest.raises(RateLimitedError):
        await strangers.count_failure("a")
    with pytest.raises(RateLimitedError):
        strangers.check_address("a", b"guess")
    strangers.check_address("b", b"guess")
    ticks.now += 61
    strangers.check_address("a", b"guess")


async def test_what_is_remembered_is_bounded() -> None:
    strangers = StrangerLimits(LocalCache(), 1)
    for number in range(MAX_KNOWN + 5):
        strangers.record_success(str(number).encode())
    assert len(vars(strangers)["_good"]) == MAX_KNOWN


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "unknown"),
        ("x\r\ny", "unknown"),
    ],
)
def test_an_ipv6_network_is_one_address(host: str, counted: str) -> None:
    assert derive_network(host) == counted


def test_strangers_and_proxies_are_configured() -> None:
    config = Config.from_environment(
        {
            "GIEOK_ADDRESS_RATE": "5",
            "GIEOK_TRUSTED_PROXIES": "10.0.0.0/8, 127.0.0.1, ::1",
        }
    )
    assert config.address_rate == 5
    assert config.trusted_proxies == ("10.0.0.0/8", "127.0.0.1/32", "::1/128")
    defaults = Config.from_environment({})
    assert (defaults.address_rate, defaults.trusted_proxies) == (60, ())
    for wrong in ("*", "proxy.internal", "10.0.0.1/8"):
        with pytest.raises(ConfigurationError, match="GIEOK_TRUSTED_PROXIES"):
            Config.from_environment({"GIEOK_TRUSTED_PROXIES": wrong})
