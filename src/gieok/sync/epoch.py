"""Which life of the memory a device's copy belongs to.

An epoch has three parts: how often the person was erased, the change number at which
all of their content last was, and which restore of a backup the database comes from.
"""

from dataclasses import dataclass
from typing import Final, Self

from gieok.text.patterns import compile_lazily

_WRITTEN: Final = compile_lazily(r"([0-9]{1,9})\.([0-9]{1,18})\.([0-9a-z]{1,32})")


@dataclass(frozen=True, slots=True)
class Epoch:
    """One life of a person's memory; devices see it as an opaque string."""

    incarnation: int
    emptied: int
    timeline: str

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the epoch a device names; None where it never was one."""
        found = _WRITTEN.fullmatch(text)
        return cls(int(found[1]), int(found[2]), found[3]) if found else None

    def __str__(self) -> str:
        """Return it as devices keep it."""
        return f"{self.incarnation}.{self.emptied}.{self.timeline}"

    def has_erased(self, held: Self) -> bool:
        """Tell whether what a device holds from another epoch was erased since."""
        return (held.incarnation, held.emptied) < (self.incarnation, self.emptied)
