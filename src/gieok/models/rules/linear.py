"""Linear classifiers."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
SMALLEST: Final = 1e-4
"""How near to 0 or 1 a probability counts."""


@dataclass(frozen=True, slots=True)
class LinearModel:
    """Standardises its features and adds them up, one column a class."""

    mean: Numbers
    scale: Numbers
    weights: Numbers
    bias: Numbers

    def compute_logits(self, features: Numbers) -> Numbers:
        """Return one row per row of features, one column per class."""
        return ((features - self.mean) / self.scale) @ self.weights + self.bias


def compute_probability(logits: Numbers) -> Numbers:
    """Return the logistic function of the logits."""
    return 1 / (1 + np.exp(-np.clip(logits, -30, 30)))


def compute_log_odds(chances: Numbers) -> Numbers:
    """Return the logits of probabilities."""
    clipped = np.clip(chances, SMALLEST, 1 - SMALLEST)
    return np.log(clipped / (1 - clipped))
