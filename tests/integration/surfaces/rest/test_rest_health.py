"""Health: alive as long as the process runs, ready as long as the database answers."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest

from gieok import Gieok
from gieok.database import Database
from gieok.kernel.errors import DatabaseUnavailableError
from gieok.surfaces.rest import Tokens, create_app
from support.rest_people import TRUST, serving


class Silent(Database):
    """A database that takes connections and never answers."""

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Any]:
        await asyncio.sleep(60)
        yield None


class Away(Database):
    """A database that is not there."""

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Any]:
        reason = "OperationalError"
        raise DatabaseUnavailableError(reason)
        yield None


def without(kind: type[Database], gieok: Gieok) -> Gieok:
    """Return gieok with another database behind its health."""
    away = replace(gieok.maintenance, database=kind.__new__(kind))
    return replace(gieok, maintenance=away)


async def test_a_process_that_runs_is_alive_and_ready(
    anyone: httpx.AsyncClient,
) -> None:
    for path in ("/health/live", "/health/ready"):
        answer = await anyone.get(path)
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize("kind", [Silent, Away])
async def test_without_a_database_it_is_alive_but_not_ready(
    gieok: Gieok, tokens: Tokens, kind: type[Database]
) -> None:
    app = create_app(without(kind, gieok), tokens)
    async with (
        serving(app) as url,
        httpx.AsyncClient(base_url=url, verify=TRUST) as http,
    ):
        assert (await http.get("/health/live")).status_code == 200
        started = time.monotonic()
        answer = await http.get("/health/ready")
        assert time.monotonic() - started < 3
    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert answer.json()["error"]["code"] == "database_unavailable"
    assert "postgres" not in answer.text.replace("PostgreSQL", "")
