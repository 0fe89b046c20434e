"""Ranking of one person's items for one question: meaning, words, who spoke, when.

    text = remove_names(asked, index.items.names, tokenizer.terms)  # to be embedded
    question = SearchQuery.from_terms(tokenizer.terms(asked), vector=vector, now=now)
    scores = score_rows(index, question)               # float32 [n], finite
    best = select_top(scores, 10, among=mask)          # row numbers, best first

Items are embedded without names, so the question is too: a name in it would find
whoever is greeted by that name. The terms are of the whole question; a speaker's name
among them is taken out and favours that speaker's rows, else the user's are favoured.

Words count in absolute shares: the part of the question's vocabulary, rare words more,
that an item and its neighbours hold. Where a person's items hold little of it (a
paraphrase, another language) that share is small everywhere and the vectors decide; a
z-score would blow a few accidental hits up instead. The meaning of the neighbours and
of the session's best rows counts as far as the question's vocabulary was found at all.

What was measured stands with `RankWeights`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from gieok.kernel.language import Vectors
from gieok.search.factors import score_facts, score_interval
from gieok.search.index import RowNumbers, SearchIndex
from gieok.search.lexicon import hash_terms
from gieok.search.rows import NO_NAME, Floats, Hashes, RowKind, RowMask, Speaker

_MAX_TERMS = 64
"""Different terms of a question that are looked up: the first of a pasted text."""
_SATURATION = 1.2
"""BM25's k1, the usual value."""
_LENGTH_SHARE = 0.75
"""BM25's b, the usual value."""
_BEST_OF_SESSION = 3
"""Rows of a session whose mean score stands for it (design §5)."""
_SUBSTANCE = 16
"""Terms from which on a longer row is not worth more: 8 to 30 measured alike."""
_SHARES_A_WORD = np.float32(1)
"""Standard deviations that a word in common is worth at least."""
_STILL = 1e-6
"""A spread of scores below this is rounding: they say nothing."""


@dataclass(frozen=True, slots=True)
class RankWeights:
    """What each signal counts for, in standard deviations of the cosine.

    One set for every language and every kind of memory, chosen in the middle of a broad
    plateau. Evidence recall@10 on LoCoMo (five conversations, 760 questions) and on the
    Korean, English and mixed users (80 questions): .829 and .890; all weights changed
    at random by a quarter: .830 and .890 on average, .817 and .865 at worst; chosen
    without the conversation or user they are tested on: .829 and .877. Each attribute
    ends with what is left of the two without it.

    Attributes:
        words: the share of the question's vocabulary in a row and its neighbours.
            (.780 .890)
        around: the cosine of the row together with its neighbours. (.823 .858)
        named: the row is by a speaker whom the question names. (.797 .890)
        user: the row is by the user, in a question that names no speaker. (.829 .821)
        substance: per e-fold of the number of terms in a message. (.830 .858)
        asks: taken from a row that is itself a question. (.822 .865)
        session: the mean of the three best rows of the row's session. (.814 .877)
        during: the row lies in the time that the question speaks of. (.814 .890)
        favour: the trust, freshness and use of a fact (factors.py); there are no
            facts in these sets, so it is small on purpose.
    """

    words: float = 4.0
    around: float = 0.75
    named: float = 2.0
    user: float = 1.25
    substance: float = 0.6
    asks: float = 0.75
    session: float = 0.5
    during: float = 1.5
    favour: float = 0.375


DEFAULT = RankWeights()


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is asked: its terms and, if it could be embedded, its vector.

    `now` and `interval` (start and end) are seconds since 1970. `favours` is the
    speaker whose rows are favoured when the question names nobody; None is nobody.
    `memory_vector` stands for `vector` beside facts, summaries and episodes.
    """

    terms: Hashes
    vector: Vectors | None = None
    now: float = 0.0
    interval: tuple[float, float] | None = None
    favours: Speaker | None = Speaker.USER
    memory_vector: Vectors | None = None

    @classmethod
    def from_terms(
        cls,
        terms: Sequence[str],
        *,
        vector: Vectors | None = None,
        now: float = 0.0,
        interval: tuple[float, float] | None = None,
        favours: Speaker | None = Speaker.USER,
    ) -> Self:
        """Return a question from its plain terms."""
        return cls(hash_terms(terms), vector, now, interval, favours)


class RowScores(NamedTuple):
    """One finite score per row of an index, higher is better, and its parts.

    The parts are in standard deviations of the cosine. They are named after
    `RankWeights`; the cosine of the row alone is `meaning`, who spoke `speaker`.
    """

    total: Floats
    signals: Mapping[str, Floats]


def score_rows(
    index: SearchIndex, question: SearchQuery, weights: RankWeights = DEFAULT
) -> Floats:
    """Return one finite score per row of the index; higher is better."""
    return measure_signals(index, question, weights).total


def measure_signals(
    index: SearchIndex, question: SearchQuery, weights: RankWeights = DEFAULT
) -> RowScores:
    """Return the scores of the rows together with what they are sums of."""
    if not len(index):
        return RowScores(np.zeros(0, np.float32), {})
    named = _find_named_rows(index, question)
    words, found = _score_words(index, question)
    alone, around = _compute_cosines(index, question)
    signals = {
        "meaning": alone,
        "words": weights.words * words,
        "around": found * weights.around * around,
        "speaker": _score_speakers(index, question, named, weights),
        "substance": weights.substance * _measure_substance(index),
        "asks": -weights.asks * index.items.asks,
    }
    said = np.asarray(np.sum(list(signals.values()), axis=0), np.float32)
    facts = index.items.kinds == RowKind.MEMORY
    more = {
        "session": found * weights.session * _score_sessions(index, said),
        "during": weights.during * score_interval(index.items.at, question.interval),
        "favour": weights.favour * facts * score_facts(index.items, question.now),
    }
    total = np.asarray(np.sum([said, *more.values()], axis=0), np.float32)
    return RowScores(total, signals | more)


def measure_similarity(index: SearchIndex, question: SearchQuery) -> Floats:
    """Return how much each row has of the question, from 0 to 1, for any question.

    1 - (1 - meaning) (1 - words): the cosine, below 0 or unknown as 0, and the share of
    the question's vocabulary, rare words more, in the row and its neighbours, at most
    1. What `score_rows` takes relative to the other rows is here as it is, so it
    compares between questions of one person, but not between embedders.
    """
    if not len(index):
        return np.zeros(0, np.float32)
    words, _ = _score_words(index, question)
    meaning = np.zeros(len(index), np.float32)
    if question.vector is not None:
        cosine = np.vecdot(index.items.vectors, _flatten_vector(question.vector))
        meaning = np.where(index.items.embedded, cosine, meaning)
    missed = (1 - np.clip(meaning, 0, 1)) * (1 - np.clip(words, 0, 1))
    return np.asarray(1 - missed, np.float32)


def measure_relevance(
    index: SearchIndex, question: SearchQuery, among: RowMask
) -> Floats:
    """Return for each marked row how far it bears on the question; NaN is unknown.

    Its cosine in standard deviations above the mean of the marked rows, or at least 1
    where it holds a word of the question. An embedder's cosine says nothing by itself:
    of e5's, a passing question's best is as high as a real one's.
    """
    found = np.full(len(index), np.nan, np.float32)
    if not among.any():
        return found
    embedded = among & index.items.embedded
    if question.vector is not None and np.count_nonzero(embedded) > 1:
        cosine = _compare_vectors(index, question)
        found = np.where(embedded, _standardize_values(cosine, embedded), found)
    words, _ = _score_words(index, question)
    shared = among & (words > 0)
    return np.where(shared, np.fmax(found, _SHARES_A_WORD), found).astype(np.float32)


def select_top(scores: Floats, limit: int, among: RowMask | None = None) -> RowNumbers:
    """Return the rows of the highest scores, best first, the earlier of equals first.

    `among` marks the rows that may be returned at all.
    """
    rows = np.arange(len(scores)) if among is None else np.flatnonzero(among)
    if limit <= 0:
        return rows[:0]
    lost = -scores[rows]
    if limit < len(rows):
        last = np.partition(lost, limit - 1)[limit - 1]
        rows, lost = rows[lost <= last], lost[lost <= last]
    return rows[np.argsort(lost, kind="stable")][:limit]


def _compute_cosines(
    index: SearchIndex, question: SearchQuery
) -> tuple[Floats, Floats]:
    """Return the standardised cosines of the rows alone and with their neighbours."""
    embedded = index.items.embedded
    if question.vector is None or not embedded.any():
        nothing = np.zeros(len(index), np.float32)
        return nothing, nothing
    cosine = np.where(embedded, _compare_vectors(index, question), np.float32(0))
    around = _add_neighbours(index, cosine) / index.beside.lengths
    return _standardize_values(cosine, embedded), _standardize_values(around, embedded)


def _compare_vectors(index: SearchIndex, question: SearchQuery) -> Floats:
    """Return the cosine of each row; what is not embedded has any.

    Where facts and summaries are compared with a vector of their own, their mean stays
    what it is with the question's: only their order changes.
    """
    items = index.items
    # Not the @ of BLAS: on busy cores its threads wait for each other, 8 ms not 0.5.
    cosine = np.vecdot(items.vectors, _flatten_vector(question.vector))
    told = np.flatnonzero(items.embedded & (items.kinds != RowKind.MESSAGE))
    if question.memory_vector is None or not len(told):
        return cosine
    own = np.vecdot(items.vectors[told], _flatten_vector(question.memory_vector))
    cosine[told] = own + (cosine[told].mean() - own.mean())
    return cosine


def _flatten_vector(vector: Vectors | None) -> Vectors:
    return np.nan_to_num(np.asarray(vector, np.float32).reshape(-1))


def _standardize_values(values: Floats, known: RowMask) -> Floats:
    """Return the values as distances from the mean; the unknown are average."""
    spread = values[known].std()
    if spread < _STILL:
        return np.zeros_like(values)
    return np.where(known, (values - values[known].mean()) / spread, np.float32(0))


def _add_neighbours(index: SearchIndex, values: Floats) -> Floats:
    padded = np.append(values, np.float32(0))
    return values + padded[index.beside.before] + padded[index.beside.after]


def _score_words(index: SearchIndex, question: SearchQuery) -> tuple[Floats, float]:
    """Return BM25 as a share of the question's weight, and the share found at all."""
    rows = len(index)
    terms = np.setdiff1d(_select_terms(question.terms), index.items.names)
    lengths = _add_neighbours(index, index.items.counts.astype(np.float32))
    mean = max(float(lengths.mean()), 1.0)
    penalty = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * lengths / mean)
    total, found, score = 0.0, 0.0, np.zeros(rows, np.float32)
    for term in terms.tolist():
        counts = index.lexicon.count_occurrences(term)
        if counts is None:
            total += _compute_rarity(0, rows)
            continue
        counts = _add_neighbours(index, counts)
        rarity = _compute_rarity(int(np.count_nonzero(counts)), rows)
        total, found = total + rarity, found + rarity
        score += np.float32(rarity * (_SATURATION + 1)) * counts / (counts + penalty)
    if not total:
        return score, 0.0
    return score / np.float32(total), found / total


def _select_terms(terms: Hashes) -> Hashes:
    distinct, places = np.unique(terms, return_index=True)
    return distinct[np.argsort(places)[:_MAX_TERMS]]


def _compute_rarity(holders: int, rows: int) -> float:
    """Return BM25's weight of a term that so many of the rows hold."""
    return float(np.log1p((rows - holders + 0.5) / (holders + 0.5)))


def _find_named_rows(index: SearchIndex, question: SearchQuery) -> RowMask:
    """Return which rows are by a speaker whom the question names."""
    names = index.items.names
    return (names != NO_NAME) & np.isin(names, question.terms)


def _score_speakers(
    index: SearchIndex, question: SearchQuery, named: RowMask, weights: RankWeights
) -> Floats:
    if named.any():
        return np.where(named, np.float32(weights.named), np.float32(0))
    if question.favours is None:
        return np.zeros(len(index), np.float32)
    favoured = index.items.speakers == question.favours
    return np.where(favoured, np.float32(weights.user), np.float32(0))


def _measure_substance(index: SearchIndex) -> Floats:
    """Return the logarithm of how much a row says; only messages can be small talk."""
    spoken = index.items.kinds == RowKind.MESSAGE
    counts = np.where(spoken, index.items.counts, _SUBSTANCE)
    return np.log1p(np.minimum(counts, _SUBSTANCE).astype(np.float32))


def _score_sessions(index: SearchIndex, scores: Floats) -> Floats:
    """Return for each row the mean of its session's best scores."""
    groups = index.beside.groups
    order = np.lexsort((-scores, groups))
    sizes = np.bincount(groups)
    starts = np.cumsum(sizes) - sizes
    place = np.arange(len(scores)) - np.repeat(starts, sizes)
    best = np.where(place < _BEST_OF_SESSION, scores[order], np.float32(0))
    mean = np.add.reduceat(best, starts) / np.minimum(sizes, _BEST_OF_SESSION)
    return mean[groups].astype(np.float32)
