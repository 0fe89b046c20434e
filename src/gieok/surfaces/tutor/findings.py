"""A card from what gieok's own models find: the rules, or a server's model."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from uuid import UUID

from gieok.kernel.clock import Clock, read_system_clock
from gieok.kernel.language import (
    Basis,
    Conversation,
    Embedder,
    Finding,
    FindingOperation,
    Model,
    Utterance,
)
from gieok.memories.model import Embedding, Fact, Memory, SourceType
from gieok.profile.build import PlaceTest, build_card, resolve_place
from gieok.profile.model import CardDocument
from gieok.surfaces.tutor.grounding import keep_grounded


@dataclass(frozen=True, slots=True)
class FindingsExtractor:
    """Has a model extract findings, and puts each in its place of the card."""

    model: Model
    embedder: Embedder
    judge: PlaceTest
    clock: Clock = field(default=read_system_clock, repr=False)
    zone: tzinfo = UTC
    """Where the day of "today" and "tomorrow" is counted."""

    async def extract(self, messages: Sequence[Utterance]) -> CardDocument:
        """Return what the user stated, checked against what they said.

        Raises as `Model.extract`.
        """
        conversation = Conversation(
            tuple(messages), (), self.clock().astimezone(self.zone)
        )
        findings = list(filter_stated(await self.model.extract(conversation)))
        if not findings:
            return {}
        vectors = await self.embedder.passages([each.content for each in findings])
        placed = [
            resolve_place(
                self._build_fact(n, finding, Embedding(self.embedder.name, vector)),
                self.judge,
            )
            for n, (finding, vector) in enumerate(zip(findings, vectors, strict=True))
        ]
        card = build_card(placed).to_document()
        return keep_grounded(card, messages, year=conversation.at.year)

    def _build_fact(self, number: int, finding: Finding, vector: Embedding) -> Fact:
        """Return a finding as the fact it would be; nobody keeps it."""
        now = self.clock()
        memory = Memory(
            memory_id=UUID(int=number),
            revision=1,
            content=finding.content,
            category=finding.category,
            confidence=finding.confidence,
            source_type=SourceType.INFERRED,
            source_session_id=None,
            source_message_ids=(),
            source_candidate_ids=(),
            preview=None,
            extractor=self.model.name,
            usage_count=0,
            last_used_at=None,
            last_confirmed_at=now,
            expires_at=None,
            superseded_by=None,
            inactive_reason=None,
            created_at=now,
            updated_at=now,
            is_active=True,
        )
        return Fact(memory, vector)


def filter_stated(findings: Iterable[Finding]) -> Iterable[Finding]:
    """Yield what the user said of themselves, and not what only follows from it."""
    for finding in findings:
        adds = finding.operation in (FindingOperation.ADD, FindingOperation.UPDATE)
        if adds and finding.basis is not Basis.OBSERVED:
            yield finding
