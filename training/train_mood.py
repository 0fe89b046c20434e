"""Trains `src/gieok/models/rules/mood.npz` from `training/{episodes,moods}.jsonl`.

    .venv/bin/python training/train_mood.py            # writes the weights
    .venv/bin/python training/train_mood.py --dry-run  # prints the figures only

The figures printed are cross-validated by dialogue: each of five folds is summed up by
models that never saw it. What the moods add to training is not counted in them.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from corpus import FOLDS, Dialogue, dialogue_of, hit, load_dialogues
from embeddings import DiskCachedE5
from logistic import fit

from gieok.kernel.language import Gist
from gieok.models.rules.linear import LinearModel
from gieok.models.rules.summaries.gist import (
    ConversationDigest,
    build_digest,
    build_gist,
)
from gieok.models.rules.summaries.mood import (
    EMOTIONS,
    MAX_IMPORTANCE,
    build_mood_features,
)
from gieok.models.rules.summaries.salience import build_salience_features
from gieok.models.rules.weights import MOOD_CLASSIFIERS, MoodWeights
from gieok.text.kiwi import get_shared_morphology

HERE = Path(__file__).parent
WEIGHTS = HERE.parent / "src/gieok/models/rules/mood.npz"
VECTOR = 384
SALIENCE = 100.0  # strength of the regularisation
EMOTION = (64, 60.0)  # dimensions of the vector, strength
IMPORTANCE = (64, 20.0)
WORTH = (32, 30.0)
PURE = 2.5  # how much more a mood tells of an emotion than a dialogue does

Episode = dict[str, Any]
UNKNOWN: Episode = {"must": [], "topics": []}


@dataclass(frozen=True, slots=True)
class Example:
    """One dialogue with what its summary should be; nothing where there is none."""

    dialogue: Dialogue
    episode: Episode | None
    invented: bool = False
    """A mood: it teaches nothing of which clauses matter."""


@dataclass(frozen=True, slots=True)
class Read:
    """An example with the clauses chosen and what the models of mood see of it."""

    example: Example
    digest: ConversationDigest
    features: np.ndarray


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file, one a line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def examples() -> list[Example]:
    """Return every labelled dialogue that has a clause at all, then the moods."""
    labels = {row["id"]: row["episode"] for row in rows_of(HERE / "episodes.jsonl")}
    told = [Example(d, labels[d.id]) for d in load_dialogues() if d.kind == "long"]
    at = datetime(2026, 4, 1).astimezone().isoformat()
    for row in rows_of(HERE / "moods.jsonl"):
        whole = row | {"at": at, "known": [], "gold": {"facts": []}}
        dialogue = dialogue_of(whole, "short", get_shared_morphology())
        told.append(Example(dialogue, row | UNKNOWN, invented=True))
    return told


def train_salience(known: Sequence[Example]) -> LinearModel:
    """Return the model of clauses that hold a term the summary must hold."""
    kept = [e for e in known if e.episode and not e.invented]
    rows = np.vstack([build_salience_features(e.dialogue.candidates) for e in kept])
    wanted = np.array(
        [
            any(hit([group], c.clause.text) for group in (e.episode or {})["must"])
            for e in kept
            for c in e.dialogue.candidates
        ],
        dtype=np.float64,
    )[:, None]
    return fit(rows, [], wanted, np.ones_like(wanted), (0, SALIENCE))


def read_all(
    known: Sequence[Example], salience: LinearModel, embedder: DiskCachedE5
) -> list[Read]:
    """Return the examples of which anything may be told."""
    found = [
        (e, told)
        for e in known
        if (
            told := build_digest(
                e.dialogue.conversation, get_shared_morphology(), salience
            )
        )
        is not None
    ]
    vectors = embedder.embed([told.chosen_text for _, told in found])
    return [
        Read(e, told, build_mood_features(told.candidates, vector))
        for (e, told), vector in zip(found, vectors, strict=True)
    ]


def _fitted(
    reads: Sequence[Read],
    targets: np.ndarray,
    weights: np.ndarray,
    options: tuple[int, float],
) -> LinearModel:
    rows = np.vstack([read.features for read in reads])
    plain, vectors = rows[:, :-VECTOR], rows[:, -VECTOR:]
    return fit(plain, [vectors], targets, weights, options)


def train_emotion(reads: Sequence[Read]) -> LinearModel:
    """Return the classifier of emotions.

    Rare emotions count as much as common ones, and sessions that matter count more:
    nobody minds what was felt about a dishwasher.
    """
    labels = [(read.example.episode or {})["emotion"] for read in reads]
    targets = np.array([[name == e for e in EMOTIONS] for name in labels], float)
    pure = np.array([[PURE if read.example.invented else 1] for read in reads])
    rare = (targets / targets.mean(axis=0)).sum(axis=1, keepdims=True)
    weight = rare * pure * _importances(reads)
    weights = np.repeat(weight / weight.mean(), len(EMOTIONS), axis=1)
    return _fitted(reads, targets, weights, EMOTION)


def _importances(reads: Sequence[Read]) -> np.ndarray:
    """Return the middle of what each may matter, as a column."""
    ranges = [(read.example.episode or {})["importance"] for read in reads]
    return np.array(ranges, float).mean(axis=1, keepdims=True)


def train_importance(reads: Sequence[Read]) -> LinearModel:
    """Return the model of importance, as a share of the highest."""
    target = _importances(reads) / MAX_IMPORTANCE
    return _fitted(reads, target, np.ones_like(target), IMPORTANCE)


def train_worth(reads: Sequence[Read]) -> LinearModel:
    """Return the model of whether there is anything to sum up."""
    target = np.array([[read.example.episode is not None] for read in reads], float)
    return _fitted(reads, target, np.ones_like(target), WORTH)


def train(known: Sequence[Example], embedder: DiskCachedE5) -> MoodWeights:
    """Return all weights."""
    salience = train_salience(known)
    reads = read_all(known, salience, embedder)
    felt = [read for read in reads if read.example.episode]
    return MoodWeights(
        salience=salience,
        worth=train_worth(reads),
        emotion=train_emotion(felt),
        importance=train_importance(felt),
    )


@dataclass(frozen=True, slots=True)
class Score:
    """What part of the episodes is right, and of the rest left empty."""

    emotion: float
    importance: float
    summary: float
    topics: float
    empty: float


def score(told: Sequence[tuple[Episode | None, Gist]]) -> Score:
    """Compare summaries with labels as the evaluation does."""
    wanted = [(episode, found) for episode, found in told if episode]
    idle = [not found.summary for episode, found in told if not episode]
    named = [
        hit([group], " ".join(found.topics))
        for episode, found in wanted
        for group in episode["topics"]
    ]
    return Score(
        emotion=_share([f.emotion == e["emotion"] for e, f in wanted]),
        importance=_share([_within(e, f) for e, f in wanted]),
        summary=_share([hit(e["must"], f.summary) for e, f in wanted]),
        topics=_share(named),
        empty=_share(idle),
    )


def _share(right: Sequence[bool]) -> float:
    return round(sum(right) / len(right), 3) if right else float("nan")


def _within(episode: Episode, found: Gist) -> bool:
    low, high = episode["importance"]
    return bool(found.summary) and low <= found.importance <= high


def summed_up(
    unseen: Sequence[Example], weights: MoodWeights, embedder: DiskCachedE5
) -> list[tuple[Example, Gist]]:
    """Return what the model makes of some examples."""
    reads = read_all(unseen, weights.salience, embedder)
    found = {
        read.example.dialogue.id: build_gist(
            read.digest, read.features[0, -VECTOR:], weights
        )
        for read in reads
    }
    return [(e, found.get(e.dialogue.id, Gist(""))) for e in unseen]


def store(weights: MoodWeights) -> None:
    """Write the weights in single precision, which moves no figure."""
    arrays = {
        f"{name}.{part}": getattr(getattr(weights, name), part).astype(np.float32)
        for name in MOOD_CLASSIFIERS
        for part in ("mean", "scale", "weights", "bias")
    }
    np.savez_compressed(WEIGHTS, **arrays)


def main() -> None:
    """Cross-validate, then train on everything and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    options = parser.parse_args()
    known, embedder = examples(), DiskCachedE5()
    held: list[tuple[Example, Gist]] = []
    for fold in range(FOLDS):
        rest = [e for e in known if e.dialogue.fold != fold]
        unseen = [e for e in known if e.dialogue.fold == fold]
        held += summed_up(unseen, train(rest, embedder), embedder)
    for name, invented in (("dialogues", False), ("moods", True)):
        kept = [(e, found) for e, found in held if e.invented == invented]
        labels = [(e.episode, found) for e, found in kept]
        print(name, len(labels), score(labels))
    if not options.dry_run:
        store(train(known, embedder))


if __name__ == "__main__":
    main()
