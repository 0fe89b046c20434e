"""What happened to a person's data (A09, D16)."""

from collections.abc import Sequence
from typing import Self
from uuid import UUID

from pydantic import Field, JsonValue

from gieok.audit import AuditLine
from gieok.surfaces.rest.schemas.shared import ResponseModel, Time


class AuditEntry(ResponseModel):
    """One line of the audit log: ids, numbers and codes, never content."""

    position: int = Field(description="Place in the person's chain, from 1.")
    audit_id: UUID
    event_type: str
    target_table: str
    target_id: UUID
    actor: str
    reason: str
    details: dict[str, JsonValue]
    created_at: Time
    hash: str = Field(
        description="SHA-256 over the hash of the line before and this line, in hex."
    )

    @classmethod
    def from_line(cls, line: AuditLine) -> Self:
        """Return the line."""
        return cls.from_fields(line, position=line.seq, hash=line.hash.hex())


class AuditPage(ResponseModel):
    """Lines, newest first; the next page is `before` the last one's position."""

    lines: list[AuditEntry]
    has_more: bool

    @classmethod
    def from_lines(cls, lines: Sequence[AuditLine], *, has_more: bool) -> Self:
        """Return the page."""
        return cls(
            lines=[AuditEntry.from_line(each) for each in lines], has_more=has_more
        )
