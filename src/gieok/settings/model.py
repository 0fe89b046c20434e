"""A person's settings, as D04 names them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from gieok.kernel.language import Category


class Policy(StrEnum):
    """When a candidate becomes a memory (A07, design rule 8)."""

    STATED = "stated"
    """What the person plainly said confirms; observations need corroboration."""
    STRICT = "strict"
    """Nothing confirms without corroboration, review or the person's own request."""


class Purpose(StrEnum):
    """What the person's data may be used for (D14)."""

    STORAGE = "storage"
    """Keep what is said. Without it nothing is kept at all."""
    PROFILE = "profile"
    """Learn from it: memories, candidates, episodes and summaries."""
    SENSITIVE = "sensitive"
    """Learn of special categories in it as well: health, belief, and their like."""
    SYNC = "sync"
    """Keep it on the person's devices as well."""
    WORDS = "words"
    """Keep what is said word for word for longer, as the settings' `words_days` says.
    Nobody agrees to it but by saying so."""


OPT_IN: Final = frozenset({Purpose.WORDS})
"""Purposes to which nobody agrees before they say so."""


@dataclass(frozen=True, slots=True)
class Consent:
    """One decision about a purpose; version 0 is the installation's, before any."""

    purpose: Purpose
    version: int
    granted: bool
    notice: str | None
    """Which text the person was shown, as the app names it."""
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person allows; `retention_days` None keeps memories until erased.

    `words_days` is how long what was said is kept word for word, where the person
    agrees to that; None, or less than the installation's span, is that span.
    Memory is not enabled while one of the purposes it serves is `list_withheld`.
    """

    is_enabled: bool = True
    allowed_categories: tuple[Category, ...] = (
        Category.LOCATION,
        Category.PREFERENCE,
    )
    auto_extraction: bool = True
    max_memories: int = 50
    retention_days: int | None = None
    promotion_policy: Policy = Policy.STATED
    words_days: int | None = None
    withheld: tuple[Purpose, ...] = (Purpose.WORDS,)
    """Purposes to which the person does not agree."""

    def apply_consent(self, *, for_device: bool = False) -> "Settings":
        """Return the settings as consent leaves them, for others or for a device."""
        needed = {Purpose.STORAGE, Purpose.PROFILE}
        if for_device:
            needed.add(Purpose.SYNC)
        off = needed.intersection(self.withheld)
        return replace(self, is_enabled=False) if off else self


@dataclass(frozen=True, slots=True)
class CategoryUsage:
    """How many memories of a category are in use, and how often prompts had them."""

    active: int
    uses: int


@dataclass(frozen=True, slots=True)
class Usage:
    """What is remembered of a person, in numbers (D14)."""

    active: int
    inactive: int
    unused: int
    """In use, but no prompt ever had them."""
    waiting: int
    """Candidates that wait for corroboration or review."""
    uses: int
    """How often prompts had memories that are in use."""
    last_used_at: datetime | None
    most: int
    """Most that the person's settings let be in use."""
    categories: Mapping[Category, CategoryUsage]


@dataclass(frozen=True, slots=True)
class Keep:
    """How many days an installation keeps what was learned (A20).

    A person's own `retention_days`, if fewer, holds for episodes as well.
    """

    days: int = 30
    """The summary of a day, after it ended."""
    weeks: int = 180
    """A week's summary, after it ended; a session's, since it began, and ten more."""
    episodes: int = 730
    """An episode, since it last changed."""
    candidates: int = 90
    """A candidate that nobody reviewed, since it was made."""


DEFAULT_SETTINGS = Settings()
"""D04's own defaults; an app may open gieok with others."""
DEFAULT_KEEP = Keep()
