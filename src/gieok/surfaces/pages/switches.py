"""What a person allows, each switch with what it does to what exists (D04, D14)."""

from typing import TYPE_CHECKING

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from gieok.kernel.language import Category
from gieok.settings import Policy, Settings
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
    service, scope = visitor.gieok.settings, visitor.scope
    changes = compute_changes(await service.get(scope), fields)
    if changes:
        await service.update(scope, changes)
    return visitor.send_to("switches", "saved")


@router.post("/time-zone")
async def change_time_zone(visitor: CurrentVisitor, fields: VisitorForm) -> Response:
    """Cut days and weeks by another time zone."""
    await visitor.gieok.accounts.update(
        visitor.scope, time_zone=fields.get("time_zone").strip()
    )
    return visitor.send_to("switches", "saved")


def compute_changes(settings: Settings, fields: FormFields) -> dict[str, object]:
    """Return what a form wants other than it is.

    A switch that consent holds off is shown off; left alone, it is not changed.

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
    shown: Mapping[str, object] = {
        "is_enabled": settings.is_enabled,
        "auto_extraction": settings.auto_extraction,
        "allowed_categories": [each.value for each in settings.allowed_categories],
        "max_memories": settings.max_memories,
        "retention_days": settings.retention_days,
        "words_days": settings.words_days,
        "promotion_policy": settings.promotion_policy.value,
    }
    return {
        name: value
        for name, value in wanted.items()
        if _to_comparable(value) != _to_comparable(shown[name])
    }


def _to_comparable(value: object) -> object:
    """Return a value in which the order of a list does not count."""
    return {str(each) for each in value} if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - lists of texts
