"""The reference agent: run, pause, look, edit, resume (B07, B08).

LangGraph is an extra: without it every route says so. An app that wants another model,
or tools, puts its own `Agent` into `app.state.agent`.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, cast
from uuid import UUID

from fastapi import Depends, Header, Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from gieok.kernel.errors import GieokError, UnavailableError
from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.errors import (
    build_error_responses,
    encode_error,
    get_route,
    log_internal_error,
    select_language,
)
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.agent import AgentMessage, AgentResume, AgentRun

if TYPE_CHECKING:
    from gieok.agent.agent import Agent
    from gieok.agent.runs import Happened, Run
    from gieok.surfaces.rest.sockets import SocketRegistry

STREAM: Final = "text/event-stream"
HEARTBEAT_SECONDS: Final = 15.0
"""Silence after which a stream says that it is still there."""
STREAMED: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "The run, or its events as they happen: `session`, `layer`, "
        "`token`, and at the end `done` with the run or `error` with the error.",
        "content": {STREAM: {"schema": {"type": "string"}}},
    }
}


class NoAgentError(UnavailableError):
    """LangGraph is not installed here."""

    code = "agent_not_installed"
    en = (
        "The agent needs LangGraph, which is not installed on this server: "
        'pip install "gieok[langgraph]".'
    )
    ko = (
        "이 서버에는 에이전트에 필요한 LangGraph가 설치되어 있지 않습니다: "
        'pip install "gieok[langgraph]".'
    )

    def __init__(self) -> None:
        """Say what to install."""
        super().__init__("LangGraph", "it is not installed")


def _import_agent() -> "type[Agent]":
    """Import what takes a second, and is not everywhere."""
    try:
        from gieok.agent.agent import Agent  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        raise NoAgentError from error
    return Agent


async def _get_agent(request: Request, caller: CurrentCaller) -> "Agent":
    state = request.app.state
    if getattr(state, "agent", None) is None:
        agent = await run_in_threadpool(_import_agent)
        state.agent = getattr(state, "agent", None) or agent(caller.gieok)
    return state.agent


async def _is_streaming(accept: Annotated[str, Header()] = "") -> bool:
    return STREAM in accept.lower()


CurrentAgent = Annotated[Any, Depends(_get_agent)]
WantsStream = Annotated[bool, Depends(_is_streaming)]

router = create_router("/api/v1/agent", "agent", 404)


@router.post(
    "/run",
    response_model=AgentRun,
    responses={**STREAMED, **build_error_responses(409)},
)
async def run_agent(
    request: Request,
    caller: CurrentCaller,
    agent: CurrentAgent,
    asked: AgentMessage,
    streaming: WantsStream,
) -> Any:
    """Answer a message in a new conversation, or go on with one.

    The run pauses before planning, unless `interrupt` is false. The turn is kept once
    the answer is there; a run that fails ends the conversation as failed, with what was
    said. With `Accept: text/event-stream` layers and words come as they happen; who
    stops listening does not stop the run.
    """
    run = await agent.start(
        caller.scope,
        asked.message,
        session_id=asked.session_id,
        interrupt=asked.interrupt,
        language=asked.language,
    )
    return await _create_response(request, caller, run, streaming=streaming)


@router.post(
    "/{session_id}/resume",
    response_model=AgentRun,
    responses={**STREAMED, **build_error_responses(409)},
)
async def resume_agent(
    request: Request,
    caller: CurrentCaller,
    agent: CurrentAgent,
    session_id: UUID,
    streaming: WantsStream,
    asked: AgentResume | None = None,
) -> Any:
    """Go on with a run that is paused, or whose server died, its plan edited or not.

    Of two who resume at once one gets 409; a conversation that is over stays so.
    """
    from gieok.agent.runs import Edits  # noqa: PLC0415 - an extra

    how = asked or AgentResume()
    edits = Edits(how.edits.understanding, how.edits.plan)
    run = await agent.take_up(caller.scope, session_id, edits=edits, answer=how.answer)
    return await _create_response(request, caller, run, streaming=streaming)


@router.get("/{session_id}/state")
async def get_agent_state(
    caller: CurrentCaller, agent: CurrentAgent, session_id: UUID
) -> AgentRun:
    """Return where the last run of a conversation stands."""
    return AgentRun.from_run(await agent.state(caller.scope, session_id))


async def _create_response(
    request: Request, caller: CurrentCaller, run: "Run", *, streaming: bool
) -> AgentRun | Response:
    sockets = cast("SocketRegistry", request.app.state.sockets)

    def watch(happened: "Happened") -> None:
        if happened.kind == "token":
            sockets.publish_word(caller.scope.user_id, run.session_id, happened.text)

    run.watcher = watch
    if not streaming:
        return AgentRun.from_run(await run.outcome())
    events = _iterate_events(request, run)
    return StreamingResponse(
        events, media_type=STREAM, headers={"X-Accel-Buffering": "no"}
    )


async def _iterate_events(request: Request, run: "Run") -> AsyncIterator[str]:
    yield _encode_event("session", {"session_id": str(run.session_id)})
    async for happened in _iterate_with_heartbeats(run):
        if happened is None:
            yield ": still here\n\n"
        else:
            yield _encode_event(happened.kind, {happened.kind: happened.text})
    try:
        done = AgentRun.from_run(await run.outcome())
    except GieokError as error:
        yield _encode_event("error", _encode_localized_error(request, error))
    except Exception as error:  # noqa: BLE001 - the response has begun
        fault = log_internal_error(error, get_route(request.scope))
        yield _encode_event("error", _encode_localized_error(request, fault))
    else:
        yield _encode_event("done", done.model_dump(mode="json"))


async def _iterate_with_heartbeats(run: "Run") -> AsyncGenerator[Any]:
    """Yield what happens, and None after every silence."""
    following = aiter(run)
    waiting = asyncio.ensure_future(anext(following, StopAsyncIteration))
    try:
        while True:
            done, _ = await asyncio.wait({waiting}, timeout=HEARTBEAT_SECONDS)
            if not done:
                yield None
                continue
            happened = waiting.result()
            if happened is StopAsyncIteration:
                return
            yield happened
            waiting = asyncio.ensure_future(anext(following, StopAsyncIteration))
    finally:
        waiting.cancel()


def _encode_localized_error(request: Request, error: GieokError) -> Mapping[str, Any]:
    return encode_error(error, select_language(request.headers.get("accept-language")))


def _encode_event(name: str, data: Mapping[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
