"""Trains `src/gieok/models/rules/judge.npz` from `training/dialogues/*.jsonl`.

    .venv/bin/python training/train_judge.py            # writes the weights
    .venv/bin/python training/train_judge.py --dry-run  # prints the figures only

The figures printed are cross-validated by dialogue: each of five folds is judged by
models that never saw it. The thresholds are chosen on those held-out judgements taken
together and reported on the same, so the figures flatter them a little.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from corpus import FOLDS, Dialogue, Labels, labels_of, load
from embeddings import DiskCachedE5
from logistic import fit
from measure import Score, score

from gieok.models.kiwi import shared
from gieok.models.rules.category import CATEGORIES, category_features
from gieok.models.rules.decide import Assessment, Material, assess, findings
from gieok.models.rules.extractor import material_of, texts_of
from gieok.models.rules.grouping import joints
from gieok.models.rules.judge import Evidence, features, judge
from gieok.models.rules.linear import CLASSIFIERS, Linear, Weights
from gieok.models.rules.link import OPERATIONS, pair_features
from gieok.models.rules.session import probe, session_features, surrounding_features

WEIGHTS = Path(__file__).parents[1] / "src/gieok/models/rules/judge.npz"
VECTOR = 384
JUDGE = (96, 12.0)  # dimensions of each vector, strength of the regularisation
SESSION = (64, 20.0)
CATEGORY = (64, 10.0)
SETTLE = 10.0
JOINT = 10.0
LINK = (8, 10.0)
ROUNDS = 2
START = {
    "add": -0.8,
    "join": 0.3,
    "extend": 0.5,
    **{str(operation): 0.4 for operation in OPERATIONS},
}
SURENESS = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7]
OPTIONS: dict[str, list[float]] = {
    **{str(operation): SURENESS for operation in OPERATIONS},
    "add": [round(-1.4 + 0.1 * step, 1) for step in range(20)],
    "join": [0.25, 0.3, 0.35, 0.4, 0.5],
    "extend": [0.4, 0.45, 0.5, 0.55, 0.6, 0.7],
}


@dataclass(frozen=True, slots=True)
class Example:
    """One dialogue, measured and labelled."""

    dialogue: Dialogue
    material: Material
    labels: Labels

    @property
    def evidence(self) -> Evidence:
        """The candidates with their vectors."""
        return self.material.evidence

    @property
    def known(self) -> int:
        """How many items were known."""
        return len(self.material.known)


def examples_of(dialogues: list[Dialogue], embedder: DiskCachedE5) -> list[Example]:
    """Embed and label every dialogue that has a clause at all."""
    texts = [texts_of(d.candidates, d.conversation.known) for d in dialogues]
    vectors = embedder.embed([text for own in texts for text in own])
    found: list[Example] = []
    at = 0
    for dialogue, own in zip(dialogues, texts, strict=True):
        rows = vectors[at : at + len(own)]
        at += len(own)
        if dialogue.candidates:
            material = material_of(
                dialogue.conversation, dialogue.candidates, rows, shared()
            )
            found.append(Example(dialogue, material, labels_of(dialogue)))
    return found


def long(examples: list[Example]) -> list[Example]:
    """Return the dialogues on which whole sessions are judged.

    The short ones are dense with facts, as talk is not: learned from them too, the
    judges remember too much of idle sessions (measured: about .03 of F1).
    """
    return [e for e in examples if not e.dialogue.short]


def train_judge(examples: list[Example]) -> Linear:
    """Return the judge learned from some examples."""
    examples = long(examples)
    rows = np.vstack([features(e.evidence) for e in examples])
    flags = rows.shape[1] - 2 * VECTOR
    blocks = np.split(rows[:, flags:], 2, axis=1)
    worth = np.concatenate([e.labels.worth for e in examples])[:, None]
    weight = np.concatenate([e.labels.weight for e in examples])[:, None]
    return fit(rows[:, :flags], blocks, worth, weight, JUDGE)


def train_session(examples: list[Example]) -> Linear:
    """Return the probe that tells sessions with facts from those without."""
    examples = long(examples)
    rows = np.vstack([session_features(e.evidence, e.known) for e in examples])
    holds = [any(f["op"] != "delete" for f in e.dialogue.facts) for e in examples]
    target = np.array(holds, dtype=np.float64)[:, None]
    plain, vectors = rows[:, :-VECTOR], rows[:, -VECTOR:]
    return fit(plain, [vectors], target, np.ones_like(target), SESSION)


def first_opinions(examples: list[Example]) -> list[tuple[np.ndarray, float]]:
    """Return each example's log-odds and probe from models that never saw it."""
    found: dict[int, tuple[np.ndarray, float]] = {}
    for fold in {e.dialogue.fold for e in examples}:
        rest = [e for e in examples if e.dialogue.fold != fold]
        judging, probing = train_judge(rest), train_session(rest)
        for number, e in enumerate(examples):
            if e.dialogue.fold == fold:
                odds = judge(e.evidence, judging)
                found[number] = odds, probe(e.evidence, e.known, probing)
    return [found[number] for number in range(len(examples))]


def train_settle(
    examples: list[Example], around: list[np.ndarray], folds: set[int]
) -> Linear:
    """Return the second model, learned on the examples of some folds."""
    kept = [
        (e, a)
        for e, a in zip(examples, around, strict=True)
        if e.dialogue.fold in folds and not e.dialogue.short
    ]
    worth = np.concatenate([e.labels.worth for e, _ in kept])[:, None]
    weight = np.concatenate([e.labels.weight for e, _ in kept])[:, None]
    return fit(np.vstack([a for _, a in kept]), [], worth, weight, (0, SETTLE))


def train_joint(examples: list[Example], logits: list[np.ndarray]) -> Linear:
    """Return the model of joints, learned where at least one side states a fact."""
    rows: list[np.ndarray] = []
    same: list[float] = []
    for example, odds in zip(examples, logits, strict=True):
        if example.dialogue.short:
            continue
        found, stated = joints(example.evidence, odds), example.labels.facts
        for first, row in zip(found.firsts, found.features, strict=True):
            if stated[first] or stated[first + 1]:
                rows.append(row)
                same.append(float(bool(stated[first] & stated[first + 1])))
    target = np.array(same)[:, None]
    return fit(np.vstack(rows), [], target, np.ones_like(target), (0, JOINT))


def train_category(examples: list[Example]) -> Linear:
    """Return the category classifier; a clause may have several right answers."""
    rows = np.vstack([category_features(e.evidence) for e in examples])
    labels = [c for e in examples for c in e.labels.category]
    told = np.array([bool(c) for c in labels])
    targets = np.array([[name in c for name in CATEGORIES] for c in labels])[told]
    share = targets / np.maximum(targets.sum(axis=1, keepdims=True), 1)
    flags = rows.shape[1] - 384
    kept = rows[told]
    weights = np.ones(share.shape)
    return fit(kept[:, :flags], [kept[:, flags:]], share, weights, CATEGORY)


def train_link(examples: list[Example], logits: list[np.ndarray]) -> Linear:
    """Return the linker, learned on log-odds the judge gave to unseen dialogues."""
    rows: list[np.ndarray] = []
    targets: list[np.ndarray] = []
    weights: list[np.ndarray] = []
    for example, odds in zip(examples, logits, strict=True):
        if example.material.near is None:
            continue
        rows.append(pair_features(example.evidence, example.material.near, odds))
        targets.append(example.labels.link.reshape(-1, len(OPERATIONS)))
        weights.append(example.labels.link_weight.reshape(-1, len(OPERATIONS)))
    stacked = np.vstack(rows)
    plain, vectors = stacked[:, :-VECTOR], stacked[:, -VECTOR:]
    return fit(plain, [vectors], np.vstack(targets), np.vstack(weights), LINK)


def train(examples: list[Example], thresholds: dict[str, float]) -> Weights:
    """Return all weights; each model learns on what the one before said unseen."""
    opinions = first_opinions(examples)
    around = [
        surrounding_features(e.evidence, odds, session, e.known)
        for e, (odds, session) in zip(examples, opinions, strict=True)
    ]
    folds = {e.dialogue.fold for e in examples}
    settling = {f: train_settle(examples, around, folds - {f}) for f in folds}
    logits = [
        settling[e.dialogue.fold].logits(rows)[:, 0]
        for e, rows in zip(examples, around, strict=True)
    ]
    return Weights(
        judge=train_judge(examples),
        session=train_session(examples),
        settle=train_settle(examples, around, folds),
        joint=train_joint(examples, logits),
        category=train_category(examples),
        link=train_link(examples, logits),
        thresholds=thresholds,
    )


Held = list[tuple[Example, Assessment]]


def assessed(examples: list[Example], weights: Weights) -> Held:
    """Apply every model to some examples."""
    return [(e, assess(e.material, weights)) for e in examples]


def run(held: Held, thresholds: dict[str, float]) -> Score:
    """Decide with these thresholds and score."""
    found = [findings(e.material, said, thresholds) for e, said in held]
    return score([e.dialogue.facts for e, _ in held], found)


def choose(held: Held) -> dict[str, float]:
    """Return the thresholds that serve held-out dialogues best, one after another."""
    best = dict(START)
    for _ in range(ROUNDS):
        for name, values in OPTIONS.items():
            tried = [(run(held, {**best, name: v}).merit, v) for v in values]
            best[name] = max(tried)[1]
    return best


def store(weights: Weights) -> None:
    """Write the weights in single precision, which moves no figure."""
    arrays = {
        f"{name}.{part}": getattr(getattr(weights, name), part).astype(np.float32)
        for name in CLASSIFIERS
        for part in ("mean", "scale", "weights", "bias")
    }
    thresholds = {
        f"threshold.{name}": np.array(value)
        for name, value in weights.thresholds.items()
    }
    np.savez_compressed(WEIGHTS, **arrays, **thresholds)


def main() -> None:
    """Cross-validate, then train on everything and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    options = parser.parse_args()
    examples = examples_of(load(), DiskCachedE5())
    held: Held = []
    for fold in range(FOLDS):
        rest = [e for e in examples if e.dialogue.fold != fold]
        unseen = [e for e in examples if e.dialogue.fold == fold]
        held += assessed(unseen, train(rest, {}))
    talk = [(e, said) for e, said in held if not e.dialogue.short]
    brief = [(e, said) for e, said in held if e.dialogue.short]
    thresholds = choose(talk)
    print(len(examples), "dialogues; thresholds", thresholds)
    print("cross-validated:", run(talk, thresholds))
    print("short dialogues:", run(brief, thresholds))
    if not options.dry_run:
        store(train(examples, thresholds))


if __name__ == "__main__":
    main()
