"""The chain, as the cloud half names it; it stands below both halves."""

from gieok.kernel.chain import (
    CHAIN_BYTES,
    Position,
    advance_chain,
    hash_words,
    start_chain,
)

__all__ = ["CHAIN_BYTES", "Position", "advance_chain", "hash_words", "start_chain"]
