"""What ends something by what is true now is remembered in its place."""

from datetime import UTC, datetime

import pytest

from gieok.kernel.language import (
    Category,
    Conversation,
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
    items = (KnownMemory("k", known, Category.CONTEXT),)
    talk = Conversation((Utterance(0, Role.USER, said),), items, AT)
    (found,) = await model.extract(talk)
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
        ("사용자는 채식주의자이다", "나 채식 안 한다니까요?", "채식을 안"),
        ("The user is a vegetarian", "I'm not vegetarian", "not vegetarian"),
        ("The user does not drink coffee", "I drink coffee now", "drinks coffee"),
    ],
)
async def test_what_is_true_instead_is_told_beside_what_ends(
    model: RulesModel, known: str, said: str, new: str
) -> None:
    items = (KnownMemory("k", known, Category.CONTEXT),)
    found = await model.extract(
        Conversation((Utterance(0, Role.USER, said),), items, AT)
    )
    over = (FindingOperation.DELETE, FindingOperation.UPDATE)
    assert [each.operation in over for each in found if each.target == "k"] == [True]
    told = [e.content for e in found if e.operation is not FindingOperation.DELETE]
    assert any(new in content for content in told)
