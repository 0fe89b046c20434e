"""Turns a template and values into a page: always escaped, never with a gap."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from fastapi.responses import HTMLResponse

from gieok.surfaces.pages.assets import list_assets
from gieok.surfaces.pages.texts import format_text
from gieok.surfaces.pages.wording import (
    clip_text,
    describe_confidence,
    describe_state,
    format_day,
    format_time,
)

if TYPE_CHECKING:
    from datetime import datetime

    from jinja2 import Environment

TEMPLATES: Final = Path(__file__).parent / "templates"
UTC_ZONE: Final = ZoneInfo("UTC")
MAX_SHOWN: Final = 4_000
"""Characters of one text that a page shows."""


@dataclass(frozen=True, slots=True)
class PageStyle:
    """For whom a page is written: language, time zone, and where the pages are."""

    language: str
    base: str
    zone: ZoneInfo = UTC_ZONE


@cache
def get_environment() -> "Environment":
    """Return the templates: escaping is on for all of them, a missing value fails."""
    from jinja2 import (  # noqa: PLC0415 - only who renders a page needs it
        Environment,
        FileSystemLoader,
        StrictUndefined,
    )

    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def render_page(
    template: str,
    style: PageStyle,
    values: Mapping[str, Any],
    *,
    status: int = 200,
) -> HTMLResponse:
    """Return a page in the person's language."""
    page = get_environment().get_template(template)
    html = page.render({**build_helpers(style), **values})
    return HTMLResponse(html, status, {"Content-Language": style.language})


def build_helpers(style: PageStyle) -> dict[str, Any]:
    """Return what every template may call."""

    def translate(key: str, **details: object) -> str:
        return format_text(key, style.language, **details)

    def show_time(at: "datetime") -> str:
        return format_time(at, style.zone, style.language)

    def show_day(at: "datetime") -> str:
        return format_day(at, style.zone, style.language)

    def show_confidence(confidence: float) -> str:
        return translate(f"confidence.{describe_confidence(confidence)}")

    return {
        "t": translate,
        "language": style.language,
        "base": style.base,
        "assets": list_assets(),
        "show_time": show_time,
        "show_day": show_day,
        "clip": partial(clip_text, most=MAX_SHOWN),
        "confidence_word": show_confidence,
        "state": describe_state,
    }
