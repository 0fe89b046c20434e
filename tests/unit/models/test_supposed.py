"""What is only supposed is no fact, and neither is what goes on with it."""

import pytest

from gieok.kernel.language import Role, Utterance
from gieok.models.rules.discourse_frame import collect_turns, is_supposed


def _list_made_up(*said: str) -> list[bool]:
    """Return whether each of the user's messages goes on with something made up."""
    roles = (Role.USER, Role.ASSISTANT)
    talk = [Utterance(n, roles[n % 2], text) for n, text in enumerate(said)]
    return [each.frame.fiction for each in collect_turns(talk)]


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ("만약에 20억 생기면 뭐부터 함? 나는 소 한마리 키움", "나는 소"),
        ("if i won the lottery what would i actually do first", "what would"),
        ("imagine i had a million quid, I'd live in Rome", "I'd live"),
    ],
)
def test_what_is_supposed_is_made_up(said: str, part: str) -> None:
    assert is_supposed(said, said.index(part))


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ("시간이 생기면 운동하려고", "운동"),
        ("if it rains I take the bus", "I take"),
        ("I had a million things to do", "I had"),
        ("I'm with the fire brigade. If I were the minister I'd pay us.", "I'm with"),
        ("If I won the lotto I'd move. I work at the mill.", "I work"),
    ],
)
def test_what_may_be_so_is_not(said: str, part: str) -> None:
    assert not is_supposed(said, said.index(part))


def test_it_goes_on_while_the_assistant_asks_about_it() -> None:
    assert _list_made_up(
        "만약에 20억 생기면 뭐부터 함?",
        "소를 어디서 키우게?",
        "베란다에서. 이름은 등심이",
        "이름이 너무하네.",
        "근데 나 부산 살아",
    ) == [False, True, False]
