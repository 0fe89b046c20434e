"""What somebody must not have is neither lost nor ended by the way."""

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
    ("asked", "said"),
    [
        ("You deserve a peanut butter cup.", "noo im allergic to peanuts haha"),
        ("Want to bake peanut cookies?", "i cant im allergic to peanuts"),
    ],
)
async def test_an_allergy_is_told(model: RulesModel, asked: str, said: str) -> None:
    turn = (Utterance(0, Role.ASSISTANT, asked), Utterance(1, Role.USER, said))
    found = await model.extract(Conversation(turn, (), AT))
    assert [each.content for each in found] == ["The user is allergic to peanuts"]


async def test_a_joke_is_none(model: RulesModel) -> None:
    talk = (Utterance(0, Role.USER, "im allergic to mondays haha"),)
    assert await model.extract(Conversation(talk, (), AT)) == ()


@pytest.mark.parametrize(
    ("known", "said", "ends"),
    [
        (
            "The user is allergic to shellfish",
            "the shellfish thing, its only prawns n crab, mussels are fine",
            0,
        ),
        (
            "사용자는 갑각류 알레르기가 있다",
            "검사했더니 새우만 안 되고 게는 괜찮대",
            0,
        ),
        (
            "The user has a milk allergy",
            "my little brother grew out of his milk allergy, lucky sod",
            0,
        ),
        (
            "The user is allergic to penicillin",
            "turns out im not allergic to penicillin after all",
            1,
        ),
        ("사용자는 땅콩 알레르기가 있다", "땅콩 알레르기 없어졌대", 1),
        (
            "사용자는 새우 알레르기가 있다",
            "나 알레르기 검사 다시 했는데 새우 아니래 ㅋㅋ 음성 떴어",
            1,
        ),
    ],
)
async def test_only_what_says_so_ends_an_allergy(
    model: RulesModel, known: str, said: str, ends: int
) -> None:
    items = (KnownMemory("k", known, Category.CONSTRAINT),)
    talk = Conversation((Utterance(0, Role.USER, said),), items, AT)
    found = await model.extract(talk)
    gone = [each for each in found if each.target and each.operation in ENDS]
    assert len(gone) == ends


ENDS = (FindingOperation.DELETE, FindingOperation.UPDATE)
