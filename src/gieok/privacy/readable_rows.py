"""Rows that cannot be read are left out of what is read, never a reason to fail.

A row may have been changed where no service saw it, or written by something else.
`gieok doctor` and `gieok audit verify` count them.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar
from uuid import UUID

import structlog
from psycopg.rows import TupleRow

from gieok.database import Transaction
from gieok.database.times import UNKNOWN
from gieok.kernel.errors import GieokError
from gieok.privacy.sealed_columns import SealedColumn
from gieok.privacy.vault import PersonKey

BATCH: Final = 1_000
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
log = structlog.get_logger("gieok.privacy")


def read_rows(
    table: str, rows: Iterable[TupleRow], read: Callable[[TupleRow], T]
) -> list[T]:
    """Return what is read of rows, but of those that cannot be.

    How many they were is logged.
    """
    found: list[T] = []
    left_out = 0
    for row in rows:
        try:
            found.append(read(_require_known_times(row)))
        except UNREADABLE:
            left_out += 1
    if left_out:
        log_unreadable(table, left_out)
    return found


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
