"""What a clause does to the memory: tell, change, end, forget or repeat something.

Two models, one on top of the other (Wolpert 1992): one adds up runs of words and
letters (`token_ngrams`), the other weighs its verdict together with the clause's marks,
its vectors, and how near it is to the known item it is most likely about (`reference`).
"""

from enum import StrEnum
from typing import Final

import numpy as np

from gieok.models.rules.evidence import ClauseEvidence, build_flag_rows
from gieok.models.rules.linear import Numbers
from gieok.models.rules.reference import ItemReferences
from gieok.models.rules.token_ngrams import NgramBuckets, NgramModel, build_ngrams


class Intent(StrEnum):
    """What a clause does; it may do several things, so each has its own probability."""

    TELL = "tell"
    """Says something lasting of the user or theirs, known or not."""
    CHANGE = "change"
    """Gives a known item a new value."""
    END = "end"
    """Says that a known item is over or was never true."""
    FORGET = "forget"
    """Asks that something be forgotten."""
    REPEAT = "repeat"
    """Says a known item again."""


INTENTS: Final = tuple(Intent)
TELL: Final = INTENTS.index(Intent.TELL)


def build_clause_ngrams(
    evidence: ClauseEvidence, references: ItemReferences
) -> tuple[NgramBuckets, ...]:
    """Return the runs of every clause, beside the known item it is about."""
    clauses = [candidate.clause for candidate in evidence.candidates]
    return tuple(
        build_ngrams(clause, [c for c in clauses if c.message == clause.message], about)
        for clause, about in zip(clauses, references.about, strict=True)
    )


def build_intent_features(
    evidence: ClauseEvidence, references: ItemReferences, first: Numbers
) -> Numbers:
    """Return what the second model sees, one row per clause.

    `first` is what the first model said. The last columns are the vectors of clause and
    context, whose dimensions training reduces.
    """
    flags = build_flag_rows(evidence.candidates, marks=True)
    vectors = np.hstack([evidence.clauses, evidence.contexts])
    rows = np.hstack([flags, references.figures, first, vectors])
    return rows.astype(np.float64)


def build_clause_features(
    evidence: ClauseEvidence, references: ItemReferences, runs: NgramModel
) -> Numbers:
    """Return what the models of intents see, one row per clause."""
    first = runs.compute_logits(build_clause_ngrams(evidence, references))
    return build_intent_features(evidence, references, first)
