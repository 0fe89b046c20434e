"""The REST application: middleware outside, one router for each capability inside."""

from importlib.metadata import version
from typing import Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from fastapi.telemetry import TelemetryConfig
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from gieok.facade import Gieok
from gieok.kernel.errors import GieokError
from gieok.surfaces.rest import (
    chat,
    context,
    events,
    health,
    memories,
    persona_memory,
    recall,
    sessions,
    settings,
    summaries,
)
from gieok.surfaces.rest.edge import BodyLimit, Gate, Shield
from gieok.surfaces.rest.errors import (
    on_gieok_error,
    on_http_error,
    on_invalid_request,
)
from gieok.surfaces.rest.tokens import Tokens

DESCRIPTION: Final = """
Long-term memory for conversational agents, in Korean and English.

Every call but `/health` needs a bearer token that names a person; it reaches that
person's memory and nobody else's: another person's id answers like a missing one.
Errors are `{"error": {"code", "message", "field"?}}`, in Korean or English as
`Accept-Language` says; those of `/api/v1/chat` and `/api/v1/memory` are
`{"success": false, "error", "message", "field"?}`. Times are UTC.

대화 에이전트를 위한 장기 기억입니다. `/health`를 뺀 모든 호출에는 사용자를 나타내는
토큰이 필요합니다. 오류 메시지는 `Accept-Language`에 따라 한국어나 영어로 나갑니다.
""".strip()
NO_TELEMETRY: Final[TelemetryConfig] = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""FastAPI's own would record exceptions with what people said in them, and export it
where the environment says so (design rule 14)."""


def create_app(gieok: Gieok, tokens: Tokens) -> FastAPI:
    """Return the application; the caller opens gieok before and closes it after."""
    app = FastAPI(
        title="gieok",
        description=DESCRIPTION,
        version=version("gieok"),
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=_operation_id,
        telemetry=NO_TELEMETRY,
        middleware=[
            Middleware(Shield),
            Middleware(Gate, tokens=tokens),
            Middleware(BodyLimit),
        ],
        exception_handlers={
            GieokError: on_gieok_error,
            RequestValidationError: on_invalid_request,
            HTTPException: on_http_error,
        },
    )
    app.state.gieok = gieok
    app.state.sockets = events.Sockets()
    for capability in (
        memories,
        settings,
        sessions,
        summaries,
        events,
        recall,
        context,
        chat,
        persona_memory,
        health,
    ):
        app.include_router(capability.router)
    return app


def _operation_id(route: APIRoute) -> str:
    """Return the name under which generated clients have the call."""
    return route.name
