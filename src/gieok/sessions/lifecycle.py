"""The life of a session: its moves, the layers of a run, and when it is over."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from gieok.kernel.errors import ConflictError, SessionExpiredError
from gieok.sessions.model import Layer, Session, Status

ENDED: Final = frozenset({Status.COMPLETED, Status.FAILED, Status.EXPIRED})
"""Statuses there is no way out of."""
OPEN: Final = frozenset({Status.CREATED, Status.ACTIVE})
"""Statuses in which a session takes messages."""
MOVES: Final[Mapping[Status, frozenset[Status]]] = {
    Status.CREATED: ENDED | {Status.ACTIVE},
    Status.ACTIVE: ENDED | {Status.PAUSED},
    Status.PAUSED: ENDED | {Status.ACTIVE},
    **dict.fromkeys(ENDED, frozenset[Status]()),
}
"""Where a session may go from each status (B04)."""
LAYERS: Final = tuple(Layer)
"""The layers of a run, in order (B05)."""


def require_transition(status: Status, to: Status) -> None:
    """Refuse a move that the table does not know.

    Raises:
        SessionExpiredError: it has expired.
        ConflictError: it names both statuses.
    """
    if to not in MOVES[status]:
        _require_alive(status)
        raise ConflictError(f"a session that is {status} cannot become {to}")


def require_open(status: Status) -> None:
    """Refuse to record in a session that takes no messages.

    Raises:
        SessionExpiredError: it has expired.
        ConflictError: it is paused or has ended.
    """
    _require_alive(status)
    if status not in OPEN:
        raise ConflictError(f"the session is {status}")


def _require_alive(status: Status) -> None:
    if status is Status.EXPIRED:
        raise SessionExpiredError


def require_next_layer(current: Layer | None, wanted: Layer) -> None:
    """Refuse to leave a layer out or to go back; a new run begins anew.

    Staying is no jump: a step that is tried again says where it is once more.

    Raises:
        ConflictError: it names both layers.
    """
    if wanted in (LAYERS[0], current):
        return
    if current is None:
        raise ConflictError(f"a run begins at {LAYERS[0]}, not at {wanted}")
    if LAYERS.index(wanted) != LAYERS.index(current) + 1:
        raise ConflictError(f"a run cannot go from {current} to {wanted}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLimits:
    """How long a session waits for what, and how much it takes."""

    pair_retention: timedelta
    """How long a pair's words are kept (A03)."""
    extraction_pause: timedelta
    """How long a conversation rests before what was said is extracted."""
    idle: timedelta = timedelta(minutes=30)
    """How long an open session rests before it is over (E01)."""
    patience: timedelta = timedelta(hours=24)
    """How long a paused session waits to be resumed."""
    device_pairs: int = 8
    """Most pairs of a session on a device (A02)."""

    def compute_expiry(self, session: Session) -> datetime | None:
        """Return when a session is over if nothing more happens; None if it ended.

        An open one rests after `idle`, one that waits for somebody after `patience`;
        none lives longer than its `expires_at`.
        """
        if session.status in ENDED:
            return None
        paused = session.status is Status.PAUSED
        rests = session.updated_at + (self.patience if paused else self.idle)
        return min(rests, session.expires_at or rests)


def is_expired(end: datetime | None, now: datetime) -> bool:
    """Tell whether an end has come that nobody has written down."""
    return end is not None and end <= now
