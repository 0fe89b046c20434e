"""Linear classifiers with their weights in a shipped file (see `training/`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

WEIGHTS = "judge.npz"
CLASSIFIERS = ("judge", "session", "settle", "joint", "category", "link")


@dataclass(frozen=True, slots=True)
class Linear:
    """Standardises its features and adds them up, one column a class."""

    mean: Numbers
    scale: Numbers
    weights: Numbers
    bias: Numbers

    def logits(self, features: Numbers) -> Numbers:
        """Return one row per row of features, one column per class."""
        return ((features - self.mean) / self.scale) @ self.weights + self.bias


@dataclass(frozen=True, slots=True)
class Weights:
    """Everything that was learned, see `training/train_judge.py`."""

    judge: Linear
    session: Linear
    settle: Linear
    joint: Linear
    category: Linear
    link: Linear
    thresholds: Mapping[str, float]


def unpack(arrays: Mapping[str, NDArray[Any]]) -> Weights:
    """Return the weights from named arrays."""

    def linear(name: str) -> Linear:
        parts = ("mean", "scale", "weights", "bias")
        return Linear(*(arrays[f"{name}.{part}"].astype(np.float64) for part in parts))

    thresholds = {
        name.removeprefix("threshold."): float(value)
        for name, value in arrays.items()
        if name.startswith("threshold.")
    }
    return Weights(
        judge=linear("judge"),
        session=linear("session"),
        settle=linear("settle"),
        joint=linear("joint"),
        category=linear("category"),
        link=linear("link"),
        thresholds=thresholds,
    )


@cache
def shipped() -> Weights:
    """Read the shipped weights once."""
    data = files("gieok.models.rules").joinpath(WEIGHTS).read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as archive:
        return unpack({name: archive[name] for name in archive.files})


def probability(logits: Numbers) -> Numbers:
    """Return the logistic function of the logits."""
    return 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
