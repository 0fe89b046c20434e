"""Which known event a clause says is on another day, or is not to be."""

import pytest

from gieok.kernel.language import (
    Category,
    FindingOperation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.changes.moved_events import find_moved_events, merge_stated
from gieok.models.rules.changes.relation import ItemRelation
from gieok.text.kiwi import get_shared_morphology


def _find_moved(said: str, *contents: str) -> list[ItemRelation]:
    heard = [Utterance(0, Role.USER, said)]
    known = [
        KnownMemory(str(n), text, Category.CONTEXT) for n, text in enumerate(contents)
    ]
    return find_moved_events(collect_candidates(heard, get_shared_morphology()), known)


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("Cataract op is on the 12th of May", "eye op is the 3rd of June now"),
        ("The user's trip to Lisbon is this weekend", "trip got pushed to next week"),
        ("The user has a dentist appointment on Friday", "dentist moved me to Tuesday"),
        ("MRI scan is booked for the 9th of July", "they moved my scan to 20 July"),
        ("The user's exam is on June 2", "test's been brought forward to May 20"),
        ("사용자는 무릎 수술 4월 8일로 잡혔다", "수술이 4월 22일로 밀렸대요"),
        ("치과 예약이 금요일 3시이다", "치과 예약 다음 주 월요일로 옮겼어"),
        ("결혼식은 10월 12일이다", "결혼식 9월로 당겼어"),
        ("토익 시험은 6월 14일이다", "토익 시험 날짜 바뀌었어 6월 28일로"),
        ("여행은 8월 3일이다", "태풍 때문에 여행 다음 주로 미뤘어"),
        ("술 약속이 5월 3일에 있다", "술 약속 다음 주로 밀렸어"),
    ],
)
def test_an_event_that_moves_takes_its_old_day_along(item: str, said: str) -> None:
    (found,) = _find_moved(said, item)
    assert (found.known, found.operation) == (0, FindingOperation.UPDATE)


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("The user's driving test is on March 4th", "driving test got cancelled"),
        ("면접이 5월 2일이다", "면접 취소됐어요"),
    ],
)
def test_an_event_that_is_cancelled_ends(item: str, said: str) -> None:
    (found,) = _find_moved(said, item)
    assert (found.operation, found.stands) == (FindingOperation.DELETE, True)


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("The user has a dentist on Friday", "vet on monday"),
        ("The user has a dentist on Friday", "vet's monday now"),
        ("The user's exam is on June 2", "my sister's exam got pushed to june 9"),
        ("The user's exam is on June 2", "the exam might get moved to friday"),
        ("The user's exam is on June 2", "can you move my exam to friday"),
        ("The user's exam is on June 2", "the exam got moved to another room"),
        ("The user's knee op is on June 2", "hip op is the 3rd of June now"),
        ("The user does yoga on Tuesdays", "yoga got cancelled on tuesday"),
        ("The user is allergic to nuts", "nuts got pushed to friday"),
        ("피부과 예약이 목요일이다", "안과 예약은 금요일로 옮겼어"),
        ("시험은 6월 14일이다", "시험 6월 20일로 옮길까"),
        ("사용자는 3월에 학원을 시작했다", "연기 학원은 목요일이야"),
        ("사용자는 5월 3일에 면접을 본다", "이번 주에 일이 너무 밀렸어"),
        ("사용자는 5월 3일에 회차 상담을 받는다", "주말이라 차가 엄청 밀려"),
        ("사용자는 5월 3일에 수술을 받는다", "술이 다음 주로 밀렸어"),
    ],
)
def test_another_event_stays(item: str, said: str) -> None:
    assert _find_moved(said, item) == []


@pytest.mark.req("D05")
def test_of_two_that_may_be_meant_none_moves() -> None:
    known = ("시험은 6월 14일이다", "토익 시험은 6월 21일이다")
    assert _find_moved("시험 7월로 밀렸어", *known) == []
    assert [one.known for one in _find_moved("토익 7월로 밀렸어", *known)] == [1]


@pytest.mark.req("D05")
def test_what_is_stated_goes_before_what_was_judged() -> None:
    ended = ItemRelation(0, 0, FindingOperation.DELETE, 0.8)
    moved = ItemRelation(0, 0, FindingOperation.UPDATE, 0.9)
    wish = ItemRelation(0, 0, FindingOperation.DELETE, 0.9, is_wish=True)
    assert merge_stated([ended], [moved]) == [moved]
    assert merge_stated([wish], [moved]) == [wish]
