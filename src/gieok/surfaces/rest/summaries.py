"""What conversations, days and weeks were about."""

from datetime import date
from typing import Annotated
from uuid import UUID

from fastapi import Query

from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.errors import build_error_responses
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.summaries import (
    DaySummaryList,
    DaySummaryView,
    SessionSummaryView,
    SummedUp,
    WeekSummaryList,
    WeekSummaryView,
)

SummaryLimit = Annotated[int, Query(ge=1, le=200, description="Most to return.")]

BeforeDay = Annotated[
    date | None, Query(description="Only days before this one, such as 2026-11-16.")
]
BeforeWeek = Annotated[
    str | None, Query(description="Only weeks before this one, such as 2026-W47.")
]

router = create_router("/api/v1", "summaries")


@router.get("/summaries/days")
async def list_day_summaries(
    caller: CurrentCaller, limit: SummaryLimit = 30, before: BeforeDay = None
) -> DaySummaryList:
    """Return what the person's days were about, newest first."""
    found = await caller.gieok.summaries.days(caller.scope, limit=limit, before=before)
    devices = await caller.gieok.accounts.device_names(caller.scope)
    return DaySummaryList(
        summaries=[DaySummaryView.from_summary(day, devices) for day in found]
    )


@router.get("/summaries/weeks")
async def list_week_summaries(
    caller: CurrentCaller, limit: SummaryLimit = 26, before: BeforeWeek = None
) -> WeekSummaryList:
    """Return what the person's weeks were about, newest first."""
    found = await caller.gieok.summaries.weeks(caller.scope, limit=limit, before=before)
    devices = await caller.gieok.accounts.device_names(caller.scope)
    views = [WeekSummaryView.from_summary(week, devices) for week in found]
    return WeekSummaryList(summaries=views)


@router.get("/sessions/{session_id}/summary", responses=build_error_responses(404))
async def get_session_summary(caller: CurrentCaller, session_id: UUID) -> SummedUp:
    """Return what a conversation was about, summed up now if need be."""
    found = await caller.gieok.summaries.session(caller.scope, session_id)
    return SummedUp(summary=found and SessionSummaryView.from_summary(found))
