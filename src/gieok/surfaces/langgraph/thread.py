"""LangGraph's own saver, for one thread of one person, inside gieok's transactions."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast
from uuid import UUID

import psycopg
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow, dict_row

from gieok.accounts import store as accounts
from gieok.database import Database
from gieok.database.sealing import sealing_with
from gieok.kernel.errors import NotFoundError
from gieok.kernel.scope import Scope
from gieok.pii import Screen
from gieok.privacy import PersonKey
from gieok.sessions.screening import note_masked
from gieok.surfaces.langgraph.sealing import Sealing


class ThreadSaver(AsyncPostgresSaver):
    """The library's statements, row-secured, on states that are sealed.

    For one call: what `screen` masked is audited with what is written.
    """

    def __init__(
        self,
        database: Database,
        scope: Scope,
        key: PersonKey,
        thread: UUID,
        plain: SerializerProtocol,
        screen: Screen,
    ) -> None:
        self.sealing = Sealing(key, thread, plain, screen)
        # No connection of its own: `_cursor` lends the pool's.
        super().__init__(cast("Any", None), serde=self.sealing)
        self._database = database
        self._scope = scope
        self._thread = thread
        self._pruning: AsyncConnection[Any] | None = None

    async def aprune(
        self, thread_ids: Sequence[str], *, strategy: str = "keep_latest"
    ) -> None:
        """Prune as the library does, which begins and ends its own transactions."""
        async with self._database.dedicated(self._scope) as connection:
            self._pruning = connection
            try:
                await super().aprune(thread_ids, strategy=strategy)
            finally:
                self._pruning = None

    @asynccontextmanager
    async def _cursor(
        self, *, pipeline: bool = False
    ) -> AsyncGenerator[AsyncCursor[DictRow]]:
        """Lend a cursor within the person's transaction; `pipeline` means a write."""
        if self._pruning is not None:
            async with _rows(self._pruning) as cursor:
                yield cursor
            return
        try:
            async with self._database.begin(self._scope) as tx:
                if pipeline:
                    sealing_with(self.sealing.key)
                    await accounts.insert(tx)
                async with _rows(tx.connection) as cursor:
                    yield cursor
                note_masked(tx, "checkpoints", self._thread, self.sealing.screen)
        except psycopg.errors.InsufficientPrivilege as error:
            # The thread is somebody else's: row security refused to write over it.
            thing = "session"
            raise NotFoundError(thing) from error


def _rows(connection: AsyncConnection[Any]) -> AsyncCursor[DictRow]:
    return connection.cursor(binary=True, row_factory=dict_row)
