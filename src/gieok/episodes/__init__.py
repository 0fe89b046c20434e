"""What one conversation was about, for each persona."""

from gieok.episodes.model import ArchivedReason, Episode, Kept, Page
from gieok.episodes.service import Episodes

__all__ = ["ArchivedReason", "Episode", "Episodes", "Kept", "Page"]
