"""Relates what is said now to what is known: forget, change, repeat, or neither.

For every pair of a clause and a known item a linear model weighs how near they are
(vectors and terms, compared with the other clauses and the other items) together with
the marks of forgetting, denial, change and repetition.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from gieok.kernel.language import Category, Known, Operation, Vectors
from gieok.models.kiwi import Morphology
from gieok.models.rules.judge import Evidence
from gieok.models.rules.lexicon import ASSISTANT_CHANGES, ASSISTANT_FORGETS
from gieok.models.rules.linear import Numbers
from gieok.models.rules.vocabulary import listed, words_of

OPERATIONS: Final = (Operation.DELETE, Operation.UPDATE, Operation.REINFORCE)
MARKS: Final = listed(
    "forget denial change same negation habit past passing standing question_mark "
    "question_english question_korean me remember"
)
CROSSED: Final = ("forget", "denial", "change", "same", "negation")
AROUND: Final = ("forget", "denial", "change", "same")
STEM: Final = 5  # letters of an English word that are compared

_CONTENT: Final = ("NNG", "NNP", "VV", "VA", "XR", "SN", "NR", "MAG")
_WORD: Final = re.compile(r"[a-z]{2,}")
_EMPTY: Final = words_of(
    "user users 사용자 the is are was in to of and at on for with has have by as an "
    "하 되 있 이 것 수 중"
)


@dataclass(frozen=True, slots=True)
class Link:
    """A clause (its place in the evidence) does something to a known item."""

    candidate: int
    known: int
    operation: Operation
    probability: float


def terms(text: str, morphology: Morphology) -> frozenset[str]:
    """Return the content words of a text, cut to stems."""
    korean = (m.form for m in morphology.analyze(text) if m.tag in _CONTENT)
    english = (word[:STEM] for word in _WORD.findall(text.lower()))
    return frozenset([*korean, *english]) - _EMPTY


def _shared(known: frozenset[str], said: frozenset[str]) -> float:
    """Return which part of the known item's words was said."""
    return len(known & said) / len(known) if known else 0.0


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near each clause (row) is to each known item (column)."""

    clause: Numbers
    context: Numbers
    terms: Numbers
    terms_in_message: Numbers
    terms_so_far: Numbers
    kind: Numbers


KINDS: Final = {
    Category.LOCATION: "is_residing",
    Category.PREFERENCE: "is_liking",
    Category.CONSTRAINT: "is_unable",
    Category.HABIT: "is_regular",
    Category.DEVICE_PATTERN: "is_device",
    Category.FEEDBACK: "is_answers",
}


def _same_kind(evidence: Evidence, known: Sequence[Known]) -> Numbers:
    """Tell for each clause and known item whether the clause bears its kind's mark."""
    marks = [KINDS.get(item.category, "") for item in known]
    return np.array(
        [[c.flags.get(mark, 0.0) for mark in marks] for c in evidence.candidates]
    )


def _in_message(
    evidence: Evidence, said: Sequence[frozenset[str]], number: int
) -> frozenset[str]:
    """Return the words of the whole message a clause stands in."""
    place = evidence.candidates[number].clause.message
    found: frozenset[str] = frozenset()
    for candidate, own in zip(evidence.candidates, said, strict=True):
        if candidate.clause.message == place:
            found |= own
    return found


def nearness(
    evidence: Evidence,
    known: Sequence[Known],
    vectors: Vectors,
    morphology: Morphology,
) -> Nearness:
    """Return the nearness of every clause to every known item."""
    items = [terms(item.content, morphology) for item in known]
    said = [terms(c.clause.text, morphology) for c in evidence.candidates]
    heard = [terms(c.turn.asked, morphology) for c in evidence.candidates]
    so_far: list[frozenset[str]] = []
    for own, other in zip(said, heard, strict=True):
        so_far.append(own.union(other, *so_far[-1:]))
    together = [_in_message(evidence, said, number) for number in range(len(said))]
    clause = (evidence.clauses @ vectors.T).astype(np.float64)
    return Nearness(
        clause=clause,
        context=(evidence.contexts @ vectors.T).astype(np.float64),
        terms=_shares(items, said),
        terms_in_message=_shares(items, together),
        terms_so_far=_shares(items, so_far),
        kind=_same_kind(evidence, known),
    )


def _shares(items: Sequence[frozenset[str]], said: Sequence[frozenset[str]]) -> Numbers:
    """Return for each text which part of each known item's words it holds."""
    return np.array([[_shared(item, text) for item in items] for text in said])


def _closeness(near: Nearness, logits: Numbers) -> Numbers:
    """Return the figures of each pair that compare the two."""
    shape = near.clause.shape
    return np.stack(
        [
            (near.clause - 0.8) * 10,
            (near.context - 0.8) * 10,
            (near.clause - near.clause.max(axis=0)) * 10,
            (near.context - near.context.max(axis=0)) * 10,
            (near.clause - near.clause.max(axis=1, keepdims=True)) * 10,
            (near.context - near.context.max(axis=1, keepdims=True)) * 10,
            near.terms,
            near.terms_in_message,
            near.terms_so_far,
            near.terms_so_far - near.terms_so_far.max(axis=1, keepdims=True),
            (near.terms > 0) & (near.terms >= near.terms.max(axis=0)),
            np.broadcast_to(np.clip(logits, -5, 5)[:, None], shape),
            np.full(shape, 1 / shape[1]),
            near.kind,
            near.kind / np.maximum(1, near.kind.sum(axis=1, keepdims=True)),
        ],
        axis=2,
    ).astype(np.float64)


def _around(evidence: Evidence) -> Numbers:
    """Return the marks of the whole message, of the next, and the assistant's reply."""
    spoken = sorted({c.clause.message for c in evidence.candidates})
    marked = {
        place: np.max(
            [
                [c.flags[mark] for mark in AROUND]
                for c in evidence.candidates
                if c.clause.message == place
            ],
            axis=0,
        )
        for place in spoken
    }
    after = dict(pairwise(spoken))
    silent = np.zeros(len(AROUND))
    rows = [
        [
            *marked[c.clause.message],
            *marked.get(after.get(c.clause.message, -1), silent),
            float(ASSISTANT_FORGETS.search(c.turn.answered) is not None),
            float(ASSISTANT_FORGETS.search(c.turn.asked) is not None),
            float(ASSISTANT_CHANGES.search(c.turn.answered) is not None),
        ]
        for c in evidence.candidates
    ]
    return np.array(rows, dtype=np.float64)


def pair_features(evidence: Evidence, near: Nearness, logits: Numbers) -> Numbers:
    """Return what the linker sees, one row per pair, clause by clause.

    The last columns are the clause's vector, whose dimensions training reduces.
    """
    rows, columns = near.clause.shape
    shape = (rows, columns)
    own = np.array([[c.flags[m] for m in MARKS] for c in evidence.candidates])
    around = _around(evidence)
    crossed = np.array([[c.flags[m] for m in CROSSED] for c in evidence.candidates])
    crossed = np.hstack([crossed, around])
    closeness = _closeness(near, logits)
    anchor = closeness[:, :, (1, 4, 7, 9, 13)]
    mixed = (anchor[:, :, :, None] * crossed[:, None, None, :]).reshape(*shape, -1)
    spoken = np.hstack([own, around])
    by_clause = np.broadcast_to(spoken[:, None, :], (*shape, spoken.shape[1]))
    vectors = np.broadcast_to(
        evidence.clauses[:, None, :], (*shape, evidence.clauses.shape[1])
    )
    pairs = np.concatenate([closeness, by_clause, mixed, vectors], axis=2)
    return pairs.reshape(rows * columns, -1).astype(np.float64)


def _place(flat: int, shape: tuple[int, ...]) -> tuple[int, int, int]:
    """Return clause, known item and operation of a place in the flattened scores."""
    pair, kind = divmod(flat, shape[2])
    row, column = divmod(pair, shape[1])
    return row, column, kind


def link(scores: Numbers, thresholds: Mapping[str, float]) -> tuple[Link, ...]:
    """Return at most one link per known item and per clause, the surest first.

    `scores` are probabilities by clause, known item and operation.
    """
    sure = np.array([thresholds[operation] for operation in OPERATIONS])
    cube = scores / sure
    found: list[Link] = []
    taken: set[tuple[str, int]] = set()
    for place in np.argsort(cube, axis=None)[::-1].tolist():
        row, column, kind = _place(place, cube.shape)
        if cube[row, column, kind] < 1:
            break
        keys = {("clause", row), ("known", column)}
        if taken.isdisjoint(keys):
            taken |= keys
            sureness = float(scores[row, column, kind])
            found.append(Link(row, column, OPERATIONS[kind], sureness))
    return tuple(found)
