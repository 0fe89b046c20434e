"""Whether everything is in place, and what runs here."""

import platform
from importlib.metadata import version

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from gieok.surfaces.pages.console.operator import CurrentOperator

router = APIRouter()


@router.get("/")
async def show_health(operator: CurrentOperator) -> HTMLResponse:
    """Show which versions run here."""
    gieok = operator.gieok
    versions = {
        "gieok": version("gieok"),
        "python": platform.python_version(),
        "embedder": gieok.recall.embedder.name,
        "model": gieok.memories.model.name,
    }
    return operator.render("health.html", versions=versions)
