"""Search over what a person said and is known for."""

from fastapi import APIRouter

from gieok.surfaces.rest.caller import Asking
from gieok.surfaces.rest.errors import EVERYWHERE, documented
from gieok.surfaces.rest.schemas.recall import RecallAnswer, RecallQuestion

router = APIRouter(
    prefix="/api/v1/recall", tags=["recall"], responses=documented(*EVERYWHERE)
)


@router.post("")
async def recall(caller: Asking, question: RecallQuestion) -> RecallAnswer:
    """Return what answers a question best, best first."""
    hits = await caller.gieok.recall.search(
        caller.scope,
        question.query,
        limit=question.limit,
        filters=question.filters.filters(),
    )
    return RecallAnswer.of(hits)
