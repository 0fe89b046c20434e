"""Errors on the wire: the caller's language, the status only here, and two shapes.

The calls of the persona document have errors as that document writes them; all others
have the house's.
"""

import secrets
import traceback
from collections.abc import Mapping, MutableMapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from pydantic.alias_generators import to_camel
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from gieok.kernel.errors import (
    AuthenticationError,
    ConfigurationError,
    ConflictError,
    DeviceGoneError,
    GieokError,
    InvalidInputError,
    NotFoundError,
    NotPermittedError,
    ProtocolError,
    StorageFullError,
    TamperedError,
    UnavailableError,
)
from gieok.kernel.logs import get_logger
from gieok.surfaces.rest.problems import InvalidRequestError, convert_validation_error
from gieok.surfaces.rest.schemas.shared import ErrorBody, Failure

log = get_logger("gieok.rest")

RETRY_AFTER_SECONDS = 5
LIMIT_BYTES = 2 * 2**20
"""Largest body accepted: one message of 1 MB, however its JSON is escaped."""
BATCH_BYTES = 262_144
"""Largest push of several pairs, unpacked: what one transaction takes at once."""


class BodyTooLargeError(GieokError):
    """The body is larger than any request needs."""

    code = "body_too_large"
    en = f"The body is larger than {LIMIT_BYTES:,} bytes."
    ko = f"본문이 {LIMIT_BYTES:,}바이트보다 큽니다."


class BatchTooLargeError(GieokError):
    """A push of several pairs is larger than a batch may be."""

    code = "batch_too_large"
    en = f"Several pairs together hold at most {BATCH_BYTES:,} bytes. Send fewer."
    ko = f"여러 쌍은 합쳐서 {BATCH_BYTES:,}바이트까지입니다. 나누어 보내 주세요."


class BodyTooSlowError(GieokError):
    """The body was not here in time."""

    code = "body_too_slow"
    en = "The body did not arrive in time."
    ko = "본문이 제때 도착하지 않았습니다."


class AmbiguousLengthError(GieokError):
    """The request says twice how long its body is (RFC 9112 §6.1)."""

    code = "ambiguous_length"
    en = "Send either Content-Length or Transfer-Encoding, not both."
    ko = "Content-Length와 Transfer-Encoding 중 하나만 보내 주세요."


class RateLimitedError(GieokError):
    """There were more requests in a minute than a sender may make."""

    code = "rate_limited"
    en = "There are too many requests. Try again in {seconds} s."
    ko = "요청이 너무 많습니다. {seconds}초 뒤에 다시 시도해 주세요."

    def __init__(self, seconds: int) -> None:
        """Keep how long to wait."""
        self.seconds = seconds
        super().__init__(seconds=seconds)


class NoSuchRouteError(GieokError):
    """No route has this path."""

    code = "no_such_route"
    en = "There is no such address."
    ko = "없는 주소입니다."


class MethodNotAllowedError(GieokError):
    """The route exists, but not for this method."""

    code = "method_not_allowed"
    en = "This address does not take this method."
    ko = "이 주소에서 쓸 수 없는 메서드입니다."


class InternalError(GieokError):
    """Something broke on our side; the log knows it by the same id."""

    code = "internal"
    en = "Something went wrong on our side. Its id is {error_id}."
    ko = "서버에 문제가 발생했습니다. 문제 번호는 {error_id}입니다."

    def __init__(self, error_id: str) -> None:
        """Keep the id under which the log has it."""
        super().__init__(error_id=error_id)


STATUS: Final[Mapping[type[GieokError], int]] = {
    GieokError: 500,
    InvalidInputError: 422,
    NotFoundError: 404,
    ConflictError: 409,
    DeviceGoneError: 410,
    ProtocolError: 426,
    NotPermittedError: 403,
    AuthenticationError: 401,
    TamperedError: 500,
    ConfigurationError: 500,
    UnavailableError: 503,
    StorageFullError: 507,
    BodyTooLargeError: 413,
    BatchTooLargeError: 413,
    BodyTooSlowError: 408,
    AmbiguousLengthError: 400,
    RateLimitedError: 429,
    NoSuchRouteError: 404,
    MethodNotAllowedError: 405,
    InternalError: 500,
}
MEANING: Final = {
    401: "No valid token. · 유효한 토큰이 없습니다.",
    403: "The person's settings or the key's rights forbid it. · 허용되지 않습니다.",
    404: "No such thing, or somebody else's. · 없거나 다른 사람의 것입니다.",
    408: "The body did not arrive in time. · 본문이 제때 도착하지 않았습니다.",
    409: "Its state refuses this. · 지금 상태에서는 할 수 없습니다.",
    410: "The device empties itself. · 기기는 저장한 것을 지웁니다.",
    426: "Another version of sync is spoken. · 동기화 프로토콜 버전이 다릅니다.",
    413: "The body is larger than 2 MB. · 본문이 2 MB보다 큽니다.",
    422: "A field cannot be accepted; it is named. · 받을 수 없는 값이 있습니다.",
    429: "Too many requests; `Retry-After` says when to come back. · 요청이 많습니다.",
    500: "Our fault, with an id. · 서버의 문제입니다.",
    503: "Something is away; try again. · 잠시 후 다시 시도해 주세요.",
    507: "The disk is full; nothing was written. · 저장 공간이 가득 찼습니다.",
}
PERSONA: Final = ("/api/v1/memory/", "/api/v1/chat/")
"""Where the calls of the persona document are."""
HOME: Final = str(Path(__file__).parents[2])
"""Where gieok's own code is."""
EVERYWHERE: Final = (401, 403, 408, 413, 422, 429, 500, 503, 507)


def build_error_responses(
    *statuses: int, body: type[BaseModel] = ErrorBody
) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI responses of error statuses."""
    return {
        status: {"model": body, "description": MEANING[status]} for status in statuses
    }


def build_failure_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI responses of error statuses of the persona document."""
    return build_error_responses(*statuses, body=Failure)


def get_status(error: GieokError) -> int:
    """Return the status of an error's nearest listed class."""
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


def select_language(accepted: str | None) -> str:
    """Return "ko" or "en", whichever an Accept-Language header likes better."""
    language, liked = "en", 0.0
    for choice in (accepted or "").split(","):
        name, _, parameters = choice.partition(";")
        tag = name.strip().lower().partition("-")[0]
        quality = _parse_quality(parameters)
        if tag in {"ko", "en"} and quality > liked:
            language, liked = tag, quality
    return language


def _parse_quality(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return min(1.0, max(0.0, float(value)))
    except ValueError:
        return 0.0


def get_path(scope: Mapping[str, Any]) -> str:
    """Return the path below where the app is mounted."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


def create_error_response(
    error: GieokError, scope: MutableMapping[str, Any]
) -> JSONResponse:
    """Return an error as it goes over the wire, in the shape its address has."""
    status = get_status(error)
    language = select_language(Headers(scope=scope).get("accept-language"))
    headers = {"Content-Language": language}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="gieok", error="invalid_token"'
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    if isinstance(error, RateLimitedError):
        headers["Retry-After"] = str(error.seconds)
    if isinstance(error, ProtocolError):
        headers["Upgrade"] = f"gieok-sync/{error.details['spoken']}"
    told = _encode_failure if get_path(scope).startswith(PERSONA) else encode_error
    return JSONResponse(told(error, language), status, headers)


def encode_error(error: GieokError, language: str) -> dict[str, Any]:
    """Return the house's body of an error."""
    body = {"code": error.code, "message": error.message(language)}
    if isinstance(error, InvalidInputError | DeviceGoneError) and error.field:
        body["field"] = error.field
    return {"error": body}


def _encode_failure(error: GieokError, language: str) -> dict[str, Any]:
    code = _select_persona_code(error)
    if isinstance(error, InvalidInputError):
        error = _to_wire_error(error)
    body = {"success": False, "error": code, "message": error.message(language)}
    if isinstance(error, InvalidInputError):
        body["field"] = error.field
    return body


def _select_persona_code(error: GieokError) -> str:
    """Return the persona document's code, or the house's in capitals."""
    if isinstance(error, AuthenticationError):
        return "UNAUTHORIZED"
    if isinstance(error, NotFoundError):
        thing = str(error.details["thing"])
        return f"{'memory' if thing == 'episode' else thing}_not_found".upper()
    return error.code.upper()


def _to_wire_error(error: InvalidInputError) -> InvalidInputError:
    """Return what a service refused with the field as the wire names it."""
    if isinstance(error, InvalidRequestError):
        return error
    field = ".".join(to_camel(part) for part in error.field.split("."))
    return InvalidInputError(field, error.problem)


def log_internal_error(error: Exception, route: str) -> InternalError:
    """Log what broke, without a word of content, and return what the caller learns."""
    error_id = secrets.token_hex(8)
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(HOME)]
    log.error(
        "request_broke",
        error_id=error_id,
        error=type(error).__name__,
        at=[f"{frame.filename}:{frame.lineno}" for frame in ours[-2:] + frames[-1:]],
        route=route,
    )
    return InternalError(error_id)


async def answer_gieok_error(request: Request, error: GieokError) -> JSONResponse:
    """Render what gieok raises; a wrong set-up is for the log, not for the caller."""
    if isinstance(error, ConfigurationError):
        shown = log_internal_error(error, get_route(request.scope))
        log.error("misconfigured", code=error.code, problem=str(error))
        return create_error_response(shown, request.scope)
    if get_status(error) >= HTTPStatus.INTERNAL_SERVER_ERROR:
        log.warning("request_failed", code=error.code, route=get_route(request.scope))
    return create_error_response(error, request.scope)


async def answer_invalid_request(
    request: Request, error: RequestValidationError
) -> JSONResponse:
    """Render what FastAPI's own checks found."""
    return await answer_gieok_error(request, convert_validation_error(error))


async def answer_http_error(request: Request, error: HTTPException) -> JSONResponse:
    """Render what the framework refuses: paths, methods, bodies that are no JSON."""
    known = {404: NoSuchRouteError, 405: MethodNotAllowedError}
    if error.status_code in known:
        response = await answer_gieok_error(request, known[error.status_code]())
        response.headers.update(error.headers or {})
        return response
    return await answer_gieok_error(
        request, InvalidInputError("body", "it is not valid JSON")
    )


def get_route(scope: Mapping[str, Any]) -> str:
    """Return the method and the route's template, which holds no one's data."""
    template = getattr(scope.get("route"), "path", "?")
    return f"{scope.get('method', '?')} {template}"
