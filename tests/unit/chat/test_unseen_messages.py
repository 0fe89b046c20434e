"""Which of a client's messages a session does not hold yet (E05)."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.chat.model import ClientMessage, RemovedMessages
from gieok.chat.reactions import filter_removed, find_unseen
from gieok.kernel.errors import InvalidInputError
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


def select_unseen(
    held: Sequence[ClientMessage], told: Sequence[ClientMessage]
) -> list[ClientMessage]:
    unseen = find_unseen(held, told)
    return [*unseen.leading, *unseen.between, *unseen.following]


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


NOTHING = RemovedMessages(0, 0, None, is_erased=False)
MANY = replace(NOTHING, count=100)
ERASED = replace(NOTHING, is_erased=True)


def users(*texts: str) -> list[ClientMessage]:
    return [user(text) for text in texts]


def select_news(
    held: Sequence[ClientMessage],
    told: Sequence[ClientMessage],
    removed: RemovedMessages,
) -> list[ClientMessage]:
    return filter_removed(find_unseen(held, told), removed)


@pytest.mark.req("E05")
def test_what_was_said_until_the_last_that_was_removed_is_no_news() -> None:
    old, new = user("하나", at=NOON), user("둘", at=NOON + timedelta(seconds=1))
    removed = RemovedMessages(5, 0, NOON, is_erased=False)
    assert select_news([], [old, new], removed) == [new]
    assert select_news([user("응")], [user("응"), old, new], removed) == [new]
    assert select_news([], [old, new], NOTHING) == [old, new]


@pytest.mark.req("E05")
@pytest.mark.parametrize(
    ("held", "told", "news"),
    [
        pytest.param("가나", "가나다", "다", id="what follows what is held is new"),
        pytest.param("나다", "가나다라", "라", id="what stands before it is old"),
        pytest.param("가나다라마", "바사", "바사", id="a part that is new as a whole"),
        pytest.param("가나다라마", "바사가", "바사", id="a word that was said before"),
        pytest.param("", "가나", "가나", id="fewer than were lost"),
    ],
)
def test_without_times_the_order_tells_what_was_removed(
    held: str, told: str, news: str
) -> None:
    assert select_news(users(*held), users(*told), MANY) == users(*news)


@pytest.mark.req("E05")
def test_no_more_is_taken_for_removed_than_was() -> None:
    told = [user("하나"), user("둘", at=NOON), user("셋"), user("넷")]
    removed = RemovedMessages(3, 0, NOON, is_erased=False)
    assert select_news([], told, removed) == [user("넷")]
    assert select_news(users("넷"), [user("영"), *told], removed) == users("셋")
    turns = RemovedMessages(4, 2, None, is_erased=False)
    assert select_news([], users(*"가나다라"), turns) == users(*"다라")


@pytest.mark.req("E05", "B11")
def test_where_something_was_erased_the_order_or_a_time_has_to_tell() -> None:
    held, late = users("나", "다"), user("라", at=NOON)
    assert select_news(held, users(*"가나다라"), ERASED) == users("라")
    assert select_news(held, [late], ERASED) == [late]
    asked = replace(user("마"), place="messages.3")
    for known in ([], held, users(*"나다라바사아")):
        with pytest.raises(InvalidInputError, match=r"messages\.3\.timestamp"):
            select_news(known, [asked, user("아")], ERASED)


@pytest.mark.req("E05", "B11")
@pytest.mark.parametrize(
    ("held", "told", "news"),
    [
        pytest.param("가다", "가나가다", "", id="the first word was said again"),
        pytest.param("가", "가나가", "", id="nothing else is held"),
        pytest.param("가다", "가나가다가", "가", id="and is said once more"),
        pytest.param("가나", "가나가나", "", id="all of it was said again"),
        pytest.param("가나가", "가나가다가", "다가", id="what is new ends alike"),
        pytest.param("가나", "가나나", "나", id="the last word is said again"),
    ],
)
@pytest.mark.parametrize("is_erased", [True, False])
def test_a_word_that_was_said_again_brings_back_nothing_before_it(
    held: str, told: str, news: str, *, is_erased: bool
) -> None:
    removed = replace(NOTHING, count=2, is_erased=is_erased)
    assert select_news(users(*held), users(*told), removed) == users(*news)


@pytest.mark.req("E05")
def test_a_time_tells_which_of_two_equal_words_was_removed() -> None:
    told = [
        user(text, at=NOON + timedelta(hours=n)) for n, text in enumerate("가나가다")
    ]
    removed = replace(ERASED, until=told[1].at)
    assert select_news(users(*"가다"), told, removed) == []


@pytest.mark.req("E05", "B11")
def test_what_was_erased_between_what_is_held_stays_gone() -> None:
    held = users(*"가다")
    assert select_news(held, users(*"가나다라"), ERASED) == users("라")
    assert select_news(held, users(*"가나다라"), MANY) == users(*"나라")
    assert select_news([*held, *users("마")], users(*"가다라"), ERASED) == users("라")
    late = user("나", at=NOON)
    assert select_news(held, [held[0], late, held[1]], ERASED) == [late]
    mixed = [late, user("하"), *held]
    assert select_news(held, mixed, replace(ERASED, until=NOON)) == []
    more = users(*"마바사아가다")
    with pytest.raises(InvalidInputError, match="timestamp"):
        select_news(more, users(*"가나다라"), ERASED)


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
