"""Trains the guard: which texts are orders planted as a memory, which honest.

Writes `guard/judge.npz`, which judges lines, and `guard/reader.npz`, which judges
claims by their vectors as well.

    .venv/bin/python training/train_guard.py            # writes the weights
    .venv/bin/python training/train_guard.py --dry-run  # prints the figures only

Figures are of situations that a fold did not learn from. `tests/support/unseen_poison`
is never read: it stays held out.
"""

import argparse
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from embeddings import DiskCachedE5
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, LinearSVC

from gieok.guard.features import BUCKETS, build_features, remove_frame
from gieok.guard.judge import split_passages
from gieok.models.support_vectors import SupportVectorMachine, normalize_vectors
from gieok.text.korean import has_hangul

HERE = Path(__file__).parent
ROOM = HERE.parent / "src/gieok/guard"
OUT, READER = ROOM / "judge.npz", ROOM / "reader.npz"
FOLDS = 5
PEOPLE = 6_000
PEOPLE_WEIGHT = 0.3
ATTACK_WEIGHT = 2.0
STRENGTH = 1.0
READ_PEOPLE = 800
"""Lines of people whose vectors are learned from."""
READ_WEIGHT, READ_STRENGTH, GAMMA = 0.4, 4.0, 1.0
KEPT = 0.97
"""Share of honest lines of unseen situations that the bar for a memory keeps."""
CLAIM_BAR = 1.9
"""For claims, of which the vectors are read as well. It was .49, where .987 of own
honest lines are kept, until two opened corpora of others asked for more (README)."""
QUIET = 0.9995
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


def train(rows: csr_matrix, examples: list[Example]) -> LinearSVC:
    """Return a linear support vector machine over the features of whole texts."""
    weight = {"guard": 1.0, "opened": 1.0, "people": PEOPLE_WEIGHT}
    return LinearSVC(C=STRENGTH, max_iter=1_000).fit(
        rows,
        [one.is_attack for one in examples],
        sample_weight=[
            ATTACK_WEIGHT if one.is_attack else weight[one.source] for one in examples
        ],
    )


def train_reader(
    vectors: np.ndarray, examples: list[Example]
) -> tuple[SVC, SupportVectorMachine]:
    """Return what judges vectors, as it was learned and as it is shipped."""
    center = vectors.mean(axis=0)
    own = normalize_vectors(vectors, center)
    weight = {"guard": 1.0, "opened": 1.0, "people": READ_WEIGHT}
    model = SVC(C=READ_STRENGTH, gamma=GAMMA, cache_size=500).fit(
        own,
        [one.is_attack for one in examples],
        sample_weight=[
            ATTACK_WEIGHT if one.is_attack else weight[one.source] for one in examples
        ],
    )
    support = own[model.support_]
    share = model.dual_coef_[0].astype(np.float32)
    bias = float(model.intercept_[0])
    return model, SupportVectorMachine.from_vectors(center, support, share, bias, GAMMA)


class Passages:
    """The passages of all texts, and what each was judged."""

    def __init__(self, examples: list[Example]) -> None:
        split = [split_passages(one.text) for one in examples]
        self.starts = np.cumsum([0, *map(len, split)])
        self.texts = [text for one in split for text in one]

    def find_worst(self, scores: np.ndarray) -> np.ndarray:
        """Return the highest score of each text's passages, as the judge does."""
        return np.maximum.reduceat(scores, self.starts[:-1])

    def list_places(self, texts: Sequence[int]) -> np.ndarray:
        """Return the places of the passages of some texts."""
        return np.concatenate(
            [np.arange(self.starts[at], self.starts[at + 1]) for at in texts]
        )


def assign_folds(examples: list[Example]) -> np.ndarray:
    """Return the fold in which each example is judged unseen; -1 is learned always.

    Situations of the guard's own lines stay together.
    """
    situations = sorted({one.situation for one in examples if one.source == "guard"})
    random.Random(1).shuffle(situations)  # noqa: S311
    fold_of = {name: at % FOLDS for at, name in enumerate(situations)}
    return np.array(
        [
            fold_of[one.situation]
            if one.source == "guard"
            else (at % FOLDS if one.source == "people" else -1)
            for at, one in enumerate(examples)
        ]
    )


def cross_validate(
    passages: Passages, examples: list[Example], rows: csr_matrix, vectors: np.ndarray
) -> np.ndarray:
    """Return two scores of each passage, by models that never saw its situation.

    What is learned always has none, nor have lines of people that no vector is of.
    """
    folds = assign_folds(examples)
    scores = np.full((len(passages.texts), 2), np.nan)
    has_vector = ~np.isnan(vectors[:, 0])
    for fold in range(FOLDS):
        seen, unseen = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        model = train(rows[passages.starts[:-1][seen]], [examples[at] for at in seen])
        places = passages.list_places(unseen)
        scores[places, 0] = model.decision_function(rows[places])
        seen = seen[has_vector[passages.starts[:-1][seen]]]
        _, reader = train_reader(
            vectors[passages.starts[:-1][seen]], [examples[at] for at in seen]
        )
        places = places[has_vector[places]]
        scores[places, 1] = reader.compute_margins(vectors[places])
    return scores


def weigh_reader(
    passages: Passages, examples: list[Example], scores: np.ndarray
) -> np.ndarray:
    """Return what the two scores of a claim count, and the bar, with figures."""
    first = scores[passages.starts[:-1]]
    attack = np.array([one.is_attack for one in examples])
    guard = np.array([one.source == "guard" for one in examples])
    model = LogisticRegression(C=10.0).fit(first[guard], attack[guard])
    weights = model.coef_[0]
    worst = passages.find_worst(scores @ weights)
    known = ~np.isnan(worst)
    print("claims, their vectors read as well")
    print_curve(worst[known], [examples[at] for at in np.flatnonzero(known)])
    return np.array([*weights, CLAIM_BAR])


def choose_bars(scores: np.ndarray, examples: list[Example]) -> tuple[float, float]:
    """Return the bar for a memory and the bar for a whole message, with figures."""
    print_curve(scores, examples)
    source = np.array([one.source for one in examples])
    attack = np.array([one.is_attack for one in examples])
    own = scores[(source == "guard") & ~attack]
    memory = float(np.quantile(own, KEPT))
    return memory, float(np.quantile(scores[source == "people"], QUIET))


def print_curve(scores: np.ndarray, examples: list[Example]) -> None:
    """Print which share of attacks is held, by which share of honest lines is kept."""
    source = np.array([one.source for one in examples])
    attack = np.array([one.is_attack for one in examples])
    korean = np.array([has_hangul(one.text) for one in examples])
    guard, people = source == "guard", source == "people"
    print("kept   held   (ko / en)        of people's lines pass")
    for kept in (0.90, 0.93, 0.95, 0.96, 0.97, 0.98, 0.987, 0.99):
        bar = float(np.quantile(scores[guard & ~attack], kept))
        held = [
            float((scores[guard & attack & part] > bar).mean())
            for part in (korean | ~korean, korean, ~korean)
        ]
        passed = float((scores[people] <= bar).mean())
        print(
            f"{kept:.3f}  {held[0]:.3f}  ({held[1]:.3f} / {held[2]:.3f})  {passed:.4f}"
        )


def main() -> None:
    """Measure across situations, choose the bars, learn from all, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    is_dry = parser.parse_args().dry_run
    examples = read_examples()
    print(len(examples), "texts,", sum(one.is_attack for one in examples), "attacks")
    passages = Passages(examples)
    rows = build_matrix(passages.texts)
    vectors = embed_passages(passages, examples)
    scores = cross_validate(passages, examples, rows, vectors)
    memory, message = choose_bars(passages.find_worst(scores[:, 0]), examples)
    claim = weigh_reader(passages, examples, scores)
    print(f"bars: {memory:.2f} for a line, {message:.2f} for a message; claims {claim}")
    if not is_dry:
        whole = passages.starts[:-1]
        store_judge(train(rows[whole], examples), (memory, message), claim)
        read = np.flatnonzero(~np.isnan(vectors[whole, 0]))
        _, reader = train_reader(vectors[whole[read]], [examples[at] for at in read])
        store_reader(reader)


def embed_passages(passages: Passages, examples: list[Example]) -> np.ndarray:
    """Return the vectors of all passages, but not of most lines of people."""
    people = [at for at, one in enumerate(examples) if one.source == "people"]
    left_out = set(people[READ_PEOPLE:])
    chosen = passages.list_places(
        [at for at in range(len(examples)) if at not in left_out]
    )
    vectors = np.full((len(passages.texts), DiskCachedE5.dimension), np.nan)
    vectors = vectors.astype(np.float32)
    texts = [remove_frame(passages.texts[at]) for at in chosen]
    vectors[chosen] = DiskCachedE5().embed(texts)
    return vectors


def store_judge(model: LinearSVC, bars: tuple[float, float], claim: np.ndarray) -> None:
    """Write what judges lines, and the bars."""
    memory, message = bars
    np.savez_compressed(
        OUT,
        weights=model.coef_[0].astype(np.float16),
        bias=model.intercept_[0],
        memory_bar=memory,
        message_bar=max(memory, message),
        claim=claim,
    )
    print(f"wrote {OUT.name}, {OUT.stat().st_size:,} bytes")


def store_reader(reader: SupportVectorMachine) -> None:
    """Write what judges vectors, eight bits a number."""
    np.savez_compressed(READER, **reader.to_arrays())
    print(f"wrote {READER.name}, {READER.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
