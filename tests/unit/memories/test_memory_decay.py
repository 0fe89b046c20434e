"""Fading confidence."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok import Category, Filters
from gieok.memories import Fact, Memory, Trust
from gieok.memories.decay import (
    FLOOR,
    PERIOD,
    RATE,
    SUREST,
    decay_confidence,
    merge_confidence,
)
from gieok.recall.fact_columns import FactColumns, decay_confidences
from support.plain_memory import PLAIN

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


@given(st.lists(st.tuples(confidences, spans), max_size=5))
def test_many_fade_as_each_does(many: list[tuple[float, timedelta]]) -> None:
    touched = [NOW - span for _, span in many]
    found = decay_confidences(
        np.array([confidence for confidence, _ in many]),
        np.array([at.timestamp() for at in touched]),
        NOW.timestamp(),
    )
    assert found.tolist() == pytest.approx(
        [
            decay_confidence(confidence, at, NOW)
            for (confidence, _), at in zip(many, touched, strict=True)
        ]
    )


known = st.builds(
    lambda content, confidence, age, expires, category, trust, is_pinned: replace(
        PLAIN,
        content=content,
        confidence=confidence,
        last_confirmed_at=NOW - age,
        created_at=NOW - age,
        expires_at=None if expires is None else NOW + expires,
        category=category,
        trust=trust,
        is_pinned=is_pinned,
    ),
    st.sampled_from(
        ["차는 2019년식 쏘나타", "내일(2025-03-02) 면접이 있다", "차를 마심"]
    ),
    st.sampled_from([0.5, 0.9]),
    st.sampled_from([timedelta(), timedelta(days=310), timedelta(days=900)]),
    st.sampled_from([None, timedelta(), timedelta(days=1)]),
    st.sampled_from([Category.LOCATION, Category.CONTEXT, Category.HABIT]),
    st.sampled_from([Trust.STATED, Trust.IMPORT]),
    st.booleans(),
)


@given(
    st.lists(known, max_size=6),
    st.sampled_from([0.0, 0.5, 0.8]),
    st.sampled_from([None, (Category.CONTEXT,)]),
    st.booleans(),
)
def test_what_may_be_found_is_marked_as_each_memory_would_tell(
    memories: list[Memory],
    least: float,
    categories: tuple[Category, ...] | None,
    only_pinned: bool,  # noqa: FBT001 - hypothesis gives it by place
) -> None:
    filters = Filters(
        categories=categories, min_confidence=least, only_pinned=only_pinned
    )
    learned = {Category.LOCATION, Category.CONTEXT}
    own = {Category.LOCATION, Category.HABIT}
    columns = FactColumns.from_facts([Fact(memory, None) for memory in memories])
    assert columns.mark_findable(filters, learned, own, NOW).tolist() == [
        memory.category in (learned if memory.is_learned else own)
        and (categories is None or memory.category in categories)
        and (memory.expires_at is None or memory.expires_at > NOW)
        and (memory.is_pinned or not only_pinned)
        and (not least or memory.confidence_at(NOW) >= least)
        for memory in memories
    ]


def test_a_search_works_out_the_confidence_of_what_has_a_date_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def note_asked(memory: Memory, _: datetime) -> float:
        asked.append(memory.content)
        return memory.confidence

    monkeypatch.setattr(Memory, "confidence_at", note_asked)
    plan = "내일(2025-03-02) 면접이 있다"
    texts = [*(f"fact {number}" for number in range(10)), plan]
    facts = [Fact(replace(PLAIN, content=text), None) for text in texts]
    marked = FactColumns.from_facts(facts).mark_findable(
        Filters(), frozenset(Category), frozenset(Category), NOW
    )
    assert marked.all()
    assert asked == [plan]
