"""What a person allows."""

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
from gieok.settings.service import SettingsService

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
