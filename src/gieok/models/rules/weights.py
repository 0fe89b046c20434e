"""What the classifiers learned, in shipped files (see `training/`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gieok.models.rules.contradiction import ContradictionWeights
from gieok.models.rules.linear import LinearModel
from gieok.models.rules.profile_field import CardModel
from gieok.models.rules.slots import SlotModels
from gieok.models.rules.statement_encoder import StatementHead
from gieok.models.rules.token_ngrams import NgramModel
from gieok.models.rules.wishes.forget_request import ForgetRequestModel
from gieok.models.rules.wishes.pointing import PointingModel
from gieok.models.support_vectors import SupportVectorMachine

WEIGHTS = "judge.npz"
WORTH_WEIGHTS = "worth.npz"
CATEGORY_WEIGHTS = "category.npz"
ANSWER_WEIGHTS = "answer.npz"
EFFECT_WEIGHTS = "effect.npz"
WISH_WEIGHTS = "wish.npz"
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
    "item_slot",
    "clause_slot",
)
LATER_CLASSIFIERS = ("worth", "answer", "effect", "wish")
MOOD_WEIGHTS = "mood.npz"
SAVE_WEIGHTS = "save_request.npz"
FORGET_WEIGHTS = "forget_request.npz"
POINTING_WEIGHTS = "pointing.npz"
MOOD_CLASSIFIERS = ("salience", "worth", "emotion", "importance")
CARD_WEIGHTS = "card.npz"
CONTRADICTION_WEIGHTS = "contradiction.npz"
RUN_PARTS = ("rarity", "weights", "bias")


class SubjectModels(NamedTuple):
    """What is needed before it is known what a conversation's clauses are about."""

    slots: SlotModels
    pointing: PointingModel


@dataclass(frozen=True, slots=True)
class JudgeWeights:
    """Everything that was learned, see `training/train_judge.py`."""

    reference: LinearModel
    runs: NgramModel
    intent: LinearModel
    talk: LinearModel
    reader: LinearModel
    about: LinearModel
    blend: LinearModel
    session: LinearModel
    settle: LinearModel
    joint: LinearModel
    item_slot: LinearModel
    clause_slot: LinearModel
    worth: LinearModel
    """Learned after the others, from people they had not seen."""
    statement: StatementHead
    """Whether a clause amid its conversation states something lasting, and what."""
    category: SupportVectorMachine
    """Of which kind a clause is; learned after the others."""
    answer: LinearModel
    """Whether a question and its short answer tell something lasting."""
    effect: LinearModel
    """What a clause does to the known item it is about; learned after the others."""
    wish: LinearModel
    """Whether a wish to forget means a known item; learned after the others."""
    thresholds: Mapping[str, float]
    forget: ForgetRequestModel
    """What asks to forget something; learned apart."""
    pointing: PointingModel
    """Which of that only points back; learned apart."""

    @property
    def slots(self) -> SlotModels:
        """What tells which part of a person's life a text is about."""
        return SlotModels(self.item_slot, self.clause_slot)

    @property
    def subjects(self) -> SubjectModels:
        """What tells which known items the clauses of a conversation are about."""
        return SubjectModels(self.slots, self.pointing)


@dataclass(frozen=True, slots=True)
class MoodWeights:
    """What was learned of summing up, see `training/train_mood.py`."""

    salience: LinearModel
    worth: LinearModel
    emotion: LinearModel
    importance: LinearModel


Arrays = Mapping[str, NDArray[Any]]


def _build_linear_models(
    arrays: Arrays, names: Sequence[str]
) -> dict[str, LinearModel]:
    """Return the named classifiers from named arrays."""
    parts = ("mean", "scale", "weights", "bias")
    return {
        name: LinearModel(
            *(arrays[f"{name}.{part}"].astype(np.float64) for part in parts)
        )
        for name in names
    }


def _build_judge_weights(arrays: Arrays, category: Arrays) -> JudgeWeights:
    thresholds = {
        name.removeprefix("threshold."): float(value)
        for name, value in arrays.items()
        if name.startswith("threshold.")
    }
    runs = NgramModel(
        *(arrays[f"runs.{part}"].astype(np.float64) for part in RUN_PARTS)
    )
    return JudgeWeights(
        **_build_linear_models(arrays, (*CLASSIFIERS, *LATER_CLASSIFIERS)),
        runs=runs,
        statement=StatementHead.load(),
        category=SupportVectorMachine.from_arrays(category),
        thresholds=thresholds,
        forget=load_forget_request_model(),
        pointing=load_pointing_model(),
    )


def _load_arrays(name: str) -> Arrays:
    data = files("gieok.models.rules").joinpath(name).read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as archive:
        return {array: archive[array] for array in archive.files}


@cache
def load_judge_weights() -> JudgeWeights:
    """Read the shipped weights once."""
    names = (WEIGHTS, WORTH_WEIGHTS, ANSWER_WEIGHTS, EFFECT_WEIGHTS, WISH_WEIGHTS)
    arrays = {n: a for name in names for n, a in _load_arrays(name).items()}
    return _build_judge_weights(arrays, _load_arrays(CATEGORY_WEIGHTS))


@cache
def load_forget_request_model() -> ForgetRequestModel:
    """Read what tells a request to forget something once."""
    arrays = _load_arrays(FORGET_WEIGHTS)
    parts = (arrays[name].astype(np.float64) for name in ("clause", "context", "runs"))
    return ForgetRequestModel(*parts, bias=float(arrays["bias"]))


@cache
def load_pointing_model() -> PointingModel:
    """Read what tells a wish that only points back once."""
    arrays = _load_arrays(POINTING_WEIGHTS)
    parts = (arrays[name].astype(np.float64) for name in ("vector", "runs"))
    return PointingModel(*parts, bias=float(arrays["bias"]))


@cache
def load_save_weights() -> tuple[NDArray[np.float64], float]:
    """Read what tells a request to save a conversation once: weights and bias."""
    arrays = _load_arrays(SAVE_WEIGHTS)
    return arrays["weights"].astype(np.float64), float(arrays["bias"])


@cache
def load_mood_weights() -> MoodWeights:
    """Read the shipped weights of summing up once."""
    return MoodWeights(
        **_build_linear_models(_load_arrays(MOOD_WEIGHTS), MOOD_CLASSIFIERS)
    )


@cache
def load_contradiction_weights() -> ContradictionWeights:
    """Read what tells that a memory says otherwise than another once."""
    arrays = _load_arrays(CONTRADICTION_WEIGHTS)
    models = _build_linear_models(arrays, ContradictionWeights._fields)
    return ContradictionWeights(**models)


@cache
def load_card_model() -> CardModel:
    """Read what tells the places of a profile card once."""
    return CardModel(**_build_linear_models(_load_arrays(CARD_WEIGHTS), ("place",)))
