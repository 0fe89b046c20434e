"""What is remembered of a person, in figures (D14)."""

from typing import Final

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from gieok.memories import Memory
from gieok.surfaces.pages.growth import count_by_age, count_by_month
from gieok.surfaces.pages.visitor import CurrentVisitor, Visitor

BATCH: Final = 1_000
MOST_USED: Final = 5

router = APIRouter()


@router.get("/statistics")
async def show_statistics(visitor: CurrentVisitor) -> HTMLResponse:
    """Show how much is known, how old it is, and how often it was used."""
    memories = await _list_memories(visitor)
    created = [memory.created_at for memory in memories]
    used = sorted(memories, key=lambda memory: -memory.usage_count)[:MOST_USED]
    return visitor.render(
        "statistics.html",
        usage=await visitor.gieok.settings.usage(visitor.scope),
        ages=count_by_age(created, visitor.now),
        months=count_by_month(created, visitor.now, visitor.style.zone),
        used=[memory for memory in used if memory.usage_count],
    )


async def _list_memories(visitor: Visitor) -> list[Memory]:
    """Return every memory that is in use."""
    found: list[Memory] = []
    while True:
        page, total = await visitor.gieok.memories.page(
            visitor.scope, limit=BATCH, offset=len(found)
        )
        found += page
        if not page or len(found) >= total:
            return found
