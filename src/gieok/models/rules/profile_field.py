"""In which place of a person's profile card a sentence about them stands (C01)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gieok.kernel.language import CardField, Vectors
from gieok.models.rules.linear import LinearModel

_FIELDS = tuple(CardField)


@dataclass(frozen=True, slots=True)
class CardModel:
    """Tells places from vectors of the bundled embedder (`training/train_card.py`)."""

    place: LinearModel

    def predict_field(self, item: Vectors) -> CardField:
        """Return the likeliest place of what is remembered, from its vector."""
        return predict_fields(item[np.newaxis], self.place)[0]


def predict_fields(items: Vectors, model: LinearModel) -> Sequence[CardField]:
    """Return the likeliest place of each item."""
    logits = model.compute_logits(items.astype(np.float64))
    likeliest: list[int] = logits.argmax(axis=1).tolist()
    return [_FIELDS[at] for at in likeliest]
