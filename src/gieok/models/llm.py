"""Any language model as gieok's `Model`, through pydantic-ai's structured output.

The only file that knows pydantic-ai. Vendors' packages are imported when a model of
theirs is asked for; vendors' errors end here.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from types import TracebackType
from typing import Any, Self, cast

from pydantic import BaseModel, ConfigDict, Field
from pydantic_ai import Agent
from pydantic_ai.exceptions import (
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRequestRejectedError,
    UserError,
)
from pydantic_ai.models import Model as Vendor
from pydantic_ai.models import infer_model, parse_model_id
from pydantic_ai.providers import Provider, infer_provider, infer_provider_class
from pydantic_ai.settings import ModelSettings

from gieok.kernel.errors import ConfigurationError, ModelUnavailableError
from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    Known,
    Operation,
)
from gieok.models.evidence import admissible, dominant_language
from gieok.models.prompts import VERSION, payload, request, system_prompt

TRIES = 3
BACK_OFF = (1.0, 2.0, 4.0)
"""Seconds before each further try (E15)."""
TIMEOUT = 30.0
"""Seconds one try may take."""
LAST_MESSAGES = 50
"""Messages that are read: D05's ten for context, and forty nobody has read yet."""
_PERMANENT = (ModelRequestRejectedError, ModelQuotaExceededError, UserError)

Sleep = Callable[[float], Awaitable[object]]
Token = Callable[[], str]

_EXTRAS = {"google-cloud": "google", "google-decisions": "google"} | {
    name: name
    for name in (
        *("anthropic", "bedrock", "bedrock-mantle", "cohere", "google", "groq"),
        *("huggingface", "mistral", "typesafe", "xai", "zai"),
    )
}
"""Vendors whose package is not OpenAI's, and pydantic-ai's extra that installs it."""


def fence_token() -> str:
    """Return a mark for the fence that nobody can guess."""
    return secrets.token_hex(12)


class _Item(BaseModel):
    """One finding as the model writes it."""

    model_config = ConfigDict(extra="ignore")

    operation: Operation
    target: str | None = None
    content: str
    category: Category
    confidence: float = Field(ge=0, le=1)
    basis: Basis
    evidence: list[int]


class _Answer(BaseModel):
    """What is worth remembering about the user; usually nothing."""

    model_config = ConfigDict(extra="ignore")

    findings: list[_Item]


class LlmModel:
    """Reads conversations with a language model and believes only what is evident.

    `model` is a pydantic-ai model, or a name such as "openai:gpt-5-mini",
    "anthropic:…" or "bedrock:…". With `base_url`, the name is that of a model behind
    any OpenAI-compatible endpoint. Use it as an async context manager to close the
    connections it opened.

    Raises:
        ConfigurationError: the name is unknown, a package or a key is missing.
    """

    def __init__(
        self,
        model: Vendor | str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = TIMEOUT,
        sleep: Sleep = asyncio.sleep,
        token: Token = fence_token,
    ) -> None:
        self._vendor = vendor_of(model, base_url, api_key)
        self._timeout = timeout
        self._sleep = sleep
        self._token = token
        self._agent = Agent(
            self._vendor,
            output_type=_Answer,
            retries=0,
            model_settings=_settings(self._vendor),
            name="gieok-extract",
        )
        self._agent.instrument = False  # a host's tracing would record conversations

    @property
    def name(self) -> str:
        """Vendor, model and version of the prompt."""
        return f"{self._vendor.system}:{self._vendor.model_name}/p{VERSION}"

    async def __aenter__(self) -> Self:
        _ = await self._vendor.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _ = await self._vendor.__aexit__(kind, error, trace)

    async def extract(self, conversation: Conversation) -> tuple[Finding, ...]:
        """Return what the last messages say about their user, checked for evidence.

        Raises:
            ModelUnavailableError: no usable answer in three tries, or a refusal that
                trying again cannot change.
        """
        recent = replace(conversation, messages=conversation.messages[-LAST_MESSAGES:])
        if not recent.messages:
            return ()
        aliases = {f"k{n}": known.id for n, known in enumerate(recent.known, start=1)}
        answer = await self._answer(_aliased(recent))
        found = (_finding(item, aliases) for item in answer.findings)
        return admissible(found, recent)

    async def _answer(self, conversation: Conversation) -> _Answer:
        language = dominant_language(conversation)
        instructions = system_prompt(language)
        reason = ""
        for attempt in range(TRIES):
            if attempt:
                _ = await self._sleep(BACK_OFF[attempt - 1])
            prompt = request(conversation, language, self._mark(conversation))
            try:
                return await self._ask(prompt, instructions)
            except Exception as error:  # noqa: BLE001 - no vendor's error leaves here
                reason = _reason(error)
                if isinstance(error, _PERMANENT):
                    break
        # Outside the handler: a vendor's error may quote the conversation (rule 14).
        raise ModelUnavailableError(self.name, reason)

    async def _ask(self, prompt: str, instructions: str) -> _Answer:
        async with asyncio.timeout(self._timeout):
            result = await self._agent.run(
                prompt, instructions=instructions, infer_name=False
            )
        return result.output

    def _mark(self, conversation: Conversation) -> str:
        """Return a token that does not occur in what it fences."""
        text, mark = payload(conversation), self._token()
        while mark in text:
            mark += self._token()
        return mark


def vendor_of(model: Vendor | str, base_url: str | None, api_key: str | None) -> Vendor:
    """Return the pydantic-ai model of a name.

    Raises:
        ConfigurationError: the name is unknown, or a package or a key is missing.
    """
    if isinstance(model, Vendor):
        return model
    try:
        if base_url is not None:
            return _compatible(model, base_url, api_key)
        return infer_model(model, _provider_factory(api_key))
    except ImportError:
        vendor = parse_model_id(model)[0] or "openai"
        extra = _EXTRAS.get(vendor, "openai")
        package = f"pydantic-ai-slim[{extra}]"
        problem = f'the model {model!r} needs another package: pip install "{package}"'
        raise ConfigurationError(problem) from None
    except (UserError, ValueError) as error:
        problem = f"the model {model!r} cannot be used: {error}"
        raise ConfigurationError(problem) from error


def _compatible(model: str, base_url: str, api_key: str | None) -> Vendor:
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415 - an extra
    from pydantic_ai.providers.openai_compatible import (  # noqa: PLC0415 - an extra
        OpenAICompatibleProvider,
    )

    name = model.removeprefix("openai:").removeprefix("openai-chat:")
    provider = OpenAICompatibleProvider(
        "openai-compatible", base_url=base_url, api_key=api_key
    )
    return OpenAIChatModel(name, provider=provider)


def _provider_factory(api_key: str | None) -> Callable[[str], Provider[Any]]:
    """Build the vendor's provider with the given key instead of the environment's."""
    if api_key is None:
        return infer_provider

    def keyed(vendor: str) -> Provider[Any]:
        make = cast("Callable[..., Provider[Any]]", infer_provider_class(vendor))
        return make(api_key=api_key)

    return keyed


def _settings(vendor: Vendor) -> ModelSettings:
    """Leave retrying to this module, where the vendor's client can be told so."""
    if "max_retries" in vendor.unsupported_settings:
        return ModelSettings()
    return ModelSettings(max_retries=0)


def _aliased(conversation: Conversation) -> Conversation:
    """Short ids for what is known: models copy "k2" more faithfully than a UUID."""
    known = tuple(
        Known(f"k{n}", item.content, item.category)
        for n, item in enumerate(conversation.known, start=1)
    )
    return replace(conversation, known=known)


def _finding(item: _Item, aliases: dict[str, str]) -> Finding:
    target = None if item.target is None else aliases.get(item.target, item.target)
    return Finding(
        operation=item.operation,
        content=item.content,
        category=item.category,
        confidence=item.confidence,
        basis=item.basis,
        evidence=tuple(item.evidence),
        target=None if item.operation is Operation.ADD else target,
    )


def _reason(error: Exception) -> str:
    """Name the kind of failure; never a message, which may quote the conversation."""
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    if isinstance(error, ModelHTTPError):
        return f"it answered with HTTP status {error.status_code}"
    return f"its answer could not be used ({type(error).__name__})"
