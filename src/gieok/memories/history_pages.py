"""What happened to memories, a page at a time: none is missed and none comes twice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self
from uuid import UUID

from gieok.kernel.errors import InvalidInputError
from gieok.memories.origins import HistoryEntry
from gieok.text.patterns import compile_lazily

_WRITTEN: Final = compile_lazily(r"([0-9]{1,18})-([0-9a-f]{32})")


@dataclass(frozen=True, slots=True)
class HistoryPlace:
    """A place among all that happened: the change number that stood then, and the step.

    The number is read with the person locked: a later commit has a higher one.
    """

    seq: int
    history_id: UUID

    @classmethod
    def begin(cls, seq: int = 0) -> Self:
        """Return the place before whatever happens from a change number on."""
        return cls(seq, UUID(int=0))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the place that a reader gives back.

        Raises:
            InvalidInputError: it was never given out.
        """
        found = _WRITTEN.fullmatch(text)
        if found is None:
            raise _create_refusal()
        return cls(int(found[1]), UUID(found[2]))

    def require_reached(self, head: int) -> None:
        """Fail unless the person's changes have come to this place.

        Raises:
            InvalidInputError: they have not, as after a restore: begin anew.
        """
        if self.seq > head:
            raise _create_refusal()

    def __str__(self) -> str:
        """Return it as readers give it back."""
        return f"{self.seq}-{self.history_id.hex}"


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """What happened to memories, oldest first."""

    entries: tuple[HistoryEntry, ...]
    cursor: str
    """What to ask for the rest with, and later for what is new."""
    has_more: bool


def build_history_page(
    found: Sequence[tuple[HistoryPlace, HistoryEntry]], start: HistoryPlace, limit: int
) -> HistoryPage:
    """Return a page of what was found from a place on; one more says there is more."""
    taken = found[:limit]
    end = taken[-1][0] if taken else start
    entries = tuple(entry for _, entry in taken)
    return HistoryPage(entries, str(end), len(found) > limit)


def _create_refusal() -> InvalidInputError:
    return InvalidInputError("after", "it was never given out")
