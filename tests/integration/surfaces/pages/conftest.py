"""A real server, a real PostgreSQL and a real browser, for the tests of the pages."""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from playwright.async_api import Browser, BrowserContext, Page
from psycopg.conninfo import make_conninfo

from gieok import ALL_CATEGORIES, Config, Gieok, Parts, Settings, open_memory
from gieok.bootstrap import DATABASE
from gieok.database.embedded import run_embedded_postgres
from gieok.database.migrate import SCHEMA, build_database_url
from gieok.database.transaction import assert_no_open_transaction
from gieok.surfaces.pages import add_pages
from gieok.surfaces.rest import Tokens, create_app
from gieok.surfaces.rest.app import Edge
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from support.browser import CHROMIUM, Look, Reports, open_window, run_chromium
from support.database import Owner, spare_disk
from support.page_operators import Operator
from support.page_people import PagePerson
from support.page_reader import WAYS, Reader, Way
from support.rest_people import SECRET, TRUST, Script, names, serving


@pytest.fixture(scope="session")
def script() -> Script:
    return Script([])


@pytest.fixture(scope="session")
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture(scope="session")
def tokens(clock: FixedClock) -> Tokens:
    return Tokens(SECRET, clock)


@pytest.fixture(scope="session")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gieok")


@pytest.fixture(scope="session")
async def gieok(
    directory: Path, script: Script, clock: FixedClock
) -> AsyncGenerator[Gieok]:
    config = Config(
        data=directory,
        language="en",
        defaults=Settings(allowed_categories=ALL_CATEGORIES),
    )
    parts = Parts(
        clock=clock,
        model=ScriptedModel(script, guard=assert_no_open_transaction),
        embedder=HashEmbedder(guard=assert_no_open_transaction),
        tokenizer=WordTokenizer(),
    )
    async with open_memory(config, parts=parts, worker=False) as opened:
        await spare_disk(directory / "pg")
        yield opened


@pytest.fixture
async def owner(gieok: Gieok, directory: Path) -> AsyncGenerator[Owner]:
    """A connection that may do what no part of the product may."""
    assert gieok.maintenance.database, "it has made the database"
    async with run_embedded_postgres(directory / "pg") as server:
        address = build_database_url(server, DATABASE)
        schema = make_conninfo(address, options=f"-c search_path={SCHEMA}")
        async with await Owner.connect(schema, autocommit=True) as connection:
            yield connection


@pytest.fixture(scope="session")
def app(gieok: Gieok, tokens: Tokens, directory: Path) -> FastAPI:
    app = create_app(gieok, tokens)
    add_pages(app, Edge(data=directory))
    return app


@pytest.fixture(scope="session")
async def address(app: FastAPI) -> AsyncGenerator[str]:
    async with serving(app) as url:
        yield url


@pytest.fixture(scope="session")
async def browser() -> AsyncGenerator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium; `.ci/run` installs it")
    async with run_chromium() as running:
        yield running


@pytest.fixture
async def http(address: str) -> AsyncGenerator[httpx.AsyncClient]:
    """A client that is no browser."""
    async with httpx.AsyncClient(base_url=address, verify=TRUST) as client:
        yield client


@pytest.fixture
def reports() -> Iterator[Reports]:
    """What the browser complained of in a test: nothing, or the test fails."""
    found = Reports()
    yield found
    assert found.console == []
    assert found.strangers == []


@pytest.fixture
def minji(gieok: Gieok, script: Script) -> PagePerson:
    return PagePerson(f"person-{next(names)}@example.com", gieok, script)


@pytest.fixture
def other(gieok: Gieok, script: Script) -> PagePerson:
    """Somebody else than `minji`."""
    return PagePerson(f"person-{next(names)}@example.com", gieok, script)


@pytest.fixture
def operator(gieok: Gieok) -> Operator:
    return Operator(gieok)


NewWindow = Callable[..., AbstractAsyncContextManager[BrowserContext]]


@pytest.fixture
def window(browser: Browser, address: str, reports: Reports) -> NewWindow:
    """Opens a window, with what `open_window` takes by name."""
    return partial(open_window, browser, address, reports)


@pytest.fixture
async def page(window: NewWindow, minji: PagePerson) -> AsyncGenerator[Page]:
    """Minji's browser, signed in and past the consent screen."""
    await minji.consents()
    async with window() as context:
        shown = await context.new_page()
        await minji.signs_in(shown)
        yield shown


@pytest.fixture(params=WAYS, ids=str)
async def newcomer(
    request: pytest.FixtureRequest, window: NewWindow, minji: PagePerson
) -> AsyncGenerator[Reader]:
    """Minji at her browser, signed in for the first time."""
    way: Way = request.param
    await minji.gieok.accounts.ensure(minji.scope)
    await minji.gieok.accounts.update(minji.scope, language=way.language)
    async with window(Look(way.language), script=way.has_script) as context:
        shown = await context.new_page()
        await minji.signs_in(shown)
        yield Reader(shown, way)


@pytest.fixture
async def me(newcomer: Reader, minji: PagePerson) -> Reader:
    """Minji at her browser, signed in and past the consent screen."""
    await minji.consents()
    return newcomer


@pytest.fixture(params=WAYS, ids=str)
async def office(
    request: pytest.FixtureRequest, window: NewWindow, operator: Operator
) -> AsyncGenerator[Reader]:
    """An operator at their browser, signed in."""
    way: Way = request.param
    async with window(Look(way.language), script=way.has_script) as context:
        shown = await context.new_page()
        await operator.opens(shown)
        yield Reader(shown, way)


@pytest.fixture
async def operator_page(window: NewWindow, operator: Operator) -> AsyncGenerator[Page]:
    """An operator's browser, signed in by a link of the machine."""
    async with window() as context:
        shown = await context.new_page()
        await operator.opens(shown)
        yield shown
