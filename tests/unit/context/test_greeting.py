"""The first words of a day."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.context.greeting import format_day_distance, format_greeting
from gieok.kernel.language import Emotion

TODAY = date(2026, 3, 10)


@pytest.mark.req("E24")
@pytest.mark.parametrize(
    ("language", "emotion", "said"),
    [
        ("ko", Emotion.EXCITEMENT, "어제 이야기한 “면접”, 그 뒤로 어떻게 됐어요?"),
        (
            "ko",
            Emotion.STRESS,
            "어제 “면접” 이야기를 하면서 많이 힘들어 보였어요. 지금은 좀 어때요?",
        ),
        ("en", Emotion.JOY, "Yesterday we talked about “면접”. How did it go?"),
        (
            "en",
            Emotion.SADNESS,
            "Yesterday “면접” seemed to weigh on you. How are you feeling now?",
        ),
    ],
)
def test_yesterday_is_taken_up(language: str, emotion: Emotion, said: str) -> None:
    yesterday = TODAY - timedelta(days=1)
    assert format_greeting("면접", emotion, yesterday, TODAY, language) == said


@pytest.mark.parametrize(
    ("ago", "ko", "en"),
    [
        (0, "아까", "earlier today"),
        (2, "그저께", "the day before yesterday"),
        (4, "4일 전에", "4 days ago"),
        (9, "3월 1일에", "on 1 March"),
        (-3, "아까", "earlier today"),
    ],
)
def test_days_have_the_names_people_use(ago: int, ko: str, en: str) -> None:
    day = TODAY - timedelta(days=ago)
    assert format_day_distance(day, TODAY, "ko") == ko
    assert format_day_distance(day, TODAY, "en") == en


@given(st.text(max_size=40), st.sampled_from(Emotion), st.dates(), st.dates())
def test_the_topic_always_stands_as_it_is(
    topic: str, emotion: Emotion, day: date, today: date
) -> None:
    for language in ("ko", "en"):
        assert f"“{topic}”" in format_greeting(topic, emotion, day, today, language)
