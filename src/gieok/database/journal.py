"""The change feed and the audit log: numbered per person, in the writer's transaction.

Both hang on one counter row per person, so a person's numbers follow commit order
(design rule 6) and the audit log is one hash chain:
hash n = SHA-256(hash n-1 ‖ entry n).
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from psycopg.types.json import Jsonb

from gieok.kernel.scope import Actor

if TYPE_CHECKING:
    from gieok.database.transaction import Transaction

AuditEvent = Literal["create", "update", "delete", "export", "mask", "access"]


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that became different, as devices and caches will hear of it."""

    entity: str
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


def entry(audit: Audit, *, audit_id: UUID, actor: Actor, at: datetime) -> bytes:
    """Return the bytes of an audit line that its hash covers."""
    line = [
        str(audit_id),
        audit.event_type,
        audit.target_table,
        str(audit.target_id),
        actor.value,
        audit.reason,
        dict(audit.details),
        at.timestamp(),
    ]
    return json.dumps(line, sort_keys=True, separators=(",", ":")).encode()


def chained(previous: bytes, line: bytes) -> bytes:
    """Return the hash that follows `previous` once `line` is appended."""
    return hashlib.sha256(previous + line).digest()


NUMBER_CHANGES = """
    WITH head AS (
        UPDATE user_counters SET head_seq = head_seq + %(count)s
        WHERE user_id = %(user_id)s RETURNING head_seq
    )
    INSERT INTO memory_updates
        (user_id, seq, entity, entity_id, operation, created_at)
    SELECT %(user_id)s, head.head_seq - %(count)s + change.ordinality,
           change.entity, change.entity_id, change.operation, %(at)s
    FROM head, unnest(%(entities)s::text[], %(ids)s::uuid[], %(operations)s::text[])
        WITH ORDINALITY AS change (entity, entity_id, operation, ordinality)
    RETURNING seq
"""

APPEND_AUDIT = """
    WITH head AS (
        UPDATE user_counters
        SET audit_seq = audit_seq + 1, audit_hash = sha256(audit_hash || %(line)s)
        WHERE user_id = %(user_id)s RETURNING audit_seq, audit_hash
    )
    INSERT INTO memory_audit_log (
        user_id, seq, audit_id, event_type, target_table, target_id, actor, reason,
        details, created_at, hash
    )
    SELECT %(user_id)s, audit_seq, %(audit_id)s, %(event_type)s, %(target_table)s,
           %(target_id)s, %(actor)s, %(reason)s, %(details)s, %(at)s, audit_hash
    FROM head
"""


async def number_changes(tx: "Transaction", changes: Iterable[Change]) -> None:
    """Append to the person's change feed."""
    listed = list(changes)
    await tx.execute(
        NUMBER_CHANGES,
        {
            "user_id": tx.scope.user_id,
            "count": len(listed),
            "entities": [change.entity for change in listed],
            "ids": [change.entity_id for change in listed],
            "operations": [change.operation for change in listed],
            "at": tx.now,
        },
    )


async def append_audit(tx: "Transaction", audit: Audit) -> None:
    """Append to the person's audit chain."""
    audit_id = tx.new_id()
    actor = tx.scope.actor
    await tx.execute(
        APPEND_AUDIT,
        {
            "user_id": tx.scope.user_id,
            "line": entry(audit, audit_id=audit_id, actor=actor, at=tx.now),
            "audit_id": audit_id,
            "event_type": audit.event_type,
            "target_table": audit.target_table,
            "target_id": audit.target_id,
            "actor": actor.value,
            "reason": audit.reason,
            "details": Jsonb(dict(audit.details)),
            "at": tx.now,
        },
    )
