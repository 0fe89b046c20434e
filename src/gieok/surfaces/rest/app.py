"""The REST application: middleware outside, one router for each capability inside."""

from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final, Self

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from fastapi.telemetry import TelemetryConfig
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gieok.config import Config
from gieok.facade import Gieok
from gieok.kernel.clock import Clock
from gieok.kernel.errors import GieokError
from gieok.surfaces.rest import (
    accounts,
    agent,
    audit,
    chat,
    consents,
    context,
    devices,
    erasure,
    events,
    exchange,
    health,
    memories,
    page_links,
    persona_memory,
    plan,
    portability,
    profile,
    recall,
    sessions,
    settings,
    summaries,
    sync,
    tutor,
)
from gieok.surfaces.rest.bodies import BodyLimit
from gieok.surfaces.rest.compression import SyncCompression
from gieok.surfaces.rest.credentials import KEY_HEADER, PERSON_HEADER, Credentials
from gieok.surfaces.rest.errors import (
    answer_gieok_error,
    answer_http_error,
    answer_invalid_request,
)
from gieok.surfaces.rest.gate import AccessGate, ErrorShield, is_page
from gieok.surfaces.rest.jwks import IssuerTokens, Jwks
from gieok.surfaces.rest.limits import RateLimits, StrangerLimits
from gieok.surfaces.rest.tokens import Tokens
from gieok.surfaces.rest.traffic import Traffic, TrafficCounter
from gieok.surfaces.signed_tokens import AUDIENCE

DESCRIPTION: Final = """
Long-term memory for conversational agents, in Korean and English.

Every call but `/health` needs a bearer token that names a person; it reaches that
person's memory and nobody else's: another person's id answers like a missing one.
An app's key (`gk_…`, as the bearer token or in `X-API-Key`) that may act as people
names the person in `X-Gieok-User`; any other key goes beside the person's own token.
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


@dataclass(frozen=True, slots=True)
class Edge:
    """Whom the application lets in besides its own tokens, and how often."""

    issuer: IssuerTokens | None = None
    """An identity service whose tokens are taken too."""
    per_person: int = 0
    """Most requests a minute with a person's tokens; 0 is no limit."""
    per_key: int = 0
    """Most requests a minute with an app's key; 0 is no limit."""
    per_address: int = 0
    """Most requests a minute of an address without valid credentials; 0 is no limit."""
    origins: tuple[str, ...] = ()
    """Origins whose pages browsers may let call."""
    data: Path | None = None
    """Where the installation's files are, for operators to see figures of."""

    @classmethod
    def from_config(cls, config: Config, clock: Clock) -> Self:
        """Return what is configured.

        Raises:
            ConfigurationError: an address of keys that cannot be trusted.
        """
        issuer = None
        if config.jwks_url and config.jwt_issuer:
            issuer = IssuerTokens(
                Jwks(config.jwks_url),
                config.jwt_issuer,
                clock,
                config.jwt_audience or AUDIENCE,
            )
        return cls(
            issuer,
            config.person_rate,
            config.key_rate,
            config.address_rate,
            tuple(config.cors_origins),
            config.data,
        )


def create_app(
    gieok: Gieok,
    tokens: Tokens,
    edge: Edge | None = None,
) -> FastAPI:
    """Return the application; the caller opens gieok before and closes it after.

    `surfaces.pages.add_pages` adds the pages for people and operators.
    """
    edge, traffic = edge or Edge(), Traffic(tokens.clock())
    app = FastAPI(
        title="gieok",
        description=DESCRIPTION,
        version=version("gieok"),
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=_get_operation_id,
        telemetry=NO_TELEMETRY,
        middleware=[
            Middleware(TrafficCounter, traffic=traffic),
            Middleware(ErrorShield),
            *_build_cors(edge.origins),
            Middleware(
                AccessGate,
                credentials=Credentials(tokens, gieok.access, edge.issuer),
                limits=RateLimits(
                    gieok.sessions.writer.cache, edge.per_person, edge.per_key
                ),
                strangers=StrangerLimits(gieok.sessions.writer.cache, edge.per_address),
                person=lambda user_id: gieok.person(user_id).user_id,
            ),
            Middleware(BodyLimit, is_page=is_page),
            Middleware(SyncCompression),
        ],
        exception_handlers={
            GieokError: answer_gieok_error,
            RequestValidationError: answer_invalid_request,
            HTTPException: answer_http_error,
        },
    )
    app.state.gieok, app.state.traffic = gieok, traffic
    app.state.tokens = tokens
    app.state.sockets = events.SocketRegistry()
    for capability in (
        accounts,
        memories,
        profile,
        settings,
        consents,
        plan,
        devices,
        erasure,
        audit,
        sessions,
        summaries,
        events,
        recall,
        context,
        chat,
        agent,
        persona_memory,
        portability,
        sync,
        exchange,
        tutor,
        page_links,
        health,
    ):
        app.include_router(capability.router)
    _add_description(app)
    return app


def _add_description(app: FastAPI) -> None:
    """Answer what the application describes of itself, made once and in a thread.

    It takes most of a second to make and is a quarter of a megabyte.
    """
    made: dict[str, bytes] = {}

    def describe(request: Request) -> Response:
        mounted = str(request.scope.get("root_path", "")).rstrip("/")
        if mounted not in made:
            servers = {"servers": [{"url": mounted}]} if mounted else {}
            made[mounted] = bytes(JSONResponse(app.openapi() | servers).body)
        return Response(made[mounted], media_type="application/json")

    app.add_route("/openapi.json", describe, include_in_schema=False)


def _build_cors(origins: tuple[str, ...]) -> list[Middleware]:
    """Return what answers browsers; without origins, nothing does and none may call."""
    if not origins:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_methods=("GET", "POST", "PATCH", "PUT", "DELETE"),
            allow_headers=(
                "Authorization",
                "Content-Type",
                "Content-Encoding",
                "Idempotency-Key",
                KEY_HEADER,
                PERSON_HEADER,
            ),
            expose_headers=("Retry-After",),
        )
    ]


def _get_operation_id(route: APIRoute) -> str:
    """Return the name under which generated clients have the call."""
    return route.name
