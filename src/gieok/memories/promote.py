"""When a candidate becomes a memory (A07, design rule 8)."""

from gieok.kernel.language import Basis
from gieok.settings import Policy

CORROBORATING_SESSIONS = 2
"""Sessions in which something must show before it counts without being stated."""
MIN_STATED_CONFIDENCE = 0.5
"""A statement the extractor doubts more than this waits like an observation."""


def should_promote(
    basis: Basis, confidence: float, sessions: int, policy: Policy
) -> bool:
    """Tell whether a claim seen in so many sessions is confirmed under a policy."""
    if basis is Basis.REQUESTED or sessions >= CORROBORATING_SESSIONS:
        return True
    stated = basis is Basis.STATED and confidence >= MIN_STATED_CONFIDENCE
    return stated and policy is Policy.STATED
