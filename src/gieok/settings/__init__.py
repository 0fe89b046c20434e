"""What a person allows."""

from gieok.settings.model import (
    DEFAULT_SETTINGS,
    Consent,
    Policy,
    Purpose,
    Settings,
)
from gieok.settings.service import SettingsService

__all__ = [
    "DEFAULT_SETTINGS",
    "Consent",
    "Policy",
    "Purpose",
    "Settings",
    "SettingsService",
]
