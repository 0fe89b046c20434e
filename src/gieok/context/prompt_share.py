"""No one conversation and no one day speaks for a person alone (influence bound)."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")


def limit_share(
    ranked: Sequence[T], limit: int, origins: Callable[[T], Sequence[Hashable]]
) -> list[T]:
    """Return the best items, at most half of them of any one origin.

    `origins` tells where an item comes from (its conversation, its day). Only when
    there is nothing else to show does one origin get more than its half.
    """
    share = max(1, limit // 2)
    seen: Counter[Hashable] = Counter()
    chosen: list[T] = []
    over: list[T] = []
    for item in ranked:
        whence = origins(item)
        if any(seen[origin] >= share for origin in whence):
            over.append(item)
            continue
        seen.update(whence)
        chosen.append(item)
    return [*chosen, *over][:limit]
