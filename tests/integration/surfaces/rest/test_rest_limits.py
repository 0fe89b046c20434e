"""How often one may call, and from which pages."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from gieok import Config, Gieok
from gieok.cache import LocalCache
from gieok.cache.buckets import MOST, TokenBuckets
from gieok.cache.circuit import CachePatience
from gieok.cache.redis import RedisCache
from gieok.kernel.clock import read_system_clock
from gieok.kernel.errors import ConfigurationError
from gieok.surfaces.rest import Edge, Tokens, create_app
from support.redis_server import PROGRAM, redis_server
from support.rest_people import HOUR, TRUST, serving

PATIENT = CachePatience(patience=5, rest=60)
LIST = "/api/v1/sessions"
PAGE = "https://app.example.com"
PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-encoding,content-type,"
    "idempotency-key,x-api-key,x-gieok-user",
}


class Ticks:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def called(
    gieok: Gieok, tokens: Tokens, edge: Edge
) -> AsyncGenerator[httpx.AsyncClient]:
    async with (
        serving(create_app(gieok, tokens, edge)) as url,
        httpx.AsyncClient(base_url=url, verify=TRUST) as http,
    ):
        yield http


def as_person(tokens: Tokens, name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {tokens.issue(name, HOUR)}"}


async def test_who_calls_too_often_is_told_when_to_come_back(
    gieok: Gieok, tokens: Tokens
) -> None:
    async with called(gieok, tokens, Edge(per_person=3)) as http:
        hasty = as_person(tokens, "hasty")
        answers = [await http.get(LIST, headers=hasty) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 20
        assert answers[-1].headers["x-content-type-options"] == "nosniff"
        assert answers[-1].json()["error"]["code"] == "rate_limited"
        told = await http.get("/api/v1/memory/list", headers=hasty)
        assert told.json()["error"] == "RATE_LIMITED"
        korean = {**hasty, "Accept-Language": "ko"}
        answer = await http.get(LIST, headers=korean)
        assert "요청이 너무 많습니다" in answer.json()["error"]["message"]
        other = await http.get(LIST, headers=as_person(tokens, "patient"))
        assert other.status_code == 200
        assert (await http.get("/health/live", headers=hasty)).status_code == 200


async def test_a_key_is_counted_whomever_it_acts_as(
    gieok: Gieok, tokens: Tokens
) -> None:
    keys = [(await gieok.access.create("app", ["read", "act_as"])) for _ in range(2)]
    async with called(gieok, tokens, Edge(per_person=1, per_key=3)) as http:

        async def status(key: int, person: str) -> int:
            headers = {"X-API-Key": keys[key].secret, "X-Gieok-User": person}
            return (await http.get(LIST, headers=headers)).status_code

        assert [await status(0, name) for name in "abca"] == [200, 200, 200, 429]
        assert await status(1, "a") == 200


async def test_what_is_refused_is_counted_too(gieok: Gieok, tokens: Tokens) -> None:
    key = await gieok.access.create("app", ["read", "act_as"])
    headers = {"X-API-Key": key.secret, "X-Gieok-User": "a"}
    async with called(gieok, tokens, Edge(per_key=2)) as http:
        answers = [await http.post(LIST, headers=headers) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [403, 403, 429]


async def test_no_limit_is_none(gieok: Gieok, tokens: Tokens) -> None:
    async with called(gieok, tokens, Edge()) as http:
        headers = as_person(tokens, "busy")
        assert {
            (await http.get(LIST, headers=headers)).status_code for _ in range(20)
        } == {200}


def test_a_bucket_fills_as_time_goes_by() -> None:
    ticks = Ticks()
    buckets = TokenBuckets(ticks)
    assert [buckets.take_token("a", 3) for _ in range(3)] == [0, 0, 0]
    assert buckets.take_token("a", 3) == pytest.approx(20)
    assert buckets.take_token("a", 3) == pytest.approx(20), "asking costs nothing"
    ticks.now += 20
    assert buckets.take_token("a", 3) == 0
    assert buckets.take_token("a", 3) == pytest.approx(20)
    ticks.now += 3_600
    assert [buckets.take_token("a", 3) for _ in range(4)] == [
        0,
        0,
        0,
        pytest.approx(20),
    ]
    assert buckets.take_token("b", 3) == 0


def test_buckets_are_bounded() -> None:
    buckets = TokenBuckets(Ticks())
    for number in range(MOST + 10):
        buckets.take_token(str(number), 1)
    assert len(vars(buckets)["_full_at"]) == MOST


async def test_a_cache_of_one_process_counts() -> None:
    cache = LocalCache()
    assert await cache.spend("a", 1) == 0
    assert 59 < await cache.spend("a", 1) <= 60


async def test_a_listed_page_may_call_and_no_other(
    gieok: Gieok, tokens: Tokens
) -> None:
    async with called(gieok, tokens, Edge(origins=(PAGE,))) as http:
        asked = {"Origin": PAGE, **PREFLIGHT}
        answer = await http.options(LIST, headers=asked)
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == PAGE
        assert "access-control-allow-credentials" not in answer.headers
        headers = {"Origin": PAGE, **as_person(tokens, "page")}
        answer = await http.get(LIST, headers=headers)
        assert answer.headers["access-control-allow-origin"] == PAGE
        refused = await http.get(LIST, headers={"Origin": PAGE})
        assert refused.status_code == 401
        assert refused.headers["access-control-allow-origin"] == PAGE
        for origin in ("https://evil.example", f"{PAGE}.evil.io", "null"):
            answer = await http.options(LIST, headers={**asked, "Origin": origin})
            assert "access-control-allow-origin" not in answer.headers
            answer = await http.get(LIST, headers={**headers, "Origin": origin})
            assert "access-control-allow-origin" not in answer.headers


@pytest.mark.skipif(PROGRAM is None, reason="redis-server is not installed")
async def test_processes_count_together_in_redis_and_alone_without(
    tmp_path: Path,
) -> None:
    with redis_server(tmp_path) as server:
        async with (
            RedisCache.connect(server.url, read_system_clock, PATIENT) as one,
            RedisCache.connect(server.url, read_system_clock, PATIENT) as two,
        ):
            assert [await one.spend("a", 2), await two.spend("a", 2)] == [0, 0]
            assert 29 < await one.spend("a", 2) <= 30
            assert 29 < await two.spend("a", 2) <= 30
            assert await two.spend("b", 2) == 0
            await one.put("c", b"nonsense", timedelta(minutes=1))
            assert await one.spend("c", 2) == 0
            server.kill()
            assert [await one.spend("a", 2) for _ in range(2)] == [0, 0]
            assert 29 < await one.spend("a", 2) <= 30


@pytest.mark.parametrize("value", ["*", "app.example.com", f"{PAGE}/", f"{PAGE}/x, *"])
def test_only_origins_can_be_listed(value: str) -> None:
    with pytest.raises(ConfigurationError, match="GIEOK_CORS_ORIGINS"):
        Config.from_environment({"GIEOK_CORS_ORIGINS": value})


def test_limits_and_pages_are_configured() -> None:
    config = Config.from_environment(
        {
            "GIEOK_PERSON_RATE": "60",
            "GIEOK_KEY_RATE": "0",
            "GIEOK_CORS_ORIGINS": f"{PAGE}, http://localhost:3000",
        }
    )
    assert (config.person_rate, config.key_rate) == (60, 0)
    assert config.cors_origins == (PAGE, "http://localhost:3000")
    defaults = Config.from_environment({})
    assert (defaults.person_rate, defaults.key_rate) == (600, 6_000)
    assert defaults.cors_origins == ()
