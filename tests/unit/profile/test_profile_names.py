"""What stands under `name` is what somebody is called (C01)."""

from dataclasses import replace

import pytest

from gieok.kernel.language import CardField, Category
from gieok.memories.model import Fact
from gieok.profile.build import resolve_place
from support.plain_memory import PLAIN


def build_fact(content: str) -> Fact:
    return Fact(replace(PLAIN, content=content, category=Category.CONTEXT), None)


@pytest.mark.req("C01")
@pytest.mark.parametrize(
    "content", ["사용자는 원래 늦게 자잖아", "User never skips lunch", "8쪽이요 (쪽)"]
)
def test_a_judge_that_takes_a_sentence_for_a_name_is_not_believed(content: str) -> None:
    placed = resolve_place(build_fact(content), lambda _: CardField.NAME)
    assert placed.place is CardField.MENTIONED_FACTS


@pytest.mark.req("C01")
@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("사용자의 이름은 한서린이며 서린이라고 불린다", "한서린"),
        ("User's name is Ines Duarte and she goes by Nes", "Ines Duarte"),
        ("User's name is Ines", "Ines"),
    ],
)
def test_who_says_their_name_in_so_many_words_is_called_that(
    content: str, name: str
) -> None:
    fact = build_fact(content)
    for judged in (CardField.MENTIONED_FACTS, None):
        placed = resolve_place(fact, lambda _, judged=judged: judged)
        assert (placed.place, placed.value) == (CardField.NAME, name)


@pytest.mark.req("C01")
@pytest.mark.parametrize(
    "content",
    ["다들 사용자를 하루라고 부른다", "User goes by Nes", "사용자는 김도이다"],
)
def test_other_ways_to_be_called_are_left_to_the_judge(content: str) -> None:
    placed = resolve_place(build_fact(content), lambda _: CardField.NAME)
    assert placed.place is CardField.NAME
