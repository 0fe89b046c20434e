"""What a person allows."""

from gieok.settings.model import DEFAULT_SETTINGS, Policy, Settings
from gieok.settings.service import SettingsService

__all__ = ["DEFAULT_SETTINGS", "Policy", "Settings", "SettingsService"]
