"""What became of a wish to forget."""

from dataclasses import dataclass

from gieok.memories import Outcome


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What became of a wish to forget, in the words of what was known.

    `memories` were erased, and `messages` about it are never found or read again, as
    many as that. `unsure`
    may be meant: each waits as a candidate until the person confirms or rejects it.
    """

    memories: tuple[str, ...]
    unsure: tuple[Outcome, ...]
    messages: int
