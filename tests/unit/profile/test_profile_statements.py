"""What a memory says of its place of the card."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import CardField
from gieok.models.e5 import E5Embedder
from gieok.models.rules.weights import load_card_model
from gieok.profile.build import build_list_key
from gieok.profile.statements import (
    find_named_value,
    format_statement,
    parse_statement,
    read_value,
)
from gieok.text.terms import MixedTokenizer

VALUES = st.text("aZ :.,이다의🙂\n", min_size=1).filter(str.strip)


@pytest.mark.req("C01")
@given(st.sampled_from(CardField), VALUES, st.sampled_from(["ko", "en"]))
def test_what_is_written_into_the_card_is_read_from_it(
    place: CardField, value: str, language: str
) -> None:
    content = format_statement(place, value, language)
    assert parse_statement(content) == (place, value)
    assert read_value(place, content) == value


@given(st.sampled_from(CardField), VALUES)
def test_every_memory_says_something(place: CardField, content: str) -> None:
    assert read_value(place, content)


@pytest.mark.req("C01")
@pytest.mark.parametrize(
    ("place", "content", "value"),
    [
        (CardField.NAME, "사용자의 이름은 김민수이다", "김민수"),
        (CardField.NAME, "사용자의 이름은 민지다", "민지"),
        (CardField.NAME, "The user's name is Jane Doe", "Jane Doe"),
        (CardField.NAME, "사용자: Hi, my name is 영광", "영광"),
        (CardField.NAME, "The user said: “My name is 영광. I am a developer”", "영광"),
        (CardField.NAME, "The user said: “My name is Dr. J. Lim. Hi”", "Dr. J. Lim"),
        (CardField.NAME, "The user's name is Dr. Kim", "Dr. Kim"),
        (CardField.NAME, "사용자의 이름은 한서린이며 서린이라고 불린다", "한서린"),
        (CardField.NAME, "User's name is Ines Duarte and she goes by Nes",
         "Ines Duarte"),
        (CardField.OCCUPATION, "User is a developer.", "developer"),
        (CardField.OCCUPATION, "User works as a nurse in Boston", "nurse in Boston"),
        (CardField.OCCUPATION, "사용자는 개발자이다", "개발자"),
        (CardField.OCCUPATION, "사용자는 백엔드 개발자로 일한다", "백엔드 개발자"),
        (CardField.OCCUPATION, "User teaches cello", "teaches cello"),
        (CardField.OCCUPATION, "사용자는 이제 기획자이다", "기획자"),
        (CardField.OCCUPATION, "User is a planner now", "planner"),
        (CardField.OCCUPATION, "User is now a planner.", "planner"),
        (CardField.INTERESTS, "사용자는 AI에 관심이 많다", "AI"),
        (CardField.INTERESTS, "사용자의 취미는 등산이다", "등산"),
        (CardField.INTERESTS, "User is interested in AI", "AI"),
        (CardField.LEARNING_GOALS, "User wants to improve business English",
         "business English"),
        (CardField.LEARNING_GOALS, "사용자는 비즈니스 영어를 배우고 싶다",
         "비즈니스 영어"),
        (CardField.LEARNING_GOALS, "사용자는 해외 취업이 목표다", "해외 취업"),
        (CardField.MENTIONED_FACTS, "사용자는 서울에 산다", "서울에 산다"),
        (CardField.MENTIONED_FACTS, "User uses Python", "uses Python"),
    ],
)  # fmt: skip
def test_a_sentence_about_the_user_gives_its_value(
    place: CardField, content: str, value: str
) -> None:
    assert read_value(place, content) == value


@pytest.mark.req("C02")
def test_two_names_of_one_thing_are_one_interest() -> None:
    key = build_list_key(MixedTokenizer())
    assert key("여행") == key("여행하는 것") == key("여행하기")
    assert key("travel") == key("Travelling")
    assert key("C") != key("C++")
    assert key("AI") != key("인공지능")
    assert key("매운 음식") != key("안 매운 음식")


@pytest.mark.req("C01")
async def test_the_places_of_plain_sentences() -> None:
    """The document's own sentences, and others, in both languages."""
    told = {
        "사용자: Hi, my name is 영광": CardField.NAME,
        "User is a developer.": CardField.OCCUPATION,
        "사용자는 학교 선생님이다": CardField.OCCUPATION,
        "User is keen on astronomy": CardField.INTERESTS,
        "사용자는 우주 탐사에 푹 빠져 있다": CardField.INTERESTS,
        "User would like to become fluent in German": CardField.LEARNING_GOALS,
        "사용자는 면접을 영어로 보려고 준비 중이다": CardField.LEARNING_GOALS,
        "User wants replies without emoji": CardField.PREFERENCES,
        "사용자는 천천히 말해 주면 좋겠다고 했다": CardField.PREFERENCES,
        "User's sister works as a chef": CardField.MENTIONED_FACTS,
        "사용자의 어머니는 꽃집을 한다": CardField.MENTIONED_FACTS,
        "User has a golden retriever": CardField.MENTIONED_FACTS,
    }
    vectors = await E5Embedder().passages(list(told))
    model = load_card_model()
    found = {
        content: model.predict_field(vector)
        for content, vector in zip(told, vectors, strict=True)
    }
    assert found == told


def test_what_only_describes_an_occupation_is_a_fact_beside_the_named_one() -> None:
    named = find_named_value(CardField.OCCUPATION, "User is a developer")
    described = find_named_value(CardField.OCCUPATION, "User works on backend systems")
    assert (named, described) == ("developer", None)
