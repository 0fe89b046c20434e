"""Which known item a clause is about: the same subject and the same slot.

For every pair of a clause and a known item a linear model weighs how near they are, by
themselves and beside the other known items. Clauses are never compared with each other:
the only clause of a session would always be the nearest to something.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

from gieok.kernel.language import Category, KnownMemory, Vectors
from gieok.models.rules.content_words import extract_terms
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.linear import LinearModel, Numbers, compute_probability
from gieok.models.rules.slots import SlotModels
from gieok.models.rules.token_ngrams import NOTHING, ItemTerms
from gieok.text.kiwi import Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily
from gieok.text.relatives import extract_relatives

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

T = TypeVar("T")
FIGURES: Final = 20  # of each pair
MAX_SHARED: Final = 3  # words that are counted
_NUMBER: Final = compile_lazily(
    r"\d+(?:[.:]\d+)?|[한두세네]\s?(?=시|살|마리|번|개|명|잔)|[가-힣]{1,3}(?=\s?살)"
)
_PERSON: Final = _LISTS.compile_list("reference.person")


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near every clause (row) is to every known item (column)."""

    figures: Numbers
    """Shape (clauses, known items, FIGURES)."""
    items: tuple[ItemTerms, ...]
    """What is read of each known item."""
    numbers: Numbers
    """Whether clause and item hold other numbers, or the same; shape (clauses, known
    items, 2)."""


@dataclass(frozen=True, slots=True)
class ItemReferences:
    """The known item each clause is most likely about."""

    nearest: tuple[int, ...]
    """By clause; -1 where nothing is known."""
    scores: Numbers
    """The probability that the clause is about the item, if it is about any; shape
    (clauses, known items)."""
    about: tuple[ItemTerms, ...]
    """What is read of each clause's nearest item."""
    figures: Numbers
    """Of the nearest item: those of nearness, its log-odds, its lead over the next,
    its numbers and its category; shape (clauses, ALL_FIGURES)."""


def remove_subject(content: str) -> str:
    """Return a known item without the user as its subject, as a clause would say it."""
    return _PERSON.sub("", content) or content or "-"


def measure_nearness(
    evidence: ClauseEvidence,
    known: Sequence[KnownMemory],
    vectors: Vectors,
    morphology: Morphology,
    slots: SlotModels,
) -> Nearness:
    """Return the nearness of every clause to every known item.

    `vectors` are those of the bare items.
    """
    items = tuple(extract_terms(item.content, morphology) for item in known)
    clause = (evidence.clauses @ vectors.T).astype(np.float64)
    context = (evidence.contexts @ vectors.T).astype(np.float64)
    slot = slots.measure_agreement(evidence.clauses, vectors)
    slot_around = slots.measure_agreement(evidence.contexts, vectors)
    figures = [
        (clause - 0.85) * 10,
        (context - 0.85) * 10,
        compute_leads(clause) * 10,
        compute_leads(context) * 10,
        (clause - clause.mean(axis=1, keepdims=True)) * 10 * (len(known) > 1),
        slot,
        slot_around,
        compute_leads(slot),
        compute_leads(slot_around),
        *_measure_shared_words(evidence, items, morphology),
        *_measure_shared_subjects(evidence, known, morphology),
    ]
    about = [ItemTerms(t, item.category) for t, item in zip(items, known, strict=True)]
    return Nearness(
        figures=np.stack(figures, axis=2).astype(np.float64),
        items=tuple(about),
        numbers=_compare_numbers(evidence, known),
    )


def _compare_numbers(evidence: ClauseEvidence, known: Sequence[KnownMemory]) -> Numbers:
    """Return for each pair whether both hold numbers that differ, or that agree."""
    own = [frozenset(_NUMBER.findall(c.clause.text)) for c in evidence.candidates]
    items = [frozenset(_NUMBER.findall(item.content)) for item in known]
    differ = _build_table(own, items, lambda a, b: float(bool(a and b and not a & b)))
    agree = _build_table(own, items, lambda a, b: float(bool(a & b)))
    return np.stack([differ, agree], axis=2)


def compute_leads(values: Numbers) -> Numbers:
    """Return by how much each value exceeds the best of the others of its row."""
    if values.shape[1] == 1:
        return np.zeros_like(values)
    ordered: Numbers = np.sort(values, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    rest: Numbers = np.where(values == best, second, best)
    return values - rest


def _measure_shared_words(
    evidence: ClauseEvidence, items: Sequence[frozenset[str]], morphology: Morphology
) -> list[Numbers]:
    """Return how much of the words clause, message and session share with the items."""
    own = [extract_terms(c.clause.text, morphology) for c in evidence.candidates]
    asked = [extract_terms(c.turn.asked, morphology) for c in evidence.candidates]
    messages = [c.clause.message for c in evidence.candidates]
    said: dict[int, frozenset[str]] = {}
    so_far: list[frozenset[str]] = []
    for place, words, question in zip(messages, own, asked, strict=True):
        said[place] = said.get(place, frozenset()) | words
        so_far.append(words.union(question, *so_far[-1:]))
    message = [said[place] for place in messages]
    holders = {
        word: sum(word in other for other in items) for item in items for word in item
    }
    share = _build_table(own, items, lambda a, b: len(a & b) / max(1, len(b)))
    return [
        share,
        _build_table(own, items, lambda a, b: len(a & b) / max(1, len(a))),
        _build_table(message, items, lambda a, b: len(a & b) / max(1, len(b))),
        _build_table(so_far, items, lambda a, b: len(a & b) / max(1, len(b))),
        _build_table(asked, items, lambda a, b: len(a & b) / max(1, len(b))),
        _build_table(own, items, lambda a, b: float(min(MAX_SHARED, len(a & b)))),
        compute_leads(share),
        _build_table(message, items, lambda a, b: sum(1 / holders[w] for w in a & b)),
    ]


def _measure_shared_subjects(
    evidence: ClauseEvidence, known: Sequence[KnownMemory], morphology: Morphology
) -> list[Numbers]:
    """Return whether both name the same person, and whether either names another."""
    items = [extract_relatives(item.content, morphology) for item in known]
    own = [extract_relatives(c.clause.text, morphology) for c in evidence.candidates]
    return [
        _build_table(own, items, lambda a, b: float(bool(a & b))),
        _build_table(own, items, lambda a, b: float(bool(a - b))),
        _build_table(own, items, lambda a, b: float(bool(b - a))),
    ]


def _build_table(
    rows: Sequence[frozenset[T]],
    columns: Sequence[frozenset[T]],
    figure: Callable[[frozenset[T], frozenset[T]], float],
) -> Numbers:
    """Return a figure of every pair."""
    return np.array([[figure(row, column) for column in columns] for row in rows])


def predict_references(near: Nearness, model: LinearModel) -> ItemReferences:
    """Return which known item each clause is about, if it is about any."""
    rows, columns, size = near.figures.shape
    flat = model.compute_logits(near.figures.reshape(rows * columns, size))[:, 0]
    logits = flat.reshape(rows, columns)
    nearest: list[int] = logits.argmax(axis=1).tolist()
    lead = np.clip(compute_leads(logits), -10, 10)
    every = list(range(rows))
    about = tuple(near.items[place] for place in nearest)
    chosen = np.stack([logits, lead], axis=2)[every, nearest]
    return ItemReferences(
        nearest=tuple(nearest),
        scores=compute_probability(logits),
        about=about,
        figures=np.hstack(
            [
                near.figures[every, nearest],
                chosen,
                near.numbers[every, nearest],
                [[float(a.category == name) for name in Category] for a in about],
            ]
        ),
    )


def create_empty_references(clauses: int) -> ItemReferences:
    """Return what to go by where nothing is known yet."""
    return ItemReferences(
        nearest=(-1,) * clauses,
        scores=np.zeros((clauses, 0)),
        about=(NOTHING,) * clauses,
        figures=np.tile(_ABSENT, (clauses, 1)),
    )


_ABSENT: Final = np.array(
    [-1.0] * 4 + [0.0] * (FIGURES - 4) + [-5.0] + [0.0] * (3 + len(Category))
)
