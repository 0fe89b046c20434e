"""Save an episode as a person who asks for it."""

from typing import Any

from gieok import Gieok, Scope
from gieok.episodes import SavedEpisode
from gieok.kernel.language import Gist

PLAIN_EPISODE: dict[str, Any] = {
    "session_id": None,
    "is_fallback": False,
    "is_manual": True,
    "summarizer": "person",
}


async def save_episode(
    memory: Gieok,
    me: Scope,
    summary: str,
    importance: int = 5,
    *,
    topics: tuple[str, ...] = (),
    persona: str = "Mina",
) -> SavedEpisode:
    """Keep an episode as a person who asks for it."""
    persona_id = await memory.accounts.persona(me, persona)
    gist = Gist(summary, topics, importance=importance)
    return await memory.episodes.create(
        me, persona_id=persona_id, gist=gist, **PLAIN_EPISODE
    )
