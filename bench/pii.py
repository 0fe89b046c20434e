"""Sensitive information: what is found, what is wrongly marked, and how fast."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from uuid import uuid4

from langchain_core.messages import HumanMessage
from report import Figure
from rich.progress import Progress

from gieok.pii import (
    S3_ONLY,
    CleanDigests,
    PiiFinding,
    SensitivityLevel,
    TextMasker,
    find,
    find_all,
)

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from support.pii_corpus import Case, Corpus, covered, styles, wilson

SHARED = Path(__file__).parents[2] / "shared" / "data"
SEED = 20_260_218
MICROSECONDS = 50.0
SHARE = 0.97
FALSE_A_THOUSAND = 1.0
SAVES = 20


async def measure(progress: Progress, *, quick: bool) -> list[Figure]:
    """Return shares on invented texts, and on the sets that are at hand."""
    task = progress.add_task("sensitive information", total=3)
    corpus = Corpus(SEED)
    figures = _invented(corpus, each=100 if quick else 500)
    progress.advance(task)
    figures += _clean(
        corpus.negatives(1_000 if quick else 10_000), "invented near-misses"
    )
    progress.advance(task)
    return [*figures, *_states(corpus), *_sets(quick=quick)]


def _invented(corpus: Corpus, each: int) -> list[Figure]:
    cases = [*corpus.positives(each), *corpus.splits(each)]
    figures = []
    for name, some in styles(cases):
        hits = sum(_whole(case) for case in some)
        low, high = wilson(hits, len(some))
        figures.append(
            Figure(
                f"recall, {name}",
                hits / len(some),
                at_least=SHARE,
                note=f"{hits:,} of {len(some):,}, {low:.3f}–{high:.3f}",
            )
        )
    return figures


def _whole(case: Case) -> bool:
    """Tell whether no letter or digit of a case's values is left."""
    return all(
        not value or covered(message, value, [(one.start, one.end) for one in found])
        for message, value, found in zip(
            case.messages, case.values, find_all(case.messages), strict=True
        )
    )


def _clean(texts: Sequence[str], name: str) -> list[Figure]:
    wrong = sum(any(_masked(one) for one in find(text)) for text in texts)
    low, high = wilson(wrong, len(texts))
    return [
        Figure(
            f"false marks in 1,000, {name}",
            1_000 * wrong / len(texts),
            at_most=FALSE_A_THOUSAND,
            note=f"{wrong:,} of {len(texts):,}, {1000 * low:.2f}–{1000 * high:.2f}",
        )
    ]


def _masked(one: PiiFinding) -> bool:
    return not one.kind.topic and one.level is not SensitivityLevel.S1


def _sets(*, quick: bool) -> list[Figure]:
    figures = []
    if (SHARED / "memory" / "dialogues.jsonl").exists():
        lines = (SHARED / "memory" / "dialogues.jsonl").read_text("utf-8").splitlines()
        dialogues = [json.loads(line) for line in lines if line.strip()]
        figures += _labelled(dialogues)
        texts = [said["content"] for one in dialogues for said in one["messages"]]
        figures.append(_speed(texts, "development dialogues", quick=quick))
    if (SHARED / "locomo" / "locomo_dev.json").exists():
        samples = json.loads((SHARED / "locomo" / "locomo_dev.json").read_text("utf-8"))
        texts = [
            turn["text"]
            for sample in samples
            for turns in sample["conversation"].values()
            if isinstance(turns, list)
            for turn in turns
        ]
        figures += _clean(texts, "LoCoMo")
        figures.append(_speed(texts, "LoCoMo", quick=quick))
    return figures


def _labelled(dialogues: Sequence[dict]) -> list[Figure]:
    gold = hits = marks = right = 0
    for dialogue in dialogues:
        texts = [said["content"] for said in dialogue["messages"]]
        spans = [
            [(one.start, one.end) for one in found if _masked(one)]
            for found in find_all(texts)
        ]
        wanted = dialogue["gold"]["pii"]
        gold += len(wanted)
        hits += sum(
            covered(texts[one["message"]], one["text"], spans[one["message"]])
            for one in wanted
        )
        for place, some in enumerate(spans):
            marks += len(some)
            right += sum(
                any(
                    one["message"] == place
                    and _overlap(texts[place], one["text"], span)
                    for one in wanted
                )
                for span in some
            )
    low, high = wilson(hits, gold)
    return [
        Figure(
            "recall, development dialogues",
            hits / gold,
            at_least=SHARE,
            note=f"{hits} of {gold}, {low:.3f}–{high:.3f}; the rules' author saw them",
        ),
        Figure(
            "precision, development dialogues",
            right / marks,
            at_least=SHARE,
            note=f"{right} of {marks}",
        ),
    ]


def _overlap(text: str, value: str, span: tuple[int, int]) -> bool:
    start = text.index(value)
    return start < span[1] and span[0] < start + len(value)


def _speed(texts: Sequence[str], name: str, *, quick: bool) -> Figure:
    """Time the processor, not the clock: others work on this machine too."""
    best = float("inf")
    for _ in range(3 if quick else 9):
        began = process_time()
        for text in texts:
            find(text)
        best = min(best, process_time() - began)
    length = sum(map(len, texts)) / len(texts)
    return Figure(
        f"time a message, {name}",
        best / len(texts) * 1e6,
        "µs",
        at_most=MICROSECONDS,
        note=f"{len(texts):,} messages of {length:.0f} characters",
    )


def _states(corpus: Corpus) -> list[Figure]:
    """Time what masking adds when a graph saves its messages, one more each time."""
    figures = []
    for size in (10, 100):
        texts = iter(corpus.negatives(size + SAVES))
        said = [_message(next(texts)) for _ in range(size)]
        clean, best = CleanDigests(), float("inf")
        TextMasker(S3_ONLY, clean=clean).mask_value(said)
        for _ in range(SAVES):
            said.append(_message(next(texts)))
            began = process_time()
            TextMasker(S3_ONLY, clean=clean).mask_value(said)
            best = min(best, process_time() - began)
        name = f"time a save, {size} messages and one new"
        figures.append(Figure(name, best * 1e3, "ms"))
    return figures


def _message(text: str) -> HumanMessage:
    return HumanMessage(text, id=str(uuid4()))
