"""A person's settings, as D04 names them."""

from dataclasses import dataclass
from enum import StrEnum

from gieok.kernel.language import Category


class Policy(StrEnum):
    """When a candidate becomes a memory (A07, design rule 8)."""

    STATED = "stated"
    """What the person plainly said confirms; observations need corroboration."""
    STRICT = "strict"
    """Nothing confirms without corroboration, review or the person's own request."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person allows; `retention_days` None keeps memories until erased."""

    is_enabled: bool = True
    allowed_categories: tuple[Category, ...] = (
        Category.LOCATION,
        Category.PREFERENCE,
    )
    auto_extraction: bool = True
    max_memories: int = 50
    retention_days: int | None = None
    promotion_policy: Policy = Policy.STATED


DEFAULT_SETTINGS = Settings()
"""D04's own defaults; an app may open gieok with others."""
