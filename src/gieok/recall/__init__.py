"""Search and ranking over everything a person's memory holds."""

from typing import TYPE_CHECKING

from gieok.kernel.exports import export_lazily
from gieok.recall.model import Filters, Hit, HitKind

if TYPE_CHECKING:
    from gieok.recall.installation import EmbedderRecord
    from gieok.recall.service import Recall
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "EmbedderRecord": "gieok.recall.installation",
            "Recall": "gieok.recall.service",
        },
    )

__all__ = ["EmbedderRecord", "Filters", "Hit", "HitKind", "Recall"]
