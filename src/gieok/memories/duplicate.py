"""When two claims say the same (D02, D06).

Only near-identical wording counts: sentences that differ in a number, in a negation or
in a word that matters are different facts however close their vectors are.
"""

from collections.abc import Callable, Sequence
from uuid import UUID

import numpy as np

from gieok.kernel.language import SourcedMemory, Vectors
from gieok.memories.fact_index import FactIndex
from gieok.memories.model import Embedding, Fact, Memory
from gieok.text.patterns import compile_lazily
from gieok.text.same_wording import is_negated, remove_subject

SAME_FACT_COSINE = 0.965
"""Cosine from which multilingual-e5-small calls two short facts the same: paraphrases
of the training corpus' reinforced facts lie above it, facts of one topic below."""

RELATED_COSINE = 0.9
"""Cosine from which multilingual-e5-small says that two short facts share a topic."""
MAX_RELATED = 3

_NUMBER = compile_lazily(r"\d+(?:[.,:]\d+)*")
DifferenceTest = Callable[[tuple[str, str], Vectors], bool]
"""Tells whether two near texts state different facts, from them and their vectors."""


ContradictionTest = Callable[[SourcedMemory, Sequence[str], Vectors], list[int]]
"""Tells which known texts a new memory contradicts, from it, them and their vectors."""


def assume_compatible(_: SourcedMemory, __: Sequence[str], ___: Vectors) -> list[int]:
    """Take nothing to contradict anything: nothing is there to tell."""
    return []


def assume_same(_: tuple[str, str], __: Vectors) -> bool:
    """Take near texts for the same fact: nothing is there to tell them apart."""
    return False


def find_duplicate(
    content: str,
    embedding: Embedding | None,
    facts: FactIndex,
    differs: DifferenceTest = assume_same,
) -> Fact | None:
    """Return the fact that says the same already, if there is one."""
    repeat = facts.find_repeat(content)
    if repeat is not None:
        return repeat
    return next(
        (
            fact
            for fact in facts.list_near(embedding, SAME_FACT_COSINE)
            if is_same_fact(
                (content, fact.memory.content), (embedding, fact.embedding), differs
            )
        ),
        None,
    )


def is_same_fact(
    texts: tuple[str, str],
    embeddings: tuple[Embedding | None, Embedding | None],
    differs: DifferenceTest,
) -> bool:
    """Tell whether two texts, whose vectors are of one kind, state the same fact."""
    one, other = embeddings
    if one is None or other is None or one.vector.shape != other.vector.shape:
        return False
    if one.vector @ other.vector < SAME_FACT_COSINE or not _has_same_details(*texts):
        return False
    bare = remove_subject(texts[0]), remove_subject(texts[1])
    return not differs(bare, np.stack([one.vector, other.vector]))


def find_nearest(memory_id: UUID, facts: Sequence[Fact]) -> tuple[Memory, ...]:
    """Return what is in use and of the same category and topic, the nearest first."""
    own = next((fact for fact in facts if fact.memory.memory_id == memory_id), None)
    if own is None:
        return ()
    close = [
        (compute_similarity(own.embedding, fact.embedding), fact.memory)
        for fact in facts
        if fact is not own and fact.memory.category is own.memory.category
    ]
    close.sort(key=lambda pair: pair[0], reverse=True)
    return tuple(memory for share, memory in close if share >= RELATED_COSINE)[
        :MAX_RELATED
    ]


def compute_similarity(one: Embedding | None, other: Embedding | None) -> float:
    """Return the cosine of two vectors of one embedder, 0 for others."""
    if one is None or other is None or one.embedder != other.embedder:
        return 0.0
    return float(one.vector @ other.vector)


def _has_same_details(one: str, other: str) -> bool:
    numbers = set(_NUMBER.findall(one)) == set(_NUMBER.findall(other))
    return numbers and is_negated(one) == is_negated(other)
