"""What a clause does to the known item it is about, weighed once that item is read.

The judges of intents see a clause beside the item that is nearest by its words, long
before it is settled which item is meant: they take "no penicillin for me, remember" for
an end, and a wish of the moment for a change. Here their opinions are weighed together
with what the encoder reads of the clause beside the item that is meant, with the
numbers of both, and with how the clause is said. It learned from people and dialogues
that none of the judges had seen; see `training/train_effect.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gieok.kernel.language import Category, KnownMemory
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.clause_item_encoder import ClauseItemPair
from gieok.models.rules.intent import INTENTS, Intent
from gieok.models.rules.linear import (
    LinearModel,
    Numbers,
    compute_log_odds,
    compute_probability,
)
from gieok.models.rules.plain_statements import is_plain
from gieok.models.rules.reference import ItemReferences, Nearness
from gieok.text.vocabulary import parse_word_list

EFFECTS: Final = (Intent.CHANGE, Intent.END, Intent.REPEAT)
"""One column each."""
MIN_ABOUT: Final = 0.3
"""How likely a clause is about an item for what it does to it to be weighed."""
WISHES: Final = 0.5
"""Probability from which a clause is a wish to forget, which does nothing else."""
LOWEST, HIGHEST = -8.0, 5.0  # log-odds that something lasting is told
_COLUMNS: Final = [INTENTS.index(intent) for intent in EFFECTS]
_FORGET: Final = INTENTS.index(Intent.FORGET)
_FLAGS: Final = parse_word_list(
    "change same negation past passing future question_mark question_korean wh_word "
    "request_korean request_english order_negated standing habit taste copula "
    "condition hearsay acquaintance kin others me number time denial remember "
    "answers english korean no_predicate"
)


@dataclass(frozen=True, slots=True)
class ReadPairs:
    """Clauses beside known items, and what the encoder says of each: a row a pair."""

    pairs: Sequence[ClauseItemPair]
    read: Numbers

    def as_rows(self) -> Mapping[ClauseItemPair, Numbers]:
        """Return the rows by their pair."""
        return dict(zip(self.pairs, self.read, strict=True))


@dataclass(frozen=True, slots=True)
class Touching:
    """Clauses that may touch what is known, with everything that is weighed of them."""

    candidates: Sequence[ClauseCandidate]
    known: Sequence[KnownMemory]
    near: Nearness
    references: ItemReferences
    """Which item each clause is about, the pairs read."""
    intents: Numbers
    """Probability of each intent, a row a clause."""
    worth: Numbers


def list_touching(touching: Touching, read: ReadPairs) -> list[ClauseItemPair]:
    """Return the clauses that are about an item and wish nothing, with the item."""
    intents, references = touching.intents, touching.references
    return [
        (clause, references.nearest[clause])
        for clause in sorted({clause for clause, _ in read.pairs})
        if references.scores[clause].max() >= MIN_ABOUT
        and intents[clause, _FORGET] < WISHES
        and not touching.candidates[clause].is_answer
    ]


def build_effect_features(
    touching: Touching, read: ReadPairs, pairs: Sequence[ClauseItemPair]
) -> Numbers:
    """Return what is weighed of the clauses beside their items, a row a pair."""
    rows = read.as_rows()
    length = np.log(len(touching.candidates))
    found = [
        np.concatenate(
            [
                compute_log_odds(touching.intents[clause]),
                rows[clause, item],
                touching.near.figures[clause, item],
                touching.near.numbers[clause, item],
                [touching.known[item].category == kind for kind in Category],
                [touching.worth[clause].clip(LOWEST, HIGHEST), length],
                _build_own_figures(touching.candidates[clause]),
            ]
        )
        for clause, item in pairs
    ]
    return np.array(found, dtype=np.float64)


def weigh_effects(touching: Touching, read: ReadPairs, model: LinearModel) -> Numbers:
    """Return the intents, those of clauses about a known item weighed anew."""
    pairs = list_touching(touching, read)
    if not pairs:
        return touching.intents
    features = build_effect_features(touching, read, pairs)
    weighed = touching.intents.copy()
    clauses = [clause for clause, _ in pairs]
    found = compute_probability(model.compute_logits(features))
    weighed[np.ix_(clauses, _COLUMNS)] = found
    return weighed


def _build_own_figures(candidate: ClauseCandidate) -> list[float]:
    """Return what is seen of a clause by itself."""
    flags = [candidate.flags[name] for name in _FLAGS]
    return [*flags, float(is_plain(candidate)), len(candidate.clause.text) / 50]
