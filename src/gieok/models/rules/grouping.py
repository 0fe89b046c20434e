"""Which neighbouring clauses of one message tell the same fact.

Clauses are cut short so that two facts are never one; here those that belong
together are joined again, so that one fact is not told twice or by halves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from gieok.models.rules.clauses import Clause
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.linear import Numbers
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily
from gieok.text.vocabulary import parse_word_list

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

MAX_TOGETHER: Final = 3
ENDINGS: Final = _LISTS.get_word_list("grouping.endings")
OPENERS: Final = _LISTS.get_word_list("grouping.openers")
PAIR_FLAGS: Final = parse_word_list(
    "me others kin acquaintance number name no_predicate very_short question_mark "
    "negation time habit standing taste past forget denial request_korean "
    "request_english opens_with_me opens_with_others words copula change"
)
FEW_WORDS: Final = 3

_WORD: Final = compile_lazily(r"[a-z']+")


@dataclass(frozen=True, slots=True)
class ClauseJoints:
    """The places between neighbouring clauses: the first one's number each."""

    firsts: tuple[int, ...]
    features: Numbers


def _compare_clauses(first: Clause, second: Clause) -> list[float]:
    """Return how two clauses are joined."""
    ending = [m.form for m in first.morphemes if m.tag == "EC"][-1:]
    opener = _WORD.findall(second.text.lower())[:1]
    return [
        float(first.sentence != second.sentence),
        float(second.sentence - first.sentence > 1),
        len(first.text) / 40,
        len(second.text) / 40,
        float(first.text.endswith(",")),
        float(first.text.endswith(".")),
        float(first.text.endswith(("!", "?"))),
        float(len(first.text.split()) <= FEW_WORDS),
        float(len(second.text.split()) <= FEW_WORDS),
        *(float(ending == [form]) for form in ENDINGS),
        *(float(opener == [word]) for word in OPENERS),
    ]


def _build_joint_row(
    evidence: ClauseEvidence, logits: Numbers, number: int
) -> list[float]:
    """Return what is told of one joint."""
    first, second = evidence.candidates[number : number + 2]
    one, other = float(logits[number]), float(logits[number + 1])
    near = float(evidence.clauses[number] @ evidence.clauses[number + 1])
    before = [first.flags[name] for name in PAIR_FLAGS]
    after = [second.flags[name] for name in PAIR_FLAGS]
    return [
        *_compare_clauses(first.clause, second.clause),
        (near - 0.8) * 10,
        min(one, other),
        max(one, other),
        abs(one - other),
        len(first.turn.text) / 100,
        *before,
        *after,
        *(x * y for x, y in zip(before, after, strict=True)),
    ]


def find_joints(evidence: ClauseEvidence, logits: Numbers) -> ClauseJoints:
    """Return every place where two clauses of one message meet."""
    places = [c.clause.message for c in evidence.candidates]
    firsts = tuple(
        number for number, (one, other) in enumerate(pairwise(places)) if one == other
    )
    rows = [_build_joint_row(evidence, logits, number) for number in firsts]
    return ClauseJoints(firsts, np.array(rows, dtype=np.float64))


def group_clauses(
    logits: Numbers,
    same: dict[int, float],
    thresholds: tuple[float, float, float],
) -> Iterable[Sequence[int]]:
    """Yield the groups of clauses that become one fact each.

    `same` is the probability, by the first clause's number, that a joint lies inside
    one fact. The thresholds are the log-odds that make a clause worth telling, the
    probability that joins two such clauses, and the one that joins a weaker clause.
    """
    worth, join, extend = thresholds
    current: list[int] = []
    for number, odds in enumerate(logits):
        told = float(odds) >= worth
        before = bool(current) and float(logits[current[-1]]) >= worth
        limit = join if told and before else extend
        close = same.get(number - 1, 0.0) >= limit and (told or before)
        if current and close and len(current) < MAX_TOGETHER:
            current.append(number)
            continue
        if any(float(logits[n]) >= worth for n in current):
            yield current
        current = [number]
    if any(float(logits[n]) >= worth for n in current):
        yield current
