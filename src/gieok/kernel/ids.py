"""Ids as an argument: ordered random ids, and stable ids for names from outside."""

import hashlib
import hmac
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from uuid_utils import compat

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
NewId = Callable[[], UUID]
"""Returns an id nobody has used before."""


def generate_id() -> UUID:
    """Return a UUID version 7 (RFC 9562): random, and ordered by when it was made."""
    return compat.uuid7()


def parse_id_time(made: UUID) -> datetime:
    """Return when an id of `generate_id` was made, to the millisecond."""
    return _EPOCH + timedelta(milliseconds=made.int >> 80)


def derive_pseudonym(secret: bytes, *names: str) -> UUID:
    """Return the id under which a name from outside is kept (UUID version 8, RFC 9562).

    The same names give the same id, and without the secret nobody can tell which names
    an id stands for: an e-mail address used as a user id never reaches the disk.
    """
    spelled = b"".join(
        len(part).to_bytes(4, "big") + part
        for part in (name.encode("utf-8") for name in names)
    )
    digest = bytearray(hmac.digest(secret, spelled, hashlib.sha256)[:16])
    digest[6] = (digest[6] & 0x0F) | 0x80
    digest[8] = (digest[8] & 0x3F) | 0x80
    return UUID(bytes=bytes(digest))
