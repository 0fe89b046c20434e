"""What is written down of items that were read, kept or removed."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from gieok.database import Audit, Change, Transaction
from gieok.database.journal import AuditEvent
from gieok.items import store
from gieok.items.model import Get, Item, Operation, OperationAnswer, Search

ENTITY: Final = "store_item"
TABLE: Final = "store_items"


def audit_rows(
    tx: Transaction,
    event: AuditEvent,
    rows: Sequence[UUID],
    reason: str = "store",
) -> None:
    """Log one line for all rows of a transaction that met the same."""
    if rows:
        target = rows[0] if len(rows) == 1 else tx.scope.user_id
        tx.record_audit(Audit(event, TABLE, target, reason, {"n": len(rows)}))


def record_removed(tx: Transaction, gone: Sequence[UUID], reason: str) -> None:
    """Number and log what was removed."""
    tx.record_changes(*(Change(ENTITY, row, "delete") for row in gone))
    audit_rows(tx, "delete", gone, reason)


async def record_reads(
    tx: Transaction, ops: Sequence[Operation], answers: Sequence[OperationAnswer]
) -> None:
    """Log what was read (D16), and start times to live anew."""
    found: list[UUID] = []
    refreshed: set[UUID] = set()
    for op, answer in zip(ops, answers, strict=True):
        items = _collect_items(answer)
        found += [item.item_id for item in items]
        if isinstance(op, Get | Search) and op.refresh:
            refreshed |= {item.item_id for item in items if item.ttl_minutes}
    if refreshed:
        await tx.lock_person()
        await store.reset_expiry(tx, refreshed)
    audit_rows(tx, "access", found)


def _collect_items(answer: OperationAnswer) -> list[Item]:
    if isinstance(answer, Item):
        return [answer]
    return [each for each in answer or () if isinstance(each, Item)]
