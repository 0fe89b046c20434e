"""The forms in which the documents want memory written."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.context.formatting import (
    format_card,
    format_episodes,
    format_fact_line,
    format_facts,
    select_language,
)

DAY = date(2026, 2, 8)
MEMORY = {
    "name": "영광",
    "occupation": "개발자",
    "interests": ["AI", "영어", "여행"],
    "learning_goals": ["비즈니스 영어", "해외 취업"],
    "mentioned_facts": ["서울에 살아요", "고양이를 키워요"],
}


@pytest.mark.req("D08")
def test_facts_are_written_under_the_documents_heading() -> None:
    lines = [
        format_fact_line("사용자는 강남구에 거주", DAY, "0011aabb"),
        format_fact_line("커피를 좋아함", DAY, "ccdd2233"),
    ]
    assert format_facts(lines, "ko") == (
        "## 사용자 정보 (이전 대화에서 기억)\n"
        "- 사용자는 강남구에 거주 [2026-02-08 · 0011aabb]\n"
        "- 커피를 좋아함 [2026-02-08 · ccdd2233]"
    )


@pytest.mark.req("D08")
def test_facts_have_an_english_twin_and_nothing_for_nothing() -> None:
    assert format_facts(["- a"], "en") == (
        "## About the user (remembered from earlier conversations)\n- a"
    )
    assert format_facts(["- a"], "fr") == format_facts(["- a"], "en")
    assert format_facts([], "ko") == format_facts([], "en") == ""


@pytest.mark.req("E09")
def test_episodes_are_written_as_the_documents_dated_block() -> None:
    entries = [("면접을 앞두고 긴장함", date(2026, 2, 7)), ("영화를 봄", DAY)]
    assert format_episodes(entries, "ko") == (
        "[과거 대화 기록]\n"
        "당신은 사용자와 다음과 같은 대화를 나눴습니다:\n"
        "\n"
        "- 면접을 앞두고 긴장함 (2026-02-07)\n"
        "- 영화를 봄 (2026-02-08)\n"
        "\n"
        "이 정보를 바탕으로 자연스럽게 대화를 이어가세요.\n"
        '예: "어제 본 영화 어땠어?" 같은 질문으로 관심 표현'
    )
    assert format_episodes([], "ko") == ""
    assert format_episodes(entries, "en").splitlines()[0] == "[Past conversations]"


@pytest.mark.req("C05")
def test_a_card_is_written_as_the_tutor_documents_block() -> None:
    assert format_card(MEMORY) == (
        "[User Memory - Things you know about this user]\n"
        "- Name: 영광\n"
        "- Occupation: 개발자\n"
        "- Interests: AI, 영어, 여행\n"
        "- Learning goals: 비즈니스 영어, 해외 취업\n"
        "- Other facts: 서울에 살아요, 고양이를 키워요\n"
        "\n"
        "Use this information naturally in conversation when relevant."
    )


@pytest.mark.req("C05")
def test_a_card_leaves_out_what_is_empty_and_adds_preferences() -> None:
    assert format_card({}) == format_card({"name": "", "interests": []}) == ""
    assert format_card({"name": "영광", "occupation": ""}).count("\n- ") == 1
    shown = format_card(
        {**MEMORY, "preferences": ["천천히 말해주세요"], "mood": "unknown"}
    )
    assert "Preferences" not in shown
    assert "unknown" not in shown


@pytest.mark.req("C05")
def test_of_a_long_list_a_card_shows_what_came_last() -> None:
    facts = [f"사실 {n}" for n in range(1_000)]
    shown = format_card({"mentioned_facts": facts, "interests": ["AI"]})
    assert shown.splitlines()[1:3] == [
        "- Interests: AI",
        "- Other facts: " + ", ".join(facts[-50:]),
    ]


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_a_value_never_adds_a_line(values: list[str]) -> None:
    assert len(format_fact_line(values[0], DAY, "x").splitlines()) == 1
    assert len(format_card({"name": "n", "interests": values}).splitlines()) == 5
    entries = [(value, DAY) for value in values]
    assert len(format_episodes(entries, "ko").splitlines()) == 6 + len(values)


@pytest.mark.parametrize(
    ("spoken", "question", "shown", "language"),
    [
        ("ko", "what do you know about me?", ["The user lives in Leeds"], "en"),
        ("ko", "what do you know about me?", [], "en"),
        ("ko", "what do you know about me?", ["사용자는 부산에 산다"], "ko"),
        ("ko", "나 어디 살아?", ["The user lives in Leeds"], "ko"),
        ("ko", "???", ["The user lives in Leeds"], "ko"),
        ("en", "나 어디 살아?", ["사용자는 부산에 산다"], "en"),
    ],
)
def test_what_nobody_may_have_chosen_gives_way_to_what_is_spoken(
    spoken: str, question: str, shown: list[str], language: str
) -> None:
    assert select_language(spoken, question, shown) == language
