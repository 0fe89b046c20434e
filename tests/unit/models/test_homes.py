"""Where a text says that the user lives, and which such texts end others."""

import pytest

from gieok.models.rules.homes import HomeRevision, find_home, is_about_one_home
from gieok.text.kiwi import get_shared_morphology

revises = HomeRevision(get_shared_morphology())


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("사용자는 일산으로 이사했다", ("일산",)),
        ("사용자는 부산 해운대구에 살고 있다", ("부산", "해운대구")),
        ("사용자는 마포구에 거주", ("마포구",)),
        ("사용자는 서울에 살다가 파주로 이사했다", ("파주",)),
        ("사용자는 일산이 아니라 파주로 이사했다", ("파주",)),
        ("저 London으로 이사했어요", ("london",)),
        ("결국 파주에 정착했어", ("파주",)),
        ("분당 살아", ("분당",)),
        ("The user moved from York to Leeds", ("leeds",)),
        ("The user lives alone in Leeds, England", ("leeds", "england")),
        ("I moved, not to Ilsan but to Paju", ("paju",)),
        ("actually we ended up in paju", ("paju",)),
    ],
)
def test_a_home_is_named(text: str, place: tuple[str, ...]) -> None:
    home = find_home(text, get_shared_morphology())
    assert home is not None
    assert home.place == place


@pytest.mark.parametrize(
    "text",
    [
        "이사하니까 좋다",
        "사용자는 새 집으로 이사했다",
        "사용자는 다음 달에 일산으로 이사한다",
        "사용자는 지난주 토요일에 이사했다",
        "The user moved to a bigger place",
        "The user moved in on Saturday",
        "The user moved from Leeds. It took all day",
    ],
)
def test_a_move_without_where_to_names_none(text: str) -> None:
    home = find_home(text, get_shared_morphology())
    assert home is not None
    assert home.place == ()


@pytest.mark.parametrize(
    "text",
    [
        "회사가 판교로 이사했어",
        "사용자는 서울에 살았다",
        "사용자는 파주에 살고 싶다",
        "파주에 안 살아",
        "파주로 이사했으면 좋겠어",
        "친구랑 제주도로 여행 갔어",
        "커피를 좋아해",
        "The user's brother moved to York",
        "The user has not moved to York",
        "The user lives in a flat",
        "The user likes tea",
    ],
)
def test_no_home_of_the_user_is_told(text: str) -> None:
    assert find_home(text, get_shared_morphology()) is None


@pytest.mark.req("D03")
@pytest.mark.parametrize(
    ("new", "said", "known", "expected"),
    [
        ("User moved to Hull", "I moved to Hull", "User lives in York", True),
        ("User moved to Hull", "I moved to Hull", "User lives in Hull, UK", False),
        ("User lives in Hull", "Actually I live in Hull", "User lives in York", True),
        ("User lives in Hull", "I live in Hull", "User lives in York", False),
        ("User ended up in Hull", "ended up in Hull", "User moved to York", False),
        ("User moved to Hull as a child", "I moved", "User lives in York", False),
        ("사용자는 파주로 이사했다", "파주로 이사", "사용자는 서울에 거주", True),
        ("사용자는 강남구로 이사했다", "강남", "사용자는 서울 강남구에 산다", False),
        ("사용자는 인천 송도로 이사했다", "송도", "사용자는 인천 청라에 산다", True),
        ("사용자는 파주에 산다", "사실 파주에 살아", "사용자는 서울에 산다", True),
        ("사용자는 파주에 산다", "파주에 살아", "사용자는 서울에 산다", False),
        ("사용자는 파주에도 산다", "사실 파주에도", "사용자는 서울에 산다", False),
    ],
)
def test_a_move_or_a_correction_ends_another_home(
    new: str, said: str, known: str, *, expected: bool
) -> None:
    assert revises(new, said, known, together=False) == expected


@pytest.mark.req("D03", "A07")
@pytest.mark.parametrize(
    ("new", "said", "known", "expected"),
    [
        ("User moved to Hull", "Not York but Hull", "User moved to York", True),
        ("User moved to Hull", "York, then Hull", "User moved to York", False),
        ("파주로 이사했다", "일산 말고 파주로 이사", "일산으로 이사했다", True),
        ("파주로 이사했다", "일산이 아니라 파주로", "일산으로 이사했다", True),
        ("파주로 이사했다", "일산에서 파주로", "일산으로 이사했다", False),
    ],
)
def test_one_message_ends_only_what_it_denies(
    new: str, said: str, known: str, *, expected: bool
) -> None:
    assert revises(new, said, known, together=True) == expected


@pytest.mark.req("A06")
@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("사용자는 새 집으로 이사했다", "사용자는 파주로 이사했다", True),
        ("사용자는 파주에 산다", "사용자는 파주로 이사했다", True),
        ("사용자는 일산에 산다", "사용자는 파주로 이사했다", False),
        ("사용자는 커피를 좋아한다", "사용자는 파주로 이사했다", False),
    ],
)
def test_more_is_said_of_one_home(one: str, other: str, *, expected: bool) -> None:
    assert is_about_one_home(one, other, get_shared_morphology()) == expected
