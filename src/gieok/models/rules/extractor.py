"""The model that needs no model: rules find, small classifiers judge."""

import asyncio
from collections.abc import Sequence
from typing import Final

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
from gieok.models.kiwi import Morphology
from gieok.models.rules.candidates import Candidate, candidates
from gieok.models.rules.condensing import condensed
from gieok.models.rules.decide import Material, assess, findings
from gieok.models.rules.gist import digest, gist
from gieok.models.rules.judge import Evidence
from gieok.models.rules.linear import Weights, shipped, shipped_mood
from gieok.models.rules.link import nearness
from gieok.models.rules.reading import read

NAME: Final = "rules/2"
DIMENSION: Final = 384  # of the vectors the weights were trained on
MOST_KNOWN: Final = 200  # items a conversation is compared with


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
        weights: Weights | None = None,
    ) -> None:
        if embedder.dimension != DIMENSION:
            message = (
                f"the rules need the bundled embedder ({DIMENSION} dimensions), "
                f"not {embedder.name}"
            )
            raise ValueError(message)
        self._embedder = embedder
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
        known = conversation.known[:MOST_KNOWN]
        texts = texts_of(found, known)
        distinct = list(dict.fromkeys(texts))
        rows = await self._embedder.passages(distinct)
        place = {text: number for number, text in enumerate(distinct)}
        vectors = rows[[place[text] for text in texts]]
        return await asyncio.to_thread(self._decide, conversation, found, vectors)

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

    def _decide(
        self,
        conversation: Conversation,
        found: tuple[Candidate, ...],
        vectors: Vectors,
    ) -> tuple[Finding, ...]:
        """Judge, relate to what is known, and word what remains."""
        weights = self._weights or shipped()
        material = material_of(conversation, found, vectors, self._morphology)
        return findings(material, assess(material, weights), weights.thresholds)


def texts_of(found: Sequence[Candidate], known: Sequence[Known]) -> list[str]:
    """Return what has to be embedded, in the order `material_of` expects."""
    clauses = [candidate.clause.text for candidate in found]
    contexts = [candidate.context for candidate in found]
    return clauses + contexts + [item.content or "-" for item in known]


def material_of(
    conversation: Conversation,
    found: tuple[Candidate, ...],
    vectors: Vectors,
    morphology: Morphology,
) -> Material:
    """Return everything that is measured of a conversation."""
    count = len(found)
    evidence = Evidence(found, vectors[:count], vectors[count : 2 * count])
    known = conversation.known[:MOST_KNOWN]
    near = None
    if known:
        near = nearness(evidence, known, vectors[2 * count :], morphology)
    return Material(evidence, known, near, conversation.at.date())
