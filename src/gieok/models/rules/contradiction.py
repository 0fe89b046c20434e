"""Whether a new memory says otherwise than a known one: same subject, other value.

Nobody need say that anything changed: who lived in Leeds and tells of a flat in York
has moved. Unlike a change that is stated (`relation`), this takes nothing out of use;
it says which of two memories is the one to show.

A linear model weighs how near the two are, how far they are about the same part of the
person's life and which (one has one home, and many tastes), what words and people they
share, by how much this known memory is nearer than all others, in what their vectors
agree, and the vector of the new one, for some words tell of a change ("is off", "now",
"끊었다"). What may be meant by that is read by an encoder, both at once
(`memory_pairs`), and the two opinions are weighed together; see
`training/train_contradiction.py`. Where the message is at hand that the new one came
of, another reads that as well: "goodbye Leeds" may stand beside what was remembered.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from gieok.kernel.language import SourcedMemory, Vectors
from gieok.models.rules.content_words import extract_terms
from gieok.models.rules.item_owners import has_other_owner
from gieok.models.rules.linear import LinearModel, Numbers
from gieok.models.rules.reference import compute_leads
from gieok.models.rules.slots import SlotModels
from gieok.text.kiwi import Morphology
from gieok.text.patterns import compile_lazily
from gieok.text.relatives import extract_relatives
from gieok.text.same_wording import is_negated

MAX_COMPARED: Final = 12
"""Known memories that are compared word by word: the nearest ones."""
MAX_READ: Final = 3
"""Of them, how many are read by the encoder: the likeliest ones."""
MIN_READ: Final = -3.0
"""Log-odds by words and vectors from which one is read."""
MIN_ODDS: Final = 1.0
"""Log-odds of both together from which one says otherwise.

Half of the new memories that it learned from are changes, in life one in nine or fewer:
it is set by how many hide something that is true, see decision 0051."""
MIN_READ_WITH_MESSAGE: Final = -5.0
"""The same from which one is read with the message that the new one came of."""
MIN_ODDS_WITH_MESSAGE: Final = 1.5
"""Log-odds of what is read with the message from which one says otherwise.

How near the two are says nothing more then, see decision 0055."""
_USUAL_COSINE: Final = 0.85
_MAX_SHARED: Final = 3
_NUMBER: Final = compile_lazily(r"\d+", re.ASCII)

PairReader = Callable[[Sequence[tuple[str, SourcedMemory]]], Numbers]
"""Returns log-odds, one for each known memory and new one (`memory_pairs`)."""


class ContradictionWeights(NamedTuple):
    """What was learned."""

    near: LinearModel
    """Weighs words and vectors."""
    both: LinearModel
    """Weighs the log-odds of that and of the encoder."""


@dataclass(frozen=True, slots=True)
class ContradictionModel:
    """Compares memories by their words, by vectors of the bundled embedder, and read.

    It computes for some 30 ms, with a message up to 0.3 s: not for the event loop.
    """

    morphology: Morphology
    slots: SlotModels
    weights: ContradictionWeights
    read: PairReader
    """Reads the two memories."""
    read_with_message: PairReader
    """Reads them with the message that the new one came of."""

    def __call__(
        self, new: SourcedMemory, known: Sequence[str], rows: Vectors
    ) -> list[int]:
        """Return the places of the known memories that a new one contradicts.

        `rows` are the vectors of what is known, one a memory.

        Raises:
            ConfigurationError: see `read_memory_pairs`.
        """
        if not known:
            return []
        places, features = self.measure(new.content, new.vector, known, rows)
        odds = self.weights.near.compute_logits(features)[:, 0]
        texts = [known[place] for place in places]
        odds[self._find_of_others(new, texts)] = -np.inf
        compared = self._compare(new, texts, odds)
        odds[compared] = -np.inf  # known by now
        read = self._compare_with_message(new, texts, odds)
        return [places[number] for number in sorted([*compared, *read])]

    def _find_of_others(self, new: SourcedMemory, known: Sequence[str]) -> list[int]:
        """Return the places of what is somebody else's than what is new."""
        return [
            place
            for place, text in enumerate(known)
            if has_other_owner(text, new.content, new.message, self.morphology)
        ]

    def _compare(
        self, new: SourcedMemory, known: Sequence[str], odds: Numbers
    ) -> list[int]:
        """Return the places of what is over by words, by vectors, and as read."""
        likely = select_likely(odds)
        if not likely:
            return []
        read = self.read([(known[number], new) for number in likely])
        both = np.column_stack([odds[likely], read])
        sure = self.weights.both.compute_logits(both)[:, 0]
        return _select_sure(likely, sure, MIN_ODDS)

    def _compare_with_message(
        self, new: SourcedMemory, known: Sequence[str], odds: Numbers
    ) -> list[int]:
        """Return the places of what is over by the message that a memory came of."""
        likely = select_likely(odds, MIN_READ_WITH_MESSAGE) if new.message else []
        if not likely:
            return []
        read = self.read_with_message([(known[number], new) for number in likely])
        return _select_sure(likely, read, MIN_ODDS_WITH_MESSAGE)

    def measure(
        self, text: str, vector: Vectors, known: Sequence[str], rows: Vectors
    ) -> tuple[list[int], Numbers]:
        """Return the places of the nearest known memories, and a row for each."""
        near = (rows @ vector).astype(np.float64)
        common = self.slots.measure_common(vector, rows)
        like = common.sum(axis=1)
        leads = compute_leads(near[None])[0] * 10, compute_leads(like[None])[0]
        places: list[int] = np.argsort(-near, kind="stable")[:MAX_COMPARED].tolist()
        words = np.array([self._compare_words(known[place], text) for place in places])
        near = (near - _USUAL_COSINE) * 10
        measured = np.column_stack(
            [near, like, *leads, near * like, like**2, common, common * near[:, None]]
        )
        new = vector.astype(np.float64)
        agreeing, alone = rows[places] * new, np.repeat(new[None], len(places), axis=0)
        return places, np.hstack([measured[places], words, agreeing, alone])

    def _compare_words(self, known: str, text: str) -> list[float]:
        """Return what two memories share in words, people and numbers."""
        one, other = (extract_terms(each, self.morphology) for each in (known, text))
        people, others = (
            extract_relatives(each, self.morphology) for each in (known, text)
        )
        numbers, changed = (set(_NUMBER.findall(each)) for each in (known, text))
        shared = len(one & other)
        left, right = (
            len(each - numbers - changed) for each in (one - other, other - one)
        )
        return [
            shared / max(1, len(one)),
            shared / max(1, len(other)),
            float(min(shared, _MAX_SHARED)),
            float(min(left, _MAX_SHARED)),
            float(min(right, _MAX_SHARED)),
            float(not (left or right) and numbers != changed),
            float(bool(people & others)),
            float(bool(people ^ others)),
            float(bool(numbers and changed and not numbers & changed)),
            float(is_negated(known) != is_negated(text)),
        ]


def select_likely(odds: Numbers, least: float = MIN_READ) -> list[int]:
    """Return the places of what is worth reading, the likeliest first."""
    order: list[int] = np.argsort(-odds, kind="stable")[:MAX_READ].tolist()
    return [number for number in order if odds[number] >= least]


def _select_sure(numbers: Sequence[int], odds: Numbers, least: float) -> list[int]:
    sure: list[bool] = (odds >= least).tolist()
    return [number for number, is_sure in zip(numbers, sure, strict=True) if is_sure]
