"""A PostgreSQL on a temporary directory, gone when the measurement is over."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from gieok import Config
from gieok.database.embedded import run_embedded_postgres
from gieok.database.migrate import build_database_url, create_database


@dataclass(frozen=True, slots=True)
class Stage:
    """A running server and where it keeps its data."""

    folder: Path
    url: str

    def database(self, name: str) -> str:
        """Return the address of a database on the server, made if need be."""
        create_database(self.url, name)
        return build_database_url(self.url, name)

    def config(self, name: str) -> Config:
        """Return the configuration of a gieok in a database of its own."""
        home = self.folder / name
        home.mkdir(exist_ok=True)
        return Config(data=home, database_url=self.database(name))


@asynccontextmanager
async def stage() -> AsyncGenerator[Stage]:
    """Run a server, as `open_memory()` would, and remove it with all its data."""
    with TemporaryDirectory(prefix="gieok-bench-") as folder:
        async with run_embedded_postgres(Path(folder) / "pg") as url:
            yield Stage(Path(folder), url)
