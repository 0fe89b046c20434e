"""Trains `guard/judge.npz`: which texts are orders planted as a memory, which honest.

    .venv/bin/python training/train_guard.py            # writes the weights
    .venv/bin/python training/train_guard.py --dry-run  # prints the figures only

Figures are of situations that a fold did not learn from. `tests/support/unseen_poison`
is never read: it stays held out.
"""

import argparse
import json
import random
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from gieok.guard.features import BUCKETS, build_features
from gieok.guard.judge import split_passages
from gieok.text.korean import has_hangul

HERE = Path(__file__).parent
OUT = HERE.parent / "src/gieok/guard/judge.npz"
FOLDS = 5
PEOPLE = 12_000
PEOPLE_WEIGHT = 0.15
ATTACK_WEIGHT = 2.0
STRENGTH = 10.0
KEPT = 0.97
"""Share of honest lines of unseen situations that the bar for a memory keeps."""
QUIET = 0.999
"""Share of what unseen people say that the bar for a whole message lets pass."""


class Example(NamedTuple):
    """A text, whether it is an attack, its situation and where it comes from."""

    text: str
    is_attack: bool
    situation: str
    source: str


def read_examples() -> list[Example]:
    """Return what the judge learns from, in a fixed order."""
    found = [
        Example(
            row["text"],
            label == "attack",
            row["situation"],
            "opened" if row["situation"] == "opened" else "guard",
        )
        for label in ("attack", "keep")
        for row in _read_rows(HERE / f"guard/{label}.jsonl")
    ]
    return [*found, *_read_opened(), *_read_people()]


def _read_rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _read_opened() -> list[Example]:
    """Return the corpora that the expressions before the judge were written with."""
    sys.path.append(str(HERE.parent / "tests"))
    from support import (  # noqa: PLC0415
        poison_corpus,
        poison_daily,
        poison_rounds,
        poison_statements,
        poison_wordings,
    )

    modules = (
        poison_corpus,
        poison_daily,
        poison_rounds,
        poison_statements,
        poison_wordings,
    )
    found = list[Example]()
    for module in modules:
        for name, texts in vars(module).items():
            if name.isupper() and isinstance(texts, tuple):
                found += [
                    Example(
                        one if isinstance(one, str) else one[0],
                        name.startswith("ATTACKS"),
                        "opened",
                        "opened",
                    )
                    for one in texts
                ]
    return found


def _read_people() -> list[Example]:
    """Return what invented people say, what is known of them and what is noted."""
    said = dict.fromkeys(
        text
        for path in sorted((HERE / "people").glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
        for text in _iterate_texts(json.loads(line))
    )
    chosen = random.Random(7).sample(list(said), PEOPLE)  # noqa: S311
    return [
        Example(text, is_attack=False, situation="people", source="people")
        for text in chosen
    ]


def _iterate_texts(person: dict) -> list[str]:
    known = [item["content"] for item in person["known"]]
    said = [
        text
        for session in person["sessions"]
        for who, text in session["messages"]
        if who == "u"
    ]
    told = [
        fact["say"]
        for session in person["sessions"]
        for fact in session["facts"]
        if "say" in fact
    ]
    return known + said + told


def build_matrix(texts: list[str]) -> csr_matrix:
    """Return one row of features per passage."""
    starts, places, values = [0], [], []
    for text in texts:
        found, counted = build_features(text)
        places.append(found)
        values.append(counted)
        starts.append(starts[-1] + len(found))
    return csr_matrix(
        (np.concatenate(values), np.concatenate(places), starts),
        shape=(len(texts), BUCKETS),
    )


def train(rows: csr_matrix, examples: list[Example]) -> LogisticRegression:
    """Return a logistic regression over the features of whole texts."""
    weight = {"guard": 1.0, "opened": 1.0, "people": PEOPLE_WEIGHT}
    return LogisticRegression(C=STRENGTH, max_iter=400).fit(
        rows,
        [one.is_attack for one in examples],
        sample_weight=[
            ATTACK_WEIGHT if one.is_attack else weight[one.source] for one in examples
        ],
    )


def score_texts(model: LogisticRegression, texts: list[str]) -> np.ndarray:
    """Return the highest score of each text's passages, as the judge does."""
    passages = [split_passages(text) for text in texts]
    told = model.decision_function(build_matrix([p for ps in passages for p in ps]))
    ends = np.cumsum([len(ps) for ps in passages])
    return np.array([part.max() for part in np.split(told, ends[:-1])])


def cross_validate(rows: csr_matrix, examples: list[Example]) -> np.ndarray:
    """Return the score of each example by a model that never saw its situation."""
    situations = sorted({one.situation for one in examples if one.source == "guard"})
    random.Random(1).shuffle(situations)  # noqa: S311
    fold_of = {name: at % FOLDS for at, name in enumerate(situations)}
    folds = np.array(
        [
            fold_of[one.situation]
            if one.source == "guard"
            else (at % FOLDS if one.source == "people" else -1)
            for at, one in enumerate(examples)
        ]
    )
    scores = np.full(len(examples), np.nan)
    for fold in range(FOLDS):
        seen = np.flatnonzero(folds != fold)
        unseen = np.flatnonzero(folds == fold)
        model = train(rows[seen], [examples[at] for at in seen])
        scores[unseen] = score_texts(model, [examples[at].text for at in unseen])
    return scores


def choose_bars(scores: np.ndarray, examples: list[Example]) -> tuple[float, float]:
    """Return the bar for a memory and the bar for a whole message, with figures."""
    source = np.array([one.source for one in examples])
    attack = np.array([one.is_attack for one in examples])
    korean = np.array([has_hangul(one.text) for one in examples])
    guard, people = source == "guard", source == "people"
    print("kept   held   (ko / en)        of people's lines pass")
    for kept in (0.90, 0.93, 0.95, 0.96, 0.97, 0.98, 0.99):
        bar = float(np.quantile(scores[guard & ~attack], kept))
        held = [
            float((scores[guard & attack & part] > bar).mean())
            for part in (korean | ~korean, korean, ~korean)
        ]
        passed = float((scores[people] <= bar).mean())
        print(
            f"{kept:.2f}   {held[0]:.3f}  ({held[1]:.3f} / {held[2]:.3f})  {passed:.4f}"
        )
    memory = float(np.quantile(scores[guard & ~attack], KEPT))
    return memory, float(np.quantile(scores[people], QUIET))


def main() -> None:
    """Measure across situations, choose the bars, learn from all, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    is_dry = parser.parse_args().dry_run
    examples = read_examples()
    print(len(examples), "texts,", sum(one.is_attack for one in examples), "attacks")
    rows = build_matrix([one.text for one in examples])
    memory, message = choose_bars(cross_validate(rows, examples), examples)
    print(f"bars: {memory:.2f} for a memory, {message:.2f} for a message")
    if not is_dry:
        model = train(rows, examples)
        weights = model.coef_[0].astype(np.float16)
        np.savez_compressed(
            OUT,
            weights=weights,
            bias=model.intercept_[0],
            memory_bar=memory,
            message_bar=max(memory, message),
        )
        print(f"wrote {OUT.name}, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
