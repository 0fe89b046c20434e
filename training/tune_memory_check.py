"""Trains what reads whether a memory is worth keeping, from memories judged by readers.

    pip install jax                                 # beside .venv's packages
    .venv/bin/python training/tune_memory_check.py  # twenty minutes on two cores
    .venv/bin/python training/tune_memory_check.py --further  # as long, going on

Writes `src/gieok/models/rules/memory_check.npz`: the upper layers of the encoder of
clauses (`tune_statement.py`) with a head of two columns. It prints what it says of the
talks held out, which no shipped encoder has learned from. What ships learned from
ordinary talk first and went on with casual talk, beside which some of the rest is read.
"""

import argparse
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tune_e5
from tune_e5 import BaseModel, Data, Model, print_recalls, store, trained, tuned

from gieok.kernel.language import Role, Utterance
from gieok.models import tuned_e5
from gieok.models.e5_tokenizer import load_tokenizer
from gieok.models.rules.memory_check import (
    render_memory_check,
    weigh_checks,
)
from gieok.models.rules.message_context import MessageContext

CHECKS = Path(__file__).parent / "memory_checks"
OUT = Path(__file__).parents[1] / "src/gieok/models/rules/memory_check.npz"
HELD = ("en_c", "en_d", "ko_c")
"""Ordinary talks (`plain/`) of hands from which nothing shipped has learned."""
CASUAL, HELD_CASUAL = ("casual", "changes", "terse"), 5
"""Where casual talk comes from, of which one message in five is held out."""
TRAINED_LAYERS = 6
PLAN = (3, 1.2e-4)  # epochs and rate of learning
FURTHER = (2, 1e-4)  # the same, going on from what is shipped
REST = 0.4
"""How much of what is not casual is read then, of short answers all."""
BATCH = 32
LONGEST = 128  # tokens
WIDTHS = (*tune_e5.WIDTHS, 104, LONGEST)
COLUMNS = ("kc", "kcfw")
"""The judgments that count as fit as worded, and as worth it in any words."""
UNREAD = ("w", "n")
"""What is worth it, or is not, and whose wording nobody judged.

Of `*_told` the talk's writer says it: worth it is what has the words of a fact."""
RECALLS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
WORTH_RAISED = 0.5
"""By how much the log-odds of worth are raised then, of which `*_told` holds less."""
SHORT, SHORT_WEIGHT = ("answers", "short", "lone"), 2.0
"""Where short answers, denials and messages come from; one of these counts as two."""
LONE, HELD_LONE = "lone", ("en_2", "ko_2")
"""Where short messages come from that tell something by themselves, and who of those
that wrote them is held out."""


class Check(NamedTuple):
    """One memory, as it is read, and what a reader said of it."""

    is_held: bool
    source: str
    language: str
    text: str
    judged: str


def read_checks() -> Iterator[Check]:
    """Yield every judged memory."""
    for path in sorted(CHECKS.glob("*.jsonl")):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            said = Utterance(0, Role.USER, row["said"])
            context = MessageContext(said, row["asked"], (row["before"],))
            yield Check(
                _is_held(row["source"], row["hand"], row["said"]),
                row["source"],
                row["hand"][:2],
                render_memory_check(row["memory"], context),
                row["judged"],
            )


def _is_held(source: str, hand: str, said: str) -> bool:
    """Tell whether a memory is held out."""
    if source == LONE:
        return hand in HELD_LONE
    if source not in CASUAL:
        return source == "plain" and hand in HELD
    return int(hashlib.sha256(said.encode()).hexdigest(), 16) % HELD_CASUAL == 0


class CheckData(Data):
    """The judged memories as `tune_e5` trains on them."""

    def __init__(self, checks: Sequence[Check]) -> None:
        tokenizer = load_tokenizer()
        self.tokens = []
        for check in checks:
            pieces = tokenizer.tokenize(f"passage: {check.text}")
            ids = [tokenizer.begin, *pieces[: LONGEST - 2], tokenizer.end]
            self.tokens.append(np.array(ids, np.int32))
        self.targets = np.array(
            [[each.judged in column for column in COLUMNS] for each in checks],
            np.float32,
        )
        own = [SHORT_WEIGHT if each.source in SHORT else 1.0 for each in checks]
        self.weights = np.tile(np.array(own, np.float32)[:, None], len(COLUMNS))
        self.weights[[each.judged in UNREAD for each in checks], 0] = 0.0
        self.trained_on = np.array([not each.is_held for each in checks])
        self.lengths = np.array([len(own) for own in self.tokens])
        self.states = []


def select_further(checks: Iterable[Check]) -> list[Check]:
    """Return what is read when going on: casual talk and a share of the rest."""
    chance = np.random.default_rng(1)
    return [
        each
        for each in checks
        if each.source in (*CASUAL, *SHORT) or each.is_held or chance.random() <= REST
    ]


def main() -> None:
    """Train on all talks but those held out, and write what was learned."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--further", action="store_true")
    further = parser.parse_args().further
    tune_e5.TRAINED_LAYERS, tune_e5.COLUMNS = TRAINED_LAYERS, len(COLUMNS)
    tune_e5.OUT, tune_e5.BATCH = OUT, BATCH
    tune_e5.LONGEST, tune_e5.WIDTHS = LONGEST, WIDTHS
    checks, base = list(read_checks()), BaseModel()
    start = tuned(base, tuned_e5.STATEMENT_WEIGHTS)  # its lower layers go into the base
    lasting = start["head"][:, :1], start["head_bias"][:1]
    start["head"], start["head_bias"] = (
        np.repeat(part, len(COLUMNS), axis=-1) for part in lasting
    )
    if further:
        checks, start = (
            select_further(checks),
            tuned(base, tuned_e5.MEMORY_CHECK_WEIGHTS),
        )
    data = CheckData(checks)
    print(f"{len(checks)} memories, {data.trained_on.sum()} of them trained on")
    data.fill(base)
    plan = FURTHER if further else PLAN
    params = trained(Model(base, rounds=True), data, start, plan)
    if further:
        params["head_bias"] = params["head_bias"] + np.array([0.0, WORTH_RAISED])
    store(base, params)
    held = [each for each in checks if each.is_held]
    print_figures([each for each in held if each.judged not in UNREAD])
    print_lone([each for each in held if each.source == LONE])


def print_figures(held: Sequence[Check]) -> None:
    """Print average precision, and precision by recall, of who was held out."""
    engine = tuned_e5.load_memory_check_engine()
    odds = weigh_checks(engine.passage([each.text for each in held]))
    for casual, language in product((False, True), ("en", "ko")):
        own = [
            n
            for n, each in enumerate(held)
            if each.language == language and (each.source in CASUAL) == casual
        ]
        name = f"{language}{', casual' if casual else ''}"
        for column, right in enumerate(COLUMNS):
            hit = np.array([held[n].judged in right for n in own])
            print_recalls(f"{name}, {right}", odds[own, column], hit, RECALLS)


def print_lone(held: Sequence[Check]) -> None:
    """Print the same of short messages, of which it is told only whether they last."""
    engine = tuned_e5.load_memory_check_engine()
    odds = weigh_checks(engine.passage([each.text for each in held]))[:, 1]
    for language in ("en", "ko"):
        own = [n for n, each in enumerate(held) if each.language == language]
        hit = np.array([held[n].judged == "w" for n in own])
        print_recalls(f"{language}, {LONE}", odds[own], hit, RECALLS)


if __name__ == "__main__":
    main()
