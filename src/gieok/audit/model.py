"""One line of the audit log, as A09 names it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One line; `hash` chains it to the line before."""

    seq: int
    audit_id: UUID
    event_type: str
    target_table: str
    target_id: UUID
    actor: str
    reason: str
    details: dict[str, Any]
    created_at: datetime
    hash: bytes


@dataclass(frozen=True, slots=True)
class ChainVerification:
    """What a look at many people's chains found."""

    people: int
    lines: int
    """Lines of the chains that are whole."""
    broken: Mapping[UUID, str]
    """The first line of each chain that is not, by person."""
    broken_seal: int | None = None
    """The number of the first seal that does not hold, if one does not."""
