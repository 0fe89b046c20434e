"""Much work in portions, between which others get their turn and results are kept."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def split_portions(
    things: Iterable[T], size: Callable[[T], int], most: int
) -> Iterator[list[T]]:
    """Yield things in order, together as long as their sizes add up to `most`.

    What is larger than that by itself is a portion of its own.
    """
    portion: list[T] = []
    total = 0
    for thing in things:
        more = size(thing)
        if portion and total + more > most:
            yield portion
            portion, total = [], 0
        portion.append(thing)
        total += more
    if portion:
        yield portion
