"""Linear classifiers with their weights in a shipped file (see `training/`)."""

from collections.abc import Mapping, Sequence
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
MOOD_WEIGHTS = "mood.npz"
MOOD_CLASSIFIERS = ("salience", "worth", "emotion", "importance")


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


@dataclass(frozen=True, slots=True)
class MoodWeights:
    """What was learned of summing up, see `training/train_mood.py`."""

    salience: Linear
    worth: Linear
    emotion: Linear
    importance: Linear


Arrays = Mapping[str, NDArray[Any]]


def _linears(arrays: Arrays, names: Sequence[str]) -> dict[str, Linear]:
    """Return the named classifiers from named arrays."""
    parts = ("mean", "scale", "weights", "bias")
    return {
        name: Linear(*(arrays[f"{name}.{part}"].astype(np.float64) for part in parts))
        for name in names
    }


def unpack(arrays: Arrays) -> Weights:
    """Return the weights from named arrays."""
    thresholds = {
        name.removeprefix("threshold."): float(value)
        for name, value in arrays.items()
        if name.startswith("threshold.")
    }
    return Weights(**_linears(arrays, CLASSIFIERS), thresholds=thresholds)


def _shipped(name: str) -> Arrays:
    data = files("gieok.models.rules").joinpath(name).read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as archive:
        return {array: archive[array] for array in archive.files}


@cache
def shipped() -> Weights:
    """Read the shipped weights once."""
    return unpack(_shipped(WEIGHTS))


@cache
def shipped_mood() -> MoodWeights:
    """Read the shipped weights of summing up once."""
    return MoodWeights(**_linears(_shipped(MOOD_WEIGHTS), MOOD_CLASSIFIERS))


def probability(logits: Numbers) -> Numbers:
    """Return the logistic function of the logits."""
    return 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
