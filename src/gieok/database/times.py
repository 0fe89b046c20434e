"""Times that Python has no value for: "infinity", years before 1 and after 9999."""

from datetime import UTC, datetime
from typing import Final

import psycopg
from psycopg import AsyncConnection, adapters
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Loader
from psycopg.pq import Format
from psycopg.rows import TupleRow

UNKNOWN: Final = datetime.max.replace(tzinfo=UTC)
"""Stands for such a time in a row, which cannot be read (see `privacy.reading`)."""
_OID: Final = adapters.types["timestamptz"].oid


class LenientTimeLoader(Loader):
    """Reads a time, or gives `UNKNOWN`, so that one row does not fail a statement."""

    format = Format.TEXT

    def __init__(self, oid: int, context: AdaptContext | None = None) -> None:
        """Take the driver's own loader for what can be read."""
        super().__init__(oid, context)
        known = adapters.get_loader(_OID, self.format)
        assert known is not None  # noqa: S101 - the driver has one
        self._loader = known(oid, context)
        self._loaded: dict[bytes, datetime] = {}
        """What one result holds: rows that were written together bear one time."""

    def load(self, data: Buffer) -> datetime:
        """Return a time."""
        spelled = bytes(data)
        time = self._loaded.get(spelled)
        if time is None:
            time = self._loaded[spelled] = self._load_new(data)
        return time

    def _load_new(self, data: Buffer) -> datetime:
        try:
            return self._loader.load(data)
        except psycopg.DataError:
            return UNKNOWN


class LenientBinaryTimeLoader(LenientTimeLoader):
    """Reads a time that was sent in binary."""

    format = Format.BINARY


def register_time_loader(connection: AsyncConnection[TupleRow]) -> None:
    """Let a connection read rows whatever times are in them."""
    for loader in (LenientTimeLoader, LenientBinaryTimeLoader):
        connection.adapters.register_loader("timestamptz", loader)
