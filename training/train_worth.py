"""Trains `src/gieok/models/rules/worth.npz` and `statement.npz`: what lasts.

The first says how far to go by each judge, the second is one of them: it tells by
vectors whether what is said by itself says something lasting.

    .venv/bin/python training/train_worth.py            # writes the weights
    .venv/bin/python training/train_worth.py --dry-run  # prints the figures only

It learns from people and dialogues that the shipped `judge.npz` has not seen
(`corpus.load_unseen`); run it after `train_judge.py`, and after any change to clauses,
flags or wording. The figures are cross-validated by person.
"""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from corpus import (
    FOLDS,
    Dialogue,
    labels_of,
    load_statements,
    load_talks,
    load_unseen,
)
from logistic import SMALLEST_SCALE, fit_column
from reading import read_sessions
from sklearn.svm import SVC

from gieok.models.rules.assessment import collect_opinions
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.linear import LinearModel
from gieok.models.rules.weights import load_judge_weights
from gieok.models.rules.worth import (
    FREE_COLUMNS,
    ClauseOpinions,
    build_statement_rows,
    build_worth_features,
)
from gieok.models.support_vectors import SupportVectorMachine, normalize_vectors

WEIGHTS = Path(__file__).parents[1] / "src/gieok/models/rules/worth.npz"
STATEMENT = WEIGHTS.with_name("statement.npz")
SHARPNESS, GAMMA = 3.0, 1.5  # of the machine that judges what is said by itself
LEAST_COUNT = 0.05  # what a clause counts for it of which nobody said what it does
TALK_COUNT = 0.5  # … a clause of a longer session
STRENGTH = 1000.0  # of everything but what the judges say together
FREE = 1e-6
LONG = 2.0  # what a long session, or one of a year, counts beside a short, dense one
ADD = -1.3  # log-odds from which a clause is told
RECALLS = (0.5, 0.6, 0.7, 0.8)


@dataclass(frozen=True, slots=True)
class Weighed:
    """One session: what is known of its clauses, and what is right."""

    dialogue: Dialogue
    evidence: ClauseEvidence
    opinions: ClauseOpinions
    vectors: np.ndarray
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
    for d, m, r, read in read_sessions(dialogues):
        opinions = collect_opinions(m, r, read, weights)
        rows = build_statement_rows(m.evidence, read)
        labels = labels_of(d)
        right, weight = labels.worth.copy(), labels.weight[:, 0]
        weighed.append(Weighed(d, m.evidence, opinions, rows, right, weight))
    return weighed


def train_statement(sessions: list[Weighed]) -> SupportVectorMachine:
    """Return what tells what a clause says by itself; a year's sessions teach none."""
    own = [each for each in sessions if each.dialogue.kind != "months"]
    vectors = np.vstack([each.vectors for each in own])
    center = vectors.mean(axis=0)
    counts = [
        np.maximum(each.weight, LEAST_COUNT)
        * (1.0 if each.dialogue.kind == "statement" else TALK_COUNT)
        for each in own
    ]
    seen = normalize_vectors(vectors, center).astype(np.float32)
    alike = np.exp((seen @ seen.T - 1) * np.float32(2 * GAMMA))
    model = SVC(C=SHARPNESS, kernel="precomputed", cache_size=1_000).fit(
        alike,
        np.concatenate([each.right for each in own]) > 0,
        sample_weight=np.concatenate(counts),
    )
    return SupportVectorMachine.from_vectors(
        center,
        seen[model.support_],
        model.dual_coef_[0],
        float(model.intercept_[0]),
        GAMMA,
    )


def state_unseen(sessions: list[Weighed]) -> list[Weighed]:
    """Return the sessions with margins by machines that never saw their person."""
    machines: list[SupportVectorMachine] = []
    for fold in range(FOLDS):
        others = [each for each in sessions if each.dialogue.fold != fold]
        machines.append(train_statement(others))
        print(f"fold {fold}: {len(machines[-1].share)} vectors count", flush=True)
    return [
        replace(
            each,
            opinions=replace(
                each.opinions,
                stated=machines[each.dialogue.fold].compute_margins(each.vectors),
            ),
        )
        for each in sessions
    ]


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
    sessions = state_unseen(measure(load_unseen() + load_statements() + load_talks()))
    odds = judge_unseen(sessions)
    for kind in ("statement", "talk", "people", "long", "months"):
        print_figures(kind, sessions, odds)
    if not options.dry_run:
        store(train(sessions))
        np.savez_compressed(STATEMENT, **train_statement(sessions).to_arrays())


if __name__ == "__main__":
    main()
