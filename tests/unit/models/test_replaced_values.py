"""A value that took another's place stands for it, and the rest of a memory stays."""

import pytest

from gieok.kernel.language import (
    Category,
    FindingOperation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.changes.relation import ItemRelation
from gieok.models.rules.changes.replaced_values import (
    drop_unnamed_replacements,
    find_replaced_values,
)
from gieok.text.kiwi import get_shared_morphology


def _find_replaced(said: str, item: str) -> list[str]:
    heard = collect_candidates([Utterance(0, Role.USER, said)], get_shared_morphology())
    known = [KnownMemory("0", item, Category.CONTEXT)]
    return [one.remaining for one in find_replaced_values(heard, known, [])]


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("said", "item", "told"),
    [
        (
            "칠곡에서 침산동으로 이사했어",
            "사용자는 대구 칠곡에 사는 마흔여섯 살 경미이다",
            "사용자는 대구 침산동에 사는 마흔여섯 살 경미이다",
        ),
        (
            "이사했어 인천에서 수원으로",
            "사용자는 마흔 살이고 인천에 산다",
            "사용자는 마흔 살이고 수원에 산다",
        ),
        (
            "민재 포수 아니고 이제 3루수다",
            "사용자는 “민재라고 중2, 야구하는데 포수”라고 말했다",
            "사용자: 민재라고 중2, 야구하는데 3루수",
        ),
        (
            "수영 월요일에서 금요일로 바꿨어",
            "사용자는 월요일마다 수영을 다닌다",
            "사용자는 금요일마다 수영을 다닌다",
        ),
        (
            "we moved from headingley to roundhay",
            "The user said: “im priya, 29, living in headingley with two cats”",
            "The user said: im priya, 29, living in roundhay with two cats",
        ),
        (
            "and the oatmeal i switched to cream of wheat",
            "The user eats oatmeal every day",
            "The user eats cream of wheat every day",
        ),
        (
            "i drink tea instead of coffee now",
            "The user drinks coffee in the morning",
            "The user drinks tea in the morning",
        ),
        (
            "swimming's Sundays now, not Saturdays",
            "The user takes their daughter swimming every Saturday at 10",
            "The user takes their daughter swimming every Sunday at 10",
        ),
        (
            "its thursdays now for mam, not sundays",
            "The user said: “mam is poorly. i go see her sundays”",
            "The user said: mam is poorly. i go see her thursdays",
        ),
        (
            "Therapy's moved from Monday to Wednesday",
            "The user sees their therapist every Monday evening",
            "The user sees their therapist every Wednesday evening",
        ),
    ],
)
def test_a_new_value_stands_in_the_place_of_the_old(
    said: str, item: str, told: str
) -> None:
    assert _find_replaced(said, item) == [told]


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("said", "item"),
    [
        ("we moved from Leeds to York", "The user works in Leeds"),
        ("my boss moved from Leeds to York", "The user lives in Leeds"),
        ("we moved from Leeds to York in 2010", "The user lives in Leeds"),
        ("choir has moved from Monday to Friday", "The user has yoga on Mondays"),
        ("yoga moved from Monday to Friday", "The user has yoga and spin on Mondays"),
        ("might move from Leeds to York", "The user lives in Leeds"),
        ("부산에서 대구로 이사했어", "사용자는 부산에서 카페를 한다"),
        ("동생이 청주에서 세종으로 이사했어", "사용자는 청주에 산다"),
        ("회의가 월요일에서 수요일로 바뀌었어", "사용자는 월요일마다 요가를 한다"),
        ("수영 월요일에서 금요일로 바꿀까", "사용자는 월요일마다 수영을 다닌다"),
    ],
)
def test_what_is_of_something_else_keeps_its_value(said: str, item: str) -> None:
    assert _find_replaced(said, item) == []


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("item", "kept"),
    [
        ("The user has yoga on Mondays", 0),
        ("The user has choir and yoga on Mondays", 0),
        ("The user has choir on Mondays", 1),
    ],
)
def test_nothing_else_of_that_day_is_replaced(item: str, kept: int) -> None:
    said = [Utterance(0, Role.USER, "choir has moved from Monday to Friday")]
    heard = collect_candidates(said, get_shared_morphology())
    judged = [ItemRelation(0, 0, FindingOperation.UPDATE, 0.8)]
    known = [KnownMemory("0", item, Category.HABIT)]
    assert len(drop_unnamed_replacements(heard, known, judged)) == kept


@pytest.mark.parametrize(
    "item",
    [
        "The user is allergic to coffee",
        "The user's mum drinks coffee",
        "The user likes coffee",
    ],
)
def test_what_is_switched_to_replaces_only_what_the_user_takes(item: str) -> None:
    assert _find_replaced("i switched from coffee to green tea", item) == []


def test_what_somebody_else_switched_to_replaces_nothing_of_the_users() -> None:
    item = "The user drinks coffee in the morning"
    assert _find_replaced("he switched from coffee to tea", item) == []
