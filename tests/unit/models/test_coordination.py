"""Taking one of the things that a sentence coordinates out of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.models.rules.changes.coordination import list_conjuncts, remove_conjunct

PILLS = ("metformin", "lisinopril", "aspirin", "iron", "zinc", "green tea")
TEAS = ("녹차", "커피", "우유", "홍차", "콜라", "맥주")


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("sentence", "named", "expected"),
    [
        (
            "사용자는 혈압약이랑 당뇨약을 먹는다",
            "당뇨약",
            "사용자는 혈압약을 먹는다",
        ),
        ("사용자는 고양이랑 강아지 키운다", "강아지", "사용자는 고양이를 키운다"),
        ("사용자는 요가하고 수영 다닌다", "수영", "사용자는 요가 다닌다"),
        ("사용자는 사과, 배, 포도를 좋아한다", "포도", "사용자는 사과, 배를 좋아한다"),
        ("사용자는 사과와 귤을 좋아한다", "귤", "사용자는 사과를 좋아한다"),
        ("사용자는 고양이도 강아지도 키운다", "강아지", "사용자는 고양이도 키운다"),
        (
            "사용자는 항생제 및 진통제를 복용 중이다",
            "항생제",
            "사용자는 진통제를 복용 중이다",
        ),
        ("사용자는 알바랑 과외를 하고 있다", "알바", "사용자는 과외를 하고 있다"),
        ("사용자의 취미는 독서와 낚시다", "낚시", "사용자의 취미는 독서다"),
        (
            "The user takes metformin and lisinopril",
            "lisinopril",
            "The user takes metformin",
        ),
        ("The user has a cat and a dog", "a dog", "The user has a cat"),
        ("The user has a cat and dog", "a cat", "The user has a dog"),
        (
            "The user takes iron, zinc, and aspirin daily",
            "zinc",
            "The user takes iron and aspirin daily",
        ),
        (
            "The user plays tennis as well as squash",
            "tennis",
            "The user plays squash",
        ),
        ("The user smokes and drinks", "drinks", "The user smokes"),
        (
            "The user speaks at church and volunteers at a shelter",
            "volunteers at a shelter",
            "The user speaks at church",
        ),
    ],
)
def test_one_is_taken_out(sentence: str, named: str, expected: str) -> None:
    assert remove_conjunct(sentence, [named]) == expected


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "sentence",
    [
        "사용자는 엄마와 함께 산다",
        "사용자는 사과 주스를 마신다",
        "사용자는 치과 다닌다",
        "사용자는 친구랑 카페를 운영한다",
        "The user loves mac and cheese",
        "The user works in R&D",
        "The user collects salt and pepper shakers",
        "The doctor takes iron and zinc",
    ],
)
def test_what_is_no_list_has_no_parts(sentence: str) -> None:
    assert list_conjuncts(sentence) == ()


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("사용자는 강아지랑 공원에 산책 간다", "공원"),
        ("사용자는 된장이랑 밥을 비벼 먹는다", "밥"),
        ("사용자는 “넷플릭스하고 왓챠 구독해”라고 말했다", "왓챠"),
        ("사용자는 요가하고 음악을 듣는다", "음악"),
        ("The user mixes tea and milk together", "milk"),
        ("The user takes iron and his wife takes zinc", "iron"),
        ("The user takes iron and zinc", "calcium"),
    ],
)
def test_what_cannot_be_cut_surely_is_left(sentence: str, named: str) -> None:
    assert remove_conjunct(sentence, [named]) is None


def _split(sentence: str) -> list[str]:
    return sentence.replace(",", "").replace(" and ", " ").split()


@pytest.mark.req("D05")
@given(
    things=st.lists(st.sampled_from(PILLS), min_size=2, max_size=5, unique=True),
    data=st.data(),
)
def test_every_other_english_word_stays(things: list[str], data: st.DataObject) -> None:
    gone = data.draw(st.sets(st.sampled_from(things)))
    sentence = f"The user takes {', '.join(things[:-1])} and {things[-1]} every day"
    rest = remove_conjunct(sentence, gone)
    if not gone or len(gone) == len(things):
        assert rest is None
        return
    assert rest is not None
    kept = [word for one in things if one not in gone for word in one.split()]
    assert _split(rest) == ["The", "user", "takes", *kept, "every", "day"]


@pytest.mark.req("D05")
@given(
    things=st.lists(st.sampled_from(TEAS), min_size=2, max_size=4, unique=True),
    link=st.sampled_from(["하고 ", ", "]),
    data=st.data(),
)
def test_every_other_korean_word_stays(
    things: list[str], link: str, data: st.DataObject
) -> None:
    gone = data.draw(st.sets(st.sampled_from(things)))
    sentence = f"사용자는 {link.join(things)}를 좋아한다"
    rest = remove_conjunct(sentence, gone)
    if rest is None:
        return
    kept = [one for one in things if one not in gone]
    assert 0 < len(kept) < len(things)
    assert rest == f"사용자는 {link.join(kept)}를 좋아한다"


@pytest.mark.req("D05")
@given(
    sentence=st.text("가나를와 ,이랑도고 ABand the user", max_size=40),
    named=st.lists(st.text("가나ABuser", max_size=4), max_size=3),
)
def test_whatever_is_said_nothing_breaks(sentence: str, named: list[str]) -> None:
    rest = remove_conjunct(sentence, named)
    assert rest is None or rest != sentence
