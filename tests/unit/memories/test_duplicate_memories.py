"""When two claims say the same."""

from collections.abc import Iterable
from dataclasses import replace
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.memories import Fact, fact_index
from gieok.memories.duplicate import (
    SAME_FACT_COSINE,
    find_duplicate,
)
from gieok.memories.fact_index import FactIndex
from gieok.memories.model import Embedding
from gieok.text.same_wording import normalize_content
from support.plain_memory import PLAIN

NORTH = np.array([1.0, 0.0], np.float32)
EAST = np.array([0.0, 1.0], np.float32)


def at(closeness: float, embedder: str = "e") -> Embedding:
    """Return a unit vector of this cosine to NORTH."""
    vector = np.array([closeness, (1 - closeness**2) ** 0.5], np.float32)
    return Embedding(embedder, vector)


def find(
    content: str, embedding: Embedding | None, facts: Iterable[Fact]
) -> Fact | None:
    return find_duplicate(content, embedding, FactIndex.from_facts(facts))


def known(content: str, embedding: Embedding | None = None, number: int = 0) -> Fact:
    return Fact(replace(PLAIN, memory_id=UUID(int=number), content=content), embedding)


@pytest.mark.req("D02")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("사용자는 커피를 좋아함", "커피를 좋아함."),
        ("User lives in Portland", "the user  LIVES in Portland!"),
        ("서울에 거주", "서울에 거주"),
        ("Ｕｓｅｒ likes tea", "user likes tea"),
        ("강남구 거주", "강남구거주"),
        ("월세는 1,250,000원", "월세는 1250000원"),
    ],
)
def test_spelling_spacing_and_the_word_user_do_not_make_a_difference(
    one: str, other: str
) -> None:
    fact = known(one)
    assert find(other, None, [fact]) is fact


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("커피를 3잔 마심", "커피를 13잔 마심"),
        ("커피를 1.5잔 마심", "커피를 15잔 마심"),
        ("drinks 1.5 cups", "drinks 15 cups"),
        ("버스 1, 5번을 탐", "버스 15번을 탐"),
        ("새우를 먹음", "새우를 안 먹음"),
        ("likes shrimp", "dislikes shrimp"),
        ("has a dog", "has no dog"),
        ("고양이가 있음", "고양이가 없음"),
    ],
)
def test_numbers_and_negations_make_another_fact_however_near_the_vectors(
    one: str, other: str
) -> None:
    assert find(other, at(1.0), [known(one, at(1.0))]) is None
    assert find(one, at(1.0), [known(other, at(1.0))]) is None


def test_of_several_near_facts_the_nearest_is_meant() -> None:
    far = known("사용자는 수영을 함", at(SAME_FACT_COSINE + 0.01), 1)
    near = known("사용자는 헤엄을 침", at(SAME_FACT_COSINE + 0.03), 2)
    assert find("사용자는 물놀이를 함", Embedding("e", NORTH), [near, far]) is near
    assert find("사용자는 물놀이를 함", Embedding("e", NORTH), [far, near]) is near
    below = known("사용자는 수영을 함", at(SAME_FACT_COSINE - 0.01))
    assert find("사용자는 물놀이를 함", Embedding("e", NORTH), [below]) is None


def test_vectors_of_another_embedder_are_never_compared() -> None:
    fact = known("사용자는 수영을 함", at(1.0, "other"))
    assert find("사용자는 헤엄을 침", at(1.0), [fact]) is None
    wide = known("사용자는 수영을 함", Embedding("x", np.ones(5, np.float32)))
    assert find("사용자는 헤엄을 침", Embedding("y", EAST), [wide]) is None


@given(st.text(min_size=1))
def test_everything_repeats_itself(content: str) -> None:
    fact = known(content)
    assert find(content, None, [fact]) is fact


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.sampled_from([".", " ", ", "]))
def test_two_numbers_are_never_read_as_one(left: int, right: int, between: str) -> None:
    assert normalize_content(f"매일 {left}{between}{right}") != normalize_content(
        f"매일 {left}{right}"
    )


closeness = st.sampled_from([0.0, 0.5, SAME_FACT_COSINE + 0.01, 1.0])
steps = st.tuples(
    st.integers(0, 5),
    st.sampled_from(["", "사용자는 수영을 함", "사용자는 헤엄을 침", "수영을 함"]),
    st.none() | st.builds(at, closeness, st.sampled_from(["e", "other"])),
)


@given(st.lists(steps, max_size=30))
def test_an_index_that_changed_answers_as_one_made_anew(
    changes: list[tuple[int, str, Embedding | None]],
) -> None:
    index = FactIndex()
    for number, content, embedding in changes:
        if content:
            index[UUID(int=number)] = known(content, embedding, number)
        else:
            index.pop(UUID(int=number), None)
    anew = FactIndex.from_facts(list(index.values()))
    assert dict(index) == dict(anew)
    asked = Embedding("e", NORTH)
    near = {fact.memory.memory_id for fact in index.list_near(asked, 0.9)}
    assert near == {fact.memory.memory_id for fact in anew.list_near(asked, 0.9)}
    for memory_id in index:
        assert index.count_nearer(asked, memory_id) == anew.count_nearer(
            asked, memory_id
        )
    repeat = index.find_repeat("사용자는 수영을 함.")
    assert (repeat is None) == (anew.find_repeat("사용자는 수영을 함.") is None)


def test_known_texts_are_read_once_however_many_claims_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []

    def count_reading(content: str) -> str:
        read.append(content)
        return normalize_content(content)

    monkeypatch.setattr(fact_index, "normalize_content", count_reading)
    texts = [f"fact {number}" for number in range(50)]
    facts = FactIndex.from_facts(
        known(text, number=number) for number, text in enumerate(texts)
    )
    for _ in range(10):
        assert find_duplicate("something else", at(0.5), facts) is None
    assert len(read) == len(texts) + 10
