"""What the user says is not so any more leaves the card, and nothing else does."""

from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Role, Utterance
from gieok.profile.lost_values import PLACES, find_lost_values
from gieok.profile.merge import (
    compare_names,
    is_empty,
    merge_documents,
    remove_values,
)

CARD = {
    "name": "AI",
    "interests": ["AI", "여행", "yoga", "machine learning"],
    "learning_goals": ["비즈니스 영어"],
    "preferences": ["AI"],
}


def find_in(*said: str, role: Role = Role.USER) -> list[str]:
    messages = [Utterance(n, role, text) for n, text in enumerate(said)]
    lost = find_lost_values(messages, CARD)
    assert lost.keys() <= set(PLACES)
    return [value for values in lost.values() for value in values]


@pytest.mark.req("C02")
@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("AI에는 관심 없어졌어", "AI"),
        ("나 이제 AI에 관심 없어.", "AI"),
        ("요즘 ai에 대한 흥미를 잃었어!", "AI"),
        ("여행은 이제 안 좋아해", "여행"),
        ("비즈니스 영어는 이제 그만뒀어", "비즈니스 영어"),
        ("I'm not interested in AI anymore.", "AI"),
        ("Lately I lost interest in yoga", "yoga"),
        ("I don't like yoga any more", "yoga"),
        ("Honestly, I'm no longer into machine learning.", "machine learning"),
    ],
)
def test_what_is_taken_back_is_found(said: str, value: str) -> None:
    assert find_in(said) == [value]
    assert find_in(said, role=Role.ASSISTANT) == []


@pytest.mark.parametrize(
    "said",
    [
        "동생은 AI에 관심 없어졌어",
        "AI에 관심이 많아졌어",
        "AI에 관심 없어졌어?",
        "AI에 관심 없어졌다고 생각했는데 아니야",
        "AI에 관심 없어진 건 아니야",
        "AI 관련 뉴스가 없어졌어",
        "My brother lost interest in yoga",
        "I don't like yoga on Mondays",
        "If I'm not interested in AI, tell me",
        "I'm not interested in AI art",
        "I'm not interested in paint",
    ],
)
def test_what_others_say_or_nobody_does_stays(said: str) -> None:
    assert find_in(said) == []


def test_the_last_that_is_said_of_it_decides() -> None:
    assert find_in("AI에는 관심 없어졌어", "아니다, AI 다시 좋아졌어") == []
    assert find_in("나 AI 좋아해", "AI에는 관심 없어졌어") == ["AI"]


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("여행", "여행하는 것", True),
        ("여행", "여행하기", True),
        ("요리", "요리하는 거", True),
        ("travel", "Travelling", True),
        ("to travel", "traveling", True),
        ("dance", "dancing", True),
        ("run", "running", True),
        ("C", "C++", False),
        ("AI", "인공지능", False),
        ("매운 음식", "안 매운 음식", False),
        ("영화", "영화 보기", False),
        ("king", "kin", False),
    ],
)
@pytest.mark.req("C02")
def test_two_names_of_one_thing_need_no_morphology(
    one: str, other: str, *, is_same: bool
) -> None:
    key = compare_names("interests")
    assert (key(one) == key(other)) is is_same
    merged = merge_documents(
        {"interests": [one]}, {"interests": [other]}, compare_names
    )
    assert merged["interests"] == ([one] if is_same else [one, other])
    facts = compare_names("mentioned_facts")
    assert facts("likes travel") != facts("likes travelling")


WORDS = st.text("aiA 여행+", max_size=5)
VALUES = st.lists(WORDS | st.integers() | st.none(), max_size=4) | WORDS | st.none()
CARDS = st.dictionaries(st.sampled_from(["interests", "name", "theirs"]), VALUES)


@given(CARDS, st.lists(WORDS, max_size=3))
def test_only_what_was_lost_is_removed(card: dict[str, Any], lost: list[str]) -> None:
    left = remove_values(card, {"interests": lost})
    assert remove_values(left, {"interests": lost}) == left
    for name, value in card.items():
        if name != "interests" or not isinstance(value, list):
            assert left[name] == value
        else:
            kept = left.get(name, [])
            assert [each for each in value if each in kept] == kept
            assert not any(each in kept for each in lost)
    assert not any(is_empty(left[n]) for n in left if not is_empty(card[n]))


def test_a_long_talk_and_a_long_card_are_read_in_time() -> None:
    card = {"interests": [f"thing {n}" for n in range(1_000)]}
    text = "thing 7에는 관심 없어졌어. " * 4_000
    talk = [Utterance(n, Role.USER, text) for n in range(10)]
    begun = process_time()
    assert find_lost_values(talk, card) == {"interests": ["thing 7"]}
    assert process_time() - begun < 3
