"""What a clause is about, what is read beside it, and how its words are hashed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Category, KnownMemory, Role, Utterance
from gieok.models.e5 import E5Embedder
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.clause_item_encoder import render_pairs
from gieok.models.rules.content_words import extract_terms
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.linear import LinearModel
from gieok.models.rules.reference import (
    FIGURES,
    create_empty_references,
    measure_nearness,
    predict_references,
    remove_subject,
)
from gieok.models.rules.slots import SLOTS, SlotModels
from gieok.models.rules.token_ngrams import (
    BUCKETS,
    NOTHING,
    ItemTerms,
    NgramModel,
    build_ngrams,
)
from gieok.models.rules.weights import load_judge_weights
from gieok.text.kiwi import get_shared_morphology
from gieok.text.relatives import extract_relatives

KNOWN = (
    KnownMemory("k1", "사용자는 마포구에 산다", Category.LOCATION),
    KnownMemory("k2", "User's sister is called Maya", Category.CONTEXT),
)


SOME_SLOTS = SlotModels(
    *(
        LinearModel(np.zeros(384), np.ones(384), w, np.zeros(len(SLOTS)))
        for w in np.random.default_rng(2).normal(size=(2, 384, len(SLOTS)))
    )
)


def said(*texts: str) -> ClauseEvidence:
    messages = [Utterance(n, Role.USER, text) for n, text in enumerate(texts)]
    found = collect_candidates(messages, get_shared_morphology())
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(2, len(found), 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=2, keepdims=True)
    return ClauseEvidence(found, rows[0], rows[1])


def vectors(count: int) -> np.ndarray:
    rows = np.random.default_rng(1).normal(size=(count, 384)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def words_in_common() -> LinearModel:
    """A model that goes by the words a clause shares with an item."""
    weights = np.zeros((FIGURES, 1))
    weights[9] = 10
    return LinearModel(np.zeros(FIGURES), np.ones(FIGURES), weights, np.array([-5.0]))


@pytest.mark.parametrize(
    ("content", "plain"),
    [
        ("사용자는 마포구에 산다", "마포구에 산다"),
        ("사용자의 딸은 여섯 살이다", "딸은 여섯 살이다"),
        ("User lives in Leeds", "lives in Leeds"),
        ("User's cat is Biscuit", "cat is Biscuit"),
        ("사용자: 창가 (자리)", "창가 (자리)"),
        ("", "-"),
    ],
)
def test_an_item_is_compared_without_its_user(content: str, plain: str) -> None:
    assert remove_subject(content) == plain


def test_the_only_clause_is_compared_with_items_and_not_with_other_clauses() -> None:
    alone = said("이제 마포구에 안 살아")
    near = measure_nearness(
        alone, KNOWN, vectors(2), get_shared_morphology(), SOME_SLOTS
    )
    assert near.figures.shape == (1, 2, FIGURES)
    found = predict_references(near, words_in_common())
    assert found.nearest == (0,)
    assert found.scores[0, 0] > 0.5 > found.scores[0, 1]


def test_one_person_is_another_than_another() -> None:
    assert extract_relatives(
        "my sister moved", get_shared_morphology()
    ) == extract_relatives("우리 언니", get_shared_morphology())
    assert extract_relatives("my sister", get_shared_morphology()) != extract_relatives(
        "my brother", get_shared_morphology()
    )
    assert extract_relatives("나 부산 살아", get_shared_morphology()) == frozenset()


def test_words_that_say_nothing_are_no_terms() -> None:
    assert extract_terms("사용자는 커피를 좋아한다", get_shared_morphology()) == {
        "커피",
        "좋아하",
    }
    assert extract_terms("the user is in Leeds", get_shared_morphology()) == {"leed"}


def test_where_nothing_is_known_nothing_is_referred_to() -> None:
    found = create_empty_references(3)
    near = measure_nearness(
        said("이제 마포구에 안 살아"),
        KNOWN,
        vectors(2),
        get_shared_morphology(),
        SOME_SLOTS,
    )
    assert found.nearest == (-1, -1, -1)
    assert found.scores.shape == (3, 0)
    assert (
        found.figures.shape[1]
        == predict_references(near, words_in_common()).figures.shape[1]
    )


def test_the_encoder_reads_the_item_first() -> None:
    evidence = said("이제 마포구에 안 살아. 강남이 좋아.")
    near = measure_nearness(
        evidence, KNOWN, vectors(2), get_shared_morphology(), SOME_SLOTS
    )
    texts = render_pairs(
        evidence.candidates,
        KNOWN,
        list(enumerate(predict_references(near, words_in_common()).nearest)),
    )
    assert texts[0].startswith("마포구에 산다 | 이제 마포구에 안 살아")
    unknown = render_pairs(evidence.candidates, (), [(0, -1), (1, -1)])
    assert unknown[0].startswith("- | ")


def test_known_words_and_numbers_are_the_same_run_in_every_clause() -> None:
    (one,) = said("I moved from Leeds").candidates
    (other,) = said("I moved from York").candidates
    plain = build_ngrams(one.clause, [one.clause], NOTHING)
    leeds = build_ngrams(
        one.clause, [one.clause], ItemTerms(frozenset({"leed"}), "location")
    )
    york = build_ngrams(
        other.clause, [other.clause], ItemTerms(frozenset({"york"}), "location")
    )
    shared_runs = set(leeds.words) & set(york.words)
    assert len(shared_runs) > len(set(plain.words) & set(york.words))


@given(st.text(max_size=200))
def test_any_words_become_buckets(text: str) -> None:
    for candidate in said(text).candidates:
        runs = build_ngrams(candidate.clause, [candidate.clause], NOTHING)
        for buckets in (runs.words, runs.letters):
            assert ((buckets >= 0) & (buckets < BUCKETS)).all()
            assert len(set(buckets.tolist())) == len(buckets)


def test_what_was_never_seen_says_nothing() -> None:
    model = NgramModel(np.zeros(BUCKETS), np.ones((BUCKETS, 5)), np.arange(5.0))
    (candidate,) = said("처음 듣는 말이에요").candidates
    runs = build_ngrams(candidate.clause, [candidate.clause], NOTHING)
    assert model.compute_logits([runs]).tolist() == [[0.0, 1.0, 2.0, 3.0, 4.0]]


@pytest.mark.parametrize(
    ("said_", "meant"),
    [
        ("forget where I live", "User lives in Leeds"),
        ("제 직업은 잊어 주세요", "사용자는 간호사로 일한다"),
        ("스타벅스 다니던 거 그만뒀어요", "사용자는 간호사로 일한다"),
    ],
)
async def test_what_is_said_and_what_is_known_agree_on_a_part_of_life(
    said_: str, meant: str
) -> None:
    items = ["User lives in Leeds", "사용자는 간호사로 일한다", "User has a cat, Miso"]
    rows = await E5Embedder().passages([said_, *map(remove_subject, items)])
    agreement = load_judge_weights().slots.measure_agreement(rows[:1], rows[1:])
    assert items[int(agreement[0].argmax())] == meant
    assert 0 <= agreement.min() <= agreement.max() <= 1 + 1e-9
