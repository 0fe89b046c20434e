"""Nothing commits that was sealed with a key of before the person's last erasure.

Another process may hold such a key, and its owner may have come back as a new person.
A key knows how many erasures came before it, the person's row how many there were: the
statement that writes the journal compares them, so the check costs no round trip.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from psycopg.errors import NotNullViolation

from gieok.database.execution import Execution, SealingKey
from gieok.kernel.errors import ConflictError

IS_STALE: Final = (
    "%(sealed_in)s::int < (SELECT incarnation FROM users WHERE user_id = %(user_id)s)"
)
"""Whether a key that sealed is of before an erasure; writing NULL refuses it."""
_REFUSE: Final = (
    "UPDATE user_counters SET head_seq = NULL WHERE user_id = %(user_id)s AND "
    + IS_STALE
)
_keys: ContextVar[set[SealingKey] | None] = ContextVar("gieok_keys", default=None)


def record_sealing_key(key: SealingKey) -> None:
    """Note that the open transaction, if any, rests on this key."""
    keys = _keys.get()
    if keys is not None:
        keys.add(key)


@contextmanager
def collect_sealing_keys() -> Generator[set[SealingKey]]:
    """Give a set that holds the keys that seal while the block runs.

    Raises:
        ConflictError: one of them was of before an erasure; it seals no more.
    """
    keys: set[SealingKey] = set()
    before = _keys.set(keys)
    try:
        yield keys
    except NotNullViolation as error:
        if (error.diag.table_name, error.diag.column_name) != _REFUSED_AT:
            raise
        for key in keys:
            key.destroy()
        reason = "the person was erased meanwhile"
        raise ConflictError(reason) from error
    finally:
        _keys.reset(before)


_REFUSED_AT: Final = ("user_counters", "head_seq")


def get_oldest_incarnation(keys: set[SealingKey]) -> int | None:
    """Return the erasures before the oldest of the keys, for `IS_STALE`."""
    return min((key.incarnation for key in keys), default=None)


async def reject_stale_keys(tx: Execution) -> None:
    """Fail a transaction that sealed after its journal was written, or without one."""
    values = {"user_id": tx.scope.user_id, "sealed_in": get_oldest_incarnation(tx.keys)}
    await tx.execute(_REFUSE, values)
