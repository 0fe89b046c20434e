"""A sentence taken apart into the things that it coordinates, and what is around."""

from typing import NamedTuple


class Coordination(NamedTuple):
    """The parts of a sentence that coordinates things."""

    before: str
    conjuncts: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    """The words of each conjunct that name it, in lower case."""
    links: tuple[str, ...]
    """What stands between each and the next, spaces too."""
    after: str
    is_sure: bool = True
    """Whether it can be cut; otherwise it is only known that there are several."""
    are_doings: bool = False
    """Whether it coordinates what somebody does ("smokes and drinks")."""
