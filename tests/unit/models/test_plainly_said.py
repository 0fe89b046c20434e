"""What somebody plainly says is worth remembering, a denial as well."""

from datetime import UTC, datetime

import pytest

from gieok.kernel.language import Conversation, Role, Utterance
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 11, 27, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def model() -> RulesModel:
    return RulesModel(E5Embedder(), get_shared_morphology())


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("", "I have no allergies"),
        ("", "I don't eat pork"),
        ("", "I don't have a car"),
        ("Do you own a bicycle?", "No, never have"),
        ("Are you allergic to any foods?", "nope, none"),
        ("", "저는 알레르기가 없어요"),
        ("", "저는 술을 안 마셔요"),
        ("고양이 키우세요?", "아니요, 안 키워요"),
    ],
)
async def test_a_plain_denial_is_remembered(
    model: RulesModel, asked: str, said: str
) -> None:
    turns = [(Role.ASSISTANT, asked)] * bool(asked) + [(Role.USER, said)]
    messages = tuple(Utterance(n, *turn) for n, turn in enumerate(turns))
    assert await model.extract(Conversation(messages, (), AT))


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("", "I have no idea"),
        ("Any messages for me to read out?", "No, none"),
        ("", "I don't get it"),
        ("", "시간이 없어요"),
        ("다시 읽어 드릴까요?", "아니요, 됐어요"),
    ],
)
async def test_a_denial_of_the_moment_is_not(
    model: RulesModel, asked: str, said: str
) -> None:
    turns = [(Role.ASSISTANT, asked)] * bool(asked) + [(Role.USER, said)]
    messages = tuple(Utterance(n, *turn) for n, turn in enumerate(turns))
    assert not await model.extract(Conversation(messages, (), AT))


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "said",
    ["I'm allergic to bees, as it happens", "I play the cello, would you believe"],
)
async def test_what_talk_closes_with_does_not_lose_a_fact(
    model: RulesModel, said: str
) -> None:
    talk = Conversation((Utterance(0, Role.USER, said),), (), AT)
    (found,) = await model.extract(talk)
    assert found.content in ("The user is allergic to bees", "The user plays the cello")


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "can we do the lesson at half eight from now on",
            ["The user would like to do the lesson at half eight from now on"],
        ),
        (
            "could you keep answers short going forward?",
            ["The user wants the assistant to keep answers short going forward"],
        ),
        ("can we do the lesson at half eight tomorrow?", []),
        ("what can we do from now on?", []),
    ],
)
async def test_what_is_asked_for_from_now_on_is_wished_for_good(
    model: RulesModel, said: str, told: list[str]
) -> None:
    talk = Conversation((Utterance(0, Role.USER, said),), (), AT)
    assert [each.content for each in await model.extract(talk)] == told


@pytest.mark.req("D05")
@pytest.mark.parametrize("last", ["What should I have for dinner?", "thanks"])
async def test_an_allergy_is_remembered_whatever_was_said_around_it(
    model: RulesModel, last: str
) -> None:
    said = (
        "I live in Brooklyn.",
        "Got it.",
        "I'm allergic to peanuts.",
        "Thanks, I'll be careful.",
        last,
    )
    messages = tuple(
        Utterance(n, (Role.USER, Role.ASSISTANT)[n % 2], text)
        for n, text in enumerate(said)
    )
    found = await model.extract(Conversation(messages, (), AT))
    assert "The user is allergic to peanuts" in {one.content for one in found}


@pytest.mark.req("D05")
async def test_what_is_said_twice_counts_as_it_is_said_surest(
    model: RulesModel,
) -> None:
    """A doubtful first mention does not stand in a plain one's way."""
    said = ("guess I like tea or whatever", "What else?", "I like tea.")
    roles = (Role.USER, Role.ASSISTANT, Role.USER)
    messages = tuple(
        Utterance(n, *turn) for n, turn in enumerate(zip(roles, said, strict=True))
    )
    found = await model.extract(Conversation(messages, (), AT))
    assert "The user likes tea" in {one.content for one in found}
