"""The change feed and the audit log: numbered per person, in the writer's transaction.

Both hang on one counter row per person, so a person's numbers follow commit order
(design rule 6) and the audit log is one hash chain:
hash n = SHA-256(hash n-1 ‖ entry n).
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from json.encoder import encode_basestring_ascii
from typing import Final, Literal, LiteralString
from uuid import UUID

from gieok.database.arrays import (
    to_array_literal,
    to_bytes_array_literal,
    to_text_array_literal,
)
from gieok.database.events import Event
from gieok.database.execution import Execution
from gieok.database.outbox import enqueue_events
from gieok.database.stale_keys import (
    IS_STALE,
    get_oldest_incarnation,
    reject_stale_keys,
)
from gieok.kernel.entities import Entity
from gieok.kernel.scope import Actor

ROWS: Final = "rows:"
"""Before the table's name, in the details of an audit line that names rows of it."""
GONE: Final = "-"
MAX_LINES: Final = 100
"""Audit lines of one statement: a line is found in an array of them all."""
TAG_BYTES: Final = 8
"""How much of a seal's end tells it from every other seal."""
_ENTRY: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
AuditEvent = Literal["create", "update", "delete", "export", "mask", "access"]


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that became different, as devices and caches will hear of it."""

    entity: Entity
    entity_id: UUID
    operation: Literal["put", "delete"] = "put"


@dataclass(frozen=True, slots=True)
class Audit:
    """One line of the audit log (A09); `details` holds numbers and ids, no content."""

    event_type: AuditEvent
    target_table: str
    target_id: UUID
    reason: str
    details: Mapping[str, str | float | None] = field(
        default_factory=dict[str, str | float | None]
    )


def encode_entry(audit: Audit, *, audit_id: UUID, actor: Actor, at: datetime) -> bytes:
    """Return the bytes of an audit line that its hash covers: a list, as JSON.

    Spelled out, as the encoder of a whole list takes most of the time of a line.
    """
    spell = encode_basestring_ascii
    details = "{}" if audit.details == {} else _ENTRY.encode(dict(audit.details))
    return (
        f'["{audit_id}",{spell(audit.event_type)},{spell(audit.target_table)},'
        f'"{audit.target_id}",{spell(actor.value)},{spell(audit.reason)},'
        f"{details},{at.timestamp()!r}]"
    ).encode()


def compute_chain_hash(previous: bytes, line: bytes) -> bytes:
    """Return the hash that follows `previous` once `encode_line` is appended."""
    return hashlib.sha256(previous + line).digest()


def build_journal_sql(*, after: LiteralString = "(VALUES (true))") -> LiteralString:
    """Return the parts of a WITH that write a journal if a row of `after` is there.

    They take what `Journal.take_parameters` returns, so that the statement of a
    recorded turn also writes down that it was.
    """
    return (
        """
        head AS (
            UPDATE user_counters SET
                head_seq = CASE WHEN """
        + IS_STALE
        + """ THEN NULL ELSE head_seq + %(count)s END,
                audit_seq = audit_seq + (%(line)s::bytea IS NOT NULL)::int,
                audit_hash = coalesce(sha256(audit_hash || %(line)s::bytea), audit_hash)
            FROM (SELECT FROM """
        + after
        + """ LIMIT 1) AS once
            WHERE user_id = %(user_id)s RETURNING head_seq, audit_seq, audit_hash
        ), fed AS (
            INSERT INTO memory_updates
                (user_id, seq, entity, entity_id, operation, created_at)
            SELECT %(user_id)s, head.head_seq - %(count)s + change.ordinality,
                   change.entity, change.entity_id, change.operation, %(at)s
            FROM head, unnest(
                %(entities)s::text[], %(entity_ids)s::uuid[], %(operations)s::text[]
            ) WITH ORDINALITY AS change (entity, entity_id, operation, ordinality)
        ), audited AS (
            INSERT INTO memory_audit_log (
                user_id, seq, audit_id, event_type, target_table, target_id, actor,
                reason, details, created_at, hash
            )
            SELECT %(user_id)s, audit_seq, %(audit_id)s, %(event_type)s,
                   %(target_table)s, %(target_id)s, %(actor)s, %(reason)s,
                   %(details)s::jsonb, %(at)s, audit_hash
            FROM head WHERE %(line)s::bytea IS NOT NULL
        )
        """
    )


_WRITE: Final = "WITH " + build_journal_sql() + "SELECT"
_APPEND_LINES: Final = """
    WITH RECURSIVE known AS (
        SELECT audit_seq, audit_hash FROM user_counters
        WHERE user_id = %(user_id)s
    ), chained AS (
        SELECT 0 AS number, audit_hash AS hash FROM known
        UNION ALL
        SELECT number + 1, sha256(hash || (%(lines)s::bytea[])[number + 1])
        FROM chained WHERE number < %(count)s
    ), moved AS (
        UPDATE user_counters SET
            audit_seq = known.audit_seq + %(count)s,
            audit_hash = chained.hash
        FROM known, chained
        WHERE user_id = %(user_id)s AND chained.number = %(count)s
    )
    INSERT INTO memory_audit_log (
        user_id, seq, audit_id, event_type, target_table, target_id, actor, reason,
        details, created_at, hash
    )
    SELECT %(user_id)s, known.audit_seq + number, (%(audit_ids)s::uuid[])[number],
           (%(event_types)s::text[])[number], (%(target_tables)s::text[])[number],
           (%(target_ids)s::uuid[])[number], %(actor)s, (%(reasons)s::text[])[number],
           (%(details)s::jsonb[])[number], %(at)s, hash
    FROM known, chained WHERE number > 0
"""
"""Chains further lines to the first, whose statement has locked the counter row."""


@dataclass(slots=True)
class Journal:
    """What a transaction will say it did; written once, before the commit."""

    changes: list[Change] = field(default_factory=list[Change])
    audits: list[Audit] = field(default_factory=list[Audit])
    events: list[Event] = field(default_factory=list[Event])
    rows: dict[str, dict[UUID, str]] = field(default_factory=dict[str, dict[UUID, str]])
    """Rows by table and id: the tag of the seal of each, or that it is `GONE`.

    The next audit line names them, so that `audit verify` misses what is not there.
    """
    has_changes: bool = False
    """Whether anything was appended to the change feed."""
    has_erasure: bool = False
    """Whether something of the person's was erased for good, as somebody wished."""
    checked: int = 0
    """How many of the transaction's keys a statement has compared."""
    is_begun: bool = False
    """Whether a statement has locked the counter row, and taken a line."""

    async def write(self, tx: Execution) -> None:
        """Write what has gathered; the counter row is locked from here on.

        One statement takes all changes and the first audit line, the next one the
        further lines of the chain, a hundred at a time. What is left once a turn has
        taken the first may be lines alone.
        """
        events, self.events = list(dict.fromkeys(self.events)), []
        if self.rows and not self.audits:
            table = next(iter(self.rows))
            self.audits.append(Audit("update", table, tx.scope.user_id, "sealed"))
        is_first = bool(self.audits) and not self.is_begun
        if self.changes or self.rows or events or is_first:
            await tx.execute(_WRITE, self.take_parameters(tx))
        while self.audits:
            lines, self.audits = self.audits[:MAX_LINES], self.audits[MAX_LINES:]
            await tx.execute(_APPEND_LINES, _build_line_parameters(tx, lines))
        if events:
            await enqueue_events(tx, events)

    async def close(self, tx: Execution) -> None:
        """Write what is left, and compare the keys that sealed since."""
        await self.write(tx)
        if len(tx.keys) > self.checked:
            await reject_stale_keys(tx)

    def take_parameters(self, tx: Execution) -> dict[str, object]:
        """Return what one statement made of `build_journal_sql` will write down.

        These are all changes and the first audit line, which is all that recording a
        turn needs; what is left is written before the commit.
        """
        changes, audit = self.changes, self.audits.pop(0) if self.audits else None
        if audit and self.rows:
            audit = replace(audit, details={**audit.details, **_format_rows(self.rows)})
            self.rows = {}
        self.changes, self.checked, self.is_begun = [], len(tx.keys), True
        self.has_changes |= bool(changes)
        return _build_parameters(tx, changes, audit)


def extract_tag(sealed: bytes) -> str:
    """Return what tells a sealed value from every other one, and nothing of it."""
    return sealed[-TAG_BYTES:].hex()


def _format_rows(rows: Mapping[str, Mapping[UUID, str]]) -> dict[str, str]:
    return {
        ROWS + table: " ".join(f"{row.hex}={tag}" for row, tag in named.items())
        for table, named in rows.items()
    }


def parse_named_rows(details: Mapping[str, object]) -> Iterator[tuple[str, UUID, str]]:
    """Yield the rows that an audit line names: table, id, and tag or `GONE`."""
    for name, rows in details.items():
        if name.startswith(ROWS) and isinstance(rows, str):
            for named in rows.split():
                row, _, tag = named.partition("=")
                yield name.removeprefix(ROWS), UUID(row), tag


def _build_line_parameters(tx: Execution, audits: Sequence[Audit]) -> dict[str, object]:
    actor = tx.scope.actor
    ids = [tx.new_id() for _ in audits]
    lines = [
        encode_entry(audit, audit_id=audit_id, actor=actor, at=tx.now)
        for audit_id, audit in zip(ids, audits, strict=True)
    ]
    return {
        "user_id": tx.scope.user_id,
        "at": tx.now,
        "actor": actor.value,
        "count": len(lines),
        "lines": to_bytes_array_literal(lines),
        "audit_ids": to_array_literal(map(str, ids)),
        "event_types": to_array_literal(audit.event_type for audit in audits),
        "target_tables": to_array_literal(audit.target_table for audit in audits),
        "target_ids": to_array_literal(str(audit.target_id) for audit in audits),
        "reasons": to_text_array_literal(audit.reason for audit in audits),
        "details": to_text_array_literal(
            json.dumps(dict(audit.details)) if audit.details else "{}"
            for audit in audits
        ),
    }


def _build_parameters(
    tx: Execution, changes: list[Change], audit: Audit | None
) -> dict[str, object]:
    audit_id, actor = tx.new_id(), tx.scope.actor
    return {
        "user_id": tx.scope.user_id,
        "at": tx.now,
        "sealed_in": get_oldest_incarnation(tx.keys),
        "count": len(changes),
        "entities": to_array_literal(change.entity for change in changes),
        "entity_ids": to_array_literal(str(change.entity_id) for change in changes),
        "operations": to_array_literal(change.operation for change in changes),
        "line": audit
        and encode_entry(audit, audit_id=audit_id, actor=actor, at=tx.now),
        "audit_id": audit_id,
        "event_type": audit and audit.event_type,
        "target_table": audit and audit.target_table,
        "target_id": audit and audit.target_id,
        "actor": actor.value,
        "reason": audit and audit.reason,
        "details": json.dumps(dict(audit.details)) if audit else "{}",
    }
