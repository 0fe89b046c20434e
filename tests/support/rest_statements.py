"""What PostgreSQL was asked for an answer: its timing, without a clock."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from psycopg import AsyncConnection

from gieok.database.embedded import run_embedded_postgres

RUN: Final = re.compile(r"LOG: +(?:statement|execute [^:]+): *(?:\n\t\s*)?(\S.*)")
VARIES: Final = re.compile(r"DEALLOCATE ALL|BEGIN|SELECT current_user,")
"""What a connection needs once, whoever asks what."""
IDS: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(slots=True)
class Statements:
    """The log of the server, which names a statement when it runs it."""

    path: Path
    start: int = 0

    def forget(self) -> None:
        """Count from here."""
        self.start = self.path.stat().st_size

    @property
    def run(self) -> tuple[str, ...]:
        """Return how every statement began that ran since, without ids, sorted.

        An answer may take two connections, whose statements come in any order.
        """
        with self.path.open("rb") as log:
            log.seek(self.start)
            found = RUN.findall(log.read().decode())
        ran = (each for each in found if not VARIES.match(each))
        return tuple(sorted(IDS.sub("…", each) for each in ran))


@asynccontextmanager
async def counting(directory: Path) -> AsyncGenerator[Statements]:
    """Have the embedded server of a directory log every statement.

    It is told when a statement begins, so the log is whole when its answer is here.
    """
    async with (
        run_embedded_postgres(directory) as address,
        await AsyncConnection.connect(address, autocommit=True) as owner,
    ):
        await owner.execute("ALTER SYSTEM SET log_statement = 'all'")
        await owner.execute("SELECT pg_reload_conf()")
        yield Statements(directory / "log")
        await owner.execute("ALTER SYSTEM RESET log_statement")
        await owner.execute("SELECT pg_reload_conf()")
