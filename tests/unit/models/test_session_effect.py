"""How sure a clause has to be, by what its session looks like."""

from hypothesis import given
from hypothesis import strategies as st

from gieok.models.rules.decide import compute_session_effect
from gieok.models.rules.weights import load_judge_weights

ODDS = st.floats(-20, 20)


@given(ODDS, ODDS)
def test_the_idler_a_session_the_less_a_clause_counts(one: float, other: float) -> None:
    thresholds = load_judge_weights().thresholds
    idle, busy = sorted((one, other))
    assert compute_session_effect(idle, thresholds) <= compute_session_effect(
        busy, thresholds
    )


@given(st.floats(0, 20))
def test_where_things_are_told_only_the_clause_counts(session: float) -> None:
    assert compute_session_effect(session, load_judge_weights().thresholds) == 0


def test_a_session_that_looks_idle_takes_even_odds_away() -> None:
    thresholds = load_judge_weights().thresholds
    assert compute_session_effect(-3, thresholds) < thresholds["add"]
