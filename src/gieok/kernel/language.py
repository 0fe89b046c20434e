"""The ports behind which models live, and the words they speak.

A port is implemented in `gieok.models`, one vendor per file; `gieok.testing` ships a
fake of each. Nothing here imports a vendor.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
else:
    Vectors = Any  # importing numpy takes 0.1 s, and most want the words only


class Role(StrEnum):
    """Who said a message."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


class Category(StrEnum):
    """What kind of thing a memory is (D01 and A05)."""

    LOCATION = "location"
    PREFERENCE = "preference"
    BEHAVIOR = "behavior"
    CONTEXT = "context"
    FEEDBACK = "feedback"
    CONSTRAINT = "constraint"
    HABIT = "habit"
    DEVICE_PATTERN = "device_pattern"


class CardField(StrEnum):
    """The places of a person's profile card (C01)."""

    NAME = "name"
    OCCUPATION = "occupation"
    INTERESTS = "interests"
    LEARNING_GOALS = "learning_goals"
    PREFERENCES = "preferences"
    MENTIONED_FACTS = "mentioned_facts"

    @property
    def is_list(self) -> bool:
        """Whether it holds several values, and not only the newest."""
        return self not in (CardField.NAME, CardField.OCCUPATION)


class FindingOperation(StrEnum):
    """What a finding does to what is already known."""

    ADD = "add"
    UPDATE = "update"
    DELETE = "delete"
    REINFORCE = "reinforce"


class Basis(StrEnum):
    """On what grounds a finding stands; promotion depends on it (design rule 8)."""

    REQUESTED = "requested"
    """The user asked for it to be remembered, changed or forgotten."""
    STATED = "stated"
    """The user plainly said it of themselves."""
    OBSERVED = "observed"
    """It follows from what the user said or did, without being said."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One message as a model sees it; `index` is its place in the conversation.

    `at` is when it was said, in the person's UTC offset; None: on the conversation's
    day.
    """

    index: int
    role: Role
    content: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class KnownMemory:
    """One thing already remembered about the person."""

    id: str
    content: str
    category: Category


@dataclass(frozen=True, slots=True)
class SourcedMemory:
    """What is to be remembered, with its vector and with what was said around it."""

    content: str
    vector: Vectors = field(repr=False)
    message: str = field(default="", repr=False)
    """What the user said that it came of, or nothing where that is not at hand."""
    previous_reply: str = field(default="", repr=False)
    """What the assistant had said just before."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What extraction reads: the messages, what is known, and the local time.

    `at` carries the person's UTC offset, so "내일" and "on Sunday" can be resolved.
    """

    messages: tuple[Utterance, ...]
    known: tuple[KnownMemory, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a model found in a conversation, before anyone trusts it.

    `target` is the id of the `KnownMemory` that an update, delete or reinforce is
    about. A requested delete without one is a wish to forget what is no known item;
    its content is the wish.
    `evidence` holds the indexes of the messages it rests on, never empty.
    `confidence` is between 0 and 1. `extractor` names what found it where that is not
    the model that was asked.
    """

    operation: FindingOperation
    content: str
    category: Category
    confidence: float
    basis: Basis
    evidence: tuple[int, ...]
    target: str | None = None
    extractor: str | None = None


class Emotion(StrEnum):
    """How a conversation felt to the user (E04)."""

    JOY = "joy"
    SADNESS = "sadness"
    STRESS = "stress"
    CALM = "calm"
    EXCITEMENT = "excitement"


@dataclass(frozen=True, slots=True)
class Gist:
    """What one conversation was about (E04), in one or two sentences.

    `summary` and everything else is in the conversation's language, about the user in
    the third person; greetings and small talk are left out. An empty summary says that
    there was nothing worth keeping. `importance` is 1 to 10. `open_tasks` are things
    the user still has to do, `preferences` what they were seen to like. `evidence`
    holds the indexes of the messages it rests on.
    """

    summary: str
    topics: tuple[str, ...] = ()
    emotion: Emotion = Emotion.CALM
    importance: int = 5
    open_tasks: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SummaryNote:
    """One part of a longer summary: a session of a day, or a day of a week.

    `at` is in the person's time zone; `importance` is 1 to 10.
    """

    at: datetime
    text: str
    topics: tuple[str, ...] = ()
    importance: int = 5


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model answered, and the tokens it took in and out together."""

    text: str
    tokens: int = 0


class Model(Protocol):
    """Reads conversations, sums them up and, where it can, answers.

    One that never answers says so by an attribute `can_reply` that is False; without
    the attribute it may.
    """

    @property
    def name(self) -> str:
        """Name and version, kept as the provenance of everything it finds."""
        ...

    async def extract(self, conversation: Conversation) -> tuple[Finding, ...]:
        """Return what the conversation says about its user; may be empty.

        Raises:
            ModelUnavailableError: the model could not be reached or did not answer
                in a form that could be used, after the implementation's own retries.
            ModelRefusedError: it will never read this conversation.
        """
        ...

    async def summarize(self, conversation: Conversation) -> Gist:
        """Return what the conversation was about, resting on its messages only.

        Raises:
            ModelUnavailableError: as `extract`.
        """
        ...

    async def condense(self, notes: Sequence[SummaryNote], language: str) -> str:
        """Return one readable text of a few sentences resting on the notes only.

        Notes are in order of time; `language` is "ko" or "en". No notes, no text.

        Raises:
            ModelUnavailableError: as `extract`.
        """
        ...

    async def reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        """Return the assistant's next message.

        Raises:
            NoChatModelError: this model cannot talk; the message says what to set.
            ModelUnavailableError: as `extract`.
        """
        ...


def is_chat_model(model: Model) -> bool:
    """Tell whether a model may answer, as far as it says so before it is asked."""
    return bool(getattr(model, "can_reply", True))


class Embedder(Protocol):
    """Turns texts into vectors of unit length."""

    @property
    def name(self) -> str:
        """Name that is stored beside every vector."""
        ...

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        ...

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """Return one row per question, shape (len(texts), dimension)."""
        ...

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Return one row per stored text, shape (len(texts), dimension)."""
        ...


class Tokenizer(Protocol):
    """Splits a text into the terms by which it can be found."""

    def terms(self, text: str) -> tuple[str, ...]:
        """Return the terms in order, repeats kept.

        Korean gives morphemes, English gives stems.
        """
        ...
