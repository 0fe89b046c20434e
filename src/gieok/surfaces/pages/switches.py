"""What a person allows, each switch with what it does to what exists (D04, D14)."""

from typing import TYPE_CHECKING

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from gieok.kernel.language import Category
from gieok.settings import Policy
from gieok.surfaces.pages.consent import NOTICE
from gieok.surfaces.pages.forms import FormFields
from gieok.surfaces.pages.visitor import CurrentVisitor, VisitorForm

if TYPE_CHECKING:
    from collections.abc import Mapping

router = APIRouter()


@router.get("/switches")
async def show_switches(visitor: CurrentVisitor) -> HTMLResponse:
    """Show what is allowed, and what was agreed to."""
    gieok, scope = visitor.gieok, visitor.scope
    return visitor.render(
        "switches.html",
        settings=await gieok.settings.get(scope),
        decisions=await gieok.settings.consents(scope),
        account=await gieok.accounts.get(scope),
        categories=list(Category),
        policies=list(Policy),
        notice=NOTICE,
    )


@router.post("/switches")
async def change_switches(visitor: CurrentVisitor, fields: VisitorForm) -> Response:
    """Change what the form changes, and nothing else."""
    changes = compute_changes(fields)
    if changes:
        await visitor.gieok.settings.update(visitor.scope, changes)
    return visitor.send_to("switches", "saved")


@router.post("/time-zone")
async def change_time_zone(visitor: CurrentVisitor, fields: VisitorForm) -> Response:
    """Cut days and weeks by another time zone."""
    await visitor.gieok.accounts.update(
        visitor.scope, time_zone=fields.get("time_zone").strip()
    )
    return visitor.send_to("switches", "saved")


def compute_changes(fields: FormFields) -> dict[str, object]:
    """Return what a form wants other than its page showed.

    A switch that consent holds off is shown off; left alone, it is not changed. Nor is
    what was changed elsewhere since the page was shown.

    Raises:
        InvalidInputError: a figure that is none.
    """
    wanted: Mapping[str, object] = {
        "is_enabled": bool(fields.get("is_enabled")),
        "auto_extraction": bool(fields.get("auto_extraction")),
        "allowed_categories": fields.list_values("allowed_categories"),
        "max_memories": fields.get_figure("max_memories"),
        "retention_days": fields.get_figure("retention_days"),
        "words_days": fields.get_figure("words_days"),
        "promotion_policy": fields.get("promotion_policy"),
    }
    return {name: wanted[name] for name in wanted if fields.is_changed(name)}
