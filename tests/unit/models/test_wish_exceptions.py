"""A wish to forget leaves out what its user wants kept."""

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
from gieok.models.rules.changes.related_findings import UNSURE
from gieok.models.rules.wishes.exceptions import LONGEST_WISH, split_exceptions
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 4, 7, tzinfo=UTC)
PIP = "The user has a hamster called Pip"
NUTS = "The user is allergic to nuts"
SAM = "The user's boyfriend is called Sam"
PEANUTS = "사용자는 땅콩 알레르기가 있다"
MINSU = "사용자의 남자친구 이름은 민수이다"
GANGNAM = "사용자는 강남에 산다"


async def _find_wished(wish: str, known: tuple[str, ...]) -> dict[str, float]:
    """Return what a wish has the model forget or ask about, and how sure it is."""
    items = tuple(
        KnownMemory(str(number), content, Category.CONTEXT)
        for number, content in enumerate(known)
    )
    model = RulesModel(E5Embedder(), get_shared_morphology())
    talk = Conversation((Utterance(0, Role.USER, wish),), items, AT)
    found = await model.extract(talk)
    deletes = FindingOperation.DELETE
    return {
        known[int(each.target)]: each.confidence
        for each in found
        if each.operation is deletes and each.target is not None
    }


@pytest.mark.parametrize(
    ("wish", "rest", "kept"),
    [
        ("forget everything except my hamster", "forget everything", "my hamster"),
        ("keep the hamster, forget the job", "forget the job", "the hamster"),
        ("delete all but my dog's name", "delete all", "my dog's name"),
        ("forget my job. my name is fine to keep", "forget my job.", "my name"),
        ("알레르기 빼고 다 잊어줘", "다 잊어줘", "알레르기"),
        ("다 잊어줘 알레르기만 빼고", "다 잊어줘", "알레르기"),
        ("다 잊어줘. 알레르기만 빼고", "다 잊어줘.", "알레르기"),
        ("다 잊어줘! 알레르기만 빼고요", "다 잊어줘! 요", "알레르기"),
        ("다 잊어줘 알레르기만 빼고 ㅋㅋ", "다 잊어줘 ㅋㅋ", "알레르기"),
        (
            "다 지워주세요 이름 빼고 부탁드려요",
            "다 지워주세요 부탁드려요",
            "이름",
        ),
        ("다 지워주세요 이름은 남기고요", "다 지워주세요 요", "이름"),
        ("햄스터는 괜찮은데 이직 얘기는 지워줘", "이직 얘기는 지워줘", "햄스터"),
        ("이름만 남기고 전부 삭제해줘", "전부 삭제해줘", "이름"),
        ("알레르기 제하고 다 잊어줘", "다 잊어줘", "알레르기"),
        ("알레르기 외에는 다 지워줘", "다 지워줘", "알레르기"),
        ("몸무게 빼고 다 지워줘", "다 지워줘", "몸무게"),
        ("직장 얘기 말고 연애 얘기 지워줘", "연애 얘기 지워줘", "직장 얘기"),
    ],
)
def test_what_stays_is_taken_out_of_a_wish(wish: str, rest: str, kept: str) -> None:
    assert split_exceptions(wish) == (rest, [kept])


@pytest.mark.parametrize(
    "text",
    [
        "I eat everything except nuts",
        "forget that I'm allergic to everything except nuts",
        "keep that between us and forget it",
        "내 직업은 잊지 말고 기억해줘",
        "알레르기를 기억에서 빼고 싶어",
        "커피 말고 차 마실래",
        "잊어줘 괜찮아",
        "I'll forget everything except my keys",
        "Remember what I told you about my job? Can you forget I told you that?",
        "forget-me-nots are fine. keep the roses",
        "걱정하지 마, 나 회 빼고 다 잘 먹어",
        "밀가루 빼고 다 먹어도 된대. 운동하지 말래서 쉬는 중이야",
        "나 회 빼고 다 잘 먹어. 내 주소는 지워 줘",
        "내 주소는 지워 줘. 나 회 빼고 다 잘 먹어",
        "내 주소는 지워 줘. 점심은 고기 굽고 회 빼고 먹었어",
        "허리는 괜찮아졌어요. 그 얘기는 지워 줘",
        "나 살 빼고 있다는 거 잊어 줘",
        "몸무게를 빼고 싶다는 거 잊어 줘",
        "빚 문제하고 이혼 얘기는 지워 줘",
        "형제하고 싸운 거 다 잊어줘",
        "과외에 대한 얘기 지워줘",
    ],
)
def test_everything_else_stays_as_it_is(text: str) -> None:
    assert split_exceptions(text) == (text, [])


def test_a_long_message_is_no_mere_wish() -> None:
    text = f"forget everything but my allergy. {'I went on. ' * 60}"
    assert len(text) > LONGEST_WISH
    assert split_exceptions(text) == (text, [])


def test_blanks_are_read_as_one() -> None:
    wish = f"forget everything{' ' * 60}but my allergy"
    assert split_exceptions(wish) == ("forget everything", ["my allergy"])


@pytest.mark.parametrize(
    ("wish", "known", "spared"),
    [
        ("forget everything about me but not the allergy", (PIP, NUTS, SAM), NUTS),
        ("forget everything except my hamster", (PIP, NUTS, SAM), PIP),
        ("알레르기 빼고 다 잊어줘", (PEANUTS, MINSU, GANGNAM), PEANUTS),
        ("남자친구 얘기만 남기고 전부 지워줘", (PEANUTS, MINSU, GANGNAM), MINSU),
    ],
)
async def test_what_stays_is_neither_erased_nor_asked_about(
    wish: str, known: tuple[str, ...], spared: str
) -> None:
    assert (await _find_wished(wish, known)).keys() == {*known} - {spared}


@pytest.mark.parametrize(
    ("wish", "known"),
    [
        ("forget everything i told you", (PIP, NUTS, SAM)),
        ("지금까지 말한 거 전부 지워줘", (PEANUTS, MINSU, GANGNAM)),
    ],
)
async def test_a_wish_about_everything_asks(wish: str, known: tuple[str, ...]) -> None:
    wished = await _find_wished(wish, known)
    assert wished.keys() == {*known}
    assert max(wished.values()) < UNSURE


async def test_what_was_just_told_is_meant_before_everything_known() -> None:
    items = tuple(
        KnownMemory(str(place), content, Category.CONTEXT)
        for place, content in enumerate((PIP, NUTS, SAM))
    )
    said = (
        Utterance(0, Role.USER, "I owe my dad five grand"),
        Utterance(1, Role.ASSISTANT, "Oh dear."),
        Utterance(2, Role.USER, "forget everything about that"),
    )
    model = RulesModel(E5Embedder(), get_shared_morphology())
    found = await model.extract(Conversation(said, items, AT))
    assert not [each for each in found if each.target is not None]
