"""Rows that cannot be read are left out of what is read, never a reason to fail.

A row may have been changed where no service saw it, or written by something else.
`gieok doctor` and `gieok audit verify` count them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, LiteralString, TypeVar
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database import Transaction
from gieok.database.times import UNKNOWN
from gieok.kernel.errors import GieokError
from gieok.kernel.logs import get_logger
from gieok.kernel.offload import run_in_thread, yield_to_loop
from gieok.privacy.sealed_columns import SealedColumn
from gieok.privacy.vault import PersonKey

BATCH: Final = 1_000
ROWS_AT_ONCE: Final = 50
"""Rows that are opened on the event loop: 5 ms of it."""
_UNKNOWN_ID: Final = id(UNKNOWN)
T = TypeVar("T")
UNREADABLE: Final = (
    GieokError,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What reading a row raises that holds what its table never should."""
log = get_logger("gieok.privacy")


def read_rows(
    table: str, rows: Iterable[TupleRow], read: Callable[[TupleRow], T]
) -> list[T]:
    """Return what is read of rows, but of those that cannot be.

    How many they were is logged.
    """
    found: list[T] = []
    left_out = 0
    for row in rows:
        yield_to_loop()
        try:
            found.append(read(_require_known_times(row)))
        except UNREADABLE:
            left_out += 1
    if left_out:
        log_unreadable(table, left_out)
    return found


@dataclass(frozen=True, slots=True)
class SealedRows(Generic[T]):
    """Rows of one table, which a person's key opens."""

    table: str
    select: LiteralString
    """What is read of a row, up to the condition."""
    open: Callable[[PersonKey, TupleRow], T]

    async def fetch_all(
        self, tx: Transaction, key: PersonKey, condition: LiteralString, *values: object
    ) -> list[T]:
        """Return the person's rows under a condition, but those that cannot be read."""
        rows = await tx.fetch_all(*self._build(tx, condition, values))
        return await self.read(key, rows)

    async def fetch_one(
        self, tx: Transaction, key: PersonKey, condition: LiteralString, *values: object
    ) -> T | None:
        """Return the person's row under a condition; raises if it cannot be read."""
        row = await tx.fetch_one(*self._build(tx, condition, values))
        return self.open(key, row) if row else None

    async def read(self, key: PersonKey, rows: Sequence[TupleRow]) -> list[T]:
        """Return what is read of rows, but of those that cannot be.

        Many are opened in a thread, while others go on.
        """
        opening = partial(read_rows, self.table, rows, partial(self.open, key))
        many = len(rows) > ROWS_AT_ONCE
        return await run_in_thread(opening) if many else opening()

    def _build(
        self, tx: Transaction, condition: LiteralString, values: Sequence[object]
    ) -> tuple[LiteralString, list[object]]:
        statement = self.select + "WHERE user_id = %s AND " + condition
        return statement, [tx.scope.user_id, *values]


def _require_known_times(row: TupleRow) -> TupleRow:
    if _UNKNOWN_ID in map(id, row):  # equality of UUIDs is slow, and it is never a copy
        raise ValueError
    return row


def log_unreadable(table: str, rows: int) -> None:
    """Log that rows of a table were left out."""
    log.warning("unreadable_rows", table=table, rows=rows)


async def list_unopened(
    tx: Transaction, key: PersonKey, column: SealedColumn
) -> Sequence[UUID]:
    """Return the person's rows whose value in a sealed column does not open."""
    closed: list[UUID] = []
    after = UUID(int=0)
    while rows := await tx.fetch_all(
        f"""
        SELECT {column.selected} FROM {column.table}
        WHERE user_id = %s AND {column.stored} IS NOT NULL AND {column.row} > %s
        ORDER BY {column.row} LIMIT %s
        """,
        [tx.scope.user_id, after, BATCH],
    ):
        for row in rows:
            try:
                column.open(key, row)
            except UNREADABLE:
                closed.append(row[0])
        after = rows[-1][0]
    return closed
