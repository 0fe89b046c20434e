"""A model that has to answer in time, because somebody waits for it (E18)."""

import asyncio
from collections.abc import Awaitable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar, overload

from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import (
    Conversation,
    Finding,
    Gist,
    Model,
    ModelReply,
    SummaryNote,
    Utterance,
)

T = TypeVar("T")
_end: ContextVar[float | None] = ContextVar("end_of_model", default=None)


@dataclass(frozen=True, slots=True)
class DeadlineModel:
    """Asks a model, and gives up once its time is over.

    All calls share the time, whatever tries and pauses the model takes for one (E15).
    """

    model: Model
    end: float
    """When the time is over, by the clock of the event loop."""

    @property
    def name(self) -> str:
        """The model's own."""
        return self.model.name

    async def extract(self, conversation: Conversation) -> tuple[Finding, ...]:
        """Return what the model returns; raises `ModelUnavailableError` when late."""
        return await self._await_answer(self.model.extract(conversation))

    async def summarize(self, conversation: Conversation) -> Gist:
        """Return what the model returns; raises `ModelUnavailableError` when late."""
        return await self._await_answer(self.model.summarize(conversation))

    async def condense(self, notes: Sequence[SummaryNote], language: str) -> str:
        """Return what the model returns; raises `ModelUnavailableError` when late."""
        return await self._await_answer(self.model.condense(notes, language))

    async def reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        """Return what the model returns; raises `ModelUnavailableError` when late."""
        return await self._await_answer(self.model.reply(instructions, messages))

    async def _await_answer(self, answer: Awaitable[T]) -> T:
        return await await_answer(self.model.name, answer, self.end)


async def await_answer(name: str, answer: Awaitable[T], end: float | None) -> T:
    """Return what a model answers until `end`; None is any time.

    Raises:
        ModelUnavailableError: the model of that name is late.
    """
    outer = _end.get()
    ends = [each for each in (end, outer) if each is not None]
    token = _end.set(min(ends, default=None))
    try:
        async with asyncio.timeout_at(end):
            return await answer
    except TimeoutError:
        pass
    finally:
        _end.reset(token)
    # Outside the handler: what was cut off may quote the conversation (rule 14).
    raise ModelUnavailableError(name, "it did not answer in time")


def compute_seconds_left() -> float | None:
    """Return how long whoever waits for this answer still does; None is any time.

    It is for what cannot be broken off, such as a call in a thread.
    """
    end = _end.get()
    return None if end is None else end - asyncio.get_running_loop().time()


@overload
def compute_end(seconds: float) -> float: ...


@overload
def compute_end(seconds: float | None) -> float | None: ...


def compute_end(seconds: float | None) -> float | None:
    """Return when so many seconds from now are over, by the event loop's clock.

    None is never.
    """
    return None if seconds is None else asyncio.get_running_loop().time() + seconds


def limit_time(model: Model, seconds: float | None) -> Model:
    """Return the model, which from now has so many seconds; None is any number."""
    if seconds is None:
        return model
    return DeadlineModel(model, compute_end(seconds))
