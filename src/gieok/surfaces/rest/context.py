"""The block of memory that goes into the next prompt."""

from fastapi import APIRouter

from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.errors import EVERYWHERE, build_error_responses
from gieok.surfaces.rest.schemas.context import ContextBlock, ContextQuestion

router = APIRouter(
    prefix="/api/v1/context",
    tags=["context"],
    responses=build_error_responses(*EVERYWHERE),
)


@router.post("")
async def build_context(
    caller: CurrentCaller, question: ContextQuestion
) -> ContextBlock:
    """Return what is known that bears on an utterance, as one fenced block."""
    block = await caller.gieok.context.build(
        caller.scope,
        question.query,
        language=question.language,
        token_budget=question.token_budget,
        excerpts=question.excerpts,
    )
    return ContextBlock.from_block(block)
