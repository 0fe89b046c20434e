"""What was talked about with personas, as their document has it (E05 to E16)."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from fastapi import Query

from gieok.episodes import Episode, SavedEpisode
from gieok.kernel.errors import InvalidInputError
from gieok.surfaces.rest.caller import Caller, CurrentCaller
from gieok.surfaces.rest.errors import build_failure_responses
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.persona_memory import (
    AnyPersonaId,
    ConversationToKeep,
    MemoriesListed,
    MemoriesLoaded,
    MemoryAnswer,
    MemoryArchived,
    MemoryGone,
    MemoryToCreate,
    PersonaId,
    PersonaMemory,
    PersonaMemoryChange,
    PersonaMemoryLimit,
    SavedMemoryResponse,
)
from gieok.surfaces.rest.schemas.shared import Failure, Offset
from gieok.text.cleaning import clean_name

Tags = Annotated[
    Sequence[str],
    Query(alias="tag", description="Only memories with all of these tags (E23)."),
]

router = create_router("/api/v1/memory", "memory", body=Failure)


class NothingToSummarizeError(InvalidInputError):
    """A conversation holds nothing that could become a memory."""

    code = "llm_summary_failed"


@router.post("/summarize", responses=build_failure_responses(409))
async def summarize_conversation(
    caller: CurrentCaller, asked: ConversationToKeep
) -> SavedMemoryResponse:
    """Sum up a conversation and keep what it was about.

    Without a model that answers, a part of the conversation itself is kept. Where the
    plan's limit is reached, the least important memory is archived, which may be this.
    """
    return await _save_conversation(caller, asked)


@router.post("/create", responses=build_failure_responses(409))
async def create_memory(
    caller: CurrentCaller, asked: MemoryToCreate
) -> SavedMemoryResponse:
    """Keep a conversation, in the words of `manualSummary` if that is given."""
    return await _save_conversation(caller, asked, asked.manual_summary)


@router.get("/load")
async def load_memories(
    caller: CurrentCaller, persona_id: PersonaId, limit: PersonaMemoryLimit = 5
) -> MemoriesLoaded:
    """Return the memories with which a conversation starts, most important first."""
    episodes = await caller.gieok.episodes.load(
        caller.scope, _resolve_persona_id(caller, persona_id), limit=limit
    )
    return MemoriesLoaded(memories=await _create_views(caller, episodes))


@router.get("/list")
async def list_persona_memories(
    caller: CurrentCaller,
    persona_id: AnyPersonaId = None,
    limit: PersonaMemoryLimit = 10,
    offset: Offset = 0,
    *,
    tags: Tags = (),
    include_archived: Annotated[bool, Query(alias="includeArchived")] = False,
) -> MemoriesListed:
    """Return memories of one persona or of all, newest first."""
    page = await caller.gieok.episodes.page(
        caller.scope,
        persona_id=_resolve_persona_id(caller, persona_id),
        include_archived=include_archived,
        tags=tags,
        limit=limit,
        offset=offset,
    )
    return MemoriesListed(
        memories=await _create_views(caller, page.episodes),
        total=page.total,
        has_more=page.has_more,
    )


@router.get("/search")
async def search_memories(
    caller: CurrentCaller,
    q: Annotated[str, Query(description="Words of a summary, topic or tag.")],
    persona_id: AnyPersonaId = None,
    limit: PersonaMemoryLimit = 10,
    *,
    tags: Tags = (),
) -> MemoriesLoaded:
    """Return the memories that hold what is asked for, best first (E21)."""
    found = await caller.gieok.episodes.search(
        caller.scope,
        q,
        persona_id=_resolve_persona_id(caller, persona_id),
        tags=tags,
        limit=limit,
    )
    return MemoriesLoaded(memories=await _create_views(caller, found))


@router.patch("/{memory_id}", responses=build_failure_responses(404))
async def change_persona_memory(
    caller: CurrentCaller, memory_id: UUID, change: PersonaMemoryChange
) -> MemoryAnswer:
    """Change a memory; a later summary of its conversation leaves that alone."""
    episode = await caller.gieok.episodes.edit(
        caller.scope,
        memory_id,
        summary=change.summary,
        importance=change.importance,
        tags=change.tags,
    )
    return MemoryAnswer(memory=await _create_view(caller, episode))


@router.delete("/{memory_id}", responses=build_failure_responses(404))
async def delete_persona_memory(caller: CurrentCaller, memory_id: UUID) -> MemoryGone:
    """Erase a memory for good."""
    await caller.gieok.episodes.delete(caller.scope, memory_id)
    return MemoryGone()


@router.post("/{memory_id}/archive", responses=build_failure_responses(404))
async def archive_memory(caller: CurrentCaller, memory_id: UUID) -> MemoryArchived:
    """Take a memory out of use without losing it."""
    episode = await caller.gieok.episodes.archive(caller.scope, memory_id)
    return MemoryArchived.model_validate({"archived_at": episode.archived_at})


@router.post("/{memory_id}/restore", responses=build_failure_responses(404, 409))
async def restore_memory(caller: CurrentCaller, memory_id: UUID) -> SavedMemoryResponse:
    """Take a memory out of the archive; a less important one may give way to it."""
    return await _to_saved_response(
        caller, await caller.gieok.episodes.restore(caller.scope, memory_id)
    )


async def _save_conversation(
    caller: Caller, asked: ConversationToKeep, summary: str | None = None
) -> SavedMemoryResponse:
    kept = await caller.gieok.chat.keep(
        caller.scope,
        persona=asked.persona_id,
        session=asked.session_id,
        told=[message.to_message() for message in asked.messages],
        summary=summary,
    )
    if kept is None:
        field = "messages"
        raise NothingToSummarizeError(field, "there is nothing in it to remember")
    return await _to_saved_response(caller, kept)


async def _to_saved_response(caller: Caller, kept: SavedEpisode) -> SavedMemoryResponse:
    return SavedMemoryResponse(
        memory=await _create_view(caller, kept.episode),
        fallback=kept.episode.is_fallback,
        archived=[episode.episode_id for episode in kept.archived],
        notice=kept.notice,
    )


def _resolve_persona_id(caller: Caller, name: str | None) -> UUID | None:
    if name is None:
        return None
    clean = clean_name("persona_id", name)
    return caller.gieok.accounts.persona_id(caller.scope, clean)


async def _create_view(caller: Caller, episode: Episode) -> PersonaMemory:
    (view,) = await _create_views(caller, [episode])
    return view


async def _create_views(
    caller: Caller, episodes: Sequence[Episode]
) -> list[PersonaMemory]:
    """Return episodes under the names that the app uses."""
    personas = await caller.gieok.accounts.persona_names(caller.scope)
    sessions = await caller.gieok.chat.get_names(
        caller.scope, [episode.session_id for episode in episodes if episode.session_id]
    )
    return [
        PersonaMemory.from_episode(episode, personas, sessions) for episode in episodes
    ]
