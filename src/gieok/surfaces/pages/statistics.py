"""What is remembered of a person, in figures (D14)."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from gieok.surfaces.pages.growth import count_by_age, count_by_month
from gieok.surfaces.pages.visitor import CurrentVisitor

router = APIRouter()


@router.get("/statistics")
async def show_statistics(visitor: CurrentVisitor) -> HTMLResponse:
    """Show how much is known, how old it is, and how often it was used."""
    gieok, scope = visitor.gieok, visitor.scope
    growth = await gieok.memories.growth(scope)
    return visitor.render(
        "statistics.html",
        usage=await gieok.settings.usage(scope),
        ages=count_by_age(growth.created, visitor.now),
        months=count_by_month(growth.created, visitor.now, visitor.style.zone),
        used=growth.most_used,
    )
