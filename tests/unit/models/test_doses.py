"""A dose that was raised or lowered stands for the old one."""

import pytest

from gieok.kernel.language import Category, KnownMemory, Role, Utterance
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.changes.doses import find_dose_changes
from gieok.text.kiwi import get_shared_morphology


def _list_told(said: str, *contents: str) -> dict[int | None, str]:
    heard = [Utterance(0, Role.USER, said)]
    known = [
        KnownMemory(str(n), text, Category.CONTEXT) for n, text in enumerate(contents)
    ]
    candidates = collect_candidates(heard, get_shared_morphology())
    found = find_dose_changes(candidates, known)
    return {one.known: one.remaining for one in found}


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("item", "said", "told"),
    [
        (
            "The user takes 10 mg of lisinopril",
            "doc bumped me up to 20 mg",
            "The user takes 20 mg of lisinopril",
        ),
        (
            "The user takes metformin 500 mg",
            "they doubled my metformin to 1000",
            "The user takes metformin 1000 mg",
        ),
        (
            "The user takes 10 mg of lisinopril",
            "i'm on 20 mg now",
            "The user takes 20 mg of lisinopril",
        ),
        (
            "The user's dad takes 5 mg of warfarin",
            "they upped my dad to 10 mg",
            "The user's dad takes 10 mg of warfarin",
        ),
        (
            "사용자는 혈압약은 아침에 한 알씩 먹는다",
            "혈압이 안 잡혀서 두 알로 올리자 하데",
            "사용자는 혈압약은 아침에 두 알씩 먹는다",
        ),
        (
            "사용자는 저녁에 인슐린을 열두 단위 맞는다",
            "이번에 열여섯으로 늘리라 합디다",
            "사용자는 저녁에 인슐린을 열여섯 단위 맞는다",
        ),
    ],
)
def test_a_new_dose_takes_the_place_of_the_old(item: str, said: str, told: str) -> None:
    assert _list_told(said, item) == {0: told}


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("The user takes 10 mg of lisinopril", "they might bump me up to 20 mg"),
        ("The user takes 10 mg of lisinopril", "they bumped my dad up to 20 mg"),
        ("The user takes 10 mg of lisinopril", "bumped my lunch to 12"),
        ("The user takes 10 mg of lisinopril", "they moved my visit to 10 am"),
        ("The user takes 10 mg of lisinopril", "did they up it to 20 mg?"),
        ("The user takes 10 mg of lisinopril", "cut down to 2 pills of it"),
        ("사용자는 혈압약 5mg을 먹는다", "10mg으로 올리고 싶어"),
        ("사용자는 혈압약을 한 알 먹는다", "에어컨 26으로 올렸어"),
        ("사용자는 혈압약을 한 알 먹는다", "월세 50으로 올렸어"),
        ("사용자는 혈압약을 한 알 먹는다", "아빠는 두 알로 늘렸어"),
    ],
)
def test_what_is_no_new_dose_changes_none(item: str, said: str) -> None:
    assert _list_told(said, item) == {}


def test_of_several_the_one_that_is_named_changes() -> None:
    items = "The user takes 10 mg of lisinopril", "The user takes 50 mg of atenolol"
    assert _list_told("doc bumped me up to 20 mg", *items) == {}
    told = {0: "The user takes 20 mg of lisinopril"}
    assert _list_told("they bumped my lisinopril up to 20 mg", *items) == told
