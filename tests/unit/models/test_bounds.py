"""States that are bounded in time are told with their last day, all else is not."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.memories.lapse import find_plan_end, is_lapsed
from gieok.models.rules.dates.relative_dates import resolve_dates

SAID = date(2026, 3, 10)  # a Tuesday
WORDS = (
    "is has was will for until this the next two week month Friday June 20th "
    "사용자는 앞으로 이번 2주 동안 달 금요일 31일 2월 까지 내내 산다 살았다 부터 매주"
)


@pytest.mark.parametrize(
    ("words", "bounded"),
    [
        (
            "The user is on crutches for six weeks",
            "The user is on crutches for six weeks (until 2026-04-21)",
        ),
        (
            "The user can't drive for a month because of the eye",
            "The user can't drive for a month (until 2026-04-10) because of the eye",
        ),
        (
            "The user has a rental car for three more days",
            "The user has a rental car for three more days (until 2026-03-13)",
        ),
        (
            "The user will be at home for the next couple of weeks",
            "The user will be at home for the next couple of weeks (until 2026-03-24)",
        ),
        (
            "The user works nights for another fortnight",
            "The user works nights for another fortnight (until 2026-03-24)",
        ),
        (
            "The user is off work for the rest of the week",
            "The user is off work for the rest of the week (until 2026-03-15)",
        ),
        (
            "The user is on antibiotics until Friday",
            "The user is on antibiotics until Friday (2026-03-13)",
        ),
        (
            "The user has to fast until tomorrow",
            "The user has to fast until tomorrow (2026-03-11)",
        ),
        (
            "The user is cat-sitting till the 20th",
            "The user is cat-sitting till the 20th (2026-03-20)",
        ),
        (
            "The user's card is frozen until 5 April",
            "The user's card is frozen until 5 April (2026-04-05)",
        ),
        (
            "The user is off until 8th May",
            "The user is off until 8th May (2026-05-08)",
        ),
        (
            "The user is off until the 8th of Jan",
            "The user is off until the 8th of Jan (2027-01-08)",
        ),
        (
            "The user is off until the 8th of May 2027",
            "The user is off until the 8th of May 2027 (2027-05-08)",
        ),
        (
            "The user is away until the end of February",
            "The user is away until the end of February (2027-02-28)",
        ),
        (
            "The user is in Oslo until June 2027",
            "The user is in Oslo until 2027-06-30",
        ),
        (
            "The user has exams until the end of this month",
            "The user has exams until the end of this month (2026-03-31)",
        ),
        (
            "This week, the user is working at home",
            "This week (ends 2026-03-15), the user is working at home",
        ),
        (
            "The user works from home this month",
            "The user works from home this month (ends 2026-03-31)",
        ),
        (
            "The user said: “I'm cutting out sugar this spring”",
            "The user said: “I'm cutting out sugar this spring (ends 2026-05-31)”",
        ),
        (
            "The user is home from school for the rest of the month",
            "The user is home from school for the rest of the month (until 2026-03-31)",
        ),
        (
            "사용자의 아들이 봄방학이라 2주 동안 집에 있다",
            "사용자의 아들이 봄방학이라 2주 동안(2026-03-24까지) 집에 있다",
        ),
        (
            "사용자는 한 달 동안 저염식을 해야 해서 그렇게 하고 있다",
            "사용자는 한 달 동안(2026-04-10까지) 저염식을 해야 해서 그렇게 하고 있다",
        ),
        (
            "사용자는 다음 달까지 친구 집에서 지낸다",
            "사용자는 다음 달(2026년 4월)까지 친구 집에서 지낸다",
        ),
        (
            "사용자는 다음 주까지 친구 집에서 지낸다",
            "사용자는 다음 주(2026-03-16~2026-03-22)까지 친구 집에서 지낸다",
        ),
        (
            "사용자는 이번 주 목요일까지 바쁘다",
            "사용자는 이번 주 목요일(3월 12일, 2026-03-12)까지 바쁘다",
        ),
        (
            "시부모님이 이번 주말까지 사용자의 집에 계신다",
            "시부모님이 이번 주말(2026-03-15)까지 사용자의 집에 계신다",
        ),
        (
            "The user needs a wheelchair for two weeks",
            "The user needs a wheelchair for two weeks (until 2026-03-24)",
        ),
        (
            "사용자는 2주 동안 깁스를 한다",
            "사용자는 2주 동안(2026-03-24까지) 깁스를 한다",
        ),
        (
            "사용자는 앞으로 한 달간 술을 안 마신다",
            "사용자는 앞으로 한 달간(2026-04-10까지) 술을 안 마신다",
        ),
        (
            "사용자는 오늘부터 열흘간 휴가이다",
            "사용자는 오늘(3월 10일, 2026-03-10)부터 열흘간(2026-03-20까지) 휴가이다",
        ),
        (
            "사용자는 앞으로 3년 동안 대구에서 지낸다",
            "사용자는 앞으로 3년 동안(2029-03-10까지) 대구에서 지낸다",
        ),
        (
            "사용자는 금요일까지 약을 먹는다",
            "사용자는 금요일(3월 13일, 2026-03-13)까지 약을 먹는다",
        ),
        (
            "사용자는 4월까지 휴직 중이다",
            "사용자는 4월(2026-04-30)까지 휴직 중이다",
        ),
        (
            "사용자는 4월 5일까지 출장이다",
            "사용자는 4월 5일(2026-04-05)까지 출장이다",
        ),
        (
            "사용자는 내년 2월까지 육아 휴직이다",
            "사용자는 2027-02-28까지 육아 휴직이다",
        ),
        (
            "사용자는 이번 달 말까지 야근한다",
            "사용자는 이번 달(2026년 3월) 말(2026-03-31)까지 야근한다",
        ),
        (
            "사용자는 이번 주 내내 부모님 집에 있다",
            "사용자는 이번 주(2026-03-15까지) 내내 부모님 집에 있다",
        ),
        (
            "사용자는 이번 달은 재택근무라고 말했다",
            "사용자는 이번 달(2026-03-31까지)은 재택근무라고 말했다",
        ),
    ],
)
def test_a_state_is_told_with_its_last_day(words: str, bounded: str) -> None:
    assert resolve_dates(words, SAID) == bounded


@pytest.mark.parametrize(
    "words",
    [
        "The user lived in Busan for six years",
        "The user studied in Berlin for two weeks",
        "The user has been on a diet for two weeks",
        "The user has had asthma for two months",
        "The user is married for ten years",
        "The user is sober for three months",
        "The user is in Korea for two years",
        "The user fasts for a day every week",
        "The user is away for two weeks in August",
        "The user is going to Spain for two weeks",
        "The user is looking for a day job",
        "The user can't go for two days without coffee",
        "The user is someone who lived in Rome for two weeks",
        "The user can't eat for two days after chemo",
        "The user has to rest for ten minutes",
        "The user is off sugar for good",
        "The user is at his sister's until he finds a job",
        "The user works from Monday until Friday",
        "The user works until six",
        "The user worked in Leeds until June",
        "The user quit smoking this week",
        "The user moved to Leeds this month",
        "The user is starting a new job this month",
        "The user is a vegan now, this month they managed it",
        "The user's brother had a flat until Friday",
        "The user is free on Fridays until the 20th when it is his turn",
        "The user is 40 this month",
        "The user is fond of this month's puzzle",
        "The user is bad at staying quiet for a day",
        "사용자는 5일 동안 일하고 2일 쉰다",
        "사용자는 한 달 동안 20만 원을 쓴다",
        "사용자는 하루 동안 단식한다",
        "사용자는 부산에서 10년 동안 살았다",
        "사용자는 10년 동안 부산에서 산다",
        "사용자는 매일 30분 동안 걷는다",
        "사용자는 여름마다 2주 동안 바다에서 지낸다",
        "사용자는 여름에 2주 동안 바다에서 지낸다",
        "사용자는 2주 동안 배운 스페인어를 쓴다",
        "사용자는 6개월 동안 첼로를 배우고 있다",
        "사용자는 한 달 동안 다이어트 중이다",
        "사용자는 일주일 동안 배가 아프다",
        "사용자는 2주 동안 여행을 갈 예정이다",
        "사용자는 6주간의 과정을 듣는다",
        "사용자는 취직할 때까지 형의 집에서 지낸다",
        "사용자는 12시까지 아무것도 안 먹는다",
        "사용자는 늦게까지 잔다",
        "사용자는 월요일부터 금요일까지 일한다",
        "사용자는 3월부터 5월까지 바쁘다",
        "사용자는 금요일까지 부산에 있었다",
        "사용자는 이번 달에 담배를 끊었다",
        "사용자는 이번 달에 결혼한다",
        "사용자는 이번 주부터 카페에서 일한다",
        "사용자는 휴가를 20일까지 쓸 수 있다",
        "사용자는 이번 달에 이사했다고 말했다",
        "사용자는 3년째 은행에서 일한다",
    ],
)
def test_what_bounds_no_state_that_holds_from_now_is_not(words: str) -> None:
    resolved = resolve_dates(words, SAID)
    assert find_plan_end(resolved, SAID) is None, resolved
    assert not is_lapsed(resolved, SAID, SAID + timedelta(days=4000))


@given(st.lists(st.sampled_from(WORDS.split()), max_size=14), st.dates())
def test_any_words_can_be_bounded(words: list[str], today: date) -> None:
    assert all(word in resolve_dates(" ".join(words), today) for word in words)
