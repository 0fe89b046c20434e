"""The model that needs no model: rules find, small classifiers judge."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from gieok.kernel.errors import NoChatModelError
from gieok.kernel.language import (
    Conversation,
    Embedder,
    Finding,
    Gist,
    Known,
    Note,
    Reply,
    Utterance,
    Vectors,
)
from gieok.models import tuned_e5
from gieok.models.e5 import E5Embedder
from gieok.models.kiwi import Morphology
from gieok.models.rules.candidates import Candidate, candidates
from gieok.models.rules.condensing import condensed
from gieok.models.rules.decide import Material, assess, findings, references_of
from gieok.models.rules.evidence import Evidence
from gieok.models.rules.gist import digest, gist
from gieok.models.rules.linear import Numbers
from gieok.models.rules.reader import (
    ABOUT,
    Pair,
    close_pairs,
    nearest_pairs,
    pair_texts,
    with_about,
)
from gieok.models.rules.reading import read
from gieok.models.rules.reference import References, bare, nearness
from gieok.models.rules.slots import SlotModels
from gieok.models.rules.weights import Weights, shipped, shipped_mood

NAME: Final = "rules/3"
DIMENSION: Final = 384  # of the vectors the weights were trained on
MOST_KNOWN: Final = 200  # items a conversation is compared with, the newest


class RulesModel:
    """Extracts facts with morphology, frames and logistic judges; no key needed.

    The judges were trained on the vectors of the bundled embedder, so it has to be
    given here even where recall uses another one.
    """

    def __init__(
        self,
        embedder: Embedder,
        morphology: Morphology,
        *,
        reader: Embedder | None = None,
        weights: Weights | None = None,
    ) -> None:
        if embedder.dimension != DIMENSION:
            message = (
                f"the rules need the bundled embedder ({DIMENSION} dimensions), "
                f"not {embedder.name}"
            )
            raise ValueError(message)
        self._embedder = embedder
        self._reader = reader or E5Embedder(tuned_e5.load)
        self._morphology = morphology
        self._weights = weights

    @property
    def name(self) -> str:
        """Name and version, kept as the provenance of everything it finds."""
        return NAME

    async def extract(self, conversation: Conversation) -> tuple[Finding, ...]:
        """Return what the conversation says about its user; may be empty."""
        found = await asyncio.to_thread(self._candidates, conversation)
        if not found:
            return ()
        known = conversation.known[-MOST_KNOWN:]
        texts = texts_of(found, known)
        distinct = list(dict.fromkeys(texts))
        rows = await self._embedder.passages(distinct)
        place = {text: number for number, text in enumerate(distinct)}
        vectors = rows[[place[text] for text in texts]]
        material, references = await asyncio.to_thread(
            self._related, conversation, found, vectors
        )
        read = await self._read(material, nearest_pairs(references))
        weights = self._weights or shipped()
        assessed = await asyncio.to_thread(assess, material, references, read, weights)
        pairs = close_pairs(assessed.intents, references)
        read = await self._read(material, pairs)
        about: list[float] = read[:, ABOUT].tolist()
        references = with_about(references, pairs, about, weights.about)
        sure = replace(assessed, references=references)
        return await asyncio.to_thread(findings, material, sure, weights.thresholds)

    async def summarize(self, conversation: Conversation) -> Gist:
        """Return what the conversation was about, in its user's own words."""
        weights = shipped_mood()
        read = await asyncio.to_thread(
            digest, conversation, self._morphology, weights.salience
        )
        if read is None:
            return Gist("")
        rows = await self._embedder.passages([read.told])
        return await asyncio.to_thread(gist, read, rows[0], weights)

    async def condense(self, notes: Sequence[Note], language: str) -> str:
        """Return the most important notes as one text, in order of time."""
        return await asyncio.to_thread(condensed, notes, language, self._morphology)

    async def reply(self, instructions: str, messages: Sequence[Utterance]) -> Reply:
        """Say that rules cannot talk.

        Raises:
            NoChatModelError: always.
        """
        del instructions, messages
        raise NoChatModelError

    def _candidates(self, conversation: Conversation) -> tuple[Candidate, ...]:
        """Return the clauses that may be judged."""
        return candidates(read(conversation), self._morphology)

    def _related(
        self,
        conversation: Conversation,
        found: tuple[Candidate, ...],
        vectors: Vectors,
    ) -> tuple[Material, References]:
        """Measure a conversation, and find what its clauses are about."""
        weights = self._weights or shipped()
        material = material_of(
            conversation, found, vectors, self._morphology, weights.slots
        )
        return material, references_of(material, weights)

    async def _read(self, material: Material, pairs: Sequence[Pair]) -> Numbers:
        """Return what the encoder says of pairs of a clause and an item."""
        candidates = material.evidence.candidates
        texts = pair_texts(candidates, material.known, pairs)
        vectors = await self._reader.passages(texts)
        weights = self._weights or shipped()
        return weights.reader.logits(vectors.astype(np.float64))


def texts_of(found: Sequence[Candidate], known: Sequence[Known]) -> list[str]:
    """Return what has to be embedded, in the order `material_of` expects."""
    clauses = [candidate.clause.text for candidate in found]
    contexts = [candidate.context for candidate in found]
    return clauses + contexts + [bare(item.content) for item in known]


def material_of(
    conversation: Conversation,
    found: tuple[Candidate, ...],
    vectors: Vectors,
    morphology: Morphology,
    slots: SlotModels,
) -> Material:
    """Return everything that is measured of a conversation."""
    count = len(found)
    evidence = Evidence(found, vectors[:count], vectors[count : 2 * count])
    known = conversation.known[-MOST_KNOWN:]
    near = None
    if known:
        near = nearness(evidence, known, vectors[2 * count :], morphology, slots)
    return Material(evidence, known, near, conversation.at.date())
