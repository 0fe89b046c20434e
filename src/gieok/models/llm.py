"""Any language model as gieok's `Model`, through pydantic-ai's structured output.

With `vendors` the only file that knows pydantic-ai. Vendors' errors end here.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self, TypeVar

from pydantic_ai import Agent
from pydantic_ai.exceptions import (
    ContentFilterError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRequestRejectedError,
    ModelTimeoutError,
    UnexpectedModelBehavior,
    UserError,
)
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models import Model as Vendor

from gieok.kernel.errors import ModelRefusedError, ModelUnavailableError
from gieok.kernel.language import (
    Conversation,
    Finding,
    Gist,
    KnownMemory,
    ModelReply,
    Role,
    SummaryNote,
    Utterance,
)
from gieok.models.answers import FindingsAnswer, GistAnswer, TextAnswer
from gieok.models.chat_answers import ODD_ANSWER, clean_reply, format_status
from gieok.models.evidence import detect_dominant_language, filter_findings
from gieok.models.faults import Fault, UnusableAnswerError
from gieok.models.fence import PromptTask, TokenFactory, generate_fence_token
from gieok.models.gist import validate_condensed, validate_gist
from gieok.models.grounding import ScriptLanguage
from gieok.models.prompt_trimming import (
    trim_for_extraction,
    trim_for_summary,
    trim_notes,
)
from gieok.models.prompts import VERSION, build_extraction_task
from gieok.models.summary_prompts import build_condensing_task, build_summary_task
from gieok.models.vendors import build_vendor_settings, resolve_vendor

TRIES = 3
BACK_OFF = (1.0, 2.0, 4.0)
"""Seconds before each further try (E15)."""
TIMEOUT = 30.0
"""Seconds one try may take."""
HARMLESS = "I went for a walk today."
"""What no filter refuses, and no limit."""
_REFUSES_ALL = "it refuses whatever it is to sum up: check the model"
_PERMANENT = (
    ModelAuthenticationError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    UserError,
)
_REFUSAL = (ModelRequestRejectedError, ContentFilterError)
_TOO_LARGE = 413
"""The HTTP status of a request that is too long, which pydantic-ai does not name."""

Sleep = Callable[[float], Awaitable[object]]
_Answer = TypeVar("_Answer")
_Result = TypeVar("_Result")


class LlmModel:
    """Reads conversations with a language model and believes only what is evident.

    `model` is a pydantic-ai model, or a name such as "openai:gpt-5-mini",
    "anthropic:…" or "bedrock:…". With `base_url`, the name is that of a model behind
    any OpenAI-compatible endpoint. Use it as an async context manager to close the
    connections it opened.

    Every method asks three times in all, and raises `ModelUnavailableError` when no
    answer could be used, or at once where asking again cannot change it; of these
    `ModelRefusedError` where it is this conversation that is refused, or none of three
    answers to what it is to sum up may be believed. A model that refuses to sum up even
    a harmless sentence is set up wrongly, and away.

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
        token: TokenFactory = generate_fence_token,
    ) -> None:
        self._vendor = resolve_vendor(model, base_url, api_key)
        self._timeout = timeout
        self._sleep = sleep
        self._token = token
        self._extractor = _create_agent(self._vendor, FindingsAnswer, "gieok-extract")
        self._summarizer = _create_agent(self._vendor, GistAnswer, "gieok-summarize")
        self._condenser = _create_agent(self._vendor, TextAnswer, "gieok-condense")
        self._talker = _create_agent(self._vendor, str, "gieok-reply")

    @property
    def name(self) -> str:
        """Vendor, model and version of the prompts."""
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
        """Return what the last messages say about their user, checked for evidence."""
        recent = trim_for_extraction(conversation)
        if not recent.messages:
            return ()
        aliases = {f"k{n}": known.id for n, known in enumerate(recent.known, start=1)}
        checked_against = replace(recent, known=conversation.known)

        def checked(answer: FindingsAnswer) -> tuple[Finding, ...]:
            findings = (found.to_finding(aliases) for found in answer.findings)
            return filter_findings(findings, checked_against)

        task = build_extraction_task(
            _replace_ids(recent), detect_dominant_language(recent)
        )
        return await self._run_task(task, self._extractor, checked)

    async def summarize(self, conversation: Conversation) -> Gist:
        """Return what the conversation was about, checked against what was said.

        A conversation in which the user said nothing has an empty gist.
        """
        shown = trim_for_summary(conversation)
        if all(message.role is not Role.USER for message in shown.messages):
            return Gist("")

        def checked(answer: GistAnswer) -> Gist:
            return validate_gist(answer.to_gist(), shown)

        task = build_summary_task(shown, detect_dominant_language(shown))
        return await self._run_task(task, self._summarizer, checked, is_summary=True)

    async def condense(self, notes: Sequence[SummaryNote], language: str) -> str:
        """Return one text of the last notes, checked against them."""
        shown, written = trim_notes(notes), ScriptLanguage(language)
        if not shown:
            return ""

        def checked(answer: TextAnswer) -> str:
            return validate_condensed(answer.text, shown, written)

        return await self._run_task(
            build_condensing_task(shown, written),
            self._condenser,
            checked,
            is_summary=True,
        )

    async def reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        """Return the next message; `tokens` are those of the try that succeeded."""
        *earlier, last = messages
        history = list(_convert_history(earlier))

        async def ask() -> ModelReply:
            result = await self._talker.run(
                last.content,
                instructions=instructions,
                message_history=history,
                infer_name=False,
            )
            text = result.output.replace("\x00", "").strip()
            if not text:
                raise UnusableAnswerError(Fault.EMPTY)
            return ModelReply(text, result.usage.total_tokens)

        return clean_reply(self.name, await self._run_with_retries(ask))

    async def _run_task(
        self,
        task: PromptTask,
        agent: Agent[None, _Answer],
        checked: Callable[[_Answer], _Result],
        *,
        is_summary: bool = False,
    ) -> _Result:
        async def ask() -> _Result:
            result = await agent.run(
                task.render_prompt(self._token),
                instructions=task.instructions,
                infer_name=False,
            )
            return checked(result.output)

        async def try_harmless() -> object:
            return await agent.run(
                HARMLESS, instructions=task.instructions, infer_name=False
            )

        return await self._run_with_retries(ask, try_harmless if is_summary else None)

    async def _run_with_retries(
        self,
        ask: Callable[[], Awaitable[_Result]],
        try_harmless: Callable[[], Awaitable[object]] | None = None,
    ) -> _Result:
        """Return the first answer.

        Where `try_harmless` is refused as well, the model is away; with it, three
        unusable answers are a refusal.
        """
        reason, failure, unusable = "", ModelUnavailableError, 0
        for attempt in range(TRIES):
            if attempt:
                _ = await self._sleep(BACK_OFF[attempt - 1])
            try:
                async with asyncio.timeout(self._timeout):
                    return await ask()
            except Exception as error:  # noqa: BLE001 - no vendor's error leaves here
                reason = _format_reason(error)
                unusable += isinstance(error, UnusableAnswerError)
                if isinstance(error, _PERMANENT):
                    break
                if _is_refusal(error):
                    failure = ModelRefusedError
                    if try_harmless and not await self._is_answered(try_harmless):
                        failure, reason = ModelUnavailableError, _REFUSES_ALL
                    break
        if try_harmless and unusable == TRIES:
            failure = ModelRefusedError
        # Outside the handler: a vendor's error may quote the conversation (rule 14).
        raise failure(self.name, reason)

    async def _is_answered(self, ask: Callable[[], Awaitable[object]]) -> bool:
        """Tell whether anything is answered, in whatever form."""
        try:
            async with asyncio.timeout(self._timeout):
                _ = await ask()
        except Exception as error:  # noqa: BLE001 - no vendor's error leaves here
            odd = isinstance(error, UnexpectedModelBehavior)
            return odd and not _is_refusal(error)
        return True


def _create_agent(
    vendor: Vendor, output_type: type[_Answer], name: str
) -> Agent[None, _Answer]:
    settings = build_vendor_settings(vendor)
    agent = Agent(
        vendor, output_type=output_type, retries=0, model_settings=settings, name=name
    )
    agent.instrument = False  # a host's tracing would record conversations
    return agent


def _replace_ids(conversation: Conversation) -> Conversation:
    """Short ids for what is known: models copy "k2" more faithfully than a UUID."""
    known = tuple(
        KnownMemory(f"k{n}", item.content, item.category)
        for n, item in enumerate(conversation.known, start=1)
    )
    return replace(conversation, known=known)


def _convert_history(messages: Iterable[Utterance]) -> Iterable[ModelMessage]:
    for message in messages:
        match message.role:
            case Role.ASSISTANT:
                yield ModelResponse(parts=[TextPart(message.content)])
            case Role.USER:
                yield ModelRequest(parts=[UserPromptPart(message.content)])
            case Role.SYSTEM:
                yield ModelRequest(parts=[SystemPromptPart(message.content)])


def _is_refusal(error: Exception) -> bool:
    """Tell whether a vendor refuses what was sent, whoever sends it and when."""
    if isinstance(error, _PERMANENT):
        return False
    is_too_large = isinstance(error, ModelHTTPError) and error.status_code == _TOO_LARGE
    return is_too_large or isinstance(error, _REFUSAL)


def _format_reason(error: Exception) -> str:
    """Name the kind of failure; never a message, which may quote the conversation."""
    if isinstance(error, (TimeoutError, ModelTimeoutError)):
        return "it did not answer in time"
    if isinstance(error, ModelConnectionError):
        return "it could not be reached: check GIEOK_MODEL_BASE_URL and the network"
    if isinstance(error, ModelHTTPError):
        return format_status(error.status_code)
    if isinstance(error, ContentFilterError):
        return "a filter of its vendor's refused what was sent"
    if isinstance(error, (*ODD_ANSWER, UnexpectedModelBehavior)):
        return "its answer has another form than a model's"
    problem = (
        error.fault if isinstance(error, UnusableAnswerError) else type(error).__name__
    )
    return f"its answer could not be used ({problem})"
