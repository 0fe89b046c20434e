"""One table: what follows each event; a step that runs twice changes nothing."""

from collections.abc import Awaitable, Callable
from uuid import UUID

from gieok.database import (
    ConversationPaused,
    Event,
    SessionClosed,
    TurnsRecorded,
    VectorMissing,
)
from gieok.facade import Gieok
from gieok.kernel.scope import Scope

Step = Callable[[Gieok, Scope, UUID], Awaitable[object]]


async def make_searchable(gieok: Gieok, scope: Scope, _: UUID) -> None:
    """Give every new message its terms and vector."""
    await gieok.recall.index(scope)


async def extract(gieok: Gieok, scope: Scope, session_id: UUID) -> None:
    """Read what the session holds unread."""
    await gieok.memories.extract(scope, session_id)


async def extract_if_paused(gieok: Gieok, scope: Scope, session_id: UUID) -> None:
    """Read what is unread, unless the conversation is still going on."""
    if await gieok.sessions.has_paused(scope, session_id):
        await gieok.memories.extract(scope, session_id)


ON: dict[type[Event], tuple[Step, ...]] = {
    TurnsRecorded: (make_searchable,),
    VectorMissing: (make_searchable,),
    ConversationPaused: (extract_if_paused,),
    SessionClosed: (extract, make_searchable),
}
