"""One utterance of a device: what to go by, what was decided, what was learned."""

from typing import Annotated

from fastapi import Query

from gieok.exchange import TOKEN_BUDGET
from gieok.surfaces.exchange_answers import ExchangeAnswerBody, ExchangeRecorded
from gieok.surfaces.exchange_bodies import ExchangeRequestBody, ExchangeResultBody
from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.shared import PairId

router = create_router("/api/v1/a2a", "exchange", 409, 410)


@router.post("/requests")
async def send_utterance(
    caller: CurrentCaller,
    asked: ExchangeRequestBody,
    idempotency_key: PairId = None,
    token_budget: Annotated[int, Query(ge=1, le=100_000)] = TOKEN_BUDGET,
) -> ExchangeAnswerBody:
    """Return what a planner goes by, or what the configured one decided."""
    request = asked.to_request()
    caller.require_device(request.device)
    answer = await caller.gieok.exchange.answer(
        caller.scope,
        request,
        request_id=idempotency_key,
        token_budget=token_budget,
    )
    return ExchangeAnswerBody.from_answer(answer)


@router.post("/results")
async def send_results(
    caller: CurrentCaller, decided: ExchangeResultBody
) -> ExchangeRecorded:
    """Keep what your own planner decided; repeating it changes nothing."""
    caller.require_device(decided.device_id)
    kept = await caller.gieok.exchange.record_result(
        caller.scope, decided.request_id, decided.to_turn()
    )
    status = "kept" if kept else "not_kept"
    return ExchangeRecorded(request_id=decided.request_id, recorded=kept, status=status)
