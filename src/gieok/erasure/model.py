"""What an erasure took, and the receipt that says so."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from gieok.privacy import Kind

PERSON_PARTS: Final[Mapping[str, str]] = {
    "rows": "erased",
    "derived": "erased",
    "vectors": "erased",
    "checkpoints": "erased",
    "jobs": "erased",
    "caches": "dropped",
    "keys": "destroyed",
    "devices": "told_at_next_sync",
    "audit_log": "kept_without_content",
    "backups": "unreadable_without_key",
}
PARTIAL_PARTS: Final[Mapping[str, str]] = {
    **PERSON_PARTS,
    "keys": "kept",
    "backups": "expire",
}


@dataclass(frozen=True, slots=True)
class Erased:
    """How much of each went."""

    sessions: int
    messages: int
    memories: int
    candidates: int
    episodes: int
    summaries: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof of an erasure; it names ids, counts and times, and no content.

    `parts` says what became of each part. Until `backups_until` an old backup may hold
    what was erased: of a person the wrapped key, else the sealed rows. `number` counts
    how often the person was erased; 0 for less than a person.
    """

    receipt_id: UUID
    user_id: UUID
    kind: Kind
    about: UUID
    number: int
    requested_at: datetime
    finished_at: datetime
    backups_until: datetime
    parts: Mapping[str, str]
    counts: Mapping[str, int]
    signature: bytes
    """Ed25519 over all other fields, see `gieok.erasure.signing`."""
