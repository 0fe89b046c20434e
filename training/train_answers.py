"""Trains `models/rules/answer.npz` from `training/answers.jsonl`.

    .venv/bin/python training/train_answers.py             # writes the weights
    .venv/bin/python training/train_answers.py --dry-run   # prints the figures only
    .venv/bin/python training/train_answers.py --held-out  # … of the third held back

A question and a short answer are one statement (`rules/answers.py`); what is learned is
whether it is a fact. The figures are cross-validated; every third pair (`held`) trains
nothing and is read with `--held-out` only (opened twice, see the README).
"""

import argparse
import asyncio
import json
from datetime import date
from pathlib import Path

import numpy as np
from train_save_requests import train

from gieok.kernel.language import Role, Utterance
from gieok.models.e5 import E5Embedder
from gieok.models.rules.answers import ENOUGH, build_answer_features, merge_answers
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.linear import compute_probability
from gieok.models.rules.wording import render_fact
from gieok.text.kiwi import get_shared_morphology

HERE = Path(__file__).parent
OUT = HERE.parent / "src/gieok/models/rules/answer.npz"
SAID = date(2026, 11, 24)
FOLDS = 10
SCALE = 3.0  # of the vectors, whose length is one


def read_candidates(rows: list[dict]) -> list[ClauseCandidate]:
    """Return the clause that answers, of each pair."""
    morphology = get_shared_morphology()
    found = []
    for row in rows:
        pair = (
            Utterance(0, Role.ASSISTANT, row["q"]),
            Utterance(1, Role.USER, row["a"]),
        )
        clauses = collect_candidates(pair, morphology)
        found.append(merge_answers(clauses, morphology)[0])
    return found


def read_features(candidates: list[ClauseCandidate]) -> np.ndarray:
    """Return the features of the pairs as the extractor sees them."""
    texts = [c.clause.text for c in candidates] + [c.context for c in candidates]
    vectors = asyncio.run(E5Embedder().passages(texts))
    count = len(candidates)
    return build_answer_features(
        ClauseEvidence(tuple(candidates), vectors[:count], vectors[count:])
    )


def is_worded(row: dict, candidate: ClauseCandidate) -> bool:
    """Tell whether the statement holds what it has to, in the third person."""
    told = render_fact([candidate], SAID)
    return all(any(w.lower() in told.lower() for w in words) for words in row["must"])


def report(rows: list[dict], found: list[ClauseCandidate], logits: np.ndarray) -> None:
    """Print how many facts are told, and how much of what is told is one."""
    told = compute_probability(logits) >= ENOUGH
    for lang in ("ko", "en"):
        own = np.array([row["lang"] == lang for row in rows])
        fact = np.array([row["fact"] for row in rows])
        stated = np.array([c.is_answer for c in found])
        kept = own & told & stated
        worded = [
            is_worded(r, c)
            for r, c, k in zip(rows, found, kept & fact, strict=True)
            if k
        ]
        print(
            f"{lang}: of {int((own & fact).sum())} facts "
            f"{int((kept & fact).sum())} told, "
            f"{sum(worded)} with every word; of {int((own & ~fact).sum())} traps "
            f"{int((kept & ~fact).sum())} told"
        )


def main() -> None:
    """Measure, train, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--held-out", action="store_true")
    options = parser.parse_args()
    lines = (HERE / "answers.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    opened = [row for row in rows if not row["held"]]
    found = read_candidates(opened)
    features = SCALE * read_features(found)
    targets = np.array([float(row["fact"]) for row in opened])
    fold = np.random.default_rng(0).integers(0, FOLDS, len(targets))
    logits = np.zeros(len(targets))
    for part in range(FOLDS):
        weights, bias = train(features[fold != part], targets[fold != part])
        logits[fold == part] = features[fold == part] @ weights + bias
    print("cross-validated")
    report(opened, found, logits)
    weights, bias = train(features, targets)
    if options.held_out:
        print("held out")
        held = [row for row in rows if row["held"]]
        answers = read_candidates(held)
        report(held, answers, SCALE * read_features(answers) @ weights + bias)
    if not options.dry_run:
        count = features.shape[1]
        np.savez_compressed(
            OUT,
            **{
                "answer.mean": np.zeros(count, np.float16),
                "answer.scale": np.ones(count, np.float16),
                "answer.weights": (SCALE * weights[:, None]).astype(np.float16),
                "answer.bias": np.array([bias]),
            },
        )
        print(f"wrote {OUT.name}, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
