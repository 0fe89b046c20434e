"""Which of memories that contradict each other a prompt has: the newest (0040)."""

from collections.abc import Iterable, Mapping
from uuid import UUID


def select_newest(newer: Mapping[UUID, UUID | None], ids: Iterable[UUID]) -> list[UUID]:
    """Return each, or the newest of what says otherwise, in the first place of any.

    `newer` is what takes the place of a memory, if anything does.
    """
    newest: dict[UUID, None] = {}
    for each in ids:
        last, passed = each, {each}
        while (by := newer.get(last)) is not None and by not in passed:
            last = by
            passed.add(last)
        newest[last] = None
    return [*newest]
