"""A known memory that tells several facts loses only what a change touches."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.models.rules.changes.joined_memories import (
    find_joined_memories,
    merge_joined,
    replace_joined,
)
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 11, 29, tzinfo=UTC)
KNOWN = KnownMemory("k", "The user is 30 and lives in Leeds", Category.CONTEXT)
ENDED = Finding(
    operation=FindingOperation.DELETE,
    content="The user lives in Leeds",
    category=Category.CONTEXT,
    confidence=0.9,
    basis=Basis.STATED,
    evidence=(0,),
    target="k#1",
)
MOVED = replace(
    ENDED, operation=FindingOperation.UPDATE, content="The user moved to York"
)


@pytest.fixture(scope="module")
def model() -> RulesModel:
    return RulesModel(E5Embedder(), get_shared_morphology())


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("known", "said", "rest"),
    [
        (
            "사용자는 약사이고 남편은 기자이다",
            "남편 신문사 그만뒀어",
            "사용자는 약사이다",
        ),
        (
            "사용자는 스물일곱이고 부산에서 카페 알바한다",
            "카페 알바는 그만뒀어",
            "사용자는 스물일곱이다",
        ),
        (
            "사용자는 컴공 3학년이고 학교 앞에서 자취한다",
            "저 이번 학기 휴학했어요",
            "사용자는 학교 앞에서 자취한다",
        ),
        (
            "The user is 45, has two kids and works at Tesco",
            "I quit Tesco",
            "The user is 45. The user has two kids",
        ),
        (
            "The user has three grown kids and five grandchildren",
            "now we have six grandkids!",
            "The user has three grown kids",
        ),
        (
            "The user is a teacher and lives in Leeds",
            "I moved to York last week",
            "The user is a teacher",
        ),
        (
            "사용자는 서울에 산다. 사용자는 은행에 다닌다",
            "나 부산으로 이사했어",
            "사용자는 은행에 다닌다",
        ),
    ],
)
async def test_what_a_change_does_not_touch_goes_on(
    model: RulesModel, known: str, said: str, rest: str
) -> None:
    items = (KnownMemory("k", known, Category.CONTEXT),)
    talk = Conversation((Utterance(0, Role.USER, said),), items, AT)
    found = [each for each in await model.extract(talk) if each.target is not None]
    assert [(f.operation, f.target, f.content) for f in found] == [
        (FindingOperation.UPDATE, "k", rest)
    ]


@pytest.mark.parametrize(
    "content",
    [
        "사용자는 밥을 먹고 출근한다",
        "사용자는 “서른이고 서울에 살아”라고 말했다",
        "사용자는 서울에 산다",
        "The user lives and works in Leeds",
        "The user said: “I'm 30 and live in Leeds”",
    ],
)
def test_one_fact_and_a_quotation_are_no_several(content: str) -> None:
    items = [replace(KNOWN, content=content)]
    assert not find_joined_memories(items, get_shared_morphology())


def test_each_fact_is_read_by_itself_and_told_of_its_memory() -> None:
    joined = find_joined_memories([KNOWN], get_shared_morphology())
    parts = replace_joined([KNOWN], joined)
    assert [each.content for each in parts] == [
        "The user is 30",
        "The user lives in Leeds",
    ]
    again = replace(MOVED, operation=FindingOperation.REINFORCE)
    [same] = merge_joined([again], joined)
    assert (same.target, same.content) == ("k", KNOWN.content)
    rest, new = merge_joined([MOVED], joined)
    assert (rest.target, rest.content) == ("k", "The user is 30")
    assert (new.operation, new.target) == (FindingOperation.ADD, None)
    assert new.content == MOVED.content


def test_only_where_one_lives_is_a_location() -> None:
    told = replace(KNOWN, category=Category.LOCATION)
    joined = find_joined_memories([told], get_shared_morphology())
    kinds = [each.category for each in replace_joined([told], joined)]
    assert kinds == [Category.CONTEXT, Category.LOCATION]
    told = replace(told, content="사용자는 서른두 살이고 서울에 산다")
    joined = find_joined_memories([told], get_shared_morphology())
    kinds = [each.category for each in replace_joined([told], joined)]
    assert kinds == [Category.CONTEXT, Category.LOCATION]


async def test_only_where_one_lives_is_told_as_a_location(model: RulesModel) -> None:
    said = "I'm 30, live in Birmingham and work in a call center"
    talk = Conversation((Utterance(0, Role.USER, said),), (), AT)
    kinds = {each.content: each.category for each in await model.extract(talk)}
    assert kinds["The user lives in Birmingham"] is Category.LOCATION
    assert kinds["The user is 30"] is Category.CONTEXT


def test_what_is_over_as_a_whole_or_to_be_forgotten_goes_as_a_whole() -> None:
    joined = find_joined_memories([KNOWN], get_shared_morphology())
    age = replace(ENDED, target="k#0", content="The user is 30")
    [over] = merge_joined([age, ENDED], joined)
    assert (over.operation, over.target) == (FindingOperation.DELETE, "k")
    [wish] = merge_joined([replace(ENDED, basis=Basis.REQUESTED)], joined)
    assert (wish.operation, wish.target) == (FindingOperation.DELETE, "k")
    assert wish.content == KNOWN.content


def test_what_else_was_found_stays_as_it_is() -> None:
    new = replace(MOVED, operation=FindingOperation.ADD, target=None)
    other = replace(ENDED, target="other")
    joined = find_joined_memories([KNOWN], get_shared_morphology())
    assert merge_joined([new, other], joined) == (new, other)
    assert [each.content for each in merge_joined([new, MOVED], joined)] == [
        new.content,
        "The user is 30",
    ]
