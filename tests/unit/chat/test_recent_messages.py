"""What of a conversation a model is shown (E01, E02)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.chat.model import ClientMessage
from gieok.chat.recent_messages import WORKING_MEMORY, merge_recent_messages
from gieok.kernel.language import Role

ROLES = st.sampled_from([Role.USER, Role.ASSISTANT])
TEXTS = st.sampled_from(["응", "네", "그래", "내일 면접이야", "어디?", "판교"])
SAID = st.builds(ClientMessage, ROLES, TEXTS)


def talk(*texts: str) -> list[ClientMessage]:
    """Return messages, the user's and the assistant's in turn."""
    roles = [Role.USER, Role.ASSISTANT]
    return [ClientMessage(roles[at % 2], text) for at, text in enumerate(texts)]


@pytest.mark.req("E02")
def test_a_new_session_is_shown_what_the_client_shows() -> None:
    told = talk(
        "요즘 스트레스 받아", "무슨 일 있어? 들어줄게", "회사 일이 너무 많아서..."
    )
    assert merge_recent_messages([], told, "오늘 날씨 어때?") == told


@pytest.mark.req("E02")
def test_what_only_the_client_saw_stands_where_the_client_saw_it() -> None:
    greeting = ClientMessage(Role.ASSISTANT, "어제 면접 어땠어?")
    held = talk("잘 봤어", "다행이다!")
    late = ClientMessage(Role.ASSISTANT, "(배경음악이 바뀌었어요)")
    told = [greeting, *held, late]
    assert merge_recent_messages(held, told, "고마워") == told
    assert merge_recent_messages(held, held[-1:], "고마워") == held
    assert merge_recent_messages(held, [greeting], "고마워") == [greeting, *held]


@pytest.mark.req("E02")
def test_a_client_that_sends_the_message_along_says_it_once() -> None:
    told = talk("안녕", "반가워", "나 면접 봐")
    assert merge_recent_messages([], told, "나 면접 봐") == told[:2]


@pytest.mark.req("E01")
@given(
    st.lists(SAID, min_size=WORKING_MEMORY, max_size=30), st.lists(SAID, max_size=30)
)
def test_a_session_that_holds_ten_needs_no_client(
    held: list[ClientMessage], told: list[ClientMessage]
) -> None:
    assert merge_recent_messages(held, told, "뭐해?") == held[-WORKING_MEMORY:]


@pytest.mark.req("E01", "E02")
@given(st.lists(SAID, max_size=WORKING_MEMORY - 1), st.lists(SAID, max_size=30))
def test_at_most_ten_are_shown_and_nobodys_words_are_new(
    held: list[ClientMessage], told: list[ClientMessage]
) -> None:
    shown = merge_recent_messages(held, told, "뭐해?")
    assert len(shown) <= WORKING_MEMORY
    assert all(said in [*held, *told] for said in shown)


@given(
    st.lists(SAID, max_size=WORKING_MEMORY - 1),
    st.integers(min_value=0, max_value=WORKING_MEMORY),
)
def test_a_client_that_holds_a_part_changes_nothing(
    held: list[ClientMessage], start: int
) -> None:
    assert merge_recent_messages(held, held[start:], "뭐해?") == held
