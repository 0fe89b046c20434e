"""What the classifiers learned, in shipped files (see `training/`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gieok.models.rules.linear import Linear
from gieok.models.rules.ngrams import RunModel
from gieok.models.rules.slots import SlotModels

WEIGHTS = "judge.npz"
CLASSIFIERS = (
    "reference",
    "intent",
    "talk",
    "reader",
    "about",
    "blend",
    "session",
    "settle",
    "joint",
    "category",
    "item_slot",
    "clause_slot",
)
MOOD_WEIGHTS = "mood.npz"
MOOD_CLASSIFIERS = ("salience", "worth", "emotion", "importance")
RUN_PARTS = ("rarity", "weights", "bias")


@dataclass(frozen=True, slots=True)
class Weights:
    """Everything that was learned, see `training/train_judge.py`."""

    reference: Linear
    runs: RunModel
    intent: Linear
    talk: Linear
    reader: Linear
    about: Linear
    blend: Linear
    session: Linear
    settle: Linear
    joint: Linear
    category: Linear
    item_slot: Linear
    clause_slot: Linear
    thresholds: Mapping[str, float]

    @property
    def slots(self) -> SlotModels:
        """What tells which part of a person's life a text is about."""
        return SlotModels(self.item_slot, self.clause_slot)


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
    runs = RunModel(*(arrays[f"runs.{part}"].astype(np.float64) for part in RUN_PARTS))
    return Weights(**_linears(arrays, CLASSIFIERS), runs=runs, thresholds=thresholds)


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
