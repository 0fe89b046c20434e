"""The candidates that wait: each claim is compared without reading them anew."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Self
from uuid import UUID

from gieok.kernel.offload import yield_to_loop
from gieok.memories.claims import Candidate, Claim
from gieok.memories.duplicate import DifferenceTest, is_same_fact
from gieok.memories.model import Embedding
from gieok.text.same_wording import normalize_content


class _WaitingClaim(NamedTuple):
    """A candidate with its vector, and its claim as `normalize_content` returns it."""

    candidate: Candidate
    embedding: Embedding | None
    wording: str


@dataclass(slots=True)
class WaitingClaims:
    """What waits of a person, kept in step with what is written."""

    _claims: dict[UUID, _WaitingClaim] = field(
        default_factory=dict[UUID, _WaitingClaim]
    )

    @classmethod
    def from_candidates(
        cls, pending: Iterable[tuple[Candidate, Embedding | None]]
    ) -> Self:
        """Return candidates with their vectors, ready to be compared."""
        waiting = cls()
        for candidate, embedding in pending:
            yield_to_loop()
            waiting.set_candidate(candidate, embedding)
        return waiting

    def set_candidate(self, candidate: Candidate, embedding: Embedding | None) -> None:
        """Take in a candidate that waits, or what it is now."""
        before = self._claims.get(candidate.candidate_id)
        if before is not None and before.candidate.claim == candidate.claim:
            changed = before._replace(candidate=candidate)
        else:
            wording = normalize_content(candidate.claim)
            changed = _WaitingClaim(candidate, embedding, wording)
        self._claims[candidate.candidate_id] = changed

    def remove_candidate(self, candidate_id: UUID) -> None:
        """Let go of a candidate that waits no more."""
        self._claims.pop(candidate_id, None)

    def find_same(self, claim: Claim, differs: DifferenceTest) -> Candidate | None:
        """Return the candidate that makes the same claim, if there is one."""
        about = claim.operation, claim.target_id
        alike = [
            each
            for each in self._claims.values()
            if (each.candidate.operation, each.candidate.target_id) == about
        ]
        wording = normalize_content(claim.content)
        for each in alike:
            if each.wording == wording:
                return each.candidate
        for each in alike:
            texts = claim.content, each.candidate.claim
            if is_same_fact(texts, (claim.embedding, each.embedding), differs):
                return each.candidate
        return None
