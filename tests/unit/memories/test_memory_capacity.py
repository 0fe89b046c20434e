"""Which memories give way."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok import Memory
from gieok.memories.capacity import select_surplus
from support.plain_memory import NOW, PLAIN


def one(number: int, confidence: float, touched: int, used: int | None) -> Memory:
    """Return a memory confirmed and perhaps used so many days ago."""
    confirmed = NOW - timedelta(days=touched)
    return replace(
        PLAIN,
        memory_id=UUID(int=number),
        confidence=confidence,
        last_confirmed_at=confirmed,
        created_at=confirmed,
        last_used_at=None if used is None else NOW - timedelta(days=used),
    )


@st.composite
def held(draw: st.DrawFn) -> list[Memory]:
    days = st.integers(0, 500)
    shapes = st.tuples(st.floats(0, 1), days, st.none() | days)
    return [
        one(n, *shape) for n, shape in enumerate(draw(st.lists(shapes, max_size=12)))
    ]


def left(memory: Memory) -> float:
    return memory.confidence_at(NOW)


@pytest.mark.req("D06")
@given(held(), st.integers(1, 14))
def test_exactly_as_many_stay_as_are_allowed_and_they_are_the_strongest(
    memories: list[Memory], most: int
) -> None:
    gone = select_surplus(memories, most, NOW)
    assert len(memories) - len(gone) == min(len(memories), most)
    stays = [memory for memory in memories if memory not in gone]
    if gone and stays:
        assert max(map(left, gone)) <= min(map(left, stays))


@given(held(), st.integers(1, 14), st.randoms(use_true_random=False))
def test_the_order_in_which_they_are_read_does_not_matter(
    memories: list[Memory], most: int, random: object
) -> None:
    shuffled = list(memories)
    random.shuffle(shuffled)  # pyright: ignore[reportAttributeAccessIssue] - Random
    assert [left(m) for m in select_surplus(shuffled, most, NOW)] == [
        left(m) for m in select_surplus(memories, most, NOW)
    ]


def test_at_equal_confidence_the_longest_unused_goes_first() -> None:
    fresh, used, stale = (
        one(1, 0.05, 1, None),
        one(2, 0.05, 90, 2),
        one(3, 0.05, 9, None),
    )
    assert select_surplus([fresh, used, stale], 1, NOW) == (stale, used)


def test_a_use_counts_as_a_touch_but_never_backwards() -> None:
    assert one(1, 1, 9, None).last_touched == NOW - timedelta(days=9)
    assert one(1, 1, 9, 2).last_touched == NOW - timedelta(days=2)
    assert one(1, 1, 2, 9).last_touched == NOW - timedelta(days=2)


def test_what_was_just_confirmed_gives_way_after_what_is_surer() -> None:
    new, newer, strong = one(1, 0.6, 0, None), one(2, 0.7, 0, None), one(3, 1, 1, 1)
    said = {new.memory_id, newer.memory_id}
    assert select_surplus([new, newer, strong], 1, NOW, said) == (strong, new)


def test_what_is_pinned_gives_way_last() -> None:
    pinned = replace(one(1, 0.05, 90, None), is_pinned=True)
    strong, weak = one(2, 0.9, 1, None), one(3, 0.2, 1, None)
    assert select_surplus([pinned, strong, weak], 1, NOW) == (weak, strong)
