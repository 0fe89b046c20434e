"""Events of AWS Lambda: API Gateway v1 and v2, function URLs, direct invocation."""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from gieok.kernel.errors import GieokError, InvalidInputError

LIMIT_BYTES: Final = 2 * 2**20
"""Largest body accepted, as everywhere in gieok."""
_NOTHING: Final[Mapping[str, Any]] = {}


class EventTooLargeError(GieokError):
    """The body of an event is larger than any request needs."""

    code = "body_too_large"
    en = f"The body is larger than {LIMIT_BYTES:,} bytes."
    ko = f"본문이 {LIMIT_BYTES:,}바이트보다 큽니다."


class WrongMethodError(GieokError):
    """The endpoint takes POST alone."""

    code = "method_not_allowed"
    en = "This address does not take this method."
    ko = "이 주소에서 쓸 수 없는 메서드입니다."


@dataclass(frozen=True, slots=True)
class LambdaEvent:
    """One event, whichever service sent it."""

    method: str
    headers: Mapping[str, str] = field(repr=False)
    authorizer: Mapping[str, Any] = field(repr=False)
    raw: Mapping[str, Any] = field(repr=False)
    is_http: bool
    """Whether the answer is a response of HTTP, and not the bare object."""

    @property
    def token(self) -> str | None:
        """The bearer token; of a direct invocation, its `token`."""
        if not self.is_http:
            token = self.raw.get("token")
            return token if isinstance(token, str) else None
        kind, _, token = self.headers.get("authorization", "").partition(" ")
        return token.strip() if kind.lower() == "bearer" and token.strip() else None

    @property
    def language(self) -> str:
        """The language of errors: what `Accept-Language` asks for first."""
        asked = self.headers.get("accept-language", "").strip().lower()
        return "ko" if asked.startswith("ko") else "en"

    def read_body(self) -> object:
        """Return the JSON of the body.

        Raises:
            InvalidInputError: it is no JSON, or no base64 where the event says so.
            EventTooLargeError: it is larger than any request needs.
        """
        if not self.is_http:
            body = {name: each for name, each in self.raw.items() if name != "token"}
            _require_size(len(json.dumps(body, default=str, ensure_ascii=False)))
            return body
        given = self.raw.get("body") or ""
        if not isinstance(given, str):
            raise InvalidInputError("body", "it must be a string")
        _require_size(len(given) // 2)
        data = given.encode("utf-8", "surrogatepass")
        if self.raw.get("isBase64Encoded"):
            data = _decode_base64(data)
        _require_size(len(data))
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise InvalidInputError("body", "it is no JSON") from None


def _require_size(size: int) -> None:
    if size > LIMIT_BYTES:
        raise EventTooLargeError


def _decode_base64(data: bytes) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInputError("body", "it is no base64") from None


def parse_event(event: object) -> LambdaEvent:
    """Return an event; what is no request of HTTP is a direct invocation.

    Raises:
        InvalidInputError: the event is no object.
    """
    if not isinstance(event, dict):
        raise InvalidInputError("body", "it must be an object")
    raw = cast("Mapping[str, Any]", event)
    context = _get_map(raw, "requestContext")
    if not context:
        return LambdaEvent("POST", _NOTHING, _NOTHING, raw, is_http=False)
    method = raw.get("httpMethod") or _get_map(context, "http").get("method")
    headers = {
        name.lower(): value
        for name, value in _get_map(raw, "headers").items()
        if isinstance(value, str)
    }
    authorizer = _get_map(context, "authorizer")
    return LambdaEvent(str(method or ""), headers, authorizer, raw, is_http=True)


def _get_map(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = raw.get(name)
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else _NOTHING
