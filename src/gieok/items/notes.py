"""What is written down of items that were read, kept or removed."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from gieok.database import Audit, Change, Transaction
from gieok.database.journal import AuditEvent
from gieok.items import store
from gieok.items.model import Answer, Get, Item, Operation, Search

ENTITY: Final = "store_item"
TABLE: Final = "store_items"


def note(
    tx: Transaction,
    event: AuditEvent,
    rows: Sequence[UUID],
    reason: str = "store",
) -> None:
    """Log one line for all rows of a transaction that met the same."""
    if rows:
        target = rows[0] if len(rows) == 1 else tx.scope.user_id
        tx.audit(Audit(event, TABLE, target, reason, {"n": len(rows)}))


def note_removed(tx: Transaction, gone: Sequence[UUID], reason: str) -> None:
    """Number and log what was removed."""
    tx.number(*(Change(ENTITY, row, "delete") for row in gone))
    note(tx, "delete", gone, reason)


async def note_read(
    tx: Transaction, ops: Sequence[Operation], answers: Sequence[Answer]
) -> None:
    """Log what was read (D16), and start times to live anew."""
    found: list[UUID] = []
    refreshed: set[UUID] = set()
    for op, answer in zip(ops, answers, strict=True):
        items = _found(answer)
        found += [item.item_id for item in items]
        if isinstance(op, Get | Search) and op.refresh:
            refreshed |= {item.item_id for item in items if item.ttl_minutes}
    if refreshed:
        await tx.lock_person()
        await store.refresh(tx, refreshed)
    note(tx, "access", found)


def _found(answer: Answer) -> list[Item]:
    if isinstance(answer, Item):
        return [answer]
    return [each for each in answer or () if isinstance(each, Item)]
