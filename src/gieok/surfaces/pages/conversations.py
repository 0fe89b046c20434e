"""What was said: days, weeks and single conversations, each of which can be erased."""

from collections.abc import Sequence
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query, Response
from fastapi.responses import HTMLResponse

from gieok.summaries import DaySummary, WeekSummary
from gieok.surfaces.pages.month_calendar import CalendarMonth, select_month
from gieok.surfaces.pages.visitor import CurrentVisitor, VisitorForm

PAGE: Final = 30
MESSAGES: Final = 100
MAX_OFFSET: Final = 1_000_000

Offset = Annotated[int, Query(ge=0, le=MAX_OFFSET)]

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
    today = visitor.now.astimezone(visitor.style.zone).date()
    held = ((), ()) if offset else await gieok.summaries.periods(scope)
    shown = select_month(month, today, *held)
    return visitor.render(
        "conversations.html",
        month=shown,
        days=await _list_days(visitor, shown),
        weeks=await _list_weeks(visitor, shown),
        sessions=sessions,
        total=total,
        offset=offset,
        page_size=PAGE,
    )


async def _list_days(
    visitor: CurrentVisitor, month: CalendarMonth
) -> Sequence[DaySummary]:
    """Return the summaries of a month's days, newest first."""
    if not month.days:
        return ()
    return await visitor.gieok.summaries.days(
        visitor.scope, limit=len(month.days), before=month.next
    )


async def _list_weeks(
    visitor: CurrentVisitor, month: CalendarMonth
) -> Sequence[WeekSummary]:
    """Return the summaries of the weeks that have days in a month, newest first."""
    if not month.weeks:
        return ()
    return await visitor.gieok.summaries.weeks(
        visitor.scope, limit=len(month.weeks), before=month.next_week
    )


@router.get("/conversations/{session_id}")
async def show_conversation(
    visitor: CurrentVisitor, session_id: UUID, offset: Offset = 0
) -> HTMLResponse:
    """Show the end of a conversation as it was said, and what it was about.

    `offset` is how many of its last messages are left out.
    """
    gieok, scope = visitor.gieok, visitor.scope
    transcript, total = await gieok.sessions.read_end(
        scope, session_id, limit=MESSAGES, offset=offset
    )
    return visitor.render(
        "conversation.html",
        session=transcript.session,
        messages=transcript.messages,
        total=total,
        offset=offset,
        page_size=MESSAGES,
        summary=await gieok.summaries.find_session(scope, session_id),
    )


@router.get("/conversations/{session_id}/erase")
async def show_conversation_erasing(
    visitor: CurrentVisitor, session_id: UUID
) -> HTMLResponse:
    """Say what goes with a conversation, before it does."""
    transcript = await visitor.gieok.sessions.read(visitor.scope, session_id, limit=1)
    return visitor.render("conversation_erase.html", session=transcript.session)


@router.post("/conversations/{session_id}/erase")
async def erase_conversation(
    visitor: CurrentVisitor, _: VisitorForm, session_id: UUID
) -> Response:
    """Erase a conversation and what was learned from it alone."""
    receipt = await visitor.gieok.erasure.session(visitor.scope, session_id)
    return visitor.send_to(f"receipts/{receipt.receipt_id}", "forgotten")
