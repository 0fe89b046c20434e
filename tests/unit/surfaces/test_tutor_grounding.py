"""What of an extracted card the user really said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Role, Utterance
from gieok.surfaces.tutor.extraction import parse_answer
from gieok.surfaces.tutor.grounding import keep_grounded


def talk(*said: str, tutor: str = "Nice!") -> list[Utterance]:
    messages = [Utterance(n, Role.USER, text) for n, text in enumerate(said)]
    return [*messages, Utterance(len(said), Role.ASSISTANT, tutor)]


@pytest.mark.req("C01")
@pytest.mark.parametrize(
    ("said", "card"),
    [
        ("저는 영광이고 개발자예요.", {"name": "영광", "occupation": "개발자"}),
        ("서울에 살고 고양이를 키워요", {"mentioned_facts": ["고양이를 키움"]}),
        ("I want to learn business English", {"learning_goals": ["business English"]}),
        ("I write C++ for 3 years", {"mentioned_facts": ["writes C++ for 3 years"]}),
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
    ],
)
def test_what_nobody_or_only_the_tutor_said_is_left_out(
    card: dict[str, object],
) -> None:
    """The last is said in another language: it cannot be checked."""
    said = talk("I am a developer for 3 years", tutor="Minji the astronaut sails, 4")
    assert keep_grounded(card, said) == {}  # pyright: ignore[reportArgumentType]


@given(st.text(max_size=80), st.lists(st.text(max_size=40), max_size=4))
def test_nothing_is_added_to_a_card(said: str, values: list[str]) -> None:
    card = {"interests": values, "mentioned_facts": [said]}
    kept = keep_grounded(card, talk(said))  # pyright: ignore[reportArgumentType]
    assert all(set(texts) <= set(card[name]) for name, texts in kept.items())


@given(st.text(max_size=200))
def test_no_answer_of_a_model_breaks_the_reading(answer: str) -> None:
    parse_answer(answer)
    parse_answer('{"name": ' + answer)
