"""What the cloud does with numbers a device sends (research: the server rule)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from gieok.kernel.chain import Position, advance_chain


class Refusal(StrEnum):
    """Why a whole upload is refused; nothing of it was taken."""

    GAP = "gap"
    """A number is missing: before the first one, or between two."""
    FORK = "fork"
    """The same number was taken with other words before."""


@dataclass(frozen=True, slots=True)
class SentPair:
    """What the rule looks at of a pair."""

    seq: int
    pair_id: UUID
    words: bytes
    """Digest of what was said, see `chain`."""


@dataclass(frozen=True, slots=True)
class UploadPlan:
    """How many of the pairs the cloud has already, and where it stands afterwards."""

    known: int
    after: Position


def decide_upload(
    last: Position, base: Position, pairs: Sequence[SentPair]
) -> UploadPlan | Refusal:
    """Return what to take of the pairs that follow `base`, given the `last` taken.

    A number is taken once, in order and without gaps, whatever arrives how often.
    """
    if base.seq > last.seq:
        return Refusal.GAP
    at = base
    if at.seq == last.seq and at.chain != last.chain:
        return Refusal.FORK
    for pair in pairs:
        if pair.seq != at.seq + 1:
            return Refusal.GAP
        at = advance_chain(at, pair.pair_id, pair.words)
        if at.seq == last.seq and at.chain != last.chain:
            return Refusal.FORK
    known = min(len(pairs), last.seq - base.seq)
    return UploadPlan(known, at if at.seq > last.seq else last)
