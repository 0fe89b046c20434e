"""What opens with whom something is not true of is told of whom it is."""

import pytest

from gieok.models.rules.english.openings import trim_fillers
from gieok.models.rules.korean.texts import has_korean_ending
from gieok.models.rules.korean.wording import KoreanContext, list_memories
from gieok.text.kiwi import get_shared_morphology

MORPHOLOGY = get_shared_morphology()


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("not me but my daughter can't have eggs", "my daughter can't have eggs"),
        ("Not me, my daughter's allergic", "my daughter's allergic"),
        ("not for me but it's my daughter's", "my daughter's"),
        ("not me at all", "not me at all"),
        ("not my daughter but my son", "not my daughter but my son"),
    ],
)
def test_english_names_whom_it_is_not(said: str, left: str) -> None:
    assert trim_fillers(said) == left


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "나 말고 우리 딸이 계란 알레르기가 있어",
            ["사용자의 딸이 계란 알레르기가 있다"],
        ),
        ("저 말고 딸이 계란을 못 먹어요", ["사용자의 딸이 계란을 못 먹는다"]),
        ("나 아니고 동생이 부산 살아", ["사용자의 동생이 부산에 산다"]),
        ("아침은 안 먹어", ["사용자는 아침은 안 먹는다"]),
        ("아침은 빵을 먹어요", ["사용자는 아침은 빵을 먹는다"]),
        ("아침에 먹어요", None),
    ],
)
def test_korean_is_told_of_whom_it_is(said: str, told: list[str] | None) -> None:
    assert list_memories(said, KoreanContext("", ""), MORPHOLOGY) == told


def test_a_foreign_noun_with_a_casual_ending_is_korean() -> None:
    assert has_korean_ending("mbti infp에요")
    assert not has_korean_ending("I like 치킨")


@pytest.mark.parametrize(
    "said",
    [
        "나 말고는 다 커피 마셔",
        "나 빼고 다 커피 마셔",
        "나 말고 다들 커피 마셔",
        "나 말고 친구들도 커피 마셔",
    ],
)
def test_what_is_so_of_all_but_the_user_is_not_told_of_them(said: str) -> None:
    assert list_memories(said, KoreanContext("", ""), MORPHOLOGY) is None
