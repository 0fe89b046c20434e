"""Which of memories that contradict each other a prompt has: the newest (0040)."""

from collections.abc import Mapping
from uuid import UUID


def select_newest(newer: Mapping[UUID, UUID | None], ids: list[UUID]) -> list[UUID]:
    """Return for each memory the newest of what says otherwise, in the first place.

    `newer` are all memories that may stand, each with the one that takes its place.
    """
    newest: dict[UUID, None] = {}
    for each in ids:
        last, passed = each, {each}
        while (by := newer[last]) in newer and by not in passed:
            last = by
            passed.add(last)
        newest[last] = None
    return [*newest]
