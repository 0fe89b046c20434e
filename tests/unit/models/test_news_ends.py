"""What ends something by what is true now is remembered in its place."""

from datetime import UTC, datetime

import pytest

from gieok.kernel.language import (
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
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 11, 29, tzinfo=UTC)


@pytest.fixture(scope="module")
def model() -> RulesModel:
    return RulesModel(E5Embedder(), get_shared_morphology())


async def _extract(model: RulesModel, known: str, said: str) -> tuple[Finding, ...]:
    """Return what a message does beside one known memory, called k."""
    items = (KnownMemory("k", known, Category.CONTEXT),)
    return await model.extract(
        Conversation((Utterance(0, Role.USER, said),), items, AT)
    )


@pytest.mark.parametrize(
    ("known", "said", "told"),
    [
        (
            "사용자의 며느리가 임신했다",
            "며느리가 딸을 낳았어요",
            "사용자의 며느리가 딸을 낳았다",
        ),
        ("The user is vegan.", "not vegan anymore lol", None),
        ("사용자는 테니스를 친다", "테니스 그만뒀어", None),
    ],
)
async def test_news_replaces_what_it_ends(
    model: RulesModel, known: str, said: str, told: str | None
) -> None:
    (found,) = await _extract(model, known, said)
    assert found.target == "k"
    if told is None:
        assert found.operation is FindingOperation.DELETE
    else:
        assert (found.operation, found.content) == (FindingOperation.UPDATE, told)


@pytest.mark.req("D02")
@pytest.mark.parametrize(
    ("known", "said", "new"),
    [
        ("The user works at Samsung", "I don't work at Samsung, I work at LG", "LG"),
        ("The user works at LG", "I don't work at LG, I work at SK", "SK"),
        ("The user works at Samsung", "I quit Samsung, I work at LG", "LG"),
        ("The user drinks coffee", "I don't drink coffee, I drink tea", "tea"),
        ("The user plays tennis", "I don't play tennis, I play golf", "golf"),
        ("The user is a nurse", "I'm not a nurse, I'm a doctor", "doctor"),
        ("사용자는 강아지를 키운다", "강아지 안 키우고 고양이 키워", "고양이"),
        ("사용자는 커피를 마신다", "이제 커피 안 마시고 차 마셔요", "차를"),
        ("사용자는 테니스를 친다", "테니스 안 치고 골프 쳐요", "골프"),
        ("사용자는 커피를 마신다", "차 마시고 커피는 안 마셔요", "차를"),
        ("사용자는 요가를 한다", "요가 그만두고 필라테스 다녀", "필라테스"),
        ("사용자는 채식주의자이다", "나 채식 안 한다니까요?", "채식을 안"),
        ("The user is a vegetarian", "I'm not vegetarian", "not vegetarian"),
        ("The user does not drink coffee", "I drink coffee now", "drinks coffee"),
    ],
)
async def test_what_is_true_instead_is_told_beside_what_ends(
    model: RulesModel, known: str, said: str, new: str
) -> None:
    found = await _extract(model, known, said)
    over = (FindingOperation.DELETE, FindingOperation.UPDATE)
    assert [each.operation in over for each in found if each.target == "k"] == [True]
    told = [e.content for e in found if e.operation is not FindingOperation.DELETE]
    assert any(new in content for content in told)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (
            "The user works at Samsung",
            "I've worked at Samsung for years but I don't work at Samsung anymore",
        ),
        (
            "The user plays tennis",
            "I've played tennis since school but I gave up tennis",
        ),
        ("사용자는 커피를 마신다", "이제 커피 안 마시고 잠이 잘 와"),
    ],
)
async def test_what_ends_is_not_told_again(
    model: RulesModel, known: str, said: str
) -> None:
    found = await _extract(model, known, said)
    assert [(e.operation, e.target) for e in found] == [(FindingOperation.DELETE, "k")]


@pytest.mark.req("D02")
@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("The user is vegan", "my flatmate isn't vegan anymore"),
        ("The user smokes", "my husband quit smoking"),
        ("사용자는 담배를 피운다", "남편이 담배를 끊었어"),
        ("사용자는 담배를 피운다", "남편 담배 끊었어"),
        ("사용자는 커피를 마신다", "우리 엄마 커피 끊었어요"),
        ("사용자는 커피를 마신다", "엄마는 커피 안 마셔"),
        ("사용자는 채식을 한다", "친구가 채식 포기했어"),
        ("사용자는 영어 학원에 다닌다", "아들이 영어 학원 그만뒀어요"),
        ("사용자는 요가를 한다", "요가 그만두고 필라테스 다닐까 해"),
        (
            "The user likes cooking pasta",
            "it's done, I don't want it popping up when I ask for a pasta recipe",
        ),
    ],
)
async def test_nothing_of_the_user_ends_by_what_others_end(
    model: RulesModel, known: str, said: str
) -> None:
    found = await _extract(model, known, said)
    assert all(each.target is None for each in found)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("사용자는 커피를 마신다", "엄마랑 커피 끊었어"),
        ("사용자는 커피를 마신다", "남편 때문에 커피 끊었어"),
        ("사용자는 커피를 마신다", "동생도 나도 커피 끊었어"),
        ("The user is vegan", "my flatmate knows I'm not vegan anymore"),
    ],
)
async def test_what_is_the_users_own_end_stays_one(
    model: RulesModel, known: str, said: str
) -> None:
    found = await _extract(model, known, said)
    assert [each.target for each in found] == ["k"]


@pytest.mark.req("D02")
async def test_what_is_denied_ends_where_it_is_quoted_as_well(
    model: RulesModel,
) -> None:
    items = (
        KnownMemory("k", "The user drives", Category.CONTEXT),
        KnownMemory("q", "The user said: “i drive”", Category.CONTEXT),
        KnownMemory("o", "The user's sister drives", Category.CONTEXT),
    )
    talk = Conversation((Utterance(0, Role.USER, "I don't drive"),), items, AT)
    found = await model.extract(talk)
    over = {e.target for e in found if e.operation is FindingOperation.DELETE}
    assert over == {"k", "q"}


@pytest.mark.parametrize(
    ("known", "said", "changed"),
    [
        ("사용자는 고양이를 키운다", "고양이 한 마리 더 데려왔어", []),
        ("The user has a cat", "we got another cat", []),
        ("The user works at Tesco", "i got a second job at a bar", []),
        (
            "사용자는 커피를 하루 두 잔 마신다",
            "커피 하루 한 잔으로 줄였어",
            [FindingOperation.UPDATE],
        ),
        (
            "사용자는 혈압약을 5mg 먹는다",
            "혈압약 10mg으로 늘렸어",
            [FindingOperation.UPDATE],
        ),
    ],
)
async def test_more_ends_nothing_and_another_amount_is_a_change(
    model: RulesModel, known: str, said: str, changed: list[FindingOperation]
) -> None:
    found = await _extract(model, known, said)
    assert [each.operation for each in found if each.target] == changed
