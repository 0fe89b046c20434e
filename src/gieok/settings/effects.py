"""What a changed setting does to tables of rooms above, in the same transaction."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple
from uuid import UUID

from gieok.database import Change, Transaction


class SettingEffects(NamedTuple):
    """What the composition root hands in, as imports point down only."""

    skip_extraction: Callable[[Transaction], Awaitable[None]]
    """Has nothing extracted of what was said until now; locks sessions."""
    skip_messages: Callable[[Transaction], Awaitable[None]]
    """Has what was said until now neither summed up nor found; locks sessions."""
    update_expiry: Callable[[Transaction, int | None], Awaitable[Sequence[UUID]]]
    """Lets memories end so many days after they were confirmed; returns which."""
    list_known_changes: Callable[[Transaction], Awaitable[Sequence[Change]]]
    """Returns what devices may hold only as far as what is known may be used."""
