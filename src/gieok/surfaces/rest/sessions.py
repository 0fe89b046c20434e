"""Conversations as they happen."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from gieok.facade import Gieok
from gieok.kernel.errors import InvalidInputError, NotPermittedError
from gieok.kernel.scope import Scope
from gieok.sessions import Session, Status
from gieok.sessions.inputs import MAX_OFFSET
from gieok.sessions.service import MAX_READ
from gieok.surfaces.rest.caller import (
    CurrentCaller,
    CurrentClaims,
    MemoryDependency,
    SessionCaller,
)
from gieok.surfaces.rest.errors import build_error_responses
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.sessions import (
    MessageView,
    NewMessage,
    NewSession,
    NewTurn,
    PairView,
    ReadingView,
    SessionDetail,
    SessionList,
    SessionView,
)
from gieok.surfaces.rest.schemas.shared import Devices, Offset, PairId
from gieok.surfaces.rest.tokens import Claims

SessionLimit = Annotated[int, Query(ge=1, le=200, description="Most to return.")]

MessageStart = Annotated[
    int, Query(ge=0, le=MAX_OFFSET, description="`position` of the first message.")
]
MessagesLimit = Annotated[
    int, Query(ge=1, le=MAX_READ, description="Most messages to return.")
]

router = create_router("/api/v1/sessions", "sessions")


@router.post(
    "", status_code=status.HTTP_201_CREATED, responses=build_error_responses(403, 409)
)
async def start_session(
    gieok: MemoryDependency, claims: CurrentClaims, new: NewSession | None = None
) -> SessionView:
    """Start a conversation; the body may be left out.

    An app's key that may act as people and names nobody, neither in `X-Gieok-User` nor
    in `user_id`, starts an anonymous one: nothing of it becomes a memory, and it is
    erased when it is over, in 24 hours at most. Its id is all that leads to it.
    """
    asked = new or NewSession()
    scope = _resolve_scope(gieok, claims, asked.user_id)
    if scope is None:
        return SessionView.from_session(
            await _start_anonymous(gieok, claims, asked), {}
        )
    persona = device = None
    if asked.persona is not None:
        persona = await gieok.accounts.persona(scope, asked.persona)
    if asked.device is not None:
        device = await gieok.accounts.device(scope, asked.device)
    session = await gieok.sessions.start(
        scope,
        session_id=asked.id,
        language=asked.language,
        persona_id=persona,
        device_id=device,
        config=asked.config,
        max_pairs=asked.max_pairs,
        expires_at=asked.expires_at,
    )
    return await _to_session_view(gieok, scope, session)


async def _to_session_view(gieok: Gieok, scope: Scope, session: Session) -> SessionView:
    return SessionView.from_session(
        session, await _load_device_names(gieok, scope, session)
    )


async def _load_device_names(gieok: Gieok, scope: Scope, *sessions: Session) -> Devices:
    """Return the app's ids of the devices of sessions, if any was on one."""
    if not any(session.device_id for session in sessions):
        return {}
    return await gieok.accounts.device_names(scope)


def _resolve_scope(gieok: Gieok, claims: Claims, user_id: str | None) -> Scope | None:
    """Return whose session starts: the caller's, or of whom the body names (B02).

    None where nobody is named.

    Raises:
        NotPermittedError: the caller acts for somebody else.
    """
    if claims.user_id is None:
        return None if user_id is None else gieok.person(user_id, actor=claims.actor)
    scope = gieok.person(claims.user_id, actor=claims.actor)
    if user_id is not None and gieok.person(user_id).user_id != scope.user_id:
        raise NotPermittedError("user_id names somebody else than the bearer acts for")
    return scope


async def _start_anonymous(gieok: Gieok, claims: Claims, asked: NewSession) -> Session:
    for field in ("id", "persona", "device", "max_pairs"):
        if getattr(asked, field) is not None:
            raise InvalidInputError(field, "an anonymous session has none")
    _, session = await gieok.start_anonymous(
        language=asked.language,
        config=asked.config,
        expires_at=asked.expires_at,
        actor=claims.actor,
    )
    return session


@router.get("")
async def list_sessions(
    caller: CurrentCaller,
    only: Annotated[Status | None, Query(alias="status")] = None,
    limit: SessionLimit = 50,
    offset: Offset = 0,
) -> SessionList:
    """Return the person's conversations, newest first."""
    page, total = await caller.gieok.sessions.page(
        caller.scope, status=only, limit=limit, offset=offset
    )
    devices = await _load_device_names(caller.gieok, caller.scope, *page)
    return SessionList(
        sessions=[SessionView.from_session(session, devices) for session in page],
        total=total,
        has_more=offset + len(page) < total,
    )


@router.get("/{session_id}", responses=build_error_responses(404))
async def get_session(
    caller: SessionCaller,
    session_id: UUID,
    start: MessageStart = 0,
    limit: MessagesLimit = MAX_READ,
) -> SessionDetail:
    """Return a conversation with its messages, in order.

    No more than 8 MB of them, and a message at least: with `has_more`, go on with
    `start` after the `position` of the last.
    """
    transcript = await caller.gieok.sessions.read(
        caller.scope, session_id, start=start, limit=limit
    )
    reading = await caller.gieok.memories.reading(caller.scope, session_id)
    devices = await _load_device_names(caller.gieok, caller.scope, transcript.session)
    return SessionDetail.from_transcript(transcript, reading, devices)


@router.get("/{session_id}/reading", responses=build_error_responses(404))
async def get_reading(caller: CurrentCaller, session_id: UUID) -> ReadingView:
    """Return how far what was said has been read into memory; ask again until it is."""
    reading = await caller.gieok.memories.reading(caller.scope, session_id)
    return ReadingView.from_reading(reading)


@router.post(
    "/{session_id}/turns",
    status_code=status.HTTP_201_CREATED,
    responses=build_error_responses(404, 409),
)
async def record_turn(
    caller: SessionCaller,
    session_id: UUID,
    new: NewTurn,
    idempotency_key: PairId = None,
) -> PairView:
    """Record what both sides said; once this answers, it survives a crash.

    The answer names the session it is in: the next one, if this one was full. Where no
    answer came, send it again with the same `Idempotency-Key`.
    """
    pair = await caller.gieok.sessions.record(
        caller.scope, session_id, new.to_turn(), pair_id=idempotency_key
    )
    return PairView.from_pair(pair)


@router.post(
    "/{session_id}/messages",
    status_code=status.HTTP_201_CREATED,
    responses=build_error_responses(404, 409),
)
async def append_message(
    caller: SessionCaller, session_id: UUID, new: NewMessage
) -> MessageView:
    """Record a single message."""
    message = await caller.gieok.sessions.append(
        caller.scope,
        session_id,
        role=new.role,
        content=new.content,
        layer=new.layer,
        metadata=new.metadata,
        tokens=new.tokens,
        cost=new.cost,
    )
    return MessageView.from_message(message)


@router.post("/{session_id}/pause", responses=build_error_responses(404, 409))
async def pause_session(caller: SessionCaller, session_id: UUID) -> SessionView:
    """Stop an active conversation until it is resumed, for 24 hours at most."""
    session = await caller.gieok.sessions.pause(caller.scope, session_id)
    return await _to_session_view(caller.gieok, caller.scope, session)


@router.post("/{session_id}/resume", responses=build_error_responses(404, 409))
async def resume_session(caller: SessionCaller, session_id: UUID) -> SessionView:
    """Go on with a paused conversation; one that has ended stays so."""
    session = await caller.gieok.sessions.resume(caller.scope, session_id)
    return await _to_session_view(caller.gieok, caller.scope, session)


@router.post("/{session_id}/close", responses=build_error_responses(404, 409))
async def close_session(caller: SessionCaller, session_id: UUID) -> SessionView:
    """End a conversation; what was said in it is extracted at once."""
    session = await caller.gieok.sessions.close(caller.scope, session_id)
    return await _to_session_view(caller.gieok, caller.scope, session)


@router.delete(
    "/{session_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=build_error_responses(404),
)
async def delete_session(caller: SessionCaller, session_id: UUID) -> None:
    """Erase a conversation and all that was learned from it alone."""
    await caller.gieok.erasure.session(caller.scope, session_id)
    if caller.is_anonymous:
        await caller.gieok.erasure.person(caller.scope)
