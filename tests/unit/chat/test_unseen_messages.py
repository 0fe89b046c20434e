"""Which of a client's messages a session does not hold yet (E05)."""

import random
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.chat.model import ClientMessage, RemovedMessages
from gieok.chat.reactions import filter_removed, select_unseen
from gieok.kernel.language import Role

NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
TEXTS = st.sampled_from(["응", "네", "내일 면접이야"])
PLAIN = st.builds(ClientMessage, st.sampled_from(Role), TEXTS)
DATED = st.builds(
    ClientMessage, st.sampled_from(Role), TEXTS, at=st.datetimes(timezones=st.just(UTC))
)


def user(
    text: str, name: str | None = None, at: datetime | None = None
) -> ClientMessage:
    return ClientMessage(Role.USER, text, name, at)


@pytest.mark.req("E05")
def test_the_same_id_is_the_same_message_whatever_it_says() -> None:
    assert select_unseen([user("응", "a")], [user("응, 그래", "a")]) == []
    assert select_unseen([user("응", "a")], [user("응", "b")]) == [user("응", "b")]


@pytest.mark.req("E05")
def test_without_ids_role_content_and_time_tell() -> None:
    seoul = NOON.astimezone(timezone(timedelta(hours=9)))
    assert select_unseen([user("응", at=NOON)], [user("응", at=seoul)]) == []
    later = user("응", at=NOON + timedelta(seconds=1))
    assert select_unseen([user("응", at=NOON)], [later]) == [later]
    assistants = ClientMessage(Role.ASSISTANT, "응", at=NOON)
    assert select_unseen([user("응", at=NOON)], [assistants]) == [assistants]


@pytest.mark.req("E05")
def test_what_the_server_recorded_itself_is_told_by_who_said_what() -> None:
    held = [user("응"), ClientMessage(Role.ASSISTANT, "네")]
    told = [
        user("응", "1", NOON),
        ClientMessage(Role.ASSISTANT, "네", "2"),
        user("응", "3"),
    ]
    assert select_unseen(held, told) == told[2:]


@pytest.mark.req("E05")
def test_messages_are_put_in_order_where_every_one_has_a_time() -> None:
    late, early = user("둘", "b", NOON), user("하나", "a", NOON - timedelta(hours=1))
    assert select_unseen([], [late, early]) == [early, late]
    undated = user("셋", "c")
    assert select_unseen([], [late, early, undated]) == [late, early, undated]
    ends = [datetime.max.replace(tzinfo=timezone(-timedelta(hours=23)))]
    ends.append(datetime.min.replace(tzinfo=timezone(timedelta(hours=23))))
    assert len(select_unseen([], [user("끝", at=end) for end in ends])) == 2


@pytest.mark.req("E05")
def test_what_was_said_until_the_last_that_was_removed_is_no_news() -> None:
    old, new = user("하나", at=NOON), user("둘", at=NOON + timedelta(seconds=1))
    removed = RemovedMessages(5, NOON, is_erased=False)
    assert filter_removed([old, new], removed) == [new]
    nothing = RemovedMessages(0, None, is_erased=False)
    assert filter_removed([old, new], nothing) == [old, new]


@pytest.mark.req("E05")
def test_without_times_the_first_are_taken_for_what_was_removed() -> None:
    told = [user("하나"), user("둘", at=NOON), user("셋"), user("넷")]
    removed = RemovedMessages(3, NOON, is_erased=False)
    assert filter_removed(told, removed) == [user("넷")]
    erased = RemovedMessages(0, NOON, is_erased=True)
    late = user("다섯", at=NOON + timedelta(seconds=1))
    assert filter_removed([*told, late], erased) == [late]


@given(st.lists(PLAIN | DATED, max_size=12), st.randoms())
def test_what_was_told_once_is_never_news_again(
    told: list[ClientMessage], chance: random.Random
) -> None:
    held = select_unseen([], told)
    chance.shuffle(held)
    assert select_unseen(held, told) == []


@given(st.lists(PLAIN, max_size=12), st.lists(PLAIN, max_size=12))
def test_what_more_was_said_is_all_that_is_news(
    held: list[ClientMessage], more: list[ClientMessage]
) -> None:
    news = select_unseen(held, [*held, *more])
    assert sorted(map(repr, news)) == sorted(map(repr, more))
