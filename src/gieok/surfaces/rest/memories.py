"""What is known about a person, and what may become known (D12, D10, A05)."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, status
from pydantic import AwareDatetime

from gieok.access import Right
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Category
from gieok.memories import CandidateStatus
from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.errors import build_error_responses
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.candidates import (
    CandidateList,
    Confirmed,
    MemoryCandidate,
)
from gieok.surfaces.rest.schemas.memories import (
    AnswerSource,
    AnswerSources,
    MemoryChange,
    MemoryDetail,
    MemoryEvent,
    MemoryEventList,
    MemoryList,
    NewMemory,
    Rollback,
    RolledBack,
    UserMemory,
    WishFulfilled,
    WishToForget,
)
from gieok.surfaces.rest.schemas.shared import Offset

MAX_SOURCES = 100
MemoryLimit = Annotated[int, Query(ge=1, le=1_000, description="Most to return.")]

router = create_router("/api/v1/users/me", "memories")


@router.get("/memories")
async def list_memories(
    caller: CurrentCaller,
    limit: MemoryLimit = 100,
    offset: Offset = 0,
    *,
    include_inactive: Annotated[
        bool, Query(description="Deactivated, superseded and expired ones too.")
    ] = False,
    category: Annotated[
        Category | None, Query(description="Only memories of this category.")
    ] = None,
) -> MemoryList:
    """Return the person's memories, newest first."""
    memories, total = await caller.gieok.memories.page(
        caller.scope,
        include_inactive=include_inactive,
        category=category,
        limit=limit,
        offset=offset,
    )
    views = [UserMemory.from_memory(memory, caller.now) for memory in memories]
    return MemoryList(memories=views, total=total)


@router.post(
    "/memories",
    status_code=status.HTTP_201_CREATED,
    responses=build_error_responses(403, 409),
)
async def remember(caller: CurrentCaller, new: NewMemory) -> UserMemory:
    """Remember a fact; one that is known already is confirmed instead."""
    memory = await caller.gieok.memories.remember(
        caller.scope, new.content, category=new.category
    )
    return UserMemory.from_memory(memory, caller.now)


@router.delete("/memories", status_code=status.HTTP_204_NO_CONTENT)
async def forget_all_memories(caller: CurrentCaller) -> None:
    """Erase every memory of the person, active or not."""
    await caller.gieok.memories.forget_all(caller.scope)


@router.post("/memories/forget", responses=build_error_responses(503))
async def forget_about(caller: CurrentCaller, wish: WishToForget) -> WishFulfilled:
    """Erase what a wish to forget names, and everything that was said of it.

    What may be meant but need not be is not erased: ask, and confirm its candidate.
    """
    return WishFulfilled.from_forgotten(
        await caller.gieok.erasure.about(caller.scope, wish.about)
    )


@router.post("/memories/rollback", responses=build_error_responses(403))
async def roll_back_memories(caller: CurrentCaller, asked: Rollback) -> RolledBack:
    """Take out of use what was learned since a time or from a session.

    What that had replaced is in use again, and candidates from there expire. Nothing is
    erased: each can be reactivated. Only to look (`dry_run`) takes the right to read.
    """
    if asked.dry_run:
        caller.require_right(Right.READ)
    withdrawn = await caller.gieok.memories.rollback(
        caller.scope,
        since=asked.since,
        session_id=asked.session_id,
        dry_run=asked.dry_run,
    )
    return RolledBack(memory_ids=list(withdrawn), dry_run=asked.dry_run)


@router.get("/memories/sources")
async def list_answer_sources(
    caller: CurrentCaller,
    memory_id: Annotated[
        list[UUID],
        Query(min_length=1, max_length=MAX_SOURCES, description="Of a block's lines."),
    ],
) -> AnswerSources:
    """Return the memories that an answer rests on, to be shown beside it.

    What was forgotten since is left out.
    """
    found = await caller.gieok.memories.sources(caller.scope, memory_id)
    return AnswerSources(sources=[AnswerSource.from_memory(each) for each in found])


@router.get("/memories/updates")
async def list_memory_updates(
    caller: CurrentCaller,
    since: Annotated[
        AwareDatetime | None, Query(description="Only what happened after this.")
    ] = None,
    after: Annotated[
        str | None, Query(description="The `cursor` of the answer before.")
    ] = None,
    limit: MemoryLimit = 100,
) -> MemoryEventList:
    """Return what was learned, changed or set aside, to be told to the person.

    Oldest first; what was forgotten has left no line. Who goes on with `after` misses
    nothing; times alone miss what was under way.
    """
    page = await caller.gieok.memories.updates(
        caller.scope, since=since, after=after, limit=limit
    )
    return MemoryEventList(
        updates=[MemoryEvent.from_entry(each) for each in page.entries],
        cursor=page.cursor,
        has_more=page.has_more,
    )


@router.get("/memories/{memory_id}", responses=build_error_responses(404))
async def get_memory(caller: CurrentCaller, memory_id: UUID) -> MemoryDetail:
    """Return one memory with its source and its history."""
    memory = await caller.gieok.memories.get(caller.scope, memory_id)
    history = await caller.gieok.memories.history(caller.scope, memory_id)
    return MemoryDetail.from_history(memory, history, caller.now)


@router.patch("/memories/{memory_id}", responses=build_error_responses(403, 404))
async def change_memory(
    caller: CurrentCaller, memory_id: UUID, change: MemoryChange
) -> UserMemory:
    """Correct a memory, or say what becomes of it once its time is over (A06).

    Corrected, it is told by a new memory, with an id of its own, which is returned,
    also where the same change is sent again.
    """
    content, policy = change.content, change.delete_policy
    if content is None:
        if policy is None or change.category is not None:
            field = "content"
            raise InvalidInputError(field, "give it, or delete_policy alone")
        memory = await caller.gieok.retention.set_policy(
            caller.scope, memory_id, policy
        )
    else:
        memory = await caller.gieok.memories.correct(
            caller.scope,
            memory_id,
            content,
            category=change.category,
            delete_policy=policy,
        )
    return UserMemory.from_memory(memory, caller.now)


@router.put("/memories/{memory_id}/pin", responses=build_error_responses(404))
async def pin_memory(caller: CurrentCaller, memory_id: UUID) -> UserMemory:
    """Have a memory stand first in every prompt, and not fade."""
    memory = await caller.gieok.memories.pin(caller.scope, memory_id)
    return UserMemory.from_memory(memory, caller.now)


@router.delete(
    "/memories/{memory_id}/pin",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=build_error_responses(404),
)
async def unpin_memory(caller: CurrentCaller, memory_id: UUID) -> None:
    """Have a memory fade and rank as any other."""
    await caller.gieok.memories.unpin(caller.scope, memory_id)


@router.delete(
    "/memories/{memory_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=build_error_responses(404),
)
async def forget_memory(caller: CurrentCaller, memory_id: UUID) -> None:
    """Erase one memory for good, with its history and candidates.

    The receipt is among `erasure-receipts`.
    """
    await caller.gieok.memories.forget(caller.scope, memory_id)


@router.post(
    "/memories/{memory_id}/deactivate",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=build_error_responses(404, 409),
)
async def deactivate_memory(caller: CurrentCaller, memory_id: UUID) -> None:
    """Take a memory out of use without losing it."""
    await caller.gieok.memories.deactivate(caller.scope, memory_id)


@router.post(
    "/memories/{memory_id}/reactivate", responses=build_error_responses(404, 409)
)
async def reactivate_memory(caller: CurrentCaller, memory_id: UUID) -> UserMemory:
    """Put a memory back in use."""
    memory = await caller.gieok.memories.reactivate(caller.scope, memory_id)
    return UserMemory.from_memory(memory, caller.now)


@router.get("/memory-candidates")
async def list_candidates(
    caller: CurrentCaller,
    only: Annotated[CandidateStatus | None, Query(alias="status")] = None,
    limit: MemoryLimit = 100,
    offset: Offset = 0,
    *,
    held: Annotated[
        bool, Query(description="Only those in quarantine, which a review releases.")
    ] = False,
) -> CandidateList:
    """Return claims that are not memories yet, or no longer will be, newest first."""
    found = await caller.gieok.memories.candidates(
        caller.scope, status=only, held=held, limit=limit, offset=offset
    )
    return CandidateList(
        candidates=[MemoryCandidate.from_candidate(each) for each in found]
    )


@router.post(
    "/memory-candidates/{candidate_id}/confirm",
    responses=build_error_responses(404, 409),
)
async def confirm_candidate(caller: CurrentCaller, candidate_id: UUID) -> Confirmed:
    """Carry out a candidate because the person reviewed it; this ends a quarantine."""
    memory = await caller.gieok.memories.confirm(caller.scope, candidate_id)
    return Confirmed(memory=memory and UserMemory.from_memory(memory, caller.now))


@router.post(
    "/memory-candidates/{candidate_id}/reject",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=build_error_responses(404, 409),
)
async def reject_candidate(caller: CurrentCaller, candidate_id: UUID) -> None:
    """Refuse a candidate; exactly this claim is never proposed again."""
    await caller.gieok.memories.reject(caller.scope, candidate_id)
