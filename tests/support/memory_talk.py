"""Say something to a memory, and look at what it remembers."""

from typing import Any
from uuid import UUID

from gieok import Gieok, Memory, Scope, Turn


async def record_turns(
    memory: Gieok, me: Scope, *texts: str, answer: str = "네.", **options: Any
) -> UUID:
    """Record turns in a new session, and return its id."""
    session = await memory.sessions.start(me, **options)
    for text in texts:
        await memory.sessions.record(me, session.session_id, Turn(text, answer))
    return session.session_id


async def talk(
    memory: Gieok, me: Scope, *texts: str, close: bool = False, **options: Any
) -> UUID:
    """Record turns in a new session, do what follows, and return its id."""
    session_id = await record_turns(memory, me, *texts, **options)
    if close:
        await memory.sessions.close(me, session_id)
    await memory.settled(me)
    return session_id


async def list_memories(
    memory: Gieok, me: Scope, *, include_inactive: bool = False
) -> list[Memory]:
    found, _ = await memory.memories.page(me, include_inactive=include_inactive)
    return list(found)


async def list_contents(
    memory: Gieok, me: Scope, *, include_inactive: bool = False
) -> list[str]:
    """Return what is remembered, in the order of its wording."""
    found = await list_memories(memory, me, include_inactive=include_inactive)
    return sorted(each.content for each in found)
