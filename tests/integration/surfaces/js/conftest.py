"""One real server for the tests of the JavaScript client."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.served import ServedGieok, serve_gieok


@pytest.fixture(scope="session")
def served_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("js") / "gieok"


@pytest.fixture(scope="session")
def served(served_data: Path) -> Iterator[ServedGieok]:
    with serve_gieok(served_data) as served:
        yield served
