"""LangGraph's own saver, for one thread of one person, inside gieok's transactions."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any, cast
from uuid import UUID

import psycopg
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from psycopg import AsyncConnection, AsyncCursor
from psycopg.pq import Format
from psycopg.rows import DictRow, dict_row

from gieok.accounts import store as accounts
from gieok.agent.sealing import SealingSerializer
from gieok.database import Database
from gieok.database.stale_keys import record_sealing_key
from gieok.kernel.errors import NotFoundError
from gieok.kernel.offload import begin_yielding
from gieok.kernel.scope import Scope
from gieok.pii import TextMasker
from gieok.privacy import PersonKey
from gieok.sessions.masking import audit_masked
from gieok.settings.consent_rules import require_storage_consent


class BegunConnection:
    """A connection whose transaction has begun already."""

    def __init__(self, connection: AsyncConnection[Any]) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        """Return what the connection has by this name."""
        return getattr(self._connection, name)

    def transaction(self) -> AbstractAsyncContextManager[None]:
        """Begin nothing: the person's own transaction is what the library gets."""
        return nullcontext()


class ThreadCursor(AsyncCursor[DictRow]):
    """A cursor of a person's transaction, in which nobody begins another one."""

    @property
    def connection(self) -> Any:
        """The connection, as `BegunConnection`."""
        return BegunConnection(super().connection)


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
        screen: TextMasker,
    ) -> None:
        self.sealing = SealingSerializer(key, thread, plain, screen)
        # No connection of its own: `_cursor` lends the pool's.
        super().__init__(cast("Any", None), serde=self.sealing)
        self._database = database
        self._scope = scope
        self._thread = thread

    def _dump_blobs(self, *given: Any, **named: Any) -> Any:
        """Mask and seal values in the library's thread, which lets the loop run."""
        with begin_yielding(self.loop):
            return super()._dump_blobs(*given, **named)

    def _dump_writes(self, *given: Any, **named: Any) -> Any:
        """Mask and seal writes as `_dump_blobs` does values."""
        with begin_yielding(self.loop):
            return super()._dump_writes(*given, **named)

    @asynccontextmanager
    async def _cursor(
        self, *, pipeline: bool = False
    ) -> AsyncGenerator[AsyncCursor[DictRow]]:
        """Lend a cursor within the person's transaction; `pipeline` means a write.

        Raises:
            NotPermittedError: the person does not agree to storage, and this writes.
            NotFoundError: the thread is somebody else's.
        """
        try:
            async with self._database.begin(self._scope) as tx:
                if pipeline:
                    record_sealing_key(self.sealing.key)
                    await accounts.insert_person(tx)
                    await require_storage_consent(tx)
                async with ThreadCursor(tx.connection, row_factory=dict_row) as cursor:
                    cursor.format = Format.BINARY
                    yield cursor
                audit_masked(tx, "checkpoints", self._thread, self.sealing.screen)
        except psycopg.errors.InsufficientPrivilege as error:
            # The thread is somebody else's: row security refused to write over it.
            thing = "session"
            raise NotFoundError(thing) from error
