"""What a person allows."""

from typing import TYPE_CHECKING

from gieok.kernel.exports import export_lazily
from gieok.settings.model import (
    DEFAULT_KEEP,
    DEFAULT_SETTINGS,
    OPT_IN,
    CategoryUsage,
    Consent,
    Keep,
    Policy,
    Purpose,
    Settings,
    Usage,
)

if TYPE_CHECKING:
    from gieok.settings.service import SettingsService
else:
    __getattr__ = export_lazily(__name__, {"SettingsService": "gieok.settings.service"})

__all__ = [
    "DEFAULT_KEEP",
    "DEFAULT_SETTINGS",
    "OPT_IN",
    "CategoryUsage",
    "Consent",
    "Keep",
    "Policy",
    "Purpose",
    "Settings",
    "SettingsService",
    "Usage",
]
