"""What of an extracted card the user really said."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Role, Utterance
from gieok.models.rules.dates.relative_dates import resolve_dates
from gieok.profile.model import CardDocument
from gieok.surfaces.tutor.extraction import parse_answer
from gieok.surfaces.tutor.grounding import keep_grounded


def talk(*said: str, tutor: str = "Nice!") -> list[Utterance]:
    messages = [Utterance(n, Role.USER, text) for n, text in enumerate(said)]
    return [*messages, Utterance(len(said), Role.ASSISTANT, tutor)]


@pytest.mark.req("C01")
def test_a_number_that_was_said_does_not_bear_out_what_it_counts() -> None:
    assert keep_grounded({"mentioned_facts": ["3학년"]}, talk("고양이 3마리요")) == {}
    card: CardDocument = {"mentioned_facts": ["3학년"]}
    assert keep_grounded(card, talk("저 3학년이에요")) == card


@pytest.mark.req("C01")
@pytest.mark.parametrize(
    ("said", "card"),
    [
        ("저는 영광이고 개발자예요.", {"name": "영광", "occupation": "개발자"}),
        ("서울에 살고 고양이를 키워요", {"mentioned_facts": ["고양이를 키움"]}),
        ("I want to learn business English", {"learning_goals": ["business English"]}),
        ("I write C++ for 3 years", {"mentioned_facts": ["writes C++ for 3 years"]}),
        ("고양이 세 마리 키워요", {"mentioned_facts": ["고양이 3마리를 키움"]}),
        ("고양이 3마리 키워요", {"mentioned_facts": ["고양이 세 마리를 키움"]}),
        ("we have three cats", {"mentioned_facts": ["has 3 cats"]}),
        ("저는 95년생이에요", {"mentioned_facts": ["1995년생"]}),
        ("2019년에 결혼했어요", {"mentioned_facts": ["2019년에 결혼했음"]}),
        ("I teach B2B marketing", {"occupation": "B2B marketing teacher"}),
    ],
)
def test_what_was_said_stays(said: str, card: dict[str, object]) -> None:
    assert keep_grounded(card, talk(said)) == card  # pyright: ignore[reportArgumentType]


@pytest.mark.req("C01")
@pytest.mark.parametrize(
    "card",
    [
        {"name": "Minji"},
        {"occupation": "astronaut"},
        {"interests": ["sailing"]},
        {"mentioned_facts": ["works for 4 years"]},
        {"occupation": "개발자"},
        {"mentioned_facts": ["developer for 3years, 4months"]},
        {"mentioned_facts": ["developer since 2023"]},
    ],
)
def test_what_nobody_or_only_the_tutor_said_is_left_out(
    card: dict[str, object],
) -> None:
    """The last is said in another language: it cannot be checked."""
    said = talk("I am a developer for 3 years", tutor="Minji the astronaut sails, 4")
    assert keep_grounded(card, said) == {}  # pyright: ignore[reportArgumentType]


@pytest.mark.req("C01")
@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("고양이 두 마리를 키워요", "고양이 3마리를 키움"),
        ("고양이 2마리를 키워요", "고양이 3마리를 키움"),
        ("이사해요", "2026년 1월 6일에 이사함"),
        ("이사해요", "이사함(2026-01-06)"),
        ("내일 이사해요", "1999년 1월 6일에 이사함"),
        ("I have cats", "has cats since last year (2025-01)"),
    ],
)
def test_a_number_or_a_date_that_nothing_bears_out_is_left_out(
    said: str, value: str
) -> None:
    assert keep_grounded({"mentioned_facts": [value]}, talk(said), year=2026) == {}


@pytest.mark.req("C01")
@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("I got married last year", "got married last year (2025)"),
        ("I move to Busan next month", "moves to Busan next month (2026-02)"),
        ("I'm moving tomorrow", "is moving on January 6, 2026"),
        ("내일 부산으로 이사해요", "2026년 1월 6일에 부산으로 이사함"),
        ("내일 이사해요", "1월 6일 이사함"),
        ("작년에 결혼했어요", "작년(2025년)에 결혼함"),
    ],
)
def test_a_date_that_is_worked_out_stays_where_the_day_is_known(
    said: str, value: str
) -> None:
    card: CardDocument = {"mentioned_facts": [value]}
    assert keep_grounded(card, talk(said), year=2026) == card
    assert keep_grounded(card, talk(said)) == {}


@pytest.mark.req("C01")
@pytest.mark.parametrize(
    "said",
    [
        *("모레 이사해요", "사흘 뒤 이사해요", "2주 뒤 이사해요", "사흘 전 이사했어요"),
        *("내년에 이사해요", "다음 달에 이사해요", "다음 주에 이사해요"),
        *("다음 주 화요일에 이사해요", "이번 주말에 이사해요"),
        *("I move tomorrow", "I moved two weeks ago", "I move in three days"),
        *("I move next week", "I moved last month", "I moved last year"),
        *("I move next Tuesday", "I move on Sunday"),
    ],
)
def test_every_date_that_the_rules_write_stays(said: str) -> None:
    value = resolve_dates(said, date(2026, 1, 5))
    assert value != said
    card: CardDocument = {"mentioned_facts": [value]}
    assert keep_grounded(card, talk(said), year=2026) == card


@given(st.text(max_size=80), st.lists(st.text(max_size=40), max_size=4))
def test_nothing_is_added_to_a_card(said: str, values: list[str]) -> None:
    card = {"interests": values, "mentioned_facts": [said]}
    kept = keep_grounded(card, talk(said))  # pyright: ignore[reportArgumentType]
    assert all(set(texts) <= set(card[name]) for name, texts in kept.items())


@given(st.text(max_size=200))
def test_no_answer_of_a_model_breaks_the_reading(answer: str) -> None:
    parse_answer(answer)
    parse_answer('{"name": ' + answer)
