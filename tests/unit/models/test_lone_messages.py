"""Short messages that are read by themselves, whatever stands beside them."""

import pytest

from gieok.kernel.language import Role, Utterance
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.lone_messages import MOST, list_lone_messages
from gieok.text.kiwi import get_shared_morphology


def _list(*said: str, asked: str = "ok", told: frozenset[int] = frozenset()) -> int:
    spoken = [
        one
        for number, text in enumerate(said)
        for one in (
            Utterance(2 * number, Role.ASSISTANT, asked),
            Utterance(2 * number + 1, Role.USER, text),
        )
    ]
    candidates = collect_candidates(spoken, get_shared_morphology())
    return len(list_lone_messages(candidates, told))


@pytest.mark.parametrize("said", ["insulin since college", "막내 이름 하람"])
def test_a_short_message_that_stands_alone_is_read_alone(said: str) -> None:
    assert _list(said) == 1
    assert _list(said, told=frozenset({1})) == 0


@pytest.mark.parametrize(
    "said",
    [
        "love it there",
        "그거 진짜 좋아",
        "does insulin keep?",
        "옆집 사람 또 이사 간대",
        "insulin since college, and the pens are kept in the fridge of the porter",
    ],
)
def test_what_leans_on_others_is_not(said: str) -> None:
    assert _list(said) == 0


def test_an_answer_is_read_with_its_question() -> None:
    assert _list("insulin since college", asked="What do you take?") == 0


def test_nothing_is_read_alone_where_anybody_plays() -> None:
    assert _list("insulin since college", "let's roleplay, you are a king") == 0
    assert _list("insulin since college", "나 지금부터 의사인 척 할게") == 0


def test_only_the_last_are_read() -> None:
    assert _list(*["insulin since college"] * (MOST + 2)) == MOST
