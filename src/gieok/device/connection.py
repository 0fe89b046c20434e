"""What is used of a connection to SQLite, with types that do not depend on Python's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, cast

import apsw

Row = tuple[Any, ...]


class RowCursor(Protocol):
    """The rows that a statement gives."""

    def __iter__(self) -> Iterator[Row]:
        """Yield them."""
        ...

    def fetchone(self) -> Row | None:
        """Return the next one."""
        ...

    def fetchall(self) -> list[Row]:
        """Return all."""
        ...


class RowConnection(Protocol):
    """A connection to the rows of one file."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        ...

    def execute(
        self, statements: str, bindings: Sequence[Any] | Mapping[str, Any] | None = ...
    ) -> RowCursor:
        """Run statements and return what the last one gives."""
        ...

    def executemany(
        self, statements: str, sequenceofbindings: Iterable[Sequence[Any]]
    ) -> RowCursor:
        """Run statements once with each of the bindings."""
        ...

    def changes(self) -> int:
        """Return how many rows the last statement changed."""
        ...

    def set_busy_timeout(self, milliseconds: int) -> None:
        """Wait so long for somebody else's lock."""
        ...

    def close(self) -> None:
        """Let go of the file."""
        ...


def connect_rows(name: str) -> RowConnection:
    """Return a connection to a file, or to ":memory:"."""
    return cast("RowConnection", apsw.Connection(name))
