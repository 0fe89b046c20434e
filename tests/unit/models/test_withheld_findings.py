"""What is to be kept to itself is not remembered from the message that says so."""

from datetime import UTC, datetime

import pytest

from gieok.kernel.language import Conversation, FindingOperation, Role, Utterance
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 4, 7, tzinfo=UTC)


async def _remember(*said: str) -> str:
    """Return what is new in messages, each answered with one word, as one text."""
    talk = [
        Utterance(place, role, text)
        for place, (role, text) in enumerate(
            pair
            for each in said
            for pair in ((Role.USER, each), (Role.ASSISTANT, "ok"))
        )
    ]
    model = RulesModel(E5Embedder(), get_shared_morphology())
    found = await model.extract(Conversation(tuple(talk), (), AT))
    adds = FindingOperation.ADD
    return "\n".join(each.content for each in found if each.operation is adds)


@pytest.mark.parametrize(
    "said",
    [
        "I'm behind on the mortgage, and I'd be grateful if you didn't keep that.",
        "My granddaughter is pregnant. Kindly keep the pregnancy out of your notes.",
        "I've got a prolapse, and no, I do not want the prolapse stored.",
        "docs started me on citalopram, dont be storing that bit btw thats private.",
        "im retaking year 12. u can lose that now thx",
        "저 조울증이에요 음 이 이야기 기억에 담지 말아 주십시오",
        "아버지가 치매 진단을 받으셨어요. 치매 얘기는 기록에서 빼 주세요",
        "I'm expecting. I haven't told anyone yet, and please don't store it",
        "나 게이야. 아직 아무한테도 말 안 했고, 이것도 저장 안 됐으면 해",
    ],
)
async def test_what_is_said_beside_a_wish_about_it_is_not_told(said: str) -> None:
    assert await _remember(said) == ""


async def test_what_the_wish_does_not_name_is_told() -> None:
    told = await _remember(
        "my ex boyfriend keeps calling me",
        "I'm vegan now. And please delete what I said about my ex boyfriend",
    )
    assert "vegan" in told


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("I forgot to tell you, I'm a nurse at the General", "nurse"),
        ("don't forget, I'm allergic to nuts", "nuts"),
        ("저는 간호사예요. 알람은 지워 주세요", "간호사"),
        ("leave the onions out, I'm allergic to onions", "allergic"),
        ("Would you not put sugar in it, I'm diabetic", "diabetic"),
        ("설탕 넣지 마 나 당뇨야", "당뇨"),
    ],
)
async def test_what_is_no_wish_withholds_nothing(said: str, word: str) -> None:
    assert word in await _remember(said)


async def test_other_messages_are_told() -> None:
    told = await _remember(
        "I work at the post office", "my sister is bankrupt. thats not for your memory"
    )
    assert "post office" in told
    assert "bankrupt" not in told


@pytest.mark.parametrize(
    ("said", "kept", "gone"),
    [
        (
            "저는 땅콩 알레르기가 있어요. 그리고 조울증도 있는데 그건 남겨두지 마세요",
            "땅콩",
            "조울증",
        ),
        (
            "My daughter Priya is a vet. I've got a prolapse. Please don't store that.",
            "vet",
            "prolapse",
        ),
    ],
)
async def test_only_what_is_next_to_a_wish_that_points_is_meant(
    said: str, kept: str, gone: str
) -> None:
    told = await _remember(said)
    assert kept in told
    assert gone not in told
