"""Trains `src/gieok/models/rules/effect.npz`: what a clause does to a known item.

    .venv/bin/python training/train_effect.py            # writes the weights
    .venv/bin/python training/train_effect.py --dry-run  # prints the figures only

It learns from people and dialogues that the shipped `judge.npz` has not seen
(`corpus.load_unseen`); run it after `train_worth.py`. The figures are cross-validated
by person, of clauses that are about a known item.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from corpus import FOLDS, Dialogue, labels_of, load_unseen
from logistic import SMALLEST_SCALE, fit_column
from reading import read_sessions
from train_judge import list_nearest_pairs

from gieok.models.rules.assessment import (
    EncodedClauses,
    MeasuredConversation,
    classify_clauses,
)
from gieok.models.rules.changes.effect import (
    EFFECTS,
    WISHES,
    ReadPairs,
    Touching,
    build_effect_features,
)
from gieok.models.rules.clause_item_encoder import (
    ABOUT,
    MIN_CHANCE,
)
from gieok.models.rules.intent import INTENTS, TELL, Intent
from gieok.models.rules.linear import LinearModel, compute_probability
from gieok.models.rules.reference import ItemReferences
from gieok.models.rules.weights import load_judge_weights

WEIGHTS = Path(__file__).parents[1] / "src/gieok/models/rules/effect.npz"
STRENGTH = 50.0  # of everything but what the judge of the same intent says
FREE = 1.0
OUTDATED = 0.38  # of what a message says of a known item, to take it out
REPEAT = 0.2  # probability from which a known item is said again
MIN_READ = 0.15  # how likely a clause is about an item for it to be learned from
ABOUT_BAR = 0.4
COLUMNS = [INTENTS.index(intent) for intent in EFFECTS]
FORGET = INTENTS.index(Intent.FORGET)


@dataclass(frozen=True, slots=True)
class Weighed:
    """The clauses of one session that are about a known item, and what is right."""

    dialogue: Dialogue
    rows: np.ndarray
    right: np.ndarray
    before: np.ndarray
    """What the judges of intents said."""
    about: np.ndarray


def measure(dialogues: list[Dialogue]) -> list[Weighed]:
    """Embed and read every session, and collect what is weighed of its clauses.

    A clause is read beside the item that it is nearest to by its words; which of all
    items it is about does not matter for what it does to it.
    """
    known = [d for d in dialogues if d.conversation.known]
    weighed = [weigh(*session) for session in read_sessions(known)]
    return [each for each in weighed if len(each.rows)]


def weigh(
    dialogue: Dialogue,
    material: MeasuredConversation,
    nearest: ItemReferences,
    encoded: EncodedClauses,
) -> Weighed:
    """Return what is learned from one session."""
    weights = load_judge_weights()
    assessed = classify_clauses(
        material,
        nearest,
        encoded,
        weights.forget.compute_chances(material.evidence),
        weights,
    )
    about = compute_probability(encoded.about[:, ABOUT])
    intents = assessed.intents
    touched = np.delete(intents, TELL, axis=1).max(axis=1) >= MIN_CHANCE
    touched &= (intents[:, FORGET] < WISHES) & (about >= MIN_READ)
    candidates = material.evidence.candidates
    clauses = [n for n in np.flatnonzero(touched) if not candidates[n].is_answer]
    pairs = [(int(n), nearest.nearest[n]) for n in clauses]
    touching = Touching(
        candidates, material.known, material.near, nearest, intents, assessed.worth
    )
    every = ReadPairs(list_nearest_pairs(nearest), encoded.about)
    labels = labels_of(dialogue)
    meant = np.array([item in labels.about[n] for n, item in pairs], dtype=float)
    return Weighed(
        dialogue,
        build_effect_features(touching, every, pairs),
        labels.intents[np.ix_(clauses, COLUMNS)] * meant[:, None],
        intents[np.ix_(clauses, COLUMNS)],
        about[clauses],
    )


def train(sessions: list[Weighed]) -> LinearModel:
    """Return the model that weighs what a clause does."""
    rows = np.vstack([each.rows for each in sessions])
    right = np.vstack([each.right for each in sessions])
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + SMALLEST_SCALE
    columns: list[np.ndarray] = []
    for place, target in zip(COLUMNS, right.T, strict=True):
        strength = np.full(rows.shape[1], STRENGTH)
        strength[place] = FREE
        weight = np.ones(len(rows))
        columns.append(fit_column((rows - mean) / scale, target, weight, strength))
    found = np.stack(columns, axis=1)
    return LinearModel(mean, scale, found[:-1], found[-1])


def judge_unseen(sessions: list[Weighed]) -> list[np.ndarray]:
    """Return what models say that never saw a session's person."""
    models = [
        train([each for each in sessions if each.dialogue.fold != fold])
        for fold in range(FOLDS)
    ]
    return [
        compute_probability(models[each.dialogue.fold].compute_logits(each.rows))
        for each in sessions
    ]


def compute_average_precision(right: np.ndarray, said: np.ndarray) -> float:
    """Return the average precision of what was said."""
    ordered = right[np.argsort(-said)]
    share = np.cumsum(ordered) / np.arange(1, len(ordered) + 1)
    return float((share * ordered).sum() / max(1, ordered.sum()))


def print_figures(name: str, sessions: list[Weighed], said: list[np.ndarray]) -> None:
    """Print what is told apart, and what becomes of the items at the bars."""
    right = np.vstack([each.right for each in sessions])
    about = np.concatenate([each.about for each in sessions])
    chances = np.vstack(said)
    average = [compute_average_precision(right[:, n], chances[:, n]) for n in range(3)]
    over = 1 - (1 - chances[:, 0]) * (1 - chances[:, 1])
    gone = (about >= ABOUT_BAR) & (over * about >= OUTDATED) & (over >= chances[:, 2])
    again = (about >= ABOUT_BAR) & ~gone & (chances[:, 2] >= REPEAT)
    outdated = right[:, :2].max(axis=1)
    named = zip(EFFECTS, average, right.sum(axis=0), strict=True)
    print(
        f"{name}: {len(right)} clauses; average precision "
        + ", ".join(f"{i} {a:.3f} ({int(n)})" for i, a, n in named)
        + f", change or end {compute_average_precision(outdated, over):.3f}; taken out "
        f"{gone.sum()}, of them rightly {int(outdated[gone].sum())}, though said again "
        f"{int(right[gone, 2].sum())}; said again {again.sum()}, rightly "
        f"{int(right[again, 2].sum())}"
    )


def store(model: LinearModel) -> None:
    """Write the weights."""
    parts = {
        f"effect.{part}": getattr(model, part).astype(np.float32)
        for part in ("mean", "scale", "weights", "bias")
    }
    bars = {"threshold.outdated": OUTDATED, "threshold.repeat": REPEAT}
    np.savez_compressed(
        WEIGHTS, **parts, **{name: np.array(bar) for name, bar in bars.items()}
    )


def main() -> None:
    """Cross-validate, then train on everything and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    options = parser.parse_args()
    sessions = measure(load_unseen())
    said = judge_unseen(sessions)
    for kind in ("people", "long", "months"):
        own = [n for n, each in enumerate(sessions) if each.dialogue.kind == kind]
        held = [sessions[n] for n in own]
        print_figures(f"{kind}, by intents", held, [each.before for each in held])
        print_figures(f"{kind}, weighed", held, [said[n] for n in own])
    if not options.dry_run:
        store(train(sessions))


if __name__ == "__main__":
    main()
