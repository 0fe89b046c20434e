"""What one conversation was about, for each persona."""

from typing import TYPE_CHECKING

from gieok.episodes.model import ArchivedReason, Episode, EpisodePage, SavedEpisode
from gieok.kernel.exports import export_lazily

if TYPE_CHECKING:
    from gieok.episodes.service import Episodes
else:
    __getattr__ = export_lazily(__name__, {"Episodes": "gieok.episodes.service"})

__all__ = ["ArchivedReason", "Episode", "EpisodePage", "Episodes", "SavedEpisode"]
