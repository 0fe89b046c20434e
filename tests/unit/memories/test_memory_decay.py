"""Fading confidence."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.memories.decay import (
    FLOOR,
    PERIOD,
    RATE,
    SUREST,
    decay_confidence,
    merge_confidence,
)

NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
confidences = st.floats(0, 1)
spans = st.timedeltas(timedelta(days=-400), timedelta(days=40_000))


@pytest.mark.req("D06")
@pytest.mark.parametrize(
    ("confidence", "days", "left"),
    [
        (0.9, 0, 0.9),
        (0.9, 30, 0.9 * 0.95),
        (1.0, 15, 0.95**0.5),
        (0.8, 300, 0.8 * 0.95**10),
        (0.5, 10_000, 0.1),
        (0.05, 10_000, 0.05),
    ],
)
def test_confidence_loses_a_twentieth_every_thirty_days_down_to_a_tenth(
    confidence: float, days: float, left: float
) -> None:
    faded = decay_confidence(confidence, NOW - timedelta(days=days), NOW)
    assert faded == pytest.approx(left)


@given(confidences, spans)
def test_time_never_raises_confidence_and_never_takes_it_below_the_floor(
    confidence: float, ago: timedelta
) -> None:
    faded = decay_confidence(confidence, NOW - ago, NOW)
    assert min(confidence, FLOOR) <= faded <= confidence


@given(confidences, spans, spans)
def test_the_longer_ago_the_less_is_left(
    confidence: float, one: timedelta, other: timedelta
) -> None:
    sooner, later = sorted((one, other))
    assert decay_confidence(confidence, NOW - later, NOW) <= decay_confidence(
        confidence, NOW - sooner, NOW
    )


@given(confidences, st.timedeltas(timedelta(0), timedelta(days=400)))
def test_a_clock_that_ran_back_changes_nothing(
    confidence: float, ahead: timedelta
) -> None:
    assert decay_confidence(confidence, NOW + ahead, NOW) == confidence


@given(confidences, confidences)
def test_fading_keeps_the_order_of_two_memories(one: float, other: float) -> None:
    touched = NOW - 3 * PERIOD
    weaker, stronger = sorted((one, other))
    assert decay_confidence(weaker, touched, NOW) <= decay_confidence(
        stronger, touched, NOW
    )


def test_a_period_can_be_chosen() -> None:
    week = timedelta(days=7)
    faded = decay_confidence(1.0, NOW - week, NOW, period=week)
    assert faded == pytest.approx(RATE)


@given(confidences, confidences)
def test_what_is_found_twice_is_surer_and_never_certain(
    first: float, second: float
) -> None:
    both = merge_confidence(first, second)
    assert both == merge_confidence(second, first)
    assert both >= max(first, second)
    assert both <= max(SUREST, first, second)
