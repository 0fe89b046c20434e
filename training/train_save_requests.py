"""Trains `models/rules/save_request.npz` from `training/save_requests.jsonl`.

    .venv/bin/python training/train_save_requests.py            # writes the weights
    .venv/bin/python training/train_save_requests.py            # writes weights

The sentences are by writers who did not see each other's. The figures are of each
writer's sentences, read by a model that learned from the others'.
"""

import argparse
import asyncio
import json
from pathlib import Path

import numpy as np

from gieok.models.e5 import E5Embedder
from gieok.models.rules.linear import compute_probability
from gieok.models.rules.save_request import ENOUGH, LONGEST, build_features

HERE = Path(__file__).parent
OUT = HERE.parent / "src/gieok/models/rules/save_request.npz"
STRENGTH = 0.01
STEPS = 60


async def read_features(texts: list[str]) -> np.ndarray:
    """Return the features of the texts as the detector sees them."""
    vectors = await E5Embedder().queries(texts)
    return np.array(
        [build_features(*each) for each in zip(texts, vectors, strict=True)]
    )


def train(features: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the weights and bias of a ridge logistic regression.

    Newton's method in the space of the examples, fewer than there are features.
    """
    count = len(targets)
    similar = features @ features.T
    shares, bias = np.zeros(count), 0.0
    for _ in range(STEPS):
        logits = similar @ shares + bias
        guess = compute_probability(logits)
        curve = guess * (1 - guess) + 1e-6
        system = np.ones((count + 1, count + 1))
        system[:count, :count] = similar + STRENGTH * np.diag(1 / curve)
        system[count, count] = 0
        working = logits + (targets - guess) / curve
        solved = np.linalg.solve(system, np.append(working, 0))
        shares, bias = solved[:count], float(solved[count])
    return features.T @ shares, bias


def main() -> None:
    """Measure across the writers, train on both, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    rows = [
        json.loads(line)
        for line in (HERE / "save_requests.jsonl").read_text("utf-8").splitlines()
    ]
    features = asyncio.run(read_features([row["text"][-LONGEST:] for row in rows]))
    targets = np.array([float(row["save"]) for row in rows])
    writer = np.array([row["by"] for row in rows])
    for unseen in sorted(set(writer)):
        weights, bias = train(features[writer != unseen], targets[writer != unseen])
        told = features[writer == unseen] @ weights + bias
        found = compute_probability(told) >= ENOUGH
        wanted = targets[writer == unseen] > 0
        hits = int((found & wanted).sum())
        print(
            f"writer {unseen}: precision {hits / max(1, int(found.sum())):.2f}, "
            f"recall {hits / int(wanted.sum()):.2f} of {int(wanted.sum())}"
        )
    if not parser.parse_args().dry_run:
        weights, bias = train(features, targets)
        np.savez_compressed(OUT, weights=weights.astype(np.float16), bias=bias)
        print(f"wrote {OUT.name}, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
