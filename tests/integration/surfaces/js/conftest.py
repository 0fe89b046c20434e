"""One real server for the tests of the JavaScript client, and one browser."""

from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from support.browser import run_chromium
from support.data_template import copy_template
from support.javascript import CLIENT
from support.page_server import serve_files
from support.served import ServedGieok, serve_gieok


@pytest.fixture(scope="session")
def served_data(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_template(template, tmp_path_factory.mktemp("js"))


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Another origin than the server's, with the client's source."""
    with serve_files(CLIENT) as url:
        yield url


@pytest.fixture(scope="session")
def served(served_data: Path, site: str) -> Iterator[ServedGieok]:
    with serve_gieok(served_data, {"GIEOK_CORS_ORIGINS": site}) as served:
        yield served


@pytest.fixture(scope="session")
async def browser() -> AsyncGenerator[Browser]:
    async with run_chromium() as browser:
        yield browser
