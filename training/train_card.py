"""Trains `src/gieok/models/rules/card.npz` from `training/cards.jsonl` and the people.

    .venv/bin/python training/train_card.py            # writes the weights
    .venv/bin/python training/train_card.py --dry-run  # prints the figures only

Of the people, those items are used whose slots leave no doubt where on a card they
stand. The figures are of five folds; sentences of one form may be in several, so that
unseen wordings are judged worse than they say.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np
from embeddings import DiskCachedE5
from logistic import fit

from gieok.kernel.language import CardField
from gieok.models.rules.linear import LinearModel
from gieok.models.rules.profile_field import predict_fields

HERE = Path(__file__).parent
WEIGHTS = HERE.parent / "src/gieok/models/rules/card.npz"
FOLDS = 5
OPTIONS = (128, 2.0)  # dimensions of the vector, strength of the regularisation
FIELDS = tuple(CardField)
FAMILY = {"parents", "siblings", "children", "partner", "relatives", "people", "pet"}
OTHER_FACTS = {"age", "home", "origin", "health", "body", "things", "past", "money"}


def load_examples() -> list[tuple[str, CardField]]:
    """Return sentences about a user, each with its place of the card."""
    lines = (HERE / "cards.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    found = [(row["content"], CardField(row["field"])) for row in rows]
    for file in sorted((HERE / "people").glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            for item in json.loads(line)["known"]:
                place = place_of_slots(set(item["slots"]))
                if place is not None:
                    found.append((item["content"], place))
    return list(dict(found).items())


def place_of_slots(slots: set[str]) -> CardField | None:
    """Return the place of an item where its slots leave no doubt of it."""
    if slots & FAMILY or slots <= OTHER_FACTS:
        return CardField.MENTIONED_FACTS
    return CardField.PREFERENCES if slots == {"answers"} else None


def train(vectors: np.ndarray, places: np.ndarray) -> LinearModel:
    """Return one logistic model a place; each place counts the same."""
    targets = (places[:, None] == np.arange(len(FIELDS))).astype(float)
    counts = targets.sum(axis=0)
    shares = (targets / counts).sum(axis=1) * len(places) / len(FIELDS)
    weights = np.repeat(shares[:, None], len(FIELDS), axis=1)
    plain = np.zeros((len(places), 0))
    return fit(plain, [vectors.astype(np.float64)], targets, weights, OPTIONS)


def report(vectors: np.ndarray, places: np.ndarray) -> None:
    """Print how many of each place are found by models that never saw them."""
    fold = np.random.default_rng(1).integers(0, FOLDS, len(places))
    right: Counter[int] = Counter()
    for held in range(FOLDS):
        model = train(vectors[fold != held], places[fold != held])
        found = predict_fields(vectors[fold == held], model)
        for place, guess in zip(places[fold == held], found, strict=True):
            right[int(place)] += FIELDS[place] is guess
    for at, place in enumerate(FIELDS):
        print(f"{place:16} {right[at]:5} of {(places == at).sum():5}")


def main() -> None:
    """Cross-validate, then train on everything and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--dry-run", action="store_true")
    examples = load_examples()
    vectors = DiskCachedE5().embed([content for content, _ in examples])
    places = np.array([FIELDS.index(place) for _, place in examples])
    report(vectors, places)
    if not parser.parse_args().dry_run:
        model = train(vectors, places)
        np.savez_compressed(
            WEIGHTS,
            **{
                f"place.{part}": getattr(model, part).astype(np.float32)
                for part in ("mean", "scale", "weights", "bias")
            },
        )


if __name__ == "__main__":
    main()
