"""The ports behind which models live, and the words they speak.

A port is implemented in `gieok.models`, one vendor per file; `gieok.testing` ships a
fake of each. Nothing here imports a vendor.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


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


class Operation(StrEnum):
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
    """One message as a model sees it; `index` is its place in the conversation."""

    index: int
    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Known:
    """One thing already remembered about the person."""

    id: str
    content: str
    category: Category


@dataclass(frozen=True, slots=True)
class Conversation:
    """What extraction reads: the messages, what is known, and the local time.

    `at` carries the person's UTC offset, so "내일" and "on Sunday" can be resolved.
    """

    messages: tuple[Utterance, ...]
    known: tuple[Known, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a model found in a conversation, before anyone trusts it.

    `target` is the id of the `Known` that an update, delete or reinforce is about.
    `evidence` holds the indexes of the messages it rests on, never empty.
    `confidence` is between 0 and 1.
    """

    operation: Operation
    content: str
    category: Category
    confidence: float
    basis: Basis
    evidence: tuple[int, ...]
    target: str | None = None


class Model(Protocol):
    """Reads conversations."""

    @property
    def name(self) -> str:
        """Name and version, kept as the provenance of everything it finds."""
        ...

    async def extract(self, conversation: Conversation) -> tuple[Finding, ...]:
        """Return what the conversation says about its user; may be empty.

        Raises:
            ModelUnavailableError: the model could not be reached or did not answer
                in a form that could be used, after the implementation's own retries.
        """
        ...


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
