"""What conversations were about, for each persona: seen, edited, archived, erased."""

from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query, Response
from fastapi.responses import HTMLResponse

from gieok.episodes import Episode
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Emotion
from gieok.surfaces.pages.moods import group_by_month
from gieok.surfaces.pages.visitor import CurrentVisitor, Visitor, VisitorForm

PAGE: Final = 30
SUMMED: Final = 200
"""The newest episodes that the figures by month are made of."""
MAX_OFFSET: Final = 1_000_000

Offset = Annotated[int, Query(ge=0, le=MAX_OFFSET)]

router = APIRouter()


@router.get("/episodes")
async def list_episodes(
    visitor: CurrentVisitor,
    persona: str = "",
    offset: Offset = 0,
    *,
    archived: bool = False,
) -> HTMLResponse:
    """Show episodes of one persona or of all, newest first, and figures by month."""
    found = await visitor.gieok.episodes.page(
        visitor.scope,
        persona_id=_parse_persona(persona),
        include_archived=archived,
        limit=PAGE if offset else SUMMED,
        offset=offset,
    )
    return visitor.render(
        "episodes.html",
        episodes=found.episodes[:PAGE],
        months=[] if offset else group_by_month(found.episodes, visitor.style.zone),
        summed=min(found.total, SUMMED),
        total=found.total,
        offset=offset,
        page_size=PAGE,
        personas=await visitor.gieok.accounts.persona_names(visitor.scope),
        persona=persona,
        archived=archived,
        emotions=list(Emotion),
    )


@router.get("/episodes/{episode_id}")
async def show_episode(visitor: CurrentVisitor, episode_id: UUID) -> HTMLResponse:
    """Show one episode, and what can be done about it."""
    episode = await visitor.gieok.episodes.get(visitor.scope, episode_id)
    return await _render_episode(visitor, "episode.html", episode)


@router.post("/episodes/{episode_id}/edit")
async def edit_episode(
    visitor: CurrentVisitor, fields: VisitorForm, episode_id: UUID
) -> Response:
    """Put the person's own words in its place; a later summary leaves them alone."""
    await visitor.gieok.episodes.edit(
        visitor.scope,
        episode_id,
        summary=fields.get_text("summary"),
        importance=fields.get_figure("importance"),
        tags=[each for tag in fields.get("tags").split(",") if (each := tag.strip())],
    )
    return visitor.send_to(f"episodes/{episode_id}", "saved")


@router.post("/episodes/{episode_id}/archive")
async def archive_episode(
    visitor: CurrentVisitor, _: VisitorForm, episode_id: UUID
) -> Response:
    """Take an episode out of use without losing it."""
    await visitor.gieok.episodes.archive(visitor.scope, episode_id)
    return visitor.send_to(f"episodes/{episode_id}", "set_aside")


@router.post("/episodes/{episode_id}/restore")
async def restore_episode(
    visitor: CurrentVisitor, _: VisitorForm, episode_id: UUID
) -> Response:
    """Put an episode back in use; the page says if another gave way to it."""
    kept = await visitor.gieok.episodes.restore(visitor.scope, episode_id)
    done = "in_use_instead" if kept.archived else "in_use"
    return visitor.send_to(f"episodes/{episode_id}", done)


@router.get("/episodes/{episode_id}/erase")
async def show_episode_erasing(
    visitor: CurrentVisitor, episode_id: UUID
) -> HTMLResponse:
    """Say what goes with an episode, before it does."""
    episode = await visitor.gieok.episodes.get(visitor.scope, episode_id)
    return await _render_episode(visitor, "episode_erase.html", episode)


@router.post("/episodes/{episode_id}/erase")
async def erase_episode(
    visitor: CurrentVisitor, _: VisitorForm, episode_id: UUID
) -> Response:
    """Erase an episode; what was said in its conversation stays."""
    await visitor.gieok.episodes.delete(visitor.scope, episode_id)
    return visitor.send_to("episodes", "episode_erased")


async def _render_episode(
    visitor: Visitor, template: str, episode: Episode
) -> HTMLResponse:
    personas = await visitor.gieok.accounts.persona_names(visitor.scope)
    return visitor.render(template, episode=episode, personas=personas)


def _parse_persona(persona: str) -> UUID | None:
    """Return the persona that a form chose; None for all of them.

    Raises:
        InvalidInputError: it is no id.
    """
    try:
        return UUID(persona) if persona else None
    except ValueError:
        field = "persona"
        raise InvalidInputError(field, "it must be a UUID") from None
