"""What somebody insists on is a statement, with whatever sign it ends."""

import pytest

from gieok.models.rules.korean.spoken import render_insistence


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("나 채식 안 한다니까요?", "나 채식 안 한다니까요."),
        ("안 먹는다니깐?!", "안 먹는다니깐."),
        ("부산 산다니까요ㅋㅋ?", "부산 산다니까요."),
        ("학생이라니까요!!", "학생이라니까요."),
        ("아니. 비건이라니까？", "아니. 비건이라니까."),
    ],
)
def test_insistence_is_no_question(said: str, told: str) -> None:
    assert render_insistence(said) == told


@pytest.mark.parametrize(
    "said",
    [
        "언제 온다니까?",
        "학교 다니까?",
        "뭐라니까?",
        "안 먹는다니까",
        "그렇다니까 가자?",
    ],
)
def test_a_question_stays_one(said: str) -> None:
    assert render_insistence(said) == said
