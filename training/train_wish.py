"""Trains `src/gieok/models/rules/wish.npz`: whether a wish to forget means an item.

    .venv/bin/python training/train_wish.py            # writes the weights
    .venv/bin/python training/train_wish.py --dry-run  # prints the figures only

It learns from wishes whose people the encoder of pairs never saw; run it after
`tune_memory_pairs.py`. The figures are cross-validated by person: what would be
erased at once, and what would be asked about.
"""

import argparse
import asyncio
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
from logistic import SMALLEST_SCALE, fit_column
from tqdm import tqdm
from train_contradiction import is_held
from wish_corpus import ALONE, CASUAL, WishCase, read_wish_talks, read_wishes

from gieok.kernel.language import (
    Category,
    Conversation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.models.rules.linear import LinearModel, Numbers, compute_probability
from gieok.models.rules.weights import load_judge_weights
from gieok.models.rules.wishes.certainty import MAX_ASKED, POSSIBLY_MEANT, WORTH_ASKING
from gieok.text.kiwi import get_shared_morphology

WEIGHTS = Path(__file__).parents[1] / "src/gieok/models/rules/wish.npz"
AT = datetime(2026, 11, 27, 12, tzinfo=UTC)
FOLDS = 5
DRAWN = 5
"""Of the wishes of people held out one in so many is read: reading takes long."""
STRENGTH = 20.0
SURE = (0.5, 0.6, 0.7, 0.8, 0.9)


class Weighed(NamedTuple):
    """What is weighed of one wish beside each known item, and which are meant."""

    source: str
    case: WishCase
    rows: Numbers | None
    """A row for each item; None where extraction sees no wish."""
    right: Numbers


class Recorder(LinearModel):
    """Keeps what it is asked to weigh."""

    def compute_logits(self, features: Numbers) -> Numbers:
        """Keep the features of one wish, and say nothing."""
        HEARD.append(features)
        return np.zeros((len(features), 1))


HEARD: list[Numbers] = []


async def measure(cases: Sequence[WishCase]) -> list[Weighed]:
    """Read every wish as extraction does, among memories and among messages."""
    weights = replace(load_judge_weights(), wish=Recorder(*[np.zeros(0)] * 4))
    model = RulesModel(E5Embedder(), get_shared_morphology(), weights=weights)
    found: list[Weighed] = []
    for case in tqdm(cases, mininterval=20):
        for source, items, first in _list_sets(case):
            HEARD.clear()
            await model.extract(_build_conversation(case, items, first))
            right = [float(first + n in case.meant) for n in range(len(items))]
            rows = HEARD[-1] if HEARD else None
            found.append(Weighed(source, case, rows, np.array(right)))
    return found


def _list_sets(case: WishCase) -> Iterator[tuple[str, Sequence[str], int]]:
    """Yield what a wish is read beside: memories; messages, if it stands alone."""
    source = case.person.partition("/")[0]
    yield source, case.known, 0
    if source in ALONE:
        yield f"{source}, messages", case.said, len(case.known)


def _build_conversation(
    case: WishCase, items: Sequence[str], first: int
) -> Conversation:
    alone = first or case.person.partition("/")[0] in ALONE
    said = [] if alone else [*case.said]
    turns = [(Role.USER, text) for text in said]
    if case.before and not said:
        turns.append((Role.USER, case.before))
    if case.asked:
        turns.append((Role.ASSISTANT, case.asked))
    turns.append((Role.USER, case.wish))
    return Conversation(
        tuple(Utterance(n, *turn) for n, turn in enumerate(turns)),
        tuple(KnownMemory(str(n), t, Category.CONTEXT) for n, t in enumerate(items)),
        AT,
    )


def train(wishes: Sequence[Weighed]) -> LinearModel:
    """Return the model that weighs whether a wish means an item."""
    own = [each for each in wishes if each.rows is not None]
    rows = np.vstack([each.rows for each in own])
    right = np.concatenate([each.right for each in own])
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + SMALLEST_SCALE
    strength = np.full(rows.shape[1], STRENGTH)
    found = fit_column((rows - mean) / scale, right, np.ones(len(rows)), strength)
    return LinearModel(mean, scale, found[:-1, None], found[-1:])


def judge_unseen(wishes: Sequence[Weighed]) -> list[Numbers]:
    """Return what models say that never saw a wish's person."""
    fold = [zlib.crc32(each.case.person.encode()) % FOLDS for each in wishes]
    models = [
        train([each for each, own in zip(wishes, fold, strict=True) if own != n])
        for n in range(FOLDS)
    ]
    return [
        np.zeros(len(each.right))
        if each.rows is None
        else compute_probability(models[own].compute_logits(each.rows)[:, 0])
        for each, own in zip(wishes, fold, strict=True)
    ]


def print_figures(wishes: Sequence[Weighed], said: Sequence[Numbers]) -> None:
    """Print average precision, and what would happen at several bars."""
    for source in dict.fromkeys(each.source for each in wishes):
        own = [n for n, each in enumerate(wishes) if each.source == source]
        right = np.concatenate([wishes[n].right for n in own])
        odds = np.concatenate([said[n] for n in own])
        ordered = right[np.argsort(-odds)]
        share = np.cumsum(ordered) / np.arange(1, len(ordered) + 1)
        precision = (share * ordered).sum() / ordered.sum()
        print(f"{source}: {len(own)} wishes, average precision {precision:.3f}")
        for possible in (POSSIBLY_MEANT, 1.0):
            for bar in SURE:
                print(
                    f"  {bar}, beside nothing of {possible}:",
                    _count([(wishes[n].right, said[n]) for n in own], bar, possible),
                )


def _count(wishes: Sequence[tuple[Numbers, Numbers]], bar: float, least: float) -> str:
    """Return what happens if whatever is as likely as `least` has to reach a bar."""
    counts: Counter[str] = Counter()
    for right, said in wishes:
        possible = np.flatnonzero(said >= min(least, bar))
        sure = len(possible) > 0 and (said[possible] >= bar).all()
        meant = {*np.flatnonzero(right).tolist()}
        counts["mean something"] += bool(meant)
        if sure:
            chosen = {*possible.tolist()}
            counts["erased rightly"] += chosen == meant
            counts["too little"] += chosen < meant
            counts["wrongly"] += bool(chosen - meant)
        elif said.max(initial=0.0) >= WORTH_ASKING:
            asked = {*np.argsort(-said)[:MAX_ASKED].tolist()}
            counts["asked rightly"] += bool(asked & meant)
            counts["asked for nothing"] += not meant
        else:
            counts["missed"] += bool(meant)
    return ", ".join(f"{name} {number}" for name, number in counts.items())


def main() -> None:
    """Print the figures, and write the weights unless told not to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    dry_run = parser.parse_args().dry_run
    held = [c for c in (*read_wishes(), *read_wish_talks()) if is_held(c.person)]
    casual = [c for c in read_wishes(CASUAL) if is_held(c.person)]
    wishes = asyncio.run(measure([*held[::DRAWN], *casual]))
    print_figures(wishes, judge_unseen(wishes))
    if not dry_run:
        model = train(wishes)
        parts = {f"wish.{part}": getattr(model, part) for part in LinearModel.__slots__}
        np.savez_compressed(
            WEIGHTS, **{name: each.astype(np.float32) for name, each in parts.items()}
        )


if __name__ == "__main__":
    main()
