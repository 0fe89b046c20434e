"""What asks to forget something, and what only looks like it (A15).

With the real e5 and the shipped weights; figures on the messages of writers of whom
nothing was learned: training/README.md.
"""

from datetime import UTC, datetime

import pytest

from gieok.kernel.language import (
    Basis,
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

AT = datetime(2026, 11, 24, 12, tzinfo=UTC)

pytestmark = pytest.mark.req("A15")


@pytest.fixture(scope="module")
def rules() -> RulesModel:
    return RulesModel(E5Embedder(), get_shared_morphology())


async def is_wish(rules: RulesModel, said: str) -> bool:
    talk = Conversation((Utterance(0, Role.USER, said),), (), AT)
    return any(
        found.operation is FindingOperation.DELETE and found.basis is Basis.REQUESTED
        for found in await rules.extract(talk)
    )


@pytest.mark.parametrize(
    "said",
    [
        "Pretend I never mentioned my divorce",
        "strike what I said about my salary from your memory",
        "My address doesn't belong in your notes, take it out please",
        "The tests came back fine. No need to hold on to that scare of mine any more.",
        "I'd rather you didn't hang on to my sister's name",
        "I don't want you to remember my address any more",
        "You no longer need to remember my sister's birthday",
        "회사 그만둔 얘기는 못 들은 걸로 해줘",
        "제 빚 얘기는 기록에서 빼 주시겠어요?",
        "아까 말한 남자친구 얘기 없던 걸로 하자",
        "내 몸무게는 기억 안 했으면 좋겠어",
        "don't you go storing that about my ex",
        "my weight doesn't need to be in there",
        "you needn't hold on to my address",
        "내 연봉은 안 갖고 있어도 돼",
        "아까 남자친구 얘기 담아 두지 말고 흘려",
        "take the penicillin allergy off would ya",
        "Sheila's birthday, remove it, I got it wrong",
        "forget about my mate being a nurse at jimmys, she doesnt like me telling ppl",
        "i dont want you keeping that about me jumping in the lake carol can see it",
        "담배 하루 두갑 핀다 한거 지아라",
        "무릎 수술한 거는 빼소",
    ],
)
async def test_a_wish_is_heard_in_many_words(rules: RulesModel, said: str) -> None:
    assert await is_wish(rules, said)


@pytest.mark.parametrize(
    "said",
    [
        "Delete the 7am alarm please",
        "you know what i did i put the house up",
        "you will not believe what just happened",
        "내가 오늘 뭐 했는지 알아?",
        "Remove the second sentence of the email",
        "I forgot my umbrella on the train again",
        "Don't forget my nut allergy",
        "my shoe size is 43, please save it",
        "Please remember that I work nights",
        "My brother deleted all our holiday photos",
        "Scrap that, I meant Thursday",
        "Can you take eggs off the shopping list",
        "일곱 시 알람 지워 줘",
        "이 문단에서 마지막 문장은 빼 줘",
        "우산을 또 지하철에 두고 내렸어",
        "약 먹는 거 잊지 않게 알려 줘",
        "제 생일은 유월 삼일이에요 저장해 주세요",
        "동생이 사진을 다 지워 버렸대",
        "장보기 목록에서 계란 빼 줘",
        "Turn the page over would you please",
        "lose the second slide would you",
        "no need to ring her back",
        "ignore that, it was the telly",
        "거기다 설탕은 넣지 마",
    ],
)
async def test_what_only_looks_like_one_is_none(rules: RulesModel, said: str) -> None:
    assert not await is_wish(rules, said)


async def test_news_that_end_in_a_wish_are_one(rules: RulesModel) -> None:
    assert await is_wish(rules, "you know what, forget that I told you my salary")


async def test_a_wish_means_an_answer_that_is_quoted_with_its_question(
    rules: RulesModel,
) -> None:
    """The question led away from it, and nothing was erased or asked."""
    content = "Asked ‘How do you feel?’, the user said: “better than my 58 last yr”"
    known = KnownMemory("k1", content, Category.CONTEXT)
    said = Utterance(0, Role.USER, "can u forget the 58 i told u its embarassing")
    found = await rules.extract(Conversation((said,), (known,), AT))
    assert "k1" in [each.target for each in found]


async def test_what_the_assistant_said_makes_no_wish(rules: RulesModel) -> None:
    talk = (
        Utterance(0, Role.USER, "work is rubbish, head chef screamed at me"),
        Utterance(1, Role.ASSISTANT, "That's not on."),
        Utterance(2, Role.USER, "was thinking of jacking it in tbh"),
    )
    found = await rules.extract(Conversation(talk, (), AT))
    assert all(each.operation is not FindingOperation.DELETE for each in found)
