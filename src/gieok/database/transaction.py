"""The pool and its transactions: leaving `begin()` cleanly is the only commit."""

import asyncio
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, LiteralString, Self

import psycopg
from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import TupleRow
from psycopg_pool import PoolTimeout

from gieok.database import times
from gieok.database.execution import SealingKey
from gieok.database.journal import GONE, Audit, Change, Journal, extract_tag
from gieok.database.pool import WAIT_SECONDS, Pool
from gieok.database.row_security import RoleCheck
from gieok.database.stale_keys import collect_sealing_keys, reject_stale_keys
from gieok.kernel.errors import (
    ConfigurationError,
    ConflictError,
    DatabaseUnavailableError,
    StorageFullError,
    TamperedError,
)

if TYPE_CHECKING:
    from collections.abc import Generator
    from uuid import UUID

    from gieok.database.events import Event
    from gieok.kernel.clock import Clock
    from gieok.kernel.ids import NewId
    from gieok.kernel.scope import Scope

CONTENDED: Final = (
    psycopg.errors.DeadlockDetected,
    psycopg.errors.LockNotAvailable,
    psycopg.errors.SerializationFailure,
)
ERASED: Final = "what this belongs to was erased meanwhile"
Parameters = Mapping[str, Any] | Sequence[Any]
Cursor = AsyncCursor[TupleRow]

_open: ContextVar[int] = ContextVar("gieok_open_transactions", default=0)


def assert_no_open_transaction() -> None:
    """Fail when a transaction is open here: the guard of design rule 2.

    Raises:
        AssertionError: a model, embedder or HTTP call is about to be made while the
            caller holds a transaction.
    """
    if _open.get():
        message = "a transaction is open during a model, embedding or HTTP call"
        raise AssertionError(message)


@dataclass(frozen=True, slots=True)
class Transaction:
    """One person's transaction; row security lets it see nobody else's rows."""

    connection: AsyncConnection[TupleRow]
    scope: "Scope"
    now: datetime
    """One time for everything written here."""
    new_id: "NewId"
    journal: Journal = field(default_factory=Journal)
    """Written before the commit, or earlier by `journal.write`."""
    keys: set[SealingKey] = field(default_factory=set[SealingKey])
    """The keys that have sealed within it."""

    async def execute(
        self, statement: LiteralString, parameters: Parameters | None = None
    ) -> Cursor:
        """Queue one statement; reading from the cursor waits for its result."""
        return await self.connection.execute(statement, parameters, prepare=True)

    async def fetch_all(
        self, statement: LiteralString, parameters: Parameters | None = None
    ) -> list[TupleRow]:
        """Return every row."""
        return await (await self.execute(statement, parameters)).fetchall()

    async def fetch_column(
        self, statement: LiteralString, parameters: Parameters | None = None
    ) -> list[Any]:
        """Return the first value of every row."""
        return [row[0] for row in await self.fetch_all(statement, parameters)]

    async def fetch_binary(
        self, statement: LiteralString, parameters: Parameters | None = None
    ) -> list[TupleRow]:
        """Return every row, sent in binary: many sealed values and times come cheaper.

        It is planned anew: a plan that was made while the tables were small, and kept,
        takes many times as long once they are not.
        """
        cursor = self.connection.cursor(binary=True)
        await cursor.execute(statement, parameters, prepare=False)
        return await cursor.fetchall()

    async def fetch_one(
        self, statement: LiteralString, parameters: Parameters | None = None
    ) -> TupleRow | None:
        """Return the first row, or None."""
        return await (await self.execute(statement, parameters)).fetchone()

    async def lock_person(self) -> bool:
        """Wait for the person's other writers; what is read next is what they left.

        Whoever decides on what is there before writing takes this first. Locks are
        taken in one order: a session's row, the person's counters, then the rest.
        Returns whether there is the person: of who is erased nothing is held.
        """
        held = await self.fetch_one(
            "SELECT 1 FROM user_counters WHERE user_id = %s FOR UPDATE",
            [self.scope.user_id],
        )
        return held is not None

    def record_changes(self, *changes: Change) -> None:
        """Append to the change feed, when the journal is written."""
        self.journal.changes.extend(changes)

    def record_audit(self, *lines: Audit) -> None:
        """Append to the audit log, when the journal is written."""
        self.journal.audits.extend(lines)

    def record_sealed_rows(self, table: str, sealed: Mapping["UUID", bytes]) -> None:
        """Let the audit log name rows by the newest seal of each."""
        named = self.journal.rows.setdefault(table, {})
        named.update((row, extract_tag(value)) for row, value in sealed.items())

    def record_removed_rows(self, table: str, rows: Iterable["UUID"]) -> None:
        """Let the audit log say that rows are not there any more."""
        if gone := dict.fromkeys(rows, GONE):
            self.journal.rows.setdefault(table, {}).update(gone)

    def record_erasure(self) -> None:
        """Let copies that wait to be handed out go with what is erased here.

        For what somebody wishes to be gone; what only expires stays in such a copy.
        """
        self.journal.has_erasure = True

    def publish(self, *events: "Event") -> None:
        """Queue what follows from these events, if and only if this commits."""
        self.journal.events.extend(events)


class ContentionError(ConflictError):
    """PostgreSQL broke the transaction off for another one; trying again may help."""

    def __init__(self) -> None:
        """Take nothing: there is one thing to say."""
        super().__init__("another request changed the same at once; try again")


class NoRowError(ConflictError):
    """A statement found no row to hang its own on; the transaction was rolled back."""

    def __init__(self) -> None:
        """Take nothing: whoever looks for the row in vain says what that means."""
        super().__init__(ERASED)


@contextmanager
def map_errors() -> "Generator[None]":
    """Turn what the driver raises into gieok's own errors.

    Raises:
        StorageFullError: the server has no disk left; nothing was written.
        DatabaseUnavailableError: no server, or it went away.
        ConflictError: a row that this one hangs on was erased meanwhile.
        ContentionError: it waited for who waits for it, or its rows were taken.
        NoRowError: a column that must not be empty was, for lack of a row to join.
    """
    try:
        yield
    except psycopg.errors.NotNullViolation as error:
        raise NoRowError from error
    except psycopg.errors.ForeignKeyViolation as error:
        raise ConflictError(ERASED) from error
    except CONTENDED as error:
        raise ContentionError from error
    except psycopg.errors.DiskFull as error:
        raise StorageFullError from error
    except PoolTimeout as error:
        reason = "no connection became free; is the server running and reachable?"
        raise DatabaseUnavailableError(reason) from error
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise DatabaseUnavailableError(type(error).__name__) from error


class Database:
    """A pool of connections that act as the app role."""

    def __init__(self, pool: Pool, clock: "Clock", new_id: "NewId") -> None:
        self._pool = pool
        self._clock = clock
        self._new_id = new_id
        self._listeners: list[Callable[[UUID], None]] = []
        self._erasers: list[Callable[[Transaction], Awaitable[None]]] = []

    def subscribe_changes(self, listener: "Callable[[UUID], None]") -> None:
        """Call a function with the person's id after commits that changed anything."""
        self._listeners.append(listener)

    def subscribe_erasures(
        self, erase: "Callable[[Transaction], Awaitable[None]]"
    ) -> None:
        """Call a function in every transaction that erases, before it commits.

        It holds the person's counters: who takes them first, see `lock_person`, is
        waited for, and who comes later sees what is gone.
        """
        self._erasers.append(erase)

    @classmethod
    @asynccontextmanager
    async def connect(
        cls, conninfo: str, clock: "Clock", new_id: "NewId", *, size: int = 10
    ) -> AsyncGenerator[Self]:
        """Open a pool of at most `size` connections for as long as the block runs.

        Raises:
            DatabaseUnavailableError: the server does not answer within ten seconds.
            ConfigurationError: row security would not hold, see `RoleCheck`.
        """
        role = RoleCheck()

        async def configure(connection: AsyncConnection[TupleRow]) -> None:
            times.register_time_loader(connection)
            await role(connection)

        # Else the driver begins transactions, which takes a round trip of its own.
        pool = Pool(conninfo, size=size, configure=configure, autocommit=True)
        try:
            with map_errors():
                await _open_pool(pool, role)
            yield cls(pool, clock, new_id)
        finally:
            await pool.close()

    @property
    def clock(self) -> "Clock":
        """The clock that dates every transaction."""
        return self._clock

    @property
    def new_id(self) -> "NewId":
        """What makes the ids of new things."""
        return self._new_id

    @property
    def size(self) -> int:
        """The most connections that are in use at a time."""
        return self._pool.max_size

    @asynccontextmanager
    async def begin(
        self, scope: "Scope", *, durable: bool = True
    ) -> AsyncGenerator[Transaction]:
        """Open one person's transaction; a clean exit commits, an error rolls back.

        Statements travel in a pipeline. With `durable=False` the commit does not wait
        for the disk; that is for access records, never for what a person said.

        Raises:
            DatabaseUnavailableError, StorageFullError: as `map_errors`.
            ConflictError: the person was erased meanwhile, see `stale_keys`.
            ContentionError: another transaction came first, as `map_errors`.
        """
        with map_errors(), collect_sealing_keys() as keys:
            # The pool rolls back what an error interrupts, so begin and commit travel
            # in the same pipeline as what is between them.
            async with (
                self._pool.connection() as connection,
                connection.pipeline() as pipeline,
            ):
                cursor = connection.cursor()
                await _begin_transaction(cursor, scope, durable=durable)
                token = _open.set(_open.get() + 1)
                tx = Transaction(
                    connection, scope, self._clock(), self._new_id, keys=keys
                )
                try:
                    yield tx
                    await self._close_journal(tx)
                    await cursor.execute(b"COMMIT", prepare=True)
                except TamperedError:
                    # Or was it sealed after an erasure that this process missed?
                    await reject_stale_keys(tx)
                    await pipeline.sync()
                    raise
                except psycopg.Error:
                    # Read what the error skipped, or the driver logs it as ignored.
                    with suppress(psycopg.Error):
                        await pipeline.sync()
                    raise
                finally:
                    _open.reset(token)
        if tx.journal.has_changes:
            for listener in self._listeners:
                listener(scope.user_id)

    async def _close_journal(self, tx: Transaction) -> None:
        await tx.journal.close(tx)
        if tx.journal.has_erasure:
            await tx.lock_person()
            for erase in self._erasers:
                await erase(tx)

    async def wait_for_writers(self, scope: "Scope") -> int:
        """Wait until the person's open writes are committed; return the change number.

        A job calls this before it reads, see `gieok.database.outbox`.
        """
        async with self.begin(scope) as tx:
            row = await tx.fetch_one(
                "SELECT head_seq FROM user_counters WHERE user_id = %s FOR UPDATE",
                [scope.user_id],
            )
        return row[0] if row else 0

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[AsyncConnection[TupleRow]]:
        """Lend a transaction without a person: it sees no personal row at all."""
        with map_errors():
            async with self._pool.connection() as connection, connection.transaction():
                yield connection


async def _open_pool(pool: Pool, role: RoleCheck) -> None:
    """Open a pool; it tries a server that does not answer again, for ten seconds.

    Raises:
        ConfigurationError: at once, when a connection was refused.
        PoolTimeout: no server answered.
    """
    opening = asyncio.create_task(pool.open(wait=True, timeout=WAIT_SECONDS))
    refusal = asyncio.create_task(role.wait_for_refusal())
    try:
        await asyncio.wait((opening, refusal), return_when=asyncio.FIRST_COMPLETED)
        if refusal.done():
            raise ConfigurationError(refusal.result())
        await opening
    finally:
        for task in (opening, refusal):
            task.cancel()
        await asyncio.gather(opening, refusal, return_exceptions=True)


async def _begin_transaction(cursor: Cursor, scope: "Scope", *, durable: bool) -> None:
    """Begin one person's transaction; one cursor is enough for what gives no rows."""
    await cursor.execute(b"BEGIN", prepare=True)
    await cursor.execute(_build_person_setting(scope.user_id), prepare=False)
    if not durable:
        await cursor.execute("SET LOCAL synchronous_commit = off")


def _build_person_setting(user_id: "UUID") -> bytes:
    """Return the statement that lets a transaction see one person's rows.

    A UUID cannot hold a quote; SET takes no parameters, and set_config() does not reach
    the workers of a distributed PostgreSQL.
    """
    return b"SET LOCAL app.user_id = '%s'" % str(user_id).encode()
