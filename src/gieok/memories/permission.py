"""What the person's settings let be extracted, kept and used (D04)."""

from dataclasses import replace

from gieok.kernel.errors import NotPermittedError
from gieok.kernel.language import Category
from gieok.memories.model import Memory
from gieok.settings import Purpose, Settings
from gieok.settings.consent_rules import (
    can_store_texts,
    require_consent,
    require_storable,
)


def is_extraction_allowed(settings: Settings) -> bool:
    """Tell whether the person lets anything be extracted from what they say."""
    return settings.is_enabled and settings.auto_extraction


def require_allowed(settings: Settings, category: Category, content: str) -> None:
    """Fail unless a memory of this category and content may be kept.

    Raises:
        NotPermittedError: consent is missing, memory is off, or the category is not
            allowed.
    """
    require_consent(settings, Purpose.STORAGE, Purpose.PROFILE)
    require_storable(settings, content)
    if not settings.is_enabled:
        reason = "memory is switched off in the person's settings"
        raise NotPermittedError(reason)
    if category not in settings.allowed_categories:
        reason = (
            f"the person's settings do not allow the category {category.value}: "
            "add it to allowed_categories"
        )
        raise NotPermittedError(reason)


def is_text_allowed(settings: Settings, category: Category, content: str) -> bool:
    """Tell whether the settings refuse nothing of this category and content.

    Whether anything is kept at all is for `require_allowed` to say.
    """
    is_wanted = category in settings.allowed_categories
    return is_wanted and can_store_texts(settings, content)


def ignore_default_categories(settings: Settings, defaults: Settings) -> Settings:
    """Return the settings for what the person writes themselves.

    Categories that an installation starts with say what may be learned unasked. They
    forbid nothing that a person writes, until the person has chosen others.
    """
    if {*settings.allowed_categories} != {*defaults.allowed_categories}:
        return settings
    return replace(settings, allowed_categories=tuple(Category))


def is_usable(memory: Memory, settings: Settings, defaults: Settings) -> bool:
    """Tell whether the person's settings let a memory be found and told.

    Categories that an installation starts with forbid nothing that the person wrote or
    imported, see `ignore_default_categories`.
    """
    if memory.is_learned:
        return memory.category in settings.allowed_categories
    own = ignore_default_categories(settings, defaults)
    return memory.category in own.allowed_categories
