"""Ranking: what comes first, and what must hold for any memory and any question."""

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from gieok.search.index import SearchIndex
from gieok.search.lexicon import hash_name, hash_terms
from gieok.search.question import remove_names, select_speaker
from gieok.search.rank import (
    DEFAULT,
    RankWeights,
    SearchQuery,
    measure_relevance,
    measure_signals,
    measure_similarity,
    score_rows,
    select_top,
)
from gieok.search.rows import RowKind, SearchRows, Speaker, is_question
from gieok.text.terms import MixedTokenizer

DIMENSION = 4
WORDS = ("고양이", "병원", "boat", "mast", "three", "월요일", "melani")
DAY = 86_400.0

words = st.lists(st.sampled_from(WORDS), max_size=5)
vectors = nps.arrays(
    np.float32, DIMENSION, elements=st.floats(-1, 1, width=32, allow_nan=False)
)


@st.composite
def memories(draw: st.DrawFn, most: int = 12) -> SearchRows:
    rows = draw(st.integers(0, most))

    def column(values: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(values, min_size=rows, max_size=rows))

    return SearchRows.from_terms(
        [
            hash_terms(terms)
            for terms in draw(st.lists(words, min_size=rows, max_size=rows))
        ],
        vectors=np.array(column(vectors), np.float32).reshape(rows, DIMENSION),
        embedded=column(st.booleans()),
        sessions=column(st.integers(-1, 3)),
        positions=draw(st.permutations(range(rows))),
        at=column(st.floats(0, 2e9)),
        kinds=column(st.sampled_from(RowKind)),
        speakers=column(st.sampled_from(Speaker)),
        names=column(st.sampled_from([0, hash_name(["melani"])])),
        asks=column(st.booleans()),
        confidence=column(st.floats(0, 1, width=32) | st.just(np.nan)),
        uses=column(st.integers(0, 100)),
        used_at=column(st.floats(0, 2e9) | st.just(np.nan)),
    )


@st.composite
def questions(draw: st.DrawFn) -> SearchQuery:
    start = draw(st.floats(0, 2e9))
    question = SearchQuery.from_terms(
        draw(words),
        vector=draw(st.none() | vectors),
        now=draw(st.floats(0, 2e9)),
        interval=draw(st.none() | st.just((start, start + DAY))),
        favours=draw(st.none() | st.sampled_from(Speaker)),
    )
    return replace(question, memory_vector=draw(st.none() | vectors))


def said(*texts: str, **columns: Any) -> SearchRows:
    """Return messages of one session with the given words and no vectors."""
    given_columns = {
        "sessions": np.zeros(len(texts)),
        "positions": range(len(texts)),
        **columns,
    }
    terms = [hash_terms(text.split()) for text in texts]
    return SearchRows.from_terms(terms, dimension=DIMENSION, **given_columns)


def scattered(*texts: str, **columns: Any) -> SearchRows:
    """Return messages that each have a session of their own."""
    return said(*texts, sessions=range(len(texts)), **columns)


def found(
    items: SearchRows, question: str, weights: RankWeights = DEFAULT, **rest: Any
) -> int:
    """Return the row that answers best."""
    asked = SearchQuery.from_terms(question.split(), **rest)
    return int(select_top(score_rows(SearchIndex.build(items), asked, weights), 1)[0])


@pytest.mark.req("D07", "D13")
@given(memories(), questions())
def test_every_row_gets_a_finite_score(
    items: SearchRows, question: SearchQuery
) -> None:
    scores = score_rows(SearchIndex.build(items), question)
    assert scores.shape == (len(items),)
    assert scores.dtype == np.float32
    assert np.isfinite(scores).all()


@pytest.mark.req("D13")
@given(memories(), questions())
def test_a_similarity_is_between_none_and_whole(
    items: SearchRows, question: SearchQuery
) -> None:
    alike = measure_similarity(SearchIndex.build(items), question)
    assert alike.shape == (len(items),)
    assert ((alike >= 0) & (alike <= 1)).all()


@pytest.mark.req("D13")
def test_similarity_is_that_of_the_row_whatever_else_is_there() -> None:
    """A rank is relative to the other rows; what compares between questions is not."""
    vector = np.array([[0.6, 0.8, 0, 0]], np.float32)
    lone = scattered("boat", vectors=vector, embedded=[True])
    many = scattered(
        "boat",
        "mast",
        "three",
        vectors=np.concatenate([vector, np.eye(4, dtype=np.float32)[2:]]),
        embedded=[True] * 3,
    )
    asked = SearchQuery.from_terms([], vector=np.array([1, 0, 0, 0], np.float32))
    for items in (lone, many):
        assert measure_similarity(SearchIndex.build(items), asked)[0] == pytest.approx(
            0.6
        )
    worded = replace(asked, terms=hash_terms(["boat"]))
    assert measure_similarity(SearchIndex.build(many), worded)[0] > 0.6
    assert measure_similarity(SearchIndex.build(many), worded)[1] == 0


@given(memories(), questions(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_nothing(
    items: SearchRows, question: SearchQuery, random: Random
) -> None:
    order = list(range(len(items)))
    random.shuffle(order)
    starts = np.cumsum(items.counts) - items.counts
    terms = [items.terms[starts[i] : starts[i] + items.counts[i]] for i in order]
    rest = {
        name: getattr(items, name)[order]
        for name in SearchRows.__slots__
        if name not in {"terms", "counts"}
    }
    scores = score_rows(SearchIndex.build(items), question)
    shuffled = score_rows(
        SearchIndex.build(SearchRows.from_terms(terms, **rest)), question
    )
    np.testing.assert_allclose(shuffled, scores[order], rtol=1e-4, atol=1e-4)


@given(memories(), memories(4), questions())
def test_appending_equals_building_anew(
    items: SearchRows, more: SearchRows, question: SearchQuery
) -> None:
    grown = SearchIndex.build(items).append_rows(more)
    anew = SearchIndex.build(items.append_rows(more))
    np.testing.assert_array_equal(
        score_rows(grown, question), score_rows(anew, question)
    )


@given(memories(), st.data(), questions())
def test_removing_equals_never_having_known(
    items: SearchRows, data: st.DataObject, question: SearchQuery
) -> None:
    keep = data.draw(nps.arrays(np.bool_, len(items)))
    left = SearchIndex.build(items).select_rows(keep)
    anew = SearchIndex.build(items.select_rows(keep))
    np.testing.assert_array_equal(
        score_rows(left, question), score_rows(anew, question)
    )
    assert not set(np.unique(left.items.terms)) - set(np.unique(anew.items.terms))


@given(memories(), questions())
def test_the_vectors_may_come_later(items: SearchRows, question: SearchQuery) -> None:
    bare = replace(items, embedded=np.zeros(len(items), np.bool_))
    rows = np.flatnonzero(items.embedded)
    later = SearchIndex.build(bare).set_vectors(rows, items.vectors[rows])
    at_once = SearchIndex.build(items)
    np.testing.assert_array_equal(
        score_rows(later, question), score_rows(at_once, question)
    )


@given(memories(), memories(4), memories(4), questions())
def test_an_older_index_does_not_see_what_came_after(
    items: SearchRows, more: SearchRows, other: SearchRows, question: SearchQuery
) -> None:
    index = SearchIndex.build(items)
    before = score_rows(index, question)
    grown, branch = index.append_rows(more), index.append_rows(other)
    after = score_rows(grown.append_rows(other), question)
    assert len(after) == len(items) + len(more) + len(other)
    np.testing.assert_array_equal(score_rows(index, question), before)
    anew = SearchIndex.build(items.append_rows(other))
    np.testing.assert_array_equal(
        score_rows(branch, question), score_rows(anew, question)
    )


def test_a_vector_can_be_replaced_without_disturbing_a_running_search() -> None:
    items = SearchRows.from_terms([hash_terms(["a"])] * 3, vectors=np.eye(3, DIMENSION))
    index = SearchIndex.build(items)
    other = index.set_vectors(np.array([0]), np.full((1, DIMENSION), 0.5, np.float32))
    np.testing.assert_array_equal(index.items.vectors, items.vectors)
    assert other.items.vectors[0].tolist() == [0.5] * DIMENSION


def test_nothing_known_and_nothing_asked() -> None:
    empty = SearchIndex.build(SearchRows.create_empty(DIMENSION))
    assert score_rows(empty, SearchQuery.from_terms(["boat"])).shape == (0,)
    assert select_top(score_rows(empty, SearchQuery.from_terms([])), 10).tolist() == []
    scores = score_rows(
        SearchIndex.build(scattered("boat", "mast")), SearchQuery.from_terms([])
    )
    assert scores[0] == scores[1]


@pytest.mark.req("D13")
def test_words_find_what_is_not_embedded_yet() -> None:
    items = scattered("고양이 병원", "boat mast", "월요일 기타")
    assert found(items, "고양이") == 0
    assert found(items, "mast") == 1
    vector = np.ones(DIMENSION, np.float32)
    assert found(items, "기타", vector=vector) == 2


@pytest.mark.req("D13")
def test_meaning_finds_what_is_said_in_other_words_or_another_language() -> None:
    items = scattered("boat", "mast", "three")
    items = replace(
        items,
        vectors=np.eye(3, DIMENSION, dtype=np.float32),
        embedded=np.ones(3, np.bool_),
    )
    vector = np.array([0, 1, 0, 0], np.float32)
    assert found(items, "배 돛대", vector=vector) == 1


def test_only_memories_are_compared_with_the_vector_meant_for_them() -> None:
    vectors = np.array([[1, 0, 0, 0], [0, 1, 0, 0]] * 2, np.float32)
    items = scattered(
        *["boat"] * 4,
        vectors=vectors,
        embedded=[True] * 4,
        kinds=[RowKind.MESSAGE, RowKind.MESSAGE, RowKind.MEMORY, RowKind.SUMMARY],
    )
    plain = SearchQuery.from_terms([], vector=vectors[0])
    turned = replace(plain, memory_vector=vectors[1])
    index = SearchIndex.build(items)
    before, after = (measure_signals(index, each) for each in (plain, turned))
    assert before.signals["meaning"].argsort(kind="stable").tolist() == [1, 3, 0, 2]
    assert after.signals["meaning"].argsort(kind="stable").tolist() == [1, 2, 0, 3]
    np.testing.assert_allclose(
        after.signals["meaning"].sum(), before.signals["meaning"].sum(), atol=1e-6
    )
    everything = np.ones(4, np.bool_)
    bearing = measure_relevance(index, turned, everything)
    assert bearing[3] > bearing[2]


def test_a_word_all_items_hold_weighs_less_than_a_rare_one() -> None:
    items = scattered("boat three", "boat", "boat mast", "boat")
    assert found(items, "boat mast") == 2


def test_an_answer_is_found_by_the_words_of_the_question_before_it() -> None:
    items = said(
        "기타 요일", "월요일 저녁", "날씨 좋다", "저녁 뭐",
        asks=[True, False, False, True],
    )  # fmt: skip
    assert found(items, "기타 요일") == 1


def test_the_user_s_own_words_come_before_an_echo() -> None:
    echo = scattered(
        "boat mast", "boat mast", speakers=[Speaker.ASSISTANT, Speaker.USER]
    )
    assert found(echo, "boat") == 1
    assert found(echo, "boat", favours=Speaker.ASSISTANT) == 0


def test_a_named_speaker_s_words_come_first() -> None:
    names = [hash_name(["carolin"]), hash_name(["melani"])]
    speakers = [Speaker.USER, Speaker.ASSISTANT]
    items = scattered("paint lake", "paint lake", names=names, speakers=speakers)
    assert found(items, "melani paint") == 1
    assert found(items, "carolin paint") == 0


def test_a_time_in_the_question_lifts_but_never_drops() -> None:
    at = [100 * DAY, 200 * DAY]
    items = scattered("dinner friend", "dinner friend", at=at)
    assert found(items, "dinner", interval=(200 * DAY, 201 * DAY)) == 1
    assert found(items, "dinner", interval=(99 * DAY, 101 * DAY)) == 0
    index = SearchIndex.build(items)
    scores = score_rows(index, SearchQuery.from_terms(["dinner"], interval=(0.0, DAY)))
    assert len(select_top(scores, 10)) == 2


@pytest.mark.req("D07")
def test_of_two_equal_facts_the_trusted_the_fresh_and_the_used_one_wins() -> None:
    facts = scattered("boat", "boat", kinds=[RowKind.MEMORY] * 2, at=[90 * DAY] * 2)
    now = 100 * DAY
    assert found(replace(facts, confidence=_pair(0.5, 0.9)), "boat", now=now) == 1
    assert found(replace(facts, at=np.array([10, 99]) * DAY), "boat", now=now) == 1
    used = replace(facts, uses=np.array([0, 4], np.int32))
    assert found(used, "boat", now=now) == 1


@pytest.mark.req("D07")
def test_what_is_unknown_about_a_message_is_neutral() -> None:
    plain = scattered("boat", "mast")
    told = replace(plain, confidence=_pair(0.1, 0.9), uses=np.array([9, 0], np.int32))
    question = SearchQuery.from_terms(["boat"], now=DAY)
    np.testing.assert_array_equal(
        score_rows(SearchIndex.build(plain), question),
        score_rows(SearchIndex.build(told), question),
    )


@given(
    nps.arrays(np.float32, st.integers(0, 30), elements=st.integers(-3, 3)),
    st.integers(0, 40),
    st.data(),
)
def test_top_is_the_head_of_the_whole_order(
    scores: np.ndarray, limit: int, data: st.DataObject
) -> None:
    among = data.draw(st.none() | nps.arrays(np.bool_, len(scores)))
    allowed = [i for i in range(len(scores)) if among is None or among[i]]
    wanted = sorted(allowed, key=lambda i: (-scores[i], i))[:limit]
    assert select_top(scores, limit, among).tolist() == wanted


def test_columns_must_fit() -> None:
    with pytest.raises(ValueError, match="at: 1 rows where 2 are needed"):
        SearchRows.from_terms([hash_terms(["a"])] * 2, at=[1.0])
    with pytest.raises(ValueError, match="no such column: \\['when'\\]"):
        SearchRows.from_terms([hash_terms(["a"])], when=[1.0])


def test_a_vector_that_is_not_a_number_harms_no_one() -> None:
    bad = np.array([[np.nan, np.inf, 0, 0], [0, 1, 0, 0]], np.float32)
    items = SearchRows.from_terms([hash_terms(["a"]), hash_terms(["b"])], vectors=bad)
    nan = np.full(DIMENSION, np.nan, np.float32)
    for vector in (bad[1], nan):
        scores = score_rows(
            SearchIndex.build(items), SearchQuery.from_terms(["b"], vector=vector)
        )
        assert np.isfinite(scores).all()
        assert scores[1] > scores[0]


@pytest.mark.parametrize(
    ("question", "names", "bare"),
    [
        ("When did Caroline go?", ["Caroline", "Melanie"], "When did go?"),
        ("What is melanie's dog called?", ["Melanie"], "What is dog called?"),
        ("민수가 좋아하는 음식은?", ["민수"], "좋아하는 음식은?"),
        ("Ann's plan for Anna", ["Ann"], "plan for Anna"),
        ("Caroline?", ["Caroline"], "Caroline?"),
        ("내 고양이 이름이 뭐였지?", [], "내 고양이 이름이 뭐였지?"),
        ("내 고양이  이름이?", [""], "내 고양이  이름이?"),
    ],
)
def test_names_are_taken_out_of_what_is_embedded(
    question: str, names: list[str], bare: str
) -> None:
    terms = MixedTokenizer().terms
    hashes = np.array([hash_name(terms(name)) for name in names], np.uint64)
    assert remove_names(question, hashes, terms) == bare


@pytest.mark.parametrize(
    ("question", "speaker"),
    [
        ("내 고양이 이름이 뭐였지?", Speaker.USER),
        ("What did I say about my boat?", Speaker.USER),
        ("네가 추천한 책이 뭐였지?", None),
        ("지난번에 추천해 준 식당 어디야?", None),
        ("What did you recommend for my back?", None),
        ("You told me about a museum.", None),
        ("우리 동네 이름이 뭐야?", Speaker.USER),
    ],
)
def test_whose_words_are_asked_for(question: str, speaker: Speaker | None) -> None:
    assert select_speaker(question) is speaker


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("뭐 먹을까?", True),
        ("진짜？", True),
        ('"really?" ', True),
        ("네.", False),
        ("", False),
    ],
)
def test_a_question_is_told_by_its_end(text: str, *, asks: bool) -> None:
    assert is_question(text) is asks


def _pair(first: float, second: float) -> np.ndarray:
    return np.array([first, second], np.float32)


def test_relevance_is_told_of_the_marked_rows_alone() -> None:
    index = SearchIndex.build(SearchRows.create_empty(DIMENSION))
    asked = SearchQuery.from_terms(["보리"])
    assert measure_relevance(index, asked, np.zeros(0, np.bool_)).tolist() == []
