"""Who is forgotten is forgotten in what goes on about them, and nobody else is."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from gieok.erasure.continuations import is_about_topic, select_continuations
from gieok.kernel.language import Role
from gieok.sessions import Message

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)


def _build_messages(*said: str, session: int = 1) -> list[Message]:
    return [
        Message(
            UUID(int=place), UUID(int=session), 2 * place, Role.USER, text, None, AT
        )
        for place, text in enumerate(said)
    ]


@pytest.mark.req("A15")
@pytest.mark.parametrize(
    ("said", "gone"),
    [
        (("Theo is my flatmate", "he works nights", "and he snores"), [1, 2]),
        (("my boss Linda", "Her husband left"), [1]),
        (("지영이는 내 친구야", "걔 요즘 약 먹어", "근데 그 친구 착해"), [1, 2]),
        (("할머니는 대구에 사세요", "그분은 당뇨가 있으세요"), [1]),
        (("Theo is my flatmate", "I like jazz", "he works nights"), []),
        (("Theo is my flatmate", "my brother is a pilot", "he flies"), []),
        (("지영이는 내 친구야", "오빠는 군인이야", "걔는 강원도에 있어"), []),
        (("Theo is my flatmate", "heat the oven"), []),
        (("지영이는 내 친구야", "그 사과 맛있더라"), []),
    ],
)
def test_what_opens_with_a_pronoun_goes_on(
    said: tuple[str, ...], gone: list[int]
) -> None:
    messages = _build_messages(*said)
    found = select_continuations(messages, {messages[0].message_id})
    assert [each.int for each in found] == gone


def test_another_session_goes_on_with_nothing() -> None:
    (meant,) = _build_messages("Theo is my flatmate")
    _, other = _build_messages("-", "he works nights", session=2)
    assert select_continuations([meant, other], {meant.message_id}) == []


@pytest.mark.parametrize(
    ("wish", "is_topic"),
    [
        ("erase what I said about Theo", True),
        ("please delete everything on Marcus", True),
        ("지영이 얘기는 잊어줘", True),
        ("forget Theo's birthday", False),
        ("지영이 생일은 잊어줘", False),
    ],
)
def test_a_wish_means_a_person_or_one_thing(wish: str, *, is_topic: bool) -> None:
    assert is_about_topic(wish) is is_topic
