"""What a small encoder, trained for it, reads in a clause beside a known item.

It sees both at once (Reimers and Gurevych 2019 call this a cross-encoder), so it can
tell "I live in Leeds now" from "I also like Leeds" where York is known. The encoder is
the bundled e5 with its last layers trained (`models/tuned_e5`); a linear model over its
vector says how likely each intent is, and whether the clause is about the item at all.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from gieok.kernel.language import KnownMemory, Vectors
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.intent import INTENTS, TELL
from gieok.models.rules.linear import (
    LinearModel,
    Numbers,
    compute_log_odds,
    compute_probability,
)
from gieok.models.rules.reference import ItemReferences, compute_leads, remove_subject

ClauseItemPair = tuple[int, int]
"""The places of a clause and of a known item; -1 where nothing is known."""
ABOUT: Final = len(INTENTS)
"""The column that says whether the clause is about the item, after the intents."""
MAX_READ: Final = 6  # items read with a clause that may touch what is known
MIN_CHANCE: Final = 0.15  # of an intent for which it is worth reading
LONGEST_KNOWN: Final = 160  # characters
LONGEST_CLAUSE: Final = 200
LONGEST_MESSAGE: Final = 220
AROUND: Final = 100  # characters on either side of a clause of a longer message
LONGEST_QUESTION: Final = 80
UNKNOWN: Final = "-"
UNREAD: Final = -6.0  # log-odds of what was not worth reading


def compute_pair_odds(
    read: Vectors, clauses: Sequence[int], count: int, model: LinearModel
) -> Numbers:
    """Return what the reader says, a row for each of `count` clauses, as log-odds.

    `read` are its vectors of some clauses, in their order. Of the others it says what
    it says of the average clause.
    """
    rows = np.tile(model.bias, (count, 1))
    rows[clauses] = model.compute_logits(read.astype(np.float64))
    return rows


def select_close_pairs(
    intents: Numbers, references: ItemReferences
) -> list[ClauseItemPair]:
    """Return the pairs to be read before a clause may touch what is known.

    `intents` are probabilities. A clause that only tells something touches nothing.
    """
    touching = np.delete(intents, TELL, axis=1).max(axis=1) >= MIN_CHANCE
    if not references.scores.shape[1]:
        return []
    order = np.argsort(-references.scores, axis=1)
    return [
        (clause, known)
        for clause in np.flatnonzero(touching).tolist()
        for known in order[clause, :MAX_READ].tolist()
    ]


def update_references(
    references: ItemReferences,
    pairs: Sequence[ClauseItemPair],
    about: Sequence[float],
    model: LinearModel,
) -> ItemReferences:
    """Return the references with what was read of some pairs; of the rest, nothing.

    `about` are log-odds. What was read is weighed together with how near the items are
    and with what was read of the clause's other items.
    """
    scores = np.zeros_like(references.scores)
    nearest = list(references.nearest)
    if scores.size:
        read = np.full_like(scores, UNREAD)
        for (clause, known), odds in zip(pairs, about, strict=True):
            read[clause, known] = odds
        for clause in {clause for clause, _ in pairs}:
            seen = build_about_features(read[clause], references.scores[clause])
            scores[clause] = compute_probability(model.compute_logits(seen)[:, 0])
            nearest[clause] = int(scores[clause].argmax())
    return replace(references, scores=scores, nearest=tuple(nearest))


def build_about_features(read: Numbers, scores: Numbers) -> Numbers:
    """Return what is weighed of one clause beside every item, one row an item.

    `read` are log-odds of the encoder, `scores` are those of the references.
    """
    near = compute_log_odds(scores)
    both = read + near
    ahead = [
        compute_leads(values[None])[0].clip(-8, 8) for values in (read, near, both)
    ]
    return np.column_stack([read, near, *ahead, np.full(len(read), both.max())])


def render_pairs(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    pairs: Sequence[ClauseItemPair],
) -> list[str]:
    """Return for every pair what the encoder reads, the item first."""
    return [
        _render_pair(
            candidates[clause],
            remove_subject(known[place].content) if place >= 0 else UNKNOWN,
        )
        for clause, place in pairs
    ]


def _render_pair(candidate: ClauseCandidate, item: str) -> str:
    known = " ".join(item[:LONGEST_KNOWN].split())
    return f"{known} | {join_clause_parts(candidate)}"


def join_clause_parts(candidate: ClauseCandidate, *, asked: bool = True) -> str:
    """Return a clause with its message, if that is longer, and what it answers.

    Without what was `asked` nothing of the latter.
    """
    clause, turn = candidate.clause, candidate.turn
    message = turn.text
    if len(message) > LONGEST_MESSAGE:
        start = max(0, clause.start - AROUND)
        end = min(clause.end, start + LONGEST_MESSAGE)
        message = message[start : end + AROUND]
    own, around = clause.text[:LONGEST_CLAUSE], " ".join(message.split())
    parts = [own]
    if around != own.strip():
        parts.append(around)
    if asked and turn.asked:
        parts.append(turn.asked[-LONGEST_QUESTION:])
    return " ".join(" | ".join(parts).split())
