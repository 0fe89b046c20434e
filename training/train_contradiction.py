"""Trains `src/gieok/models/rules/contradiction.npz`: which memories say otherwise.

    .venv/bin/python training/train_contradiction.py            # writes the weights
    .venv/bin/python training/train_contradiction.py --dry-run  # prints figures only

Of every invented person: each change, worded as a memory, beside all that is known of
them, of which it contradicts the one that it changes; and each thing that is new, which
contradicts nothing. The figures are cross-validated by person. After any change of
`rules/contradiction.py`, or of `judge.npz`, whose slots it uses, run it again.
"""

import argparse
import hashlib
import json
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from embeddings import DiskCachedE5
from logistic import SMALLEST_SCALE, fit_column

from gieok.models.rules.contradiction import LEAST_ODDS, ContradictionModel
from gieok.models.rules.linear import LinearModel
from gieok.models.rules.weights import load_judge_weights
from gieok.text.kiwi import get_shared_morphology

PEOPLE = Path(__file__).parent / "people"
WEIGHTS = Path(__file__).parents[1] / "src/gieok/models/rules/contradiction.npz"
MOST_PEOPLE = 140
"""People that are read, drawn alike from every writer; embedding them takes minutes."""
FOLDS = 5
STRENGTH = 10.0
RECALLS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Comparison:
    """One new memory beside the known ones that are nearest to it."""

    person: str
    text: str
    known: list[str]
    rows: np.ndarray
    right: np.ndarray
    missed: int
    """Changed memories that are not among the nearest."""

    @property
    def fold(self) -> int:
        """The part of the cross-validation it is held out in, fixed by the person."""
        return int(hashlib.sha256(self.person.encode()).hexdigest(), 16) % FOLDS


def read_people() -> list[dict]:
    """Return people, as many of every writer."""
    paths = sorted(PEOPLE.glob("*.jsonl"))
    chance = random.Random(3)  # noqa: S311 - a draw that repeats
    found: list[dict] = []
    for path in paths:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        found += chance.sample(rows, min(len(rows), MOST_PEOPLE // len(paths)))
    return found


def compare(people: list[dict]) -> list[Comparison]:
    """Embed what is known and what is new, and measure each pair."""
    embedder, weights = DiskCachedE5(), load_judge_weights()
    model = ContradictionModel(
        get_shared_morphology(), weights.slots, LinearModel(*[np.zeros(0)] * 4)
    )
    found: list[Comparison] = []
    for person in people:
        known = {item["id"]: item["content"] for item in person["known"]}
        said = [
            (fact["say"], fact.get("target") if fact["op"] == "update" else None)
            for session in person["sessions"]
            for fact in session["facts"]
            if fact.get("say") and fact["op"] in ("add", "update")
        ]
        texts = list(known.values())
        vectors = embedder.embed([*texts, *(text for text, _ in said)])
        rows = vectors[: len(texts)]
        for (text, target), vector in zip(said, vectors[len(texts) :], strict=True):
            places, features = model.measure(text, vector, texts, rows)
            right = np.array([list(known)[place] == target for place in places])
            missed = int(target in known and not right.any())
            near = [texts[place] for place in places]
            found.append(
                Comparison(
                    person["id"], text, near, features, right.astype(float), missed
                )
            )
    return found


def train(compared: list[Comparison]) -> LinearModel:
    """Return the model."""
    rows = np.vstack([each.rows for each in compared])
    right = np.concatenate([each.right for each in compared])
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + SMALLEST_SCALE
    found = fit_column((rows - mean) / scale, right, np.ones(len(rows)), STRENGTH)
    return LinearModel(mean, scale, found[:-1, None], found[-1:])


def print_figures(compared: list[Comparison]) -> None:
    """Print precision by recall for people the model has not seen, and its mistakes."""
    models = [train([c for c in compared if c.fold != fold]) for fold in range(FOLDS)]
    odds = [models[c.fold].compute_logits(c.rows)[:, 0] for c in compared]
    flat, right = np.concatenate(odds), np.concatenate([c.right for c in compared])
    wanted = right.sum() + sum(c.missed for c in compared)
    order = np.argsort(-flat)
    hits = np.cumsum(right[order])
    print(f"{len(compared)} new memories, {int(wanted)} of them changes")
    for share in RECALLS:
        place = int(np.searchsorted(hits, share * wanted))
        if place < len(order):
            precision = hits[place] / (place + 1)
            bar = flat[order[place]]
            print(f"recall {share}: precision {precision:.3f}, bar {bar:.2f}")
    told = flat >= LEAST_ODDS
    spoiled = sum(
        bool(((own >= LEAST_ODDS) & (each.right == 0)).any())
        for own, each in zip(odds, compared, strict=True)
    )
    print(
        f"at {LEAST_ODDS}: recall {right[told].sum() / wanted:.3f}, precision "
        f"{right[told].mean():.3f}; new memories with a wrong one {spoiled}"
    )
    wrong = sorted(
        (
            (float(value), known, each.text)
            for each, values in zip(compared, odds, strict=True)
            for value, known, is_right in zip(
                values, each.known, each.right, strict=True
            )
            if not is_right
        ),
        reverse=True,
    )
    for value, known, text in wrong[:SHOWN]:
        print(f"  {value:.2f} {known} <- {text}")


def main() -> None:
    """Cross-validate, then train on everything and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    options = parser.parse_args()
    compared = compare(read_people())
    print_figures(compared)
    if not options.dry_run:
        model = train(compared)
        parts = {
            f"contradiction.{part}": getattr(model, part).astype(np.float32)
            for part in ("mean", "scale", "weights", "bias")
        }
        np.savez_compressed(WEIGHTS, **parts)
        print(f"wrote {WEIGHTS.name}, {WEIGHTS.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
