"""Search and ranking over everything a person's memory holds."""

from gieok.recall.installation import EmbedderRecord
from gieok.recall.model import Filters, Hit, HitKind
from gieok.recall.service import Recall

__all__ = ["EmbedderRecord", "Filters", "Hit", "HitKind", "Recall"]
