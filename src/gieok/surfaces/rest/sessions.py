"""Conversations as they happen."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, status

from gieok.surfaces.rest.caller import Asking
from gieok.surfaces.rest.errors import EVERYWHERE, documented
from gieok.surfaces.rest.schemas.sessions import (
    MessageView,
    NewMessage,
    NewSession,
    NewTurn,
    PairView,
    SessionDetail,
    SessionList,
    SessionView,
)
from gieok.surfaces.rest.schemas.shared import Offset

Limit = Annotated[int, Query(ge=1, le=200, description="Most to return.")]

router = APIRouter(
    prefix="/api/v1/sessions", tags=["sessions"], responses=documented(*EVERYWHERE)
)


@router.post("", status_code=status.HTTP_201_CREATED)
async def start_session(caller: Asking, new: NewSession | None = None) -> SessionView:
    """Start a conversation; the body may be left out."""
    language = (new or NewSession()).language
    session = await caller.gieok.sessions.start(caller.scope, language=language)
    return SessionView.of(session)


@router.get("")
async def list_sessions(
    caller: Asking, limit: Limit = 50, offset: Offset = 0
) -> SessionList:
    """Return the person's conversations, newest first."""
    page = await caller.gieok.sessions.page(caller.scope, limit=limit, offset=offset)
    return SessionList(sessions=[SessionView.of(session) for session in page])


@router.get("/{session_id}", responses=documented(404))
async def get_session(caller: Asking, session_id: UUID) -> SessionDetail:
    """Return a conversation with its messages."""
    transcript = await caller.gieok.sessions.read(caller.scope, session_id)
    return SessionDetail.told(transcript)


@router.post(
    "/{session_id}/turns",
    status_code=status.HTTP_201_CREATED,
    responses=documented(404, 409),
)
async def record_turn(caller: Asking, session_id: UUID, new: NewTurn) -> PairView:
    """Record what both sides said; once this answers, it survives a crash."""
    pair = await caller.gieok.sessions.record(caller.scope, session_id, new.turn())
    return PairView.of(pair)


@router.post(
    "/{session_id}/messages",
    status_code=status.HTTP_201_CREATED,
    responses=documented(404, 409),
)
async def append_message(
    caller: Asking, session_id: UUID, new: NewMessage
) -> MessageView:
    """Record a single message."""
    message = await caller.gieok.sessions.append(
        caller.scope, session_id, role=new.role, content=new.content
    )
    return MessageView.of(message)


@router.post("/{session_id}/close", responses=documented(404, 409))
async def close_session(caller: Asking, session_id: UUID) -> SessionView:
    """End a conversation; what was said in it is extracted at once."""
    return SessionView.of(await caller.gieok.sessions.close(caller.scope, session_id))
