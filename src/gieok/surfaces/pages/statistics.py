"""What is remembered of a person, in figures (D14)."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from gieok.surfaces.pages.growth import list_ages, list_months
from gieok.surfaces.pages.visitor import CurrentVisitor

router = APIRouter()


@router.get("/statistics")
async def show_statistics(visitor: CurrentVisitor) -> HTMLResponse:
    """Show how much is known, how old it is, and how often it was used."""
    gieok, scope = visitor.gieok, visitor.scope
    ages = list_ages(visitor.now)
    months = list_months(visitor.now, visitor.style.zone)
    starts = [start for span in (*ages, *months) for start in span.starts]
    growth = await gieok.memories.growth(scope, starts=starts)
    return visitor.render(
        "statistics.html",
        usage=await gieok.settings.usage(scope),
        ages=[(each.name, growth.count_between(*each.span)) for each in ages],
        months=[(each.name, growth.count_between(*each.span)) for each in months],
        used=growth.most_used,
    )
