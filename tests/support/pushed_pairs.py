"""What a cloud that only counts does with a push."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from gieok.device.wire import encode_position
from gieok.kernel.chain import Position, advance_chain, hash_words


def take_pairs(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the position after the pairs of a push."""
    base = fields["base"]
    at = Position(base["seq"], bytes.fromhex(base["chain"]))
    for each in fields["pairs"]:
        words = hash_words(each["session"], each["user_text"], each["assistant_text"])
        at = advance_chain(at, UUID(each["pair_id"]), words)
    return encode_position(at)
