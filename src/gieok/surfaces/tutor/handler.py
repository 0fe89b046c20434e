"""The AWS Lambda handler: `gieok.surfaces.tutor.handler.answer_lambda`.

What is put together once lives as long as the process: the clients, and the event loop
that they are called on. A start that fails is tried again with the next event.
"""

import asyncio
import json
import logging
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple, Self, cast
from zoneinfo import ZoneInfo

from gieok.kernel.clock import is_time_zone
from gieok.kernel.errors import (
    AuthenticationError,
    ConfigurationError,
    GieokError,
    InvalidInputError,
    NotPermittedError,
    UnavailableError,
)
from gieok.models.chat_answers import ChatModel
from gieok.profile.dynamodb import DynamoProfileDocuments
from gieok.surfaces.tutor.environment import TutorConfig
from gieok.surfaces.tutor.extraction import CardExtractor, PromptExtractor
from gieok.surfaces.tutor.identity import Identity
from gieok.surfaces.tutor.lambda_events import (
    EventTooLargeError,
    LambdaEvent,
    WrongMethodError,
    parse_event,
)
from gieok.surfaces.tutor.service import Tutor

log = logging.getLogger("gieok.tutor")

STATUS: Final[Mapping[type[GieokError], int]] = {
    GieokError: 500,
    InvalidInputError: 422,
    AuthenticationError: 401,
    NotPermittedError: 403,
    WrongMethodError: 405,
    EventTooLargeError: 413,
    UnavailableError: 503,
}
AFTER_MODEL: Final = 3.0
"""Seconds of a function that its model leaves to the table and to the answer; of one
that has less than 12, a quarter."""
AFTER_TABLE: Final = 0.5
"""Seconds of a function in which an answer is on its way; of one that has less than 5,
a tenth."""
_TRUST_WARNING: Final = (
    "WARNING: GIEOK_TUTOR_TRUST_BODY=yes: anybody can read and write anybody's memory "
    "by naming them in user_id. For development only."
)


class UnexpectedError(GieokError):
    """Something broke on our side; the log says what kind of fault it was."""

    code = "internal"


class TimeLimits(NamedTuple):
    """Seconds that an event has, and its model of them; None is any number."""

    event: float | None
    model: float | None

    @classmethod
    def from_remaining(cls, remaining: float | None, model: float | None) -> Self:
        """Return limits within what a function has left and its model may take."""
        if remaining is None:
            return cls(None, model)
        most = remaining - min(AFTER_MODEL, remaining / 4)
        event = remaining - min(AFTER_TABLE, remaining / 10)
        return cls(event, most if model is None else min(model, most))


@dataclass(frozen=True, slots=True)
class TutorEndpoint:
    """Answers events with the tutor."""

    tutor: Tutor
    identity: Identity
    origins: tuple[str, ...] = ()
    seconds: float | None = None
    """How long the model of one event has; None is any time."""
    runner: asyncio.Runner = field(default_factory=asyncio.Runner, repr=False)

    @classmethod
    def from_config(cls, config: TutorConfig) -> Self:
        """Return the endpoint that a configuration describes.

        Raises:
            ConfigurationError: it cannot be used.
        """
        if config.trusts_body:
            print(_TRUST_WARNING, file=sys.stderr)  # noqa: T201 - nobody may miss it
        documents = DynamoProfileDocuments.create(
            config.table,
            region=config.region,
            endpoint=config.endpoint,
            keeps=config.keeps,
        )
        model, extractor = create_models(config)
        identity = Identity(config.secret, config.trusts_body)
        tutor = Tutor(documents, model, extractor)
        asks = config.model != "rules"  # which read as long as the function may take
        return cls(tutor, identity, config.origins, config.seconds if asks else None)

    def answer_event(
        self, event: object, seconds: float | None = None
    ) -> dict[str, Any]:
        """Return the answer to an event, in the form that its sender reads.

        `seconds` is what the function has left; None is any time. The answer is there
        before they are over, whoever hangs.
        """
        request = LambdaEvent("", {}, {}, {}, is_http=True)
        try:
            request = parse_event(event)
            if request.method == "OPTIONS":
                return self._build_response(request, 204, None)
            answer = self.runner.run(self._answer_request(request, seconds))
        except GieokError as error:
            return self._build_failure(request, error)
        except Exception as error:  # noqa: BLE001 - the last resort: no content
            log.error("unexpected error=%s", type(error).__name__)  # noqa: TRY400 - a trace may quote
            return self._build_failure(request, UnexpectedError())
        return self._build_response(request, 200, answer)

    async def _answer_request(
        self, request: LambdaEvent, seconds: float | None
    ) -> dict[str, Any]:
        if request.method != "POST":
            raise WrongMethodError
        body = request.read_body()
        person = self.identity.find_person(request.authorizer, request.token, body)
        limits = TimeLimits.from_remaining(seconds, self.seconds)
        tutor = self.tutor.limit_time(limits.model)
        try:
            async with asyncio.timeout(limits.event):
                return await tutor.answer(body, person)
        except TimeoutError:
            raise UnavailableError("DynamoDB", "it did not answer in time") from None

    def _build_failure(self, request: LambdaEvent, error: GieokError) -> dict[str, Any]:
        kinds = [kind for kind in type(error).__mro__ if kind in STATUS]
        status = STATUS[kinds[0]]
        if isinstance(error, ConfigurationError):
            log.error("configuration problem=%s", error)
            error = UnexpectedError()
        told = {"code": error.code, "message": error.message(request.language)}
        if isinstance(error, InvalidInputError):
            told["field"] = error.field
        return self._build_response(request, status, {"error": told})

    def _build_response(
        self, request: LambdaEvent, status: int, body: dict[str, Any] | None
    ) -> dict[str, Any]:
        if not request.is_http:
            return {**(body or {}), **({"status": status} if status != 200 else {})}  # noqa: PLR2004 - HTTP's own
        headers = {
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Vary": "Origin",
        }
        origin = request.headers.get("origin")
        if origin and origin in self.origins:
            headers |= {
                "Access-Control-Allow-Origin": origin,
                "Access-Control-Allow-Methods": "POST, OPTIONS",
                "Access-Control-Allow-Headers": "Authorization, Content-Type",
                "Access-Control-Max-Age": "600",
            }
        if body is None:
            return {"statusCode": status, "headers": headers, "body": ""}
        headers["Content-Type"] = "application/json; charset=utf-8"
        text = json.dumps(body, ensure_ascii=False)
        return {"statusCode": status, "headers": headers, "body": text}


def create_models(
    config: TutorConfig,
) -> tuple[ChatModel | None, CardExtractor | None]:
    """Return what talks and what extracts; None for what is not configured.

    Vendors are imported when one is configured.

    Raises:
        ConfigurationError: the name of the model or of the rules' time zone is unknown.
    """
    vendor, _, name = config.model.partition(":")
    if config.model == "none":
        return None, None
    if config.model == "rules":
        from gieok.surfaces.tutor.rules import create_rules_extractor  # noqa: PLC0415

        if not is_time_zone(config.time_zone):
            raise ConfigurationError(
                "GIEOK_TIME_ZONE must be an IANA time zone like Europe/London."
            )
        return None, create_rules_extractor(ZoneInfo(config.time_zone))
    if vendor == "openai" and name:
        from gieok.models.openai_chat import OpenAIChat  # noqa: PLC0415

        talks: ChatModel = OpenAIChat(
            name, config.model_base_url, config.model_api_key, config.seconds
        )
    elif vendor == "bedrock" and name:
        from gieok.models.bedrock_chat import BedrockChat  # noqa: PLC0415

        talks = BedrockChat.create(name, seconds=config.seconds)
    else:
        raise ConfigurationError(
            'GIEOK_MODEL must be "none", "rules", "openai:MODEL" or "bedrock:MODEL".'
        )
    return talks, PromptExtractor(talks)


@cache
def _create_endpoint() -> TutorEndpoint:
    return TutorEndpoint.from_config(TutorConfig.from_environment())


def answer_lambda(event: object, context: object) -> dict[str, Any]:
    """Answer an event of AWS Lambda.

    Raises:
        ConfigurationError: the function is set up wrongly; Lambda logs it.
    """
    return _create_endpoint().answer_event(event, get_remaining_seconds(context))


def get_remaining_seconds(context: object) -> float | None:
    """Return what a context of AWS Lambda says is left; None if it says nothing."""
    if not hasattr(context, "get_remaining_time_in_millis"):
        return None
    return max(0.0, cast("Any", context).get_remaining_time_in_millis() / 1_000)
