"""Trains `src/gieok/models/rules/worth.npz`: how far to go by each judge.

    .venv/bin/python training/train_worth.py            # writes the weights
    .venv/bin/python training/train_worth.py --dry-run  # prints the figures only

It learns from people and dialogues that the shipped `judge.npz` has not seen
(`corpus.load_unseen`); run it after `tune_statement.py` and `train_judge.py`, and after
any change to clauses, flags or wording. The figures are cross-validated by person.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from corpus import (
    FOLDS,
    Dialogue,
    labels_of,
    load_plain,
    load_statements,
    load_talks,
    load_unseen,
)
from logistic import SMALLEST_SCALE, fit_column
from reading import read_sessions

from gieok.models.rules.assessment import collect_opinions
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.linear import LinearModel
from gieok.models.rules.weights import load_judge_weights
from gieok.models.rules.worth import (
    FREE_COLUMNS,
    ClauseOpinions,
    build_worth_features,
)

WEIGHTS = Path(__file__).parents[1] / "src/gieok/models/rules/worth.npz"
STRENGTH = 1000.0  # of everything but what the judges say together
FREE = 1e-6
LONG = 2.0  # what a long session, or one of a year, counts beside a short, dense one
ADD = -2.0  # log-odds from which a clause is worded, and read once more (0053)
RECALLS = (0.5, 0.6, 0.7, 0.8)


@dataclass(frozen=True, slots=True)
class Weighed:
    """One session: what is known of its clauses, and what is right."""

    dialogue: Dialogue
    evidence: ClauseEvidence
    opinions: ClauseOpinions
    right: np.ndarray
    weight: np.ndarray

    @property
    def importance(self) -> float:
        """What its clauses count."""
        return LONG if self.dialogue.kind in ("months", "long") else 1.0

    @property
    def rows(self) -> np.ndarray:
        """What is weighed of its clauses."""
        known = len(self.dialogue.conversation.known)
        return build_worth_features(self.evidence, self.opinions, known)


def measure(dialogues: list[Dialogue]) -> list[Weighed]:
    """Embed and read every session, and collect what the judges say of it."""
    weights = load_judge_weights()
    weighed: list[Weighed] = []
    for d, m, r, encoded in read_sessions(dialogues):
        opinions = collect_opinions(m, r, encoded, weights)
        labels = labels_of(d)
        right, weight = labels.worth.copy(), labels.weight[:, 0]
        weighed.append(Weighed(d, m.evidence, opinions, right, weight))
    return weighed


def train(sessions: list[Weighed]) -> LinearModel:
    """Return the model that weighs the judges."""
    rows = np.vstack([each.rows for each in sessions])
    right = np.concatenate([each.right for each in sessions])
    weight = np.concatenate([each.weight * each.importance for each in sessions])
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + SMALLEST_SCALE
    strength = np.full(rows.shape[1], STRENGTH)
    strength[:FREE_COLUMNS] = FREE
    found = fit_column((rows - mean) / scale, right, weight, strength)
    return LinearModel(mean, scale, found[:-1, None], found[-1:])


def judge_unseen(sessions: list[Weighed]) -> list[np.ndarray]:
    """Return what models say that never saw a session's person."""
    models = [
        train([each for each in sessions if each.dialogue.fold != fold])
        for fold in range(FOLDS)
    ]
    return [
        models[each.dialogue.fold].compute_logits(each.rows)[:, 0] for each in sessions
    ]


def print_figures(kind: str, sessions: list[Weighed], odds: list[np.ndarray]) -> None:
    """Print average precision, and precision and spoiled sessions by recall."""
    own = [n for n, each in enumerate(sessions) if each.dialogue.kind == kind]
    if not own:
        return
    right = np.concatenate([sessions[n].right for n in own])
    weight = np.concatenate([sessions[n].weight for n in own])
    said = np.concatenate([odds[n] for n in own])
    idle = np.array([odds[n].max() for n in own if not sessions[n].right.any()])
    order = np.argsort(-said)
    hits = np.cumsum((right * weight)[order])
    share = hits / np.cumsum(weight[order])
    average = float((share * (right * weight)[order]).sum() / (right * weight).sum())
    print(f"{kind}: {int(right.sum())} of {len(right)} clauses, AP {average:.3f}")
    bars = [(f"recall {r}", np.quantile(said[right > 0], 1 - r)) for r in RECALLS]
    for name, bar in [*bars, (f"bar {ADD}", ADD)]:
        told = said >= bar
        precision = (right * weight)[told].sum() / weight[told].sum()
        print(
            f"  {name}: log-odds {bar:.2f}, recall {told[right > 0].mean():.2f}, "
            f"precision {precision:.2f}, spoiled {np.mean(idle >= bar):.2f}"
        )


def store(model: LinearModel) -> None:
    """Write the weights."""
    parts = {
        f"worth.{part}": getattr(model, part).astype(np.float32)
        for part in ("mean", "scale", "weights", "bias")
    }
    np.savez_compressed(WEIGHTS, **parts, **{"threshold.add": np.array(ADD)})


def main() -> None:
    """Cross-validate, then train on everything and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    options = parser.parse_args()
    sessions = measure(load_unseen() + load_statements() + load_talks() + load_plain())
    odds = judge_unseen(sessions)
    for kind in ("statement", "talk", "plain", "people", "long", "months"):
        print_figures(kind, sessions, odds)
    if not options.dry_run:
        store(train(sessions))


if __name__ == "__main__":
    main()
