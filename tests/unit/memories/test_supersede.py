"""A claim replaces a memory only if it is among the nearest to it."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Basis, Category, FindingOperation
from gieok.memories.claims import Claim
from gieok.memories.fact_index import FactIndex
from gieok.memories.model import Embedding, Fact, Memory, SourceType, Trust
from gieok.memories.supersede import (
    MAX_NEARER,
    can_contradict,
    can_supersede,
    is_overtaken,
    split_by_time,
)

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def vector(angle: float) -> Embedding:
    return Embedding("e", np.array([np.cos(angle), np.sin(angle)], np.float32))


def can_replace(claim: Claim, target: Fact, facts: Iterable[Fact]) -> bool:
    return can_supersede(claim, target.memory.memory_id, FactIndex.from_facts(facts))


def a_fact(number: int, embedding: Embedding | None) -> Fact:
    memory = Memory(
        UUID(int=number),
        1,
        f"fact {number}",
        Category.CONTEXT,
        0.9,
        SourceType.EXPLICIT,
        None,
        (),
        (),
        None,
        "scripted/1",
        0,
        None,
        NOW,
        None,
        None,
        None,
        NOW,
        NOW,
        is_active=True,
    )
    return Fact(memory, embedding)


CLAIM = Claim(
    "claim",
    Category.CONTEXT,
    0.9,
    Basis.STATED,
    FindingOperation.UPDATE,
    UUID(int=1),
    None,
    (),
    None,
    "scripted/1",
    vector(0),
)


@pytest.mark.req("A07")
def test_something_unrelated_is_not_replaced() -> None:
    near = [a_fact(n, vector(0.1)) for n in range(2, 3 + MAX_NEARER)]
    far = a_fact(1, vector(1.4))
    assert not can_replace(CLAIM, far, [far, *near])
    assert can_replace(CLAIM, near[0], [far, *near])


def test_without_vectors_the_model_is_believed() -> None:
    target = a_fact(1, None)
    assert can_replace(CLAIM, target, [target])
    other = replace(CLAIM, embedding=Embedding("other", vector(0).vector))
    known = a_fact(1, vector(1.4))
    assert can_replace(other, known, [known])


@given(st.lists(st.floats(0, 1.5), min_size=1, max_size=12), st.data())
def test_what_is_nearer_than_one_that_may_go_may_go_too(
    angles: list[float], data: st.DataObject
) -> None:
    facts = [a_fact(n, vector(angle)) for n, angle in enumerate(angles, start=1)]
    one = data.draw(st.sampled_from(facts))
    other = data.draw(st.sampled_from(facts))
    nearest = min(facts, key=lambda fact: angles[fact.memory.memory_id.int - 1])
    assert can_replace(CLAIM, nearest, facts)
    nearer = (
        angles[one.memory.memory_id.int - 1] <= angles[other.memory.memory_id.int - 1]
    )
    if nearer and can_replace(CLAIM, other, facts):
        assert can_replace(CLAIM, one, facts)


times = st.integers(0, 4).map(lambda hours: NOW + timedelta(hours=hours))
memories = st.builds(
    lambda number, at, trust, session: replace(
        a_fact(number, None).memory,
        last_confirmed_at=at,
        trust=trust,
        source_session_id=session,
    ),
    st.integers(0, 9),
    times,
    st.sampled_from(Trust),
    st.sampled_from([None, UUID(int=1), UUID(int=2)]),
)


@given(memories, times)
def test_a_claim_is_overtaken_by_what_was_said_after_it_alone(
    memory: Memory, at: datetime
) -> None:
    assert not is_overtaken(CLAIM, memory), "it is of now"
    claim = replace(CLAIM, spoken_at=at)
    assert is_overtaken(claim, memory) == (memory.last_confirmed_at > at)
    assert not is_overtaken(replace(claim, is_reviewed=True), memory)
    assert not is_overtaken(replace(claim, is_target_named=True), memory)


@given(memories, memories)
def test_what_may_contradict_does_not_depend_on_what_was_read_first(
    one: Memory, other: Memory
) -> None:
    if one.last_confirmed_at != other.last_confirmed_at:
        assert can_contradict(one, other) == can_contradict(other, one)


@given(memories, memories)
def test_own_words_contradict_a_request_and_a_request_a_review(
    own: Memory, other: Memory
) -> None:
    is_later = other.last_confirmed_at > own.last_confirmed_at
    later, earlier = (other, own) if is_later else (own, other)
    if can_contradict(own, other):
        least = {Trust.REQUESTED: Trust.STATED, Trust.CONFIRMED: Trust.REQUESTED}
        assert later.trust.rank >= least.get(earlier.trust, Trust.OBSERVED).rank
        assert own.source_session_id is None or (
            own.source_session_id != other.source_session_id
        )


@given(memories, st.lists(memories))
def test_of_two_that_contradict_each_other_the_earlier_names_the_later(
    own: Memory, others: list[Memory]
) -> None:
    earlier, later = split_by_time(own, others)
    assert all(each.last_confirmed_at <= own.last_confirmed_at for each in earlier)
    last = max((each.last_confirmed_at for each in others), default=NOW)
    assert (later is not None) == (last > own.last_confirmed_at)
    if later is not None:
        assert later.last_confirmed_at == last
