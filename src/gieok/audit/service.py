"""Reads the audit log and checks its chain."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from gieok.audit import row_check
from gieok.audit.model import AuditLine, ChainVerification
from gieok.database import Audit, Database, Transaction
from gieok.database.journal import AuditEvent, compute_chain_hash, encode_entry
from gieok.kernel.errors import TamperedError
from gieok.kernel.scope import Actor, Scope
from gieok.privacy import Vault
from gieok.privacy.audit_seals import AuditSeal, AuditSeals, ChainHead

FIRST_HASH: Final = b"\x00"
BATCH: Final = 1_000
COLUMNS: Final = """
    SELECT seq, audit_id, event_type, target_table, target_id, actor, reason, details,
           created_at, hash
    FROM memory_audit_log
"""


@dataclass(frozen=True, slots=True)
class AuditLog:
    """The audit log of everyone, read one person at a time."""

    database: Database
    seals: AuditSeals
    vault: Vault

    async def lines(
        self, scope: Scope, *, limit: int = 1000, event: AuditEvent | None = None
    ) -> tuple[AuditLine, ...]:
        """Return the newest lines of a person, oldest first; all events or one kind.

        `event="access"` is who read what is remembered, and when (D16).
        """
        async with self.database.begin(scope) as tx:
            rows = await tx.fetch_all(
                COLUMNS
                + """
                WHERE user_id = %(user_id)s
                  AND (%(event)s::text IS NULL OR event_type = %(event)s)
                ORDER BY seq DESC LIMIT %(limit)s
                """,
                {"user_id": scope.user_id, "event": event, "limit": limit},
            )
        return tuple(AuditLine(*row) for row in reversed(rows))

    async def page(
        self,
        scope: Scope,
        *,
        limit: int = 50,
        before: int | None = None,
        event: AuditEvent | None = None,
    ) -> tuple[tuple[AuditLine, ...], bool]:
        """Return the person's lines before a place in the chain, newest first.

        By default from its end; all events or one kind. The second value tells whether
        there are older ones.
        """
        async with self.database.begin(scope) as tx:
            rows = await tx.fetch_all(
                COLUMNS
                + """
                WHERE user_id = %(user_id)s
                  AND (%(before)s::bigint IS NULL OR seq < %(before)s)
                  AND (%(event)s::text IS NULL OR event_type = %(event)s)
                ORDER BY seq DESC LIMIT %(limit)s + 1
                """,
                {
                    "user_id": scope.user_id,
                    "before": before,
                    "event": event,
                    "limit": limit,
                },
            )
        return tuple(AuditLine(*row) for row in rows[:limit]), len(rows) > limit

    async def note_read(self, scope: Scope, table: str, target: UUID) -> None:
        """Note that somebody read what is kept of a person where no service saw it."""
        async with self.database.begin(scope, durable=False) as tx:
            tx.record_audit(Audit("access", table, target, "read"))

    async def verify(self, scope: Scope) -> int:
        """Return how many lines the person's chain holds, all of them unaltered.

        The rows that it names are there too, as they were last sealed.

        Raises:
            TamperedError: a line, or a row that one names, was changed, removed, put
                in or put back; the first is named.
        """
        lines = await self._verify_lines(scope)
        if odd := await row_check.find_mismatch(self.database, self.vault, scope):
            raise TamperedError(odd)
        return lines

    async def _verify_lines(self, scope: Scope) -> int:
        sealed = await self.seals.get_hashes(scope.user_id)
        async with self.database.begin(scope) as tx:
            count, newest = await _lock_head(tx)
        place, previous = 0, FIRST_HASH
        while batch := await self._fetch_after(scope, place, count):
            for line in batch:
                place += 1
                previous = compute_chain_hash(previous, _encode_line(line))
                if line.seq != place or line.hash != previous:
                    raise TamperedError(f"memory_audit_log line {place}")
                if sealed.pop(place, previous) != previous:
                    raise TamperedError(f"memory_audit_log line {place}")
        ends = (place, previous) == (count, newest) and not sealed
        if not ends or await self._has_lines_beyond(scope, count):
            raise TamperedError(f"memory_audit_log line {place + 1}")
        return place

    async def verify_all(
        self,
        people: Sequence[UUID] | None = None,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
        *,
        kept: Sequence[AuditSeal] = (),
    ) -> ChainVerification:
        """Verify the chains of people, one after another, and every seal.

        By default that is everybody who ever had a chain, erased people too. `progress`
        is told (done, all); `kept` are seals that somebody put aside.
        """
        if people is None:
            people = sorted(
                {head.user_id for head in await self._read_heads()}
                | await self.seals.list_people()
            )
        lines, broken = 0, dict[UUID, str]()
        for done, user_id in enumerate(people, start=1):
            try:
                lines += await self.verify(Scope(user_id, Actor.ADMIN))
            except TamperedError as error:
                broken[user_id] = str(error.details["place"])
            progress(done, len(people))
        return ChainVerification(
            len(people), lines, broken, await self.seals.find_broken(kept)
        )

    async def seal(self) -> AuditSeal | None:
        """Sign where everybody's chain stands now; None if none went on since.

        From then on the lines so far cannot be changed, cut off or removed as a whole
        without `verify` noticing. The worker does it every hour.
        """
        return await self.seals.append(await self._read_heads(), self.database.clock())

    async def _read_heads(self) -> list[ChainHead]:
        """Return where everybody's chain stands, erased people's too."""
        async with self.database.connection() as connection:
            await connection.execute("SET LOCAL app.sealing = 'on'")
            found = await connection.execute(
                """
                SELECT user_id, audit_seq, audit_hash FROM user_counters
                WHERE audit_seq > 0
                UNION ALL
                SELECT user_id, audit_seq, audit_hash FROM erasure_receipts AS last
                WHERE kind = 'person' AND NOT EXISTS (
                    SELECT FROM user_counters WHERE user_id = last.user_id
                ) AND NOT EXISTS (
                    SELECT FROM erasure_receipts AS later
                    WHERE later.user_id = last.user_id AND later.kind = 'person'
                      AND later.number > last.number
                )
                """
            )
            rows = await found.fetchall()
            # Access records do not wait for the disk; what is sealed has to.
            await connection.execute("SELECT pg_current_xact_id()")
        return [ChainHead(row[0], row[1], bytes(row[2])) for row in rows]

    async def _fetch_after(
        self, scope: Scope, place: int, until: int
    ) -> tuple[AuditLine, ...]:
        async with self.database.begin(scope) as tx:
            rows = await tx.fetch_all(
                COLUMNS
                + "WHERE user_id = %s AND seq > %s AND seq <= %s ORDER BY seq LIMIT %s",
                [scope.user_id, place, until, BATCH],
            )
        return tuple(AuditLine(*row) for row in rows)

    async def _has_lines_beyond(self, scope: Scope, count: int) -> bool:
        """Tell whether lines stand where the person's counter has not been."""
        async with self.database.begin(scope) as tx:
            head, _ = await _lock_head(tx)
            row = await tx.fetch_one(
                "SELECT EXISTS (SELECT FROM memory_audit_log "
                "WHERE user_id = %s AND (seq > %s OR seq < 1))",
                [scope.user_id, max(head, count)],
            )
        return row is not None and row[0]


def _encode_line(line: AuditLine) -> bytes:
    """Return the bytes of a line that its hash covers."""
    spoken = Audit(
        line.event_type,  # pyright: ignore[reportArgumentType] - a CHECK holds
        line.target_table,
        line.target_id,
        line.reason,
        line.details,
    )
    return encode_entry(
        spoken, audit_id=line.audit_id, actor=Actor(line.actor), at=line.created_at
    )


async def _lock_head(tx: Transaction) -> tuple[int, bytes]:
    """Return number and hash of the newest line as its writer counted them.

    Nobody can append before the transaction ends.
    """
    row = await tx.fetch_one(
        """
        SELECT audit_seq, audit_hash FROM user_counters WHERE user_id = %s FOR UPDATE
        """,
        [tx.scope.user_id],
    ) or await tx.fetch_one(
        """
        SELECT audit_seq, audit_hash FROM erasure_receipts
        WHERE user_id = %s AND kind = 'person' ORDER BY number DESC LIMIT 1
        """,
        [tx.scope.user_id],
    )
    return (row[0], bytes(row[1])) if row else (0, FIRST_HASH)
