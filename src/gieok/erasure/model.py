"""The receipt that says what an erasure took."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final
from uuid import UUID

from gieok.memories import Outcome
from gieok.privacy import ErasureKind

_PERSON: Final[Mapping[str, str]] = {
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
_PARTIAL: Final[Mapping[str, str]] = {
    **_PERSON,
    "keys": "renewal_due",
    "backups": "readable_until_key_renewed",
}
PARTS: Final[Mapping[ErasureKind, Mapping[str, str]]] = MappingProxyType(
    {
        **dict.fromkeys(ErasureKind, _PARTIAL),
        ErasureKind.PERSON: _PERSON,
        ErasureKind.MEMORY: {
            **_PARTIAL,
            "messages": "kept_unread",
            "checkpoints": "kept",
        },
    }
)
"""What becomes of each part."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What became of a wish to forget, in the words of what was known.

    `memories` were erased, and `messages` about it are never found or read again, as
    many as that. `unsure`
    may be meant: each waits as a candidate until the person confirms or rejects it.
    """

    memories: tuple[str, ...]
    unsure: tuple[Outcome, ...]
    messages: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof of an erasure; it names ids, counts and times, and no content.

    `parts` says what became of each part. Until `backups_until` an old backup may hold
    what was erased, and a key that opens it. `number` counts how often the person was
    erased; 0 for less than a person.
    """

    receipt_id: UUID
    user_id: UUID
    kind: ErasureKind
    about: UUID
    number: int
    requested_at: datetime
    finished_at: datetime
    backups_until: datetime
    parts: Mapping[str, str]
    counts: Mapping[str, int]
    signature: bytes
    """Ed25519 over all other fields, see `gieok.erasure.signing`."""
