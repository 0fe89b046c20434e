"""A weekday is the last one in what is told of the past, else the coming one."""

from datetime import date

import pytest

from gieok.models.rules.dates.relative_dates import resolve_dates

SAID = date(2026, 3, 2)  # a Monday
WEDNESDAY = date(2026, 3, 11)
LAST_SUNDAY, COMING_SUNDAY = "2026-03-01", "2026-03-08"
LAST_FRIDAY, COMING_FRIDAY = "2026-02-27", "2026-03-06"


@pytest.mark.parametrize(
    "words",
    [
        "The user lost old Biscuit on Sunday night",
        "The user's sister had a baby on Sunday",
        "The user moved to York on Sunday",
        "The user's mam fell in the bath on Sunday",
        "The user was in hospital on Sunday",
        "The user met Sam at the park on Sunday",
        "The user's lad passed his test on Sunday and is over the moon",
        "The cooker packed up on Sunday",
        "The user had to have Bess put to sleep on Sunday",
        "The engineer came to connect the broadband on Sunday",
        "The user's mum died on Sunday",
        "The user's mum's had a fall on Sunday",
        "The user said: “I didn’t sleep on Sunday”",
        "The user couldn't eat on Sunday",
        "The user was not at work on Sunday",
        "I watched the match on Sunday",
        "I hurt my knee on Sunday",
        "The user put their back out on Sunday",
        "The user's dog got run over on Sunday",
        "The user has been to the dentist on Sunday",
        "The user should have gone on Sunday",
        "The user saw Dr. Hale on Sunday",
        "Lost my job on Sunday",
        "The user is ill and fell on Sunday",
        "The user's party on Sunday was great",
    ],
)
def test_what_happened_did_so_on_the_last_one(words: str) -> None:
    assert f"on Sunday ({LAST_SUNDAY})" in resolve_dates(words, SAID)


def test_a_day_before_its_verb_is_of_what_that_tells() -> None:
    said = resolve_dates("The user is ill. On Sunday they fell", SAID)
    assert said.endswith(f"On Sunday ({LAST_SUNDAY}) they fell")
    said = resolve_dates("The user said: “On Friday I'm having an op”", SAID)
    assert f"On Friday ({COMING_FRIDAY})" in said


@pytest.mark.parametrize(
    "words",
    [
        "The doctor told the user to come back on Friday",
        "The user was supposed to see the doctor on Friday",
        "The user's brother wouldn't come on Friday",
    ],
)
def test_what_the_verb_leaves_open_gets_no_day(words: str) -> None:
    assert resolve_dates(words, SAID) == words


@pytest.mark.parametrize(
    "words",
    [
        "The user starts at Tesco on Friday",
        "The user is having the op on Friday",
        "The user will see the dentist on Friday",
        "The user's sister is getting married on Friday",
        "The user has physio on Friday",
        "The user booked a haircut on Friday",
        "The user's appointment was rescheduled to 9 on Friday",
        "The shop is closed on Friday",
        "The user's pills were changed and the nurse is coming on Friday",
        "Haircut on Friday",
        "The user said the results are out on Friday",
        "The user wants to cut the hedge on Friday",
        "The user has to be fasted on Friday",
        "The user's daughter's wedding is on Friday",
        "The user flies to Spain on Friday",
        "The user's birthday is on Friday",
        "The user has a job trial on Friday",
        "The user is going to Spain for a week on Friday",
        "The user has booked the dentist on Friday",
        "The user's mum's having an operation on Friday",
        "The user's been told to rest and has physio on Friday",
        "The user's appointment on Friday is cancelled",
        "The user cannot come on Friday",
        "The user said: “I'll be home on Friday”",
    ],
)
def test_what_is_ahead_is_on_the_coming_one(words: str) -> None:
    assert f"on Friday ({COMING_FRIDAY})" in resolve_dates(words, SAID)


@pytest.mark.parametrize(
    "words",
    [
        "My parents arrive on Friday",
        "My sister gets back on Friday",
        "I leave on Friday",
        "I go back to work on Friday",
        "I finish work on Friday",
        "The user meets their new boss on Friday",
        "I see the consultant on Friday",
        "I go into hospital on Friday",
        "We pick up the puppy on Friday",
        "We exchange on Friday",
        "I find out on Friday",
        "My cast comes off on Friday",
        "My daughter turns five on Friday",
        "The user's first day is on Friday",
        "My meeting is on Friday",
        "My hen do is on Friday",
        "The user's school play is at 7 on Friday",
        "It's on Friday",
    ],
)
def test_what_is_done_once_is_on_the_coming_one(words: str) -> None:
    assert resolve_dates(words, SAID) == f"{words} ({COMING_FRIDAY})"


@pytest.mark.parametrize(
    "words",
    [
        "My mum arrives in a week",
        "My partner comes home in a week",
        "We go to Spain in a week",
    ],
)
def test_in_a_week_is_a_day_ahead(words: str) -> None:
    assert resolve_dates(words, SAID) == f"{words} (2026-03-09)"


def test_the_day_itself_is_meant_where_it_is_told_of_the_past() -> None:
    said = resolve_dates("The user's van broke down on Monday", SAID)
    assert said.endswith("on Monday (2026-02-23)")


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("The user saw the doctor this Tuesday", "2026-03-10"),
        ("The user saw the doctor this Wednesday", "2026-03-11"),
        ("The user fell this Sunday", "2026-03-08"),
        ("The user's scan is this Wednesday", "2026-03-11"),
        ("The user's scan is this Friday", "2026-03-13"),
        ("The user's scan is this Tuesday", "2026-03-17"),
        ("Scan this Friday", "2026-03-13"),
        ("The user's operation is next Friday", "2026-03-20"),
        ("The user's operation is next Sunday", "2026-03-22"),
        ("The user's operation is next Tuesday", "2026-03-17"),
        ("The user's operation is next Wednesday", "2026-03-18"),
        ("The user fell last Wednesday", "2026-03-04"),
    ],
)
def test_this_and_next_are_told_apart(words: str, day: str) -> None:
    assert resolve_dates(words, WEDNESDAY) == f"{words} ({day})"


@pytest.mark.parametrize(
    "words",
    ["Scan this Tuesday", "The user was supposed to have a scan this Tuesday"],
)
def test_this_one_gets_no_day_where_it_may_be_either(words: str) -> None:
    assert resolve_dates(words, WEDNESDAY) == words


@pytest.mark.parametrize(
    "words",
    [
        "The user's choir is on Thursday evening",
        "The user's choir is at 7 on Thursday",
        "The user gets paid on Friday",
        "The user said: “I get paid on Friday”",
        "The user works nights on Monday and Tuesday",
        "The user's bins go out on Tuesday every week",
        "The user's bins are going out on Tuesday as always",
        "The user has choir on Thursday",
        "The user doesn't work on Friday",
        "The user has a scan booked and goes to work on Friday",
        "The user's yoga class is on Monday",
        "The user goes to Mass on Sunday",
        "The shop's always closed on Friday",
        "My day off is on Friday",
        "The user's shift is at 6 on Friday",
        "Payday is on Friday",
        "The bins go out on Tuesday",
        "The user exchanges letters on Friday",
        "Bin day is on Tuesday",
        "Training is on Tuesday",
        "I pick up the kids on Friday",
        "The user finishes early on Friday",
        "I leave work at 3 on Friday",
        "The user goes through a kilo of cheese in a week",
    ],
)
def test_what_comes_every_week_gets_no_day(words: str) -> None:
    assert resolve_dates(words, SAID) == words


@pytest.mark.parametrize(
    ("said", "dated"),
    [
        ("사용자는 금요일에 면접이 있다", "금요일(12월 4일, 2026-12-04)에 면접"),
        ("사용자는 금요일에 면접을 봤다", "금요일(11월 27일, 2026-11-27)에 면접"),
        (
            "사용자의 딸은 토요일에 결혼식을 한다",
            "토요일(12월 5일, 2026-12-05)에 결혼식",
        ),
        ("사용자는 월요일에 수술한다", "월요일(12월 7일, 2026-12-07)에 수술"),
        ("사용자는 매주 금요일에 검사를 받는다", "매주 금요일에 검사"),
        ("사용자는 금요일에 요가를 한다", "금요일에 요가"),
        ("사용자는 월요일과 금요일에 진료를 본다", "월요일과 금요일에 진료"),
        ("사용자는 금요일마다 진료를 본다", "금요일마다 진료"),
        (
            "사용자는 12월 4일 금요일에 면접이 있다",
            "12월 4일(2026-12-04) 금요일에 면접",
        ),
    ],
)
def test_a_korean_weekday_of_what_takes_place_once_is_dated(
    said: str, dated: str
) -> None:
    assert dated in resolve_dates(said, date(2026, 11, 30))


@pytest.mark.parametrize(
    "words",
    [
        "사용자는 지난 금요일에 면접을 봤다.",
        "사용자는 매주 금요일에 검사를 받았다.",
        "사용자는 첫째 금요일에 수술을 했다.",
        "사용자는 금요일에 면접을 보는 회사를 찾았다.",
        "사용자는 금요일에 시험이 있는 줄 몰랐다.",
    ],
)
def test_a_korean_weekday_among_many_gets_no_day(words: str) -> None:
    assert resolve_dates(words, SAID) == words
