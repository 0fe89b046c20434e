"""What a conversation was about: things, no times and nothing that is done."""

from datetime import UTC, datetime

import pytest

from gieok.kernel.language import Conversation, Gist, Role, Utterance
from gieok.models.gist import validate_gist
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.english.nouns import find_non_nouns
from gieok.models.rules.topics import rank_topics
from gieok.text.kiwi import get_shared_morphology
from gieok.text.time_expressions import is_time

AT = datetime(2026, 3, 2, 10, tzinfo=UTC)


def topics_of(*said: str) -> set[str]:
    messages = [Utterance(2 * n, Role.USER, text) for n, text in enumerate(said)]
    return set(
        rank_topics(
            [
                (one, 1.0)
                for one in collect_candidates(messages, get_shared_morphology())
            ]
        )
    )


@pytest.mark.req("E04")
@pytest.mark.parametrize(
    ("said", "about"),
    [
        ("다음주에 수술을 받아", {"수술"}),
        ("다음주수술이 무서워", {"수술"}),
        ("이번주말에 제주도 여행 가", {"제주도", "여행"}),
        ("다음달 화요일 저녁에 이사 가", {"이사"}),
        ("여름방학에 배낭여행을 가기로 했어", {"방학", "배낭여행"}),
        ("그거 때문에 걔랑 헤어졌어", set[str]()),
        ("We adopted a cat last Tuesday", {"cat"}),
        ("I cried all night because of him", set[str]()),
        ("My mum is very ill", {"mum"}),
        ("I started learning the piano", {"piano"}),
        ("My sister lives in Leeds now", {"sister", "Leeds"}),
        ("He told me he wants to break up", set[str]()),
        ("I quit smoking", {"smoking"}),
        ("My grandmother died last night", {"grandmother"}),
        ("I have anxiety before exams", {"anxiety", "exams"}),
    ],
)
def test_topics_are_things(said: str, about: set[str]) -> None:
    assert topics_of(said) == about


@pytest.mark.req("E04")
def test_a_word_that_stands_once_as_a_noun_is_one() -> None:
    assert find_non_nouns("I run every day") == {"run"}
    assert find_non_nouns("I run. The run was hard") == {"hard"}


@pytest.mark.req("E04")
def test_a_time_that_a_model_calls_a_topic_is_left_out() -> None:
    said = Utterance(0, Role.USER, "다음주 화요일에 영화 보러 가")
    named = ("다음주", "영화", "화요일")
    gist = Gist("사용자는 다음주 화요일에 영화를 본다.", named, evidence=(0,))
    assert validate_gist(gist, Conversation((said,), (), AT)).topics == ("영화",)


@pytest.mark.parametrize(
    "text",
    [
        *("다음주", "다음 주", "이번주말", "지난달", "내년", "화요일", "아침", "3월"),
        *("오늘 저녁", "연말", "last Tuesday", "May", "tomorrow", "weekend"),
        *("two weeks ago", "next year"),
    ],
)
def test_what_is_nothing_but_a_time(text: str) -> None:
    assert is_time(text)


@pytest.mark.parametrize(
    "text", ["수술", "다음주 수술", "달리기", "주식", "March hare"]
)
def test_what_is_more_than_a_time(text: str) -> None:
    assert not is_time(text)
