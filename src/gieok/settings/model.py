"""A person's settings, as D04 names them."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

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
    """Keep what is sensitive in it."""
    SYNC = "sync"
    """Keep it on the person's devices as well."""


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

    Memory is not enabled while one of the purposes it serves is `withheld`.
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
    withheld: tuple[Purpose, ...] = ()
    """Purposes to which the person does not agree."""

    def limited(self) -> "Settings":
        """Return the settings as consent leaves them."""
        off = {Purpose.STORAGE, Purpose.PROFILE}.intersection(self.withheld)
        return replace(self, is_enabled=False) if off else self


DEFAULT_SETTINGS = Settings()
"""D04's own defaults; an app may open gieok with others."""
