"""Trains `models/rules/forget_request.npz`: what asks the assistant to forget.

    .venv/bin/python training/train_forget_request.py           # writes the weights
    .venv/bin/python training/train_forget_request.py --dry-run  # figures only

It learns from messages: of a wish its likeliest clause is the one that asks, found anew
in each round; of all others none does. The figures are of one hand's messages of
`forget_requests/` at a time, read by a model that learned from no message of that hand.
Needs scikit-learn; five minutes with cached vectors, else half an hour of one core.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from embeddings import DiskCachedE5
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from wish_corpus import (
    ALONE,
    CASUAL,
    WishCase,
    read_people_wishes,
    read_wish_talks,
    read_wishes,
)

from gieok.kernel.language import Role, Utterance
from gieok.models.rules.answers import merge_answers
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.char_ngrams import build_run_row
from gieok.models.rules.clause_item_encoder import join_clause_parts
from gieok.models.rules.message_context import normalize_text
from gieok.text.kiwi import get_shared_morphology

HERE = Path(__file__).parent
REQUESTS = HERE / "forget_requests"
POINTING = HERE / "pointing_wishes"
OUT = HERE.parent / "src/gieok/models/rules/forget_request.npz"
TALK = ("plain", "talks", "traps", "casual")
"""Folders of talk in which nobody asks to forget anything; every other one is read."""
CLAUSE_SCALE, CONTEXT_SCALE = 1.5, 1.0
PEOPLE_SHARE = 4
"""Of the sessions of `people/` without a wish one in so many is read."""
STRENGTH = 20.0
ROUNDS = 4
NEAR_MISSES = 8.0
"""How much a message of `forget_requests/`, written to be mistaken, counts."""
RECALLS = (0.7, 0.8, 0.9, 0.95)
WAY = 0.7
"""How far the weights go from the shipped ones to those learned (decision 0062)."""

Turns = list[tuple[Role, str]]


class Said(NamedTuple):
    """A talk, and of which of its messages it is known whether they ask."""

    hand: str
    turns: Turns
    asks: dict[int, bool]


class Row(NamedTuple):
    """One clause of such a message."""

    hand: str
    message: int
    asks: bool
    clause: str
    context: str
    text: str
    """What encoders read of it (`join_clause_parts`)."""


def read_talks() -> Iterator[Said]:
    """Yield everything that is learned from."""
    labels = read_labels()
    alone = (*read_wishes(), *read_wishes(CASUAL))
    for case in (*alone, *read_wish_talks(), *read_people_wishes()):
        yield from _read_case(case, labels)
    yield from _read_people()
    yield from _read_other_talk()
    read: set[str] = set()
    for path in sorted(REQUESTS.glob("[ek]*.jsonl")):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            read.add(row["text"])
            yield Said(path.stem, [(Role.USER, row["text"])], {0: row["asks"]})
    for path in sorted(POINTING.glob("*.jsonl")):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            if row["text"] not in read:
                yield Said("pointing_wishes", [(Role.USER, row["text"])], {0: True})


def _read_other_talk() -> Iterator[Said]:
    """Yield talk in which nobody asks to forget, and wishes to remember."""
    for line in (HERE / "save_requests.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["save"]:
            yield Said("save_requests", [(Role.USER, row["text"])], {0: False})
    for folder in TALK:
        for path in sorted((HERE / folder).glob("*.jsonl")):
            for line in path.read_text("utf-8").splitlines()[::2]:
                turns = _read_turns(json.loads(line)["messages"])
                users = [n for n, turn in enumerate(turns) if turn[0] is Role.USER]
                yield Said(folder, turns, dict.fromkeys(users, False))


def _read_people() -> Iterator[Said]:
    """Yield sessions in which something is told, changed or to be remembered."""
    sessions = [
        session
        for path in sorted((HERE / "people").glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
        for session in json.loads(line)["sessions"]
        if all(fact["op"] != "forget" for fact in session["facts"])
    ]
    for session in sessions[::PEOPLE_SHARE]:
        turns = _read_turns(session["messages"])
        users = [n for n, turn in enumerate(turns) if turn[0] is Role.USER]
        yield Said("people", turns, dict.fromkeys(users, False))


def _read_turns(messages: Sequence[Sequence[str]]) -> Turns:
    return [
        (Role.USER if who == "u" else Role.ASSISTANT, text) for who, text in messages
    ]


def read_labels() -> dict[str, bool]:
    """Return of wishes that mean nothing known whether they are wishes at all."""
    path = REQUESTS / "of_wishes.jsonl"
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return {row["text"]: row["asks"] for row in rows}


def _read_case(case: WishCase, labels: dict[str, bool]) -> Iterator[Said]:
    folder, _, rest = case.person.partition("/")
    hand = f"{folder}/{rest[:4]}" if folder == CASUAL.name else folder
    asks = True if case.meant else labels.get(case.wish)
    stands_alone = folder in ALONE
    before = [] if stands_alone else [*case.said]
    before = before or ([case.before] if case.before else [])
    turns: Turns = [(Role.USER, text) for text in before]
    if case.asked:
        turns.append((Role.ASSISTANT, case.asked))
    known = dict.fromkeys(range(len(before)), False) if hand == "wish_talks" else {}
    if asks is not None:
        known[len(turns)] = asks
    yield Said(hand, [*turns, (Role.USER, case.wish)], known)
    if stands_alone:
        for text in case.said:
            yield Said(hand, [(Role.USER, text)], {0: False})


def collect_rows(talks: Sequence[Said]) -> list[Row]:
    """Return the clauses of the messages of which it is known."""
    morphology = get_shared_morphology()
    rows: dict[tuple[str, str, bool, str], Row] = {}
    for place, talk in enumerate(talks):
        said = tuple(
            Utterance(n, role, normalize_text(text))
            for n, (role, text) in enumerate(talk.turns)
        )
        for each in merge_answers(collect_candidates(said, morphology), morphology):
            index = each.turn.index
            if index in talk.asks:
                row = Row(
                    talk.hand,
                    place * 100 + index,
                    talk.asks[index],
                    each.clause.text,
                    each.context,
                    join_clause_parts(each, asked=False),
                )
                rows.setdefault((row.clause, row.context, row.asks, row.hand), row)
    return list(rows.values())


def build_matrix(rows: Sequence[Row]) -> sparse.csr_matrix:
    """Return the features of every clause."""
    embedder = DiskCachedE5()
    clauses = embedder.embed([row.clause for row in rows])
    contexts = embedder.embed([row.context for row in rows])
    runs = sparse.vstack([sparse.csr_matrix(build_run_row(row.clause)) for row in rows])
    vectors = np.hstack([CLAUSE_SCALE * clauses, CONTEXT_SCALE * contexts])
    return sparse.hstack([sparse.csr_matrix(vectors), runs]).tocsr()


def train(
    rows: Sequence[Row], features: sparse.csr_matrix, chosen: Sequence[int]
) -> LogisticRegression:
    """Return a model of the chosen rows."""
    asking, others = defaultdict[int, list[int]](list), list[int]()
    for number in chosen:
        if rows[number].asks:
            asking[rows[number].message].append(number)
        else:
            others.append(number)
    likely = [number for group in asking.values() for number in group]
    weight = np.array(
        [NEAR_MISSES if row.hand.startswith(("en_", "ko_")) else 1.0 for row in rows]
    )
    for _ in range(ROUNDS):
        used = np.array(likely + others)
        right = np.array([True] * len(likely) + [False] * len(others))
        model = LogisticRegression(C=STRENGTH, solver="liblinear", max_iter=200)
        model.fit(features[used], right, sample_weight=weight[used])
        odds = model.decision_function(features)
        likely = [max(group, key=odds.__getitem__) for group in asking.values()]
    return model


def print_figures(hand: str, rows: Sequence[Row], odds: np.ndarray) -> None:
    """Print what one hand's messages get from a model that has not seen them."""
    best: dict[int, tuple[float, bool]] = {}
    for row, one in zip(rows, odds, strict=True):
        if row.hand == hand:
            before = best.get(row.message, (-np.inf, row.asks))
            best[row.message] = (max(before[0], float(one)), row.asks)
    ranked = sorted(best.values(), reverse=True)
    right = np.array([asks for _, asks in ranked], float)
    precision = np.cumsum(right) / np.arange(1, len(right) + 1)
    recall = np.cumsum(right) / right.sum()
    average = float((precision * right).sum() / right.sum())
    shown = [f"{precision[recall >= bar][0]:.2f} at {bar}" for bar in RECALLS]
    even = sum(one >= 0 for one, _ in ranked)
    print(
        f"{hand}: average precision {average:.3f}, precision {', '.join(shown)}; "
        f"from even odds {precision[even - 1]:.2f} at {recall[even - 1]:.2f}"
    )


def main() -> None:
    """Measure each hand of `forget_requests/`, learn from all, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    dry = parser.parse_args().dry_run
    rows = collect_rows(list(read_talks()))
    features = build_matrix(rows)
    print(f"{len(rows):,} clauses, {sum(row.asks for row in rows):,} of wishes")
    hands = sorted({row.hand for row in rows if row.hand.startswith(("en_", "ko_"))})
    for hand in hands:
        others = [n for n, row in enumerate(rows) if row.hand != hand]
        model = train(rows, features, others)
        print_figures(hand, rows, model.decision_function(features))
    if dry:
        return
    weights = train(rows, features, range(len(rows)))
    (learned,), (bias,) = weights.coef_, weights.intercept_
    width = (len(learned) - len(build_run_row(""))) // 2
    parts = {
        "clause": CLAUSE_SCALE * learned[:width],
        "context": CONTEXT_SCALE * learned[width : 2 * width],
        "runs": learned[2 * width :],
    }
    with np.load(OUT, allow_pickle=False) as shipped:
        mixed = {
            name: (1 - WAY) * shipped[name].astype(float) + WAY * learned
            for name, learned in {**parts, "bias": bias}.items()
        }
    kept = {name: mixed[name].astype(np.float16) for name in parts}
    np.savez_compressed(OUT, **kept, bias=mixed["bias"])
    print(f"wrote {OUT.name}, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
