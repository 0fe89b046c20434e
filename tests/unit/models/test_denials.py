"""A memory that says the contrary of a known one takes its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import (
    Basis,
    Category,
    Finding,
    FindingOperation,
    KnownMemory,
)
from gieok.models.rules.changes.denials import (
    is_denial,
    read_statement,
    replace_denied,
)
from gieok.text.kiwi import get_shared_morphology


def _denies(one: str, other: str) -> bool:
    morphology = get_shared_morphology()
    return is_denial(read_statement(one, morphology), read_statement(other, morphology))


CONTRARY = [
    ("The user is not vegetarian", "The user is a vegetarian"),
    ("The user does not have a dog", "The user has a dog"),
    ("The user doesn't like coffee at all", "The user likes coffee"),
    ("The user has no car", "The user has a car"),
    ("The user does not drive", "The user drives"),
    ("The user cannot drive", "The user can drive"),
    ("Rex doesn't bite", "Rex bites"),
    ("The user does not really like jazz that much", "The user likes jazz"),
    ("The user does not eat meat any more", "The user eats meat"),
    ("The user can't swim", "The user can swim"),
    ("The user does not do yoga anymore", "The user does yoga"),
    ("The user no longer works at Samsung", "The user works at Samsung"),
    ("The user’s mother does not smoke", "The user's mother smokes"),
    ("사용자는 커피를 별로 안 좋아한다", "사용자는 커피를 좋아한다"),
    ("사용자는 채식을 안 한다", "사용자는 채식주의자이다"),
    ("사용자는 채식을 안 한다", "사용자는 채식주의자"),
    ("사용자는 커피를 안 좋아한다", "사용자는 커피를 좋아함"),
    ("사용자는 강아지를 키우지 않는다", "사용자는 강아지를 키운다"),
    ("사용자는 차가 없다", "사용자는 차가 있다"),
    ("사용자는 학생이 아니다", "사용자는 학생이다"),
    ("사용자는 커피를 마시지는 않는다", "사용자는 커피를 마신다"),
    ("사용자는 커피를 마시진 않는다", "사용자는 커피를 마신다"),
    ("사용자는 술을 더 이상 마시지 않는다", "사용자는 술을 마신다"),
    ("사용자는 운전하지 못한다", "사용자는 운전한다"),
    ("사용자는 이제 술을 안 마신다", "사용자는 술을 마신다"),
    ("사용자의 어머니는 담배를 피우지 않는다", "사용자의 어머니는 담배를 피운다"),
]


@pytest.mark.req("D02")
@pytest.mark.parametrize(("one", "other"), CONTRARY)
def test_the_same_words_but_for_a_negation_are_contrary(one: str, other: str) -> None:
    assert _denies(one, other)
    assert _denies(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user does not drive at night", "The user drives"),
        ("The user did not work at Samsung", "The user works at Samsung"),
        ("The user does not live near Seoul", "The user lives in Seoul"),
        ("The user's brother is not vegetarian", "The user is a vegetarian"),
        ("The user was not a nurse", "The user is a nurse"),
        ("The user does not like tea", "The user likes coffee"),
        ("The user does not eat all vegetables", "The user eats vegetables"),
        ("The user does not like coffee", "The user does not like coffee"),
        ("The user said: “I am not vegan”", "The user said: “I am vegan”"),
        ("The user does not like some fish", "The user likes fish"),
        ("The user does not eat the crust", "The user eats crust"),
        ("The user does not eat very much meat", "The user eats meat"),
        ("The user does not really drive", "The user drives"),
        ("The user drinks coffee without milk", "The user drinks coffee milk"),
        ("사용자는 밤에 운전을 안 한다", "사용자는 운전을 한다"),
        ("사용자는 커피밖에 안 마신다", "사용자는 커피를 마신다"),
        ("사용자는 술만 안 마신다", "사용자는 술을 마신다"),
        ("사용자는 아침마다 운동을 안 한다", "사용자는 아침에 운동을 한다"),
        ("사용자는 커피를 별로 안 마신다", "사용자는 커피를 마신다"),
        ("사용자는 원래 술을 안 마셨다", "사용자는 술을 마신다"),
        ("사용자는 술을 안 마셨다", "사용자는 술을 마신다"),
        ("사용자의 동생은 커피를 안 좋아한다", "사용자는 커피를 좋아한다"),
        ("사용자는 서울에 안 산다", "사용자는 부산에 산다"),
        ("사용자는 술을 안 마시지 않는다", "사용자는 술을 마신다"),
        ("사용자는 “채식 안 해요”라고 말했다", "사용자는 “채식 해요”라고 말했다"),
    ],
)
def test_what_is_denied_in_part_or_of_another_stands(one: str, other: str) -> None:
    assert not _denies(one, other)


@given(
    st.sampled_from(["The user", "Rex", "The user's sister", "Amy from work"]),
    st.sampled_from(["drive", "smoke", "eat meat", "work at Tesco", "like jazz"]),
    st.sampled_from(["", " at night", " on Mondays", " in bed", " with milk"]),
)
def test_only_what_is_denied_whole_is_denied(who: str, what: str, when: str) -> None:
    verb, _, rest = what.partition(" ")
    affirmed = f"{who} {verb}s {rest}".strip()
    denied = f"{who} does not {what}{when}"
    assert _denies(affirmed, denied) is (not when)
    assert _denies(f"{affirmed}{when}", denied)
    assert not _denies(denied, denied)


def _remember(*contents: str) -> list[KnownMemory]:
    return [
        KnownMemory(str(n), content, Category.PREFERENCE)
        for n, content in enumerate(contents)
    ]


def _add(content: str) -> Finding:
    add, stated = FindingOperation.ADD, Basis.STATED
    return Finding(add, content, Category.PREFERENCE, 0.9, stated, (0,))


def test_what_is_denied_ends_and_the_denial_stands() -> None:
    known = _remember(
        "The user likes coffee",
        "The user lives in Leeds",
        "The user really likes coffee",
    )
    new = _add("The user does not like coffee")
    *ended, added = replace_denied([new], known, get_shared_morphology())
    assert [(each.operation, each.target) for each in ended] == [
        (FindingOperation.DELETE, "0"),
        (FindingOperation.DELETE, "2"),
    ]
    assert added == new


def test_what_is_so_after_all_takes_the_place_of_its_denial() -> None:
    known = _remember("사용자는 부산에 산다", "사용자는 커피를 안 마신다")
    new = _add("사용자는 요즘 커피를 마신다")
    (changed,) = replace_denied([new], known, get_shared_morphology())
    assert (changed.operation, changed.target) == (FindingOperation.UPDATE, "1")
    assert changed.content == new.content
