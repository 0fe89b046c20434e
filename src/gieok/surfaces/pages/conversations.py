"""What was said: days, weeks and single conversations, each of which can be erased."""

from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query, Response
from fastapi.responses import HTMLResponse

from gieok.surfaces.pages.month_calendar import select_month
from gieok.surfaces.pages.visitor import CurrentVisitor, VisitorForm

PAGE: Final = 30
DAYS, WEEKS = 62, 27
"""As many as are kept by default, and some more."""
MESSAGES: Final = 100
LARGEST_OFFSET: Final = 1_000_000

Offset = Annotated[int, Query(ge=0, le=LARGEST_OFFSET)]

router = APIRouter()


@router.get("/conversations")
async def list_conversations(
    visitor: CurrentVisitor,
    offset: Offset = 0,
    month: str = "",
) -> HTMLResponse:
    """Show what a month's days and weeks were about, and the conversations."""
    gieok, scope = visitor.gieok, visitor.scope
    sessions, total = await gieok.sessions.page(scope, limit=PAGE, offset=offset)
    days = () if offset else await gieok.summaries.days(scope, limit=DAYS)
    weeks = () if offset else await gieok.summaries.weeks(scope, limit=WEEKS)
    today = visitor.now.astimezone(visitor.style.zone).date()
    return visitor.render(
        "conversations.html",
        month=select_month(month, today, days, weeks),
        sessions=sessions,
        total=total,
        offset=offset,
        page_size=PAGE,
    )


@router.get("/conversations/{session_id}")
async def show_conversation(
    visitor: CurrentVisitor, session_id: UUID, offset: Offset = 0
) -> HTMLResponse:
    """Show the end of a conversation as it was said, and what it was about.

    `offset` is how many of its last messages are left out.
    """
    gieok, scope = visitor.gieok, visitor.scope
    transcript = await gieok.sessions.read(scope, session_id)
    end = max(0, len(transcript.messages) - offset)
    return visitor.render(
        "conversation.html",
        session=transcript.session,
        messages=transcript.messages[max(0, end - MESSAGES) : end],
        total=len(transcript.messages),
        offset=offset,
        page_size=MESSAGES,
        summary=await gieok.summaries.find_session(scope, session_id),
    )


@router.get("/conversations/{session_id}/erase")
async def show_conversation_erasing(
    visitor: CurrentVisitor, session_id: UUID
) -> HTMLResponse:
    """Say what goes with a conversation, before it does."""
    transcript = await visitor.gieok.sessions.read(visitor.scope, session_id)
    return visitor.render("conversation_erase.html", session=transcript.session)


@router.post("/conversations/{session_id}/erase")
async def erase_conversation(
    visitor: CurrentVisitor, _: VisitorForm, session_id: UUID
) -> Response:
    """Erase a conversation and what was learned from it alone."""
    receipt = await visitor.gieok.erasure.session(visitor.scope, session_id)
    return visitor.send_to(f"receipts/{receipt.receipt_id}", "forgotten")
