"""The chain over all a device has sent: what tells a clone from the device itself.

chain 0 is the incarnation; chain n = BLAKE2b-128(chain n-1 ‖ n ‖ pair id ‖ words). Here
words is the digest of what was said. Both sides compute it; equal chains at a number
mean the same history up to it.
"""

import hashlib
from dataclasses import dataclass
from typing import Final
from uuid import UUID

CHAIN_BYTES: Final = 16
_SEQUENCE_BYTES: Final = 8
_LENGTH_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class Position:
    """A place in what a device has sent: its last number, and the chain up to it."""

    seq: int
    chain: bytes


def start_chain(incarnation: UUID) -> Position:
    """Return where an installation of a device stands that has sent nothing."""
    return Position(0, incarnation.bytes)


def hash_words(session: str, user_text: str, assistant_text: str) -> bytes:
    """Return the digest of what was said: each text in UTF-8 after its length."""
    return _hash_parts(
        *_encode_with_length(session),
        *_encode_with_length(user_text),
        *_encode_with_length(assistant_text),
    )


def advance_chain(before: Position, pair_id: UUID, words: bytes) -> Position:
    """Return the position after one more pair."""
    seq = before.seq + 1
    number = seq.to_bytes(_SEQUENCE_BYTES, "big")
    return Position(seq, _hash_parts(before.chain, number, pair_id.bytes, words))


def _encode_with_length(text: str) -> tuple[bytes, bytes]:
    data = text.encode("utf-8", "surrogatepass")
    return len(data).to_bytes(_LENGTH_BYTES, "big"), data


def _hash_parts(*parts: bytes) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=CHAIN_BYTES).digest()
