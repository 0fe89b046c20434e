"""Which part of a person's life a text is about: their home, their work, their health.

A wish to forget often names only that ("forget where I live"), and a change need not
say a word of what it changes ("we've moved"). Two models tell it, one of what is known,
one of what is said; they agree where both are about the same part.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from gieok.kernel.language import Vectors
from gieok.models.rules.linear import LinearModel, Numbers, compute_probability

SLOTS: Final = (
    *("name", "age", "home", "origin", "work", "terms", "school", "parents"),
    *("siblings", "children", "partner", "relatives", "people", "pet", "health"),
    *("diet", "food", "taste", "hobby", "skill", "routine", "plan", "past", "things"),
    *("money", "belief", "body", "place", "device", "answers"),
)


MIN_SHARE: Final = 0.25
"""Probability from which an item is named after its slot."""


@dataclass(frozen=True, slots=True)
class SlotModels:
    """What tells the slots, from vectors of the bundled embedder."""

    item: LinearModel
    clause: LinearModel

    def measure_agreement(self, said: Vectors, items: Vectors) -> Numbers:
        """Return how far each text said and each known item are about the same.

        From 0 to 1: the cosine of what the models say; shape (said, items).
        """
        return _predict_shares(said, self.clause) @ _predict_shares(items, self.item).T

    def measure_common(self, item: Vectors, items: Vectors) -> Numbers:
        """Return how far an item and each of others are both about each slot.

        Shape (items, slots); a row adds up to how far the two are about the same.
        """
        shares = _predict_shares(items, self.item)
        return shares * _predict_shares(item[np.newaxis], self.item)

    def measure_likeness(self, items: Vectors) -> float:
        """Return how far two known items are about the same, from 0 to 1."""
        one, other = _predict_shares(items, self.item)
        return float(one @ other)

    def find_slot(self, item: Vectors) -> str | None:
        """Return the slot that a known item is about most, from its vector, if any."""
        shares = _compute_chances(item[np.newaxis], self.item)[0]
        best = int(shares.argmax())
        return SLOTS[best] if shares[best] >= MIN_SHARE else None

    def find_all_slots(self, items: Vectors) -> list[frozenset[str]]:
        """Return every slot that each known item is about."""
        return [
            frozenset(SLOTS[slot] for slot in np.flatnonzero(row >= MIN_SHARE))
            for row in _compute_chances(items, self.item)
        ]


def _compute_chances(vectors: Vectors, model: LinearModel) -> Numbers:
    """Return how likely each text is about each slot."""
    return compute_probability(model.compute_logits(vectors.astype(np.float64)))


def _predict_shares(vectors: Vectors, model: LinearModel) -> Numbers:
    """Return how far each text is about each slot, as rows of length one."""
    shares = _compute_chances(vectors, model)
    return shares / np.linalg.norm(shares, axis=1, keepdims=True)
