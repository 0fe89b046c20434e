"""A model beside the rules: they check what it found, and read what it refuses."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Final, Protocol, Self

from gieok.kernel.background import is_background
from gieok.kernel.errors import ModelRefusedError, ModelUnavailableError
from gieok.kernel.language import (
    Conversation,
    Finding,
    Gist,
    Model,
    ModelReply,
    Role,
    SummaryNote,
    Utterance,
)
from gieok.kernel.logs import get_logger

log = get_logger("gieok.models")

PAUSES: Final = (4.0, 16.0, 40.0)
"""Seconds before a part is asked for again, in one call: a minute is what most limits
of vendors count."""
Sleep = Callable[[float], Awaitable[object]]


class VerifyingModel(Model, Protocol):
    """A model that can also tell what of another's findings it can follow."""

    async def verify(
        self, conversation: Conversation, findings: Sequence[Finding]
    ) -> tuple[Finding, ...]:
        """Return the findings that may be believed, some with less confidence."""
        ...


@dataclass(slots=True)
class FallbackModel:
    """Has `rules` extract what `model` refuses to read, and verify what it finds.

    A conversation that is refused is halved until what is refused is one message, or
    both halves are: then it hardly lies in a message. So one message costs two calls
    for each time the conversation can be halved, and a vendor who refuses everything
    three. A model that has not read anything yet and refuses all of it is set up
    wrongly, and nothing is read instead of it. Where nobody waits, a part that is
    not answered, as when too much is asked, is asked for again after `PAUSES`: what was
    answered of the others is paid for. Use it as an async context manager where the
    model is one.
    """

    model: Model
    rules: VerifyingModel
    sleep: Sleep = field(default=asyncio.sleep, repr=False)
    _has_read: bool = field(default=False, init=False, repr=False)

    @property
    def name(self) -> str:
        """The model's own; what the rules found says so itself."""
        return self.model.name

    async def __aenter__(self) -> Self:
        if isinstance(self.model, AbstractAsyncContextManager):
            await self.model.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(self.model, AbstractAsyncContextManager):
            await self.model.__aexit__(kind, error, trace)

    async def extract(self, conversation: Conversation) -> tuple[Finding, ...]:
        """Return what the model finds and the rules can follow, or find themselves.

        Raises:
            ModelUnavailableError: the model does not answer, or not after `PAUSES`
                where it refused the whole; nothing was read.
            ModelRefusedError: … or it has refused everything so far.
        """
        found = await self._extract_unless_refused(conversation)
        if found is None:
            return await self._extract_refused(conversation, iter(PAUSES))
        return found

    async def summarize(self, conversation: Conversation) -> Gist:
        """Return what the model returns."""
        return await self.model.summarize(conversation)

    async def condense(self, notes: Sequence[SummaryNote], language: str) -> str:
        """Return what the model returns."""
        return await self.model.condense(notes, language)

    async def reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        """Return what the model returns."""
        return await self.model.reply(instructions, messages)

    async def _extract_unless_refused(
        self, conversation: Conversation
    ) -> tuple[Finding, ...] | None:
        try:
            found = await self.model.extract(conversation)
        except ModelRefusedError as error:
            log.warning(
                "extraction_refused",
                messages=len(conversation.messages),
                reason=str(error),
            )
            return None
        self._has_read = True
        return await self.rules.verify(conversation, found)

    async def _extract_refused(
        self, conversation: Conversation, pauses: Iterator[float]
    ) -> tuple[Finding, ...]:
        halves = _split_halves(conversation)
        found = [await self._extract_half(half, pauses) for half in halves]
        if all(findings is None for findings in found):
            if not self._has_read:
                reason = (
                    "it refused this conversation and every one before: check the model"
                )
                raise ModelRefusedError(self.name, reason)
            return await self._extract_by_rules(conversation)
        every: list[Finding] = []
        for half, findings in zip(halves, found, strict=True):
            every += (
                await self._extract_refused(half, pauses)
                if findings is None
                else findings
            )
        return tuple(every)

    async def _extract_half(
        self, half: Conversation, pauses: Iterator[float]
    ) -> tuple[Finding, ...] | None:
        """Return as `_extract_unless_refused`; who waits is not kept waiting longer."""
        while True:
            try:
                return await self._extract_unless_refused(half)
            except ModelUnavailableError:
                pause = next(pauses, None) if is_background() else None
                if pause is None:
                    raise
            await self.sleep(pause)

    async def _extract_by_rules(
        self, conversation: Conversation
    ) -> tuple[Finding, ...]:
        log.warning("extraction_fell_back", messages=len(conversation.messages))
        findings = await self.rules.extract(conversation)
        return tuple(replace(each, extractor=self.rules.name) for each in findings)


def _split_halves(conversation: Conversation) -> tuple[Conversation, ...]:
    """Return both halves of a conversation; none where the user said one thing only."""
    parts = list(_split_by_user(conversation.messages))
    if len(parts) < 2:  # noqa: PLR2004 - two halves
        return ()
    middle = len(parts) // 2
    return tuple(
        replace(conversation, messages=tuple(said for part in half for said in part))
        for half in (parts[:middle], parts[middle:])
    )


def _split_by_user(messages: Sequence[Utterance]) -> Iterator[list[Utterance]]:
    """Yield each message of the user with those before it, which it may answer."""
    part: list[Utterance] = []
    last = max(
        (n for n, said in enumerate(messages) if said.role is Role.USER), default=0
    )
    for number, said in enumerate(messages):
        part.append(said)
        if said.role is Role.USER and number != last:
            yield part
            part = []
    yield part
