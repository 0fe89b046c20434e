"""Settings, as D12's document has them in §6.2 and D04 in full."""

from typing import Self

from pydantic import Field, StrictBool, StrictInt

from gieok.kernel.language import Category
from gieok.settings import Policy, Settings, Usage
from gieok.surfaces.rest.schemas.shared import RequestModel, ResponseModel, Time


class MemorySettings(ResponseModel):
    """What a person allows (D04, D12)."""

    is_enabled: bool
    auto_extraction: bool
    allowed_categories: list[Category]
    max_memories: int
    retention_days: int | None = Field(description="null keeps memories until erased.")
    promotion_policy: Policy
    words_days: int | None = Field(
        description="How long words are kept, with consent to `words`; null as usual."
    )

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Return the settings."""
        return cls.from_fields(settings)


class SettingsChange(RequestModel):
    """Settings to change; what is left out or null stays as it is.

    `retention_days` takes null as a value, which keeps memories until erased, and so
    does `words_days`, which keeps words as long as usual.
    """

    is_enabled: StrictBool | None = None
    auto_extraction: StrictBool | None = None
    allowed_categories: list[Category] | None = None
    max_memories: StrictInt | None = Field(default=None, description="1 to 10,000.")
    retention_days: StrictInt | None = Field(default=None, description="1 to 36,500.")
    promotion_policy: Policy | None = None
    words_days: StrictInt | None = Field(default=None, description="1 to 36,500.")

    def to_changes(self) -> dict[str, object]:
        """Return what was given, under the names of the settings."""
        given = self.model_dump(exclude_unset=True)
        return {
            name: value
            for name, value in given.items()
            if value is not None or name in {"retention_days", "words_days"}
        }


class CategoryUse(ResponseModel):
    """How many memories of a category are in use, and how often prompts had them."""

    active: int
    uses: int


class MemoryUsage(ResponseModel):
    """What is remembered of a person, in numbers (D14)."""

    active: int
    inactive: int
    unused: int = Field(description="In use, but no prompt ever had them.")
    waiting: int = Field(description="Candidates that wait.")
    uses: int = Field(description="How often prompts had memories in use.")
    last_used_at: Time | None
    most: int = Field(description="Most that the settings let be in use.")
    categories: dict[Category, CategoryUse]

    @classmethod
    def from_usage(cls, usage: Usage) -> Self:
        """Return the numbers."""
        return cls.from_fields(usage)
