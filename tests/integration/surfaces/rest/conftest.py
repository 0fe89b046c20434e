"""A real server over a real PostgreSQL, for the tests of the REST surface."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from gieok import ALL_CATEGORIES, Config, Gieok, Parts, Settings, open_memory
from gieok.database.transaction import assert_no_open_transaction
from gieok.surfaces.rest import Tokens, create_app
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from support.database import spare_disk
from support.rest_people import (
    HOUR,
    SECRET,
    TRUST,
    NewPerson,
    Person,
    Script,
    StandIn,
    names,
    serving,
)
from support.rest_statements import Statements, counting


@pytest.fixture(scope="session")
def script() -> Script:
    return Script([])


@pytest.fixture(scope="session")
def clock() -> FixedClock:
    """The clock by which tokens expire."""
    return FixedClock()


@pytest.fixture(scope="session")
def tokens(clock: FixedClock) -> Tokens:
    return Tokens(SECRET, clock)


@pytest.fixture(scope="session")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gieok")


@pytest.fixture(scope="session")
async def gieok(directory: Path, script: Script) -> AsyncGenerator[Gieok]:
    config = Config(
        data=directory, defaults=Settings(allowed_categories=ALL_CATEGORIES)
    )
    parts = Parts(
        model=ScriptedModel(script, guard=assert_no_open_transaction),
        embedder=HashEmbedder(guard=assert_no_open_transaction),
        tokenizer=WordTokenizer(),
    )
    async with open_memory(config, parts=parts, worker=False) as opened:
        await spare_disk(directory / "pg")
        yield opened


@pytest.fixture(scope="session")
def app(gieok: Gieok, tokens: Tokens) -> FastAPI:
    return create_app(gieok, tokens)


@pytest.fixture(scope="session")
async def address(app: FastAPI) -> AsyncGenerator[str]:
    async with serving(app) as url:
        yield url


@pytest.fixture
def stand_in(app: FastAPI, gieok: Gieok) -> Iterator[StandIn]:
    """Has the server answer with another gieok until the test ends."""

    def put(other: Gieok) -> None:
        app.state.gieok = other

    yield put
    app.state.gieok = gieok


@pytest.fixture
async def anyone(address: str) -> AsyncGenerator[httpx.AsyncClient]:
    """A client without a token."""
    async with httpx.AsyncClient(base_url=address, verify=TRUST, timeout=60) as http:
        yield http


@pytest.fixture
def new_person(address: str, gieok: Gieok, tokens: Tokens) -> NewPerson:
    @asynccontextmanager
    async def make() -> AsyncGenerator[Person]:
        user_id = f"person-{next(names)}@example.com"
        headers = {"Authorization": f"Bearer {tokens.issue(user_id, HOUR)}"}
        async with httpx.AsyncClient(
            base_url=address, headers=headers, verify=TRUST, timeout=60
        ) as http:
            yield Person(user_id, http, gieok)

    return make


@pytest.fixture
async def minji(new_person: NewPerson) -> AsyncGenerator[Person]:
    async with new_person() as person:
        yield person


@pytest.fixture
async def other(new_person: NewPerson) -> AsyncGenerator[Person]:
    """Somebody else than `minji`."""
    async with new_person() as person:
        yield person


@pytest.fixture(scope="module")
async def statements(gieok: Gieok, directory: Path) -> AsyncGenerator[Statements]:
    """What the server runs, while a module's tests are on."""
    assert gieok.maintenance.database, "it has started the server"
    async with counting(directory / "pg") as counted:
        yield counted
