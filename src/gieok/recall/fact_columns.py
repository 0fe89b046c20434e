"""What decides which memories may be found, a column each instead of one by one.

A person may have thousands of memories, and each search asks about all of them.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gieok.kernel.language import Category
from gieok.memories import Fact
from gieok.memories.decay import FLOOR, PERIOD, RATE
from gieok.memories.lapse import can_lapse
from gieok.memories.model import Memory
from gieok.recall.model import Filters
from gieok.search.rows import RowMask

_CODES = {category: code for code, category in enumerate(Category)}


class FactColumns(NamedTuple):
    """Columns of equal length, a row a memory; times are seconds since 1970 in UTC."""

    categories: NDArray[np.int8]
    confidence: NDArray[np.float64]
    touched: NDArray[np.float64]
    expires: NDArray[np.float64]
    """When its time is over, or infinity."""
    pinned: RowMask
    learned: RowMask
    """Those learned from talk, not written or imported by the person."""
    dated: Sequence[tuple[int, Memory]]
    """Rows and memories of which nothing may be left on some day: they have a date."""

    @classmethod
    def from_facts(cls, facts: Collection[Fact]) -> Self:
        """Return the columns of memories, in their order."""
        memories = [fact.memory for fact in facts]
        return cls(
            np.array([_CODES[each.category] for each in memories], np.int8),
            np.array([each.confidence for each in memories], np.float64),
            np.array([each.last_touched.timestamp() for each in memories], np.float64),
            np.array(
                [
                    each.expires_at.timestamp() if each.expires_at else np.inf
                    for each in memories
                ],
                np.float64,
            ),
            np.array([each.is_pinned for each in memories], np.bool_),
            np.array([each.is_learned for each in memories], np.bool_),
            [
                (row, each)
                for row, each in enumerate(memories)
                if not each.is_pinned and can_lapse(each.content)
            ],
        )

    def mark_findable(
        self,
        filters: Filters,
        learned: Collection[Category],
        own: Collection[Category],
        now: datetime,
    ) -> RowMask:
        """Return which memories may be found.

        `learned` are the categories in which something may have been learned from
        talk, `own` those in which the person may have written or imported it.
        """
        marked = np.where(
            self.learned,
            self._mark_categories(filters, learned),
            self._mark_categories(filters, own),
        ) & (self.expires > now.timestamp())
        if filters.only_pinned:
            marked &= self.pinned
        least = filters.min_confidence
        if not least:
            return marked
        left = self._compute_confidence(now)
        marked &= left >= least
        for row, memory in self.dated:
            if marked[row]:
                marked[row] = memory.confidence_at(now) >= least
        return marked

    def _mark_categories(
        self, filters: Filters, categories: Collection[Category]
    ) -> RowMask:
        wanted = [
            _CODES[each]
            for each in categories
            if filters.categories is None or each in filters.categories
        ]
        return np.isin(self.categories, wanted)

    def _compute_confidence(self, now: datetime) -> NDArray[Any]:
        """Return what time has left of each confidence, whatever its dates."""
        left = decay_confidences(self.confidence, self.touched, now.timestamp())
        return np.where(self.pinned, self.confidence, left)


def decay_confidences(
    confidence: NDArray[np.float64], touched: NDArray[np.float64], now: float
) -> NDArray[np.float64]:
    """Return what is left of each as `decay_confidence` says; seconds since 1970."""
    periods = np.maximum(0.0, (now - touched) / PERIOD.total_seconds())
    return np.minimum(confidence, np.maximum(FLOOR, confidence * RATE**periods))
