"""Where a snapshot goes on: what a device gives back to get the next part."""

from dataclasses import dataclass, replace
from typing import Final, Self
from uuid import UUID

from gieok.kernel.errors import InvalidInputError
from gieok.text.patterns import compile_lazily

_WRITTEN: Final = compile_lazily(r"([0-9]{1,18})-([0-9])-([0-9a-f]{32})")


@dataclass(frozen=True, slots=True)
class SnapshotPlace:
    """A place in a snapshot: after which id of which part, and since which change."""

    seq: int
    part: int
    after: UUID

    @classmethod
    def begin(cls, head: int) -> Self:
        """Return the place of the first item."""
        return cls(head, 0, UUID(int=0))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the place that a device gives back.

        Raises:
            InvalidInputError: it was never given out.
        """
        found = _WRITTEN.fullmatch(text)
        if found is None:
            field = "page"
            raise InvalidInputError(field, "it has the wrong form")
        return cls(int(found[1]), int(found[2]), UUID(found[3]))

    def find_next_part(self) -> Self:
        """Return the beginning of the part after this one."""
        return replace(self, part=self.part + 1, after=UUID(int=0))

    def __str__(self) -> str:
        """Return it as devices give it back."""
        return f"{self.seq}-{self.part}-{self.after.hex}"
