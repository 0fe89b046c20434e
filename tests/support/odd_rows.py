"""Everything that reads rows: whatever is in them, none of it may fail."""

from uuid import UUID

from gieok import Gieok, Scope
from gieok.items import Search


async def read_everything(memory: Gieok, me: Scope, session_id: UUID) -> None:
    """Do whatever reads rows; whatever is there, none of it may fail."""
    memory.recall.drop(me)
    memory.items.drop(me)
    await memory.sessions.page(me)
    await memory.sessions.read(me, session_id)
    await memory.memories.page(me, include_inactive=True)
    await memory.memories.candidates(me)
    await memory.episodes.page(me)
    await memory.recall.search(me, "강남구에 사는 고양이")
    await memory.context.build(me, "고양이")
    await memory.items.batch(me, [Search(("notes",), query="화분")])
    await memory.accounts.persona_names(me)
    await memory.settled(me)
