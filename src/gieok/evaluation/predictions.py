"""What a session changed, in the words of the evaluation format."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from gieok.kernel.language import Basis, FindingOperation, Gist, KnownMemory
from gieok.memories import Candidate, Outcome
from gieok.pii import PiiKind, SensitivityLevel, find_all

PredictionRow = dict[str, Any]
COARSER = {
    PiiKind.FOREIGNER: PiiKind.RRN,
    PiiKind.SSN: PiiKind.RRN,
    PiiKind.IBAN: PiiKind.ACCOUNT,
    PiiKind.SECRET: PiiKind.PASSWORD,
}
"""Kinds for which the format has no word of its own."""


@dataclass(frozen=True, slots=True)
class ExtractedSession:
    """One session after extraction, with the ways back to the ids of the set."""

    outcomes: Sequence[Outcome]
    candidates: Mapping[UUID, Candidate]
    known: Mapping[UUID, KnownMemory]
    """What was known before, by the memory it became."""
    places: Mapping[UUID, int]
    """Index of every message in its session."""


@dataclass(slots=True)
class _NetPredictions:
    """Predictions so far; a later outcome may change an earlier one."""

    seen: ExtractedSession
    rows: dict[UUID, PredictionRow] = field(default_factory=dict[UUID, PredictionRow])
    """By candidate, or what was forgotten, in the order told."""
    made: dict[UUID, UUID] = field(default_factory=dict[UUID, UUID])
    """Memory made in this session → the candidate that made it."""

    def add_outcome(self, outcome: Outcome) -> None:
        if not outcome.confirmed or self._is_withdrawn(outcome):
            return
        row = _create_row(self.seen, outcome)
        name = outcome.candidate_id or outcome.target_id
        assert name is not None  # noqa: S101 - what leaves no candidate has a target
        earlier = self.made.get(outcome.target_id) if outcome.target_id else None
        if earlier is not None and earlier in self.rows:
            row = self._merge_outcome(outcome, earlier, row)
        if row is not None:
            self.rows[name] = row
        if outcome.memory_id is not None and row is not None:
            self.made[outcome.memory_id] = name

    def _is_withdrawn(self, outcome: Outcome) -> bool:
        """Tell whether what an outcome told was erased later in the session."""
        told = outcome.operation is not FindingOperation.DELETE
        return told and outcome.candidate_id not in self.seen.candidates

    def _merge_outcome(
        self, outcome: Outcome, earlier: UUID, row: PredictionRow
    ) -> PredictionRow | None:
        """Return what remains when an outcome is about one of this session's own."""
        before = self.rows[earlier]
        if outcome.operation is FindingOperation.REINFORCE:
            before["evidence"] = sorted({*before["evidence"], *row["evidence"]})
            return None
        del self.rows[earlier]
        if outcome.operation is FindingOperation.DELETE:
            return None
        return row | {"op": before["op"], "target": before["target"]}


def collect_predictions(seen: ExtractedSession) -> list[PredictionRow]:
    """Return the session's net effect, one row a fact.

    Only what is in use counts as told, not what waits as a candidate. What is observed
    rather than said has the source "inferred". What repeats, corrects or withdraws a
    fact of the same session changes that fact's row; what was erased with what it rests
    on has none. A wish to forget that was carried out has no candidate: its row holds
    what was known and no evidence.
    """
    net = _NetPredictions(seen)
    for outcome in seen.outcomes:
        net.add_outcome(outcome)
    return list(net.rows.values())


def encode_episode(gist: Gist) -> PredictionRow | None:
    """Return what a session was about, or nothing where nothing was worth keeping."""
    if not gist.summary:
        return None
    return {
        "summary": gist.summary,
        "topics": list(gist.topics),
        "emotion": gist.emotion.value,
        "importance": gist.importance,
    }


def _create_row(seen: ExtractedSession, outcome: Outcome) -> PredictionRow:
    known = seen.known.get(outcome.target_id) if outcome.target_id else None
    saved = outcome.candidate_id
    candidate = seen.candidates.get(saved) if saved else None
    row: PredictionRow = {
        "content": known.content if known else "",
        "category": known.category.value if known else None,
        "op": outcome.operation.value,
        "target": known.id if known else None,
        "source": "explicit",
        "confidence": 1.0,
        "evidence": [],
    }
    if candidate is None:
        return row
    observed = candidate.basis is Basis.OBSERVED
    evidence = {seen.places[said] for said in candidate.message_ids}
    return row | {
        "content": candidate.claim,
        "category": candidate.category.value,
        "source": "inferred" if observed else row["source"],
        "confidence": candidate.confidence,
        "evidence": sorted(evidence),
    }


def find_masked(texts: Sequence[str]) -> list[PredictionRow]:
    """Return what would be masked in a session's messages."""
    return [
        {
            "type": COARSER.get(one.kind, one.kind).value,
            "message": place,
            "text": text[one.start : one.end],
        }
        for place, (text, found) in enumerate(zip(texts, find_all(texts), strict=True))
        for one in found
        if not one.kind.topic and one.level is not SensitivityLevel.S1
    ]
