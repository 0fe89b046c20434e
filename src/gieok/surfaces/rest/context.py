"""The block of memory that goes into the next prompt."""

from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.context import ContextBlock, ContextQuestion

router = create_router("/api/v1/context", "context")


@router.post("")
async def build_context(
    caller: CurrentCaller, question: ContextQuestion
) -> ContextBlock:
    """Return what is known that bears on an utterance, as one fenced block."""
    persona = question.persona
    block = await caller.gieok.context.build(
        caller.scope,
        question.query,
        language=question.language,
        token_budget=question.token_budget,
        excerpts=question.excerpts,
        persona_id=(
            None
            if persona is None
            else caller.gieok.accounts.persona_id(caller.scope, persona)
        ),
    )
    return ContextBlock.from_block(block)
