"""Search over what a person said and is known for."""

from fastapi import APIRouter

from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.errors import EVERYWHERE, build_error_responses
from gieok.surfaces.rest.schemas.recall import RecallAnswer, RecallQuestion

router = APIRouter(
    prefix="/api/v1/recall",
    tags=["recall"],
    responses=build_error_responses(*EVERYWHERE),
)


@router.post("")
async def recall(caller: CurrentCaller, question: RecallQuestion) -> RecallAnswer:
    """Return what answers a question best, best first."""
    hits = await caller.gieok.recall.search(
        caller.scope,
        question.query,
        limit=question.limit,
        filters=question.filters.to_filters(),
    )
    return RecallAnswer.from_hits(hits)
