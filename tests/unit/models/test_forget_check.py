"""Which clauses are read for whether they ask to forget, and what counts of that."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Role, Utterance
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.wishes.forget_request import (
    MIN_READ,
    join_chances,
    list_possible_requests,
)
from gieok.text.kiwi import get_shared_morphology

CHANCES = st.floats(0.001, 0.999)
ODDS = st.floats(-20, 20)


def test_only_what_may_be_a_wish_is_read() -> None:
    said = (Utterance(0, Role.USER, "I like tea. Forget the tea. Roses are nice."),)
    found = collect_candidates(said, get_shared_morphology())
    assert len(found) == 3
    assert list_possible_requests(found, np.zeros(3)) == [1]
    likely = np.array([MIN_READ, 0.0, MIN_READ / 2])
    assert list_possible_requests(found, likely) == [0, 1]
    silent = [replace(found[1], flags={**found[1].flags, "forget": 0.0})]
    assert list_possible_requests(silent, np.zeros(1)) == []


def _collect(said: str) -> tuple[ClauseCandidate, ...]:
    return collect_candidates((Utterance(0, Role.USER, said),), get_shared_morphology())


@given(CHANCES, ODDS, ODDS)
def test_the_likelier_by_the_encoder_the_likelier(
    chance: float, one: float, other: float
) -> None:
    found = _collect("Forget the tea.")
    lower, higher = (
        join_chances(found, np.array([chance]), [0], np.array([odds]))[0]
        for odds in sorted((one, other))
    )
    assert lower <= higher


def test_of_a_message_only_the_likeliest_clause_becomes_likelier() -> None:
    """The encoder reads each clause with the whole message."""
    found = _collect("My daughter Priya is a vet. Please do not store that.")
    chances = np.array([0.05, 0.3])
    joined = join_chances(found, chances, [0, 1], np.array([4.0, 4.0]))
    assert joined[0] == pytest.approx(0.05)
    assert joined[1] > 0.5
    joined = join_chances(found, chances, [0, 1], np.array([-9.0, -9.0]))
    assert (joined < chances).all()


def test_what_was_not_read_stays() -> None:
    found = _collect("I like tea. Forget the tea.")
    joined = join_chances(found, np.array([0.2, 0.3]), [], np.zeros(0))
    assert joined.tolist() == [0.2, 0.3]
