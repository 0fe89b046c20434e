"""Search over what a person said and is known for."""

from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.recall import RecallAnswer, RecallQuestion

router = create_router("/api/v1/recall", "recall")


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
