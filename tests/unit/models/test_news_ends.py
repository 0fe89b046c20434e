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
