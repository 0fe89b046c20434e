"""Which clauses are read for whether they ask to forget, and what counts of that."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Role, Utterance
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.forget_request import (
    LEAST_READ,
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
    likely = np.array([LEAST_READ, 0.0, LEAST_READ / 2])
    assert list_possible_requests(found, likely) == [0, 1]
    silent = [replace(found[1], flags={**found[1].flags, "forget": 0.0})]
    assert list_possible_requests(silent, np.zeros(1)) == []


@given(CHANCES, ODDS, ODDS)
def test_the_likelier_by_the_encoder_the_likelier(
    chance: float, one: float, other: float
) -> None:
    lower, higher = sorted((one, other))
    joined = join_chances(np.array([chance, chance]), np.array([lower, higher]))
    assert joined[0] <= joined[1]


def test_what_both_doubt_is_no_wish() -> None:
    joined = join_chances(np.array([0.3, 0.7]), np.array([-1.0, 1.0]))
    assert joined[0] < 0.5 < joined[1]
    assert join_chances(np.array([0.5]), np.array([0.0])) == pytest.approx(0.5)
