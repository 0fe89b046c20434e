"""A block of memory for a prompt, every line traceable."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gieok.memories import ForgetQuestion


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a block, and the memory or episode it shows."""

    text: str
    memory_id: UUID
    at: datetime


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What was once said, shortened, and where it was said.

    The person's own words name their message. Where those are no longer kept, it is
    what is told of them: an episode's words name the episode, a session's summary
    only the session.
    """

    text: str
    message_id: UUID | None
    session_id: UUID | None
    at: datetime
    episode_id: UUID | None = None

    @property
    def is_quoted(self) -> bool:
        """Whether these are the person's own words."""
        return self.message_id is not None


@dataclass(frozen=True, slots=True)
class Block:
    """What to add to a prompt; nothing known and nothing said is false.

    `tokens` is an estimate on the safe side, see `budget`.
    """

    text: str = ""
    lines: tuple[Line, ...] = ()
    tokens: int = 0
    excerpts: tuple[Excerpt, ...] = ()
    questions: tuple[ForgetQuestion, ...] = ()
    """What the person is to be asked about, as the text says."""

    def __bool__(self) -> bool:
        """Tell whether there is anything to add."""
        return bool(self.lines or self.excerpts or self.questions)

    def __str__(self) -> str:
        """Return the text."""
        return self.text


EMPTY = Block()
