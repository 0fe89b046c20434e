"""When a candidate becomes a memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Basis
from gieok.memories.promote import should_promote
from gieok.settings import Policy

bases = st.sampled_from(Basis)
policies = st.sampled_from(Policy)
confidences = st.floats(0, 1)
counts = st.integers(1, 5)


@pytest.mark.req("A07")
@given(confidences, policies)
def test_a_single_observation_is_never_confirmed(
    confidence: float, policy: Policy
) -> None:
    assert not should_promote(Basis.OBSERVED, confidence, 1, policy)


@pytest.mark.req("A07")
@given(bases, confidences)
def test_under_strict_only_a_request_or_a_second_session_confirms(
    basis: Basis, confidence: float
) -> None:
    confirmed = should_promote(basis, confidence, 1, Policy.STRICT)
    assert confirmed == (basis is Basis.REQUESTED)
    assert should_promote(basis, confidence, 2, Policy.STRICT)


@given(confidences, counts, policies)
def test_a_request_always_confirms(
    confidence: float, sessions: int, policy: Policy
) -> None:
    assert should_promote(Basis.REQUESTED, confidence, sessions, policy)


@pytest.mark.parametrize(("confidence", "confirmed"), [(0.49, False), (0.5, True)])
def test_a_doubted_statement_waits_like_an_observation(
    confidence: float, *, confirmed: bool
) -> None:
    assert should_promote(Basis.STATED, confidence, 1, Policy.STATED) is confirmed


@given(bases, confidences, confidences, counts, policies)
def test_more_confidence_and_more_sessions_never_take_a_confirmation_back(
    basis: Basis, one: float, other: float, sessions: int, policy: Policy
) -> None:
    low, high = sorted((one, other))
    if should_promote(basis, low, sessions, policy):
        assert should_promote(basis, high, sessions, policy)
        assert should_promote(basis, low, sessions + 1, policy)
