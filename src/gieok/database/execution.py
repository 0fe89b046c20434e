"""What writing in a transaction takes; `Transaction` is it."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, LiteralString, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from psycopg import AsyncCursor
    from psycopg.rows import TupleRow

    from gieok.kernel.ids import NewId
    from gieok.kernel.scope import Scope


class SealingKey(Protocol):
    """A person's key."""

    incarnation: int

    def destroy(self) -> None:
        """Seal nothing more."""
        ...


class Execution(Protocol):
    """One person's open transaction, as the journal and the queue write in it."""

    @property
    def scope(self) -> "Scope":
        """Whose it is."""
        ...

    @property
    def now(self) -> datetime:
        """One time for everything written here."""
        ...

    @property
    def new_id(self) -> "NewId":
        """What makes the ids of new things."""
        ...

    @property
    def keys(self) -> set[SealingKey]:
        """The keys that have sealed within it."""
        ...

    async def execute(
        self,
        statement: LiteralString,
        parameters: "Mapping[str, Any] | Sequence[Any] | None" = None,
    ) -> "AsyncCursor[TupleRow]":
        """Queue one statement; reading from the cursor waits for its result."""
        ...
