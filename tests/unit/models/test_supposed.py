"""What is only supposed is no fact, and neither is what goes on with it."""

import pytest

from gieok.kernel.language import Role, Utterance
from gieok.models.rules.scope import collect_turns


def _frame(*said: str) -> list[tuple[bool, bool]]:
    """Return whether each of the user's messages supposes, and is made up."""
    roles = (Role.USER, Role.ASSISTANT)
    talk = [Utterance(n, roles[n % 2], text) for n, text in enumerate(said)]
    turns = collect_turns(talk)
    return [(each.frame.supposed, each.frame.fiction) for each in turns]


@pytest.mark.parametrize(
    "said",
    [
        "만약에 20억 생기면 뭐부터 함? 나는 소 한마리 키움",
        "if i won the lottery what would i actually do first",
        "imagine i had a million quid, I'd live in Rome",
    ],
)
def test_what_is_supposed_is_made_up(said: str) -> None:
    assert _frame(said) == [(True, True)]


@pytest.mark.parametrize(
    "said",
    [
        "시간이 생기면 운동하려고",
        "if it rains I take the bus",
        "I had a million things to do",
        "만약을 위해 보험을 들었어",
    ],
)
def test_what_may_be_so_is_not(said: str) -> None:
    assert _frame(said) == [(False, False)]


def test_it_goes_on_while_the_assistant_asks_about_it() -> None:
    assert _frame(
        "만약에 20억 생기면 뭐부터 함?",
        "소를 어디서 키우게?",
        "베란다에서. 이름은 등심이",
        "이름이 너무하네.",
        "근데 나 부산 살아",
    ) == [(True, True), (False, True), (False, False)]
