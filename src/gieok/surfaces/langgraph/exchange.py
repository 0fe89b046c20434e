"""The exchange with a device as a node of anyone's graph (A22).

    builder.add_node("exchange", create_exchange_node(memory))

It reads `state["request"]`, a body as the REST call `POST /api/v1/a2a/requests` takes,
and writes `response`, the body of its answer: the same schema whether or not a graph
orchestrates. `state["request_id"]`, if there, is the id under which the turn is kept: a
graph that runs again from a checkpoint keeps it once.
"""

from typing import Any, Final
from uuid import UUID

from langchain_core.runnables import RunnableConfig
from pydantic import ValidationError

from gieok.agent.nodes import Node, State
from gieok.agent.person import MemoryOwner
from gieok.exchange import TOKEN_BUDGET
from gieok.facade import Gieok
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.scope import Scope
from gieok.surfaces.exchange_answers import ExchangeAnswerBody
from gieok.surfaces.exchange_bodies import ExchangeRequestBody

REQUEST: Final = "request"
REQUEST_ID: Final = "request_id"
RESPONSE: Final = "response"


def create_exchange_node(
    memory: Gieok,
    person: Scope | str | None = None,
    *,
    token_budget: int = TOKEN_BUDGET,
) -> Node:
    """Return a node that answers a device's request.

    The person is who the node was made for, else whom the run's config names.

    Raises:
        InvalidInputError: `person` is not a usable id.
    """
    owner = MemoryOwner.from_person(memory, person)

    async def exchange(state: State, config: RunnableConfig) -> dict[str, Any]:
        asked = _parse_request(state.get(REQUEST))
        answer = await owner.memory.exchange.answer(
            owner.resolve_scope(config),
            asked.to_request(),
            request_id=_parse_id(state.get(REQUEST_ID)),
            token_budget=token_budget,
        )
        body = ExchangeAnswerBody.from_answer(answer)
        return {RESPONSE: body.model_dump(mode="json")}

    return exchange


def _parse_request(value: object) -> ExchangeRequestBody:
    """Return the request.

    Raises:
        InvalidInputError: it names the field that cannot be accepted.
    """
    try:
        return ExchangeRequestBody.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        field = ".".join(map(str, first["loc"])) or REQUEST
    raise InvalidInputError(field, "it cannot be accepted")


def _parse_id(value: object) -> UUID | None:
    """Return the id of the turn, if the state has one.

    Raises:
        InvalidInputError: it is no UUID.
    """
    if value is None or isinstance(value, UUID):
        return value
    try:
        return UUID(str(value))
    except ValueError:
        raise InvalidInputError(REQUEST_ID, "it must be a UUID") from None
