"""What one conversation was about, for each persona."""

from gieok.episodes.model import ArchivedReason, Episode, EpisodePage, SavedEpisode
from gieok.episodes.service import Episodes

__all__ = ["ArchivedReason", "Episode", "EpisodePage", "Episodes", "SavedEpisode"]
