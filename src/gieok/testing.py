"""Fakes of every port with more than one implementation, for our tests and for yours.

They are deterministic, need no network and load nothing. Give the models a `guard`
that raises while a database transaction is open, and a test fails where production
would hold a connection during a slow call (design rule 2).
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import ClassVar
from uuid import UUID

import numpy as np

from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
    Gist,
    ModelReply,
    Role,
    SummaryNote,
    Tokenizer,
    Utterance,
    Vectors,
)
from gieok.kernel.offload import run_aside
from gieok.text.patterns import compile_lazily

Guard = Callable[[], None]
"""Called at the start of every model call; raises if the call must not happen now."""
Answer = Iterable[Finding] | Exception
"""What a scripted model returns, or what it raises."""


def no_guard() -> None:
    """Allow every call."""


def plain_gist(conversation: Conversation) -> Gist:
    """Sum up a conversation by what its user said first."""
    said = [m for m in conversation.messages if m.role is Role.USER and m.content]
    if not said:
        return Gist("")
    return Gist(f"User said: {said[0].content[:200]}", evidence=(said[0].index,))


def echo(instructions: str, messages: Sequence[Utterance]) -> ModelReply:
    """Answer with the last message."""
    return ModelReply(
        f"You said: {messages[-1].content}", tokens=len(instructions) // 4
    )


class ScriptedModel:
    """A `Model` that answers what it was told to.

    `answers` is a list, used up in order and then empty, or a function of the
    conversation; `babble` is a ready one. `summarizes` and `replies` are functions too,
    and raise what they return if that is an exception. The first `failures` calls raise
    `ModelUnavailableError`; an exception among the answers is raised in its turn.
    `calls` keeps every conversation it saw.
    """

    def __init__(
        self,
        answers: Iterable[Answer] | Callable[[Conversation], Answer] = (),
        *,
        summarizes: Callable[[Conversation], Gist | Exception] = plain_gist,
        replies: Callable[[str, Sequence[Utterance]], ModelReply | Exception] = echo,
        failures: int = 0,
        guard: Guard = no_guard,
        name: str = "scripted/1",
    ) -> None:
        self._answer = answers if callable(answers) else _answer_in_turn(answers)
        self._summarize = summarizes
        self._reply = replies
        self._failures = failures
        self._guard = guard
        self._name = name
        self._asked = 0
        self.calls: list[Conversation] = []

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    async def extract(self, conversation: Conversation) -> tuple[Finding, ...]:
        """Return the next answer, unchecked, so that a script can also talk nonsense.

        Raises:
            ModelUnavailableError: as often as `failures` says.
        """
        self._record_call(conversation)
        answer = self._answer(conversation)
        if isinstance(answer, Exception):
            raise answer
        return tuple(answer)

    async def summarize(self, conversation: Conversation) -> Gist:
        """Return what `summarizes` makes of the conversation.

        Raises:
            ModelUnavailableError: as often as `failures` says.
        """
        self._record_call(conversation)
        gist = self._summarize(conversation)
        if isinstance(gist, Exception):
            raise gist
        return gist

    async def condense(self, notes: Sequence[SummaryNote], language: str) -> str:
        """Return the notes, one after the other, in any language.

        Raises:
            ModelUnavailableError: as often as `failures` says.
        """
        del language
        self._record_call()
        return " ".join(note.text for note in notes)

    async def reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        """Return what `replies` answers.

        Raises:
            ModelUnavailableError: as often as `failures` says.
        """
        self._record_call()
        reply = self._reply(instructions, messages)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def _record_call(self, *read: Conversation) -> None:
        self._guard()
        self.calls.extend(read)
        self._asked += 1
        if self._asked <= self._failures:
            raise ModelUnavailableError(self._name, "it was told to fail")


def babble(conversation: Conversation) -> tuple[Finding, ...]:
    """Answer like a bad model: a fact from nowhere, and one from a wrong message."""
    fact = Finding(
        operation=FindingOperation.ADD,
        content="User owns seventeen llamas called Zanzibar.",
        category=Category.CONTEXT,
        confidence=1.0,
        basis=Basis.STATED,
        evidence=(len(conversation.messages) + 7,),
    )
    return fact, replace(
        fact, operation=FindingOperation.DELETE, evidence=(0,), target="none"
    )


def _answer_in_turn(answers: Iterable[Answer]) -> Callable[[Conversation], Answer]:
    rest = iter(tuple(answers))

    def answer(_: Conversation) -> Answer:
        return next(rest, ())

    return answer


class WordTokenizer:
    """A `Tokenizer` without Kiwi: lower-cased words, Korean ones as character pairs.

    Pairs let "강아지가" be found by "강아지"; a one-letter word stays as it is.
    """

    _RUN: ClassVar[re.Pattern[str]] = compile_lazily(r"[가-힣]+|[^\W가-힣]+")

    def terms(self, text: str) -> tuple[str, ...]:
        """Return the terms in order, repeats kept."""
        folded = unicodedata.normalize("NFC", text).casefold()
        return tuple(term for run in self._RUN.findall(folded) for term in _split(run))


def _split(run: str) -> Sequence[str]:
    if not "가" <= run[0] <= "힣" or len(run) == 1:
        return (run,)
    return [run[start : start + 2] for start in range(len(run) - 1)]


class HashEmbedder:
    """An `Embedder` whose vectors are near where texts share words.

    Every term is hashed to a place and a sign; a text is the sum of its terms, scaled
    to length 1. `calls` counts the calls, `seen` keeps the texts.
    """

    def __init__(
        self,
        dimension: int = 256,
        *,
        tokenizer: Tokenizer | None = None,
        guard: Guard = no_guard,
    ) -> None:
        self._dimension = dimension
        self._tokenizer = tokenizer or WordTokenizer()
        self._guard = guard
        self.calls = 0
        self.seen: list[str] = []

    @property
    def name(self) -> str:
        """Says the dimension, as vectors of another length are another embedder's."""
        return f"hash/{self._dimension}"

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return self._dimension

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per question."""
        return await run_aside(sum(map(len, texts)), lambda: self._embed(texts))

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per stored text, the same as for a question."""
        return await run_aside(sum(map(len, texts)), lambda: self._embed(texts))

    def _embed(self, texts: Sequence[str]) -> Vectors:
        self._guard()
        self.calls += 1
        self.seen.extend(texts)
        rows = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for at, text in enumerate(texts):
            rows[at] = self._compute_vector(text)
        return rows

    def _compute_vector(self, text: str) -> Vectors:
        vector = np.zeros(self._dimension, dtype=np.float32)
        # A text without terms is still a text: it gets the place of "".
        for term in self._tokenizer.terms(text) or ("",):
            spelled = term.encode("utf-8", "replace")
            number = int.from_bytes(hashlib.blake2b(spelled, digest_size=8).digest())
            vector[(number >> 1) % self._dimension] += 1.0 if number & 1 else -1.0
        if not vector.any():  # the terms cancelled out
            vector[0] = 1.0
        return (vector / np.linalg.norm(vector)).astype(np.float32)


class FixedClock:
    """A `Clock` that stands still until it is told otherwise."""

    def __init__(self, now: datetime = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)) -> None:
        self._now = _require_zone(now)

    def __call__(self) -> datetime:
        """Return the time it stands at."""
        return self._now

    def advance(self, by: timedelta) -> datetime:
        """Move on, or back, and return the new time."""
        self._now += by
        return self._now

    def set(self, now: datetime) -> None:
        """Jump to a time, which needs a zone."""
        self._now = _require_zone(now)


def _require_zone(now: datetime) -> datetime:
    if now.tzinfo is None:
        problem = "the time needs a zone"
        raise ValueError(problem)
    return now


class CountingIds:
    """A `NewId` that counts: valid UUIDs of version 7 that sort in the order made.

    `space` keeps the ids of two counters apart.
    """

    def __init__(self, space: int = 0) -> None:
        self._space = space
        self._count = 0

    def __call__(self) -> UUID:
        """Return the next id."""
        self._count += 1
        return UUID(int=self._count << 80 | 7 << 76 | 2 << 62 | self._space)
