"""Which of memories that contradict each other a prompt has: the newest (0040)."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from uuid import UUID

from gieok.memories.model import Memory


def find_newer(memories: Iterable[Memory], now: datetime) -> dict[UUID, UUID]:
    """Return which of some memories takes the place of which, by id.

    Nothing takes that of what is pinned, and nothing of a time that has passed takes
    any.
    """
    every = [*memories]
    able = {each.memory_id for each in every if not each.is_over_at(now)}
    return {
        each.memory_id: by
        for each in every
        if not each.is_pinned and (by := each.contradicted_by) in able and by
    }


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
