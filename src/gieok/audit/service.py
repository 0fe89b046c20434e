"""Reads the audit log and checks its chain."""

from dataclasses import dataclass

from gieok.audit.model import AuditLine
from gieok.database import Audit, Database, Transaction
from gieok.database.journal import chained, entry
from gieok.kernel.errors import TamperedError
from gieok.kernel.scope import Actor, Scope

FIRST_HASH = b"\x00"


@dataclass(frozen=True, slots=True)
class AuditLog:
    """The audit log of everyone, read one person at a time."""

    database: Database

    async def lines(self, scope: Scope, *, limit: int = 1000) -> tuple[AuditLine, ...]:
        """Return the newest lines of a person, oldest first."""
        async with self.database.begin(scope) as tx:
            return await _lines(tx, limit)

    async def verify(self, scope: Scope) -> int:
        """Return how many lines the person's chain holds, all of them unaltered.

        Raises:
            TamperedError: a line was changed, removed or put in.
        """
        previous = FIRST_HASH
        async with self.database.begin(scope) as tx:
            head = await _head(tx)
            lines = await _lines(tx, 10_000_000)
        for place, line in enumerate(lines, start=1):
            spoken = Audit(
                line.event_type,  # pyright: ignore[reportArgumentType] - a CHECK holds
                line.target_table,
                line.target_id,
                line.reason,
                line.details,
            )
            written = entry(
                spoken,
                audit_id=line.audit_id,
                actor=Actor(line.actor),
                at=line.created_at,
            )
            previous = chained(previous, written)
            if line.seq != place or line.hash != previous:
                where = f"memory_audit_log line {place}"
                raise TamperedError(where)
        if (len(lines), previous) != head:
            where = f"memory_audit_log line {len(lines) + 1}"
            raise TamperedError(where)
        return len(lines)


async def _lines(tx: Transaction, limit: int) -> tuple[AuditLine, ...]:
    rows = await tx.fetch_all(
        """
        SELECT seq, audit_id, event_type, target_table, target_id, actor, reason,
               details, created_at, hash
        FROM memory_audit_log WHERE user_id = %s ORDER BY seq DESC LIMIT %s
        """,
        [tx.scope.user_id, limit],
    )
    return tuple(AuditLine(*row) for row in reversed(rows))


async def _head(tx: Transaction) -> tuple[int, bytes]:
    """Return number and hash of the newest line as its writer counted them.

    Nobody can append before the transaction ends.
    """
    row = await tx.fetch_one(
        """
        SELECT audit_seq, audit_hash FROM user_counters WHERE user_id = %s FOR UPDATE
        """,
        [tx.scope.user_id],
    )
    return (row[0], bytes(row[1])) if row else (0, FIRST_HASH)
