"""Who warns against forgetting, does it themselves or asks about it wishes nothing."""

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
from gieok.models.rules.lexicon import find_wish
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 4, 7, tzinfo=UTC)
EN = (
    "User works as an engineer at Monzo",
    "User is allergic to nuts",
    "User has a job interview on Friday",
    "User's mother lives in York",
)
KO = (
    "사용자는 은행에서 일한다",
    "사용자는 땅콩 알레르기가 있다",
    "사용자는 채식을 한다",
)


@pytest.fixture(scope="module")
def model() -> RulesModel:
    return RulesModel(E5Embedder(), get_shared_morphology())


async def _find_deleted(
    model: RulesModel, said: str, known: tuple[str, ...]
) -> set[str]:
    items = tuple(
        KnownMemory(str(n), each, Category.CONTEXT) for n, each in enumerate(known)
    )
    conversation = Conversation((Utterance(0, Role.USER, said),), items, AT)
    return {
        known[int(one.target)] if one.target else one.content
        for one in await model.extract(conversation)
        if one.operation is FindingOperation.DELETE
    }


@pytest.mark.req("A15")
@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("Never forget where I work", EN),
        ("never forget that i'm allergic to nuts", EN),
        ("Don't let me forget my job interview on Friday", EN),
        ("please don't ever forget my allergy", EN),
        ("make sure you don't forget my nut allergy", EN),
        ("you must not forget my allergy", EN),
        ("don't you dare forget my nut allergy", EN),
        ("remind me so I don't forget the interview", EN),
        ("I keep forgetting my job interview", EN),
        ("I'll never forget my mother", EN),
        ("did you forget where I work again", EN),
        ("have you forgotten my allergy already", EN),
        ("bet you already forgot what my job is", EN),
        ("hope you haven't deleted what I told you about my mother", EN),
        ("it would be bad if you forgot my nut allergy", EN),
        ("remember what I said about my job?", EN),
        ("why do you keep forgetting my interview", EN),
        ("내 땅콩 알레르기 절대 잊지 마", KO),
        ("내 직장 벌써 까먹은 거 아니지?", KO),
        ("설마 내 알레르기 얘기 삭제했어?", KO),
        ("아까 말한 거 기억해줘", KO),
        ("채식하는 거 지워지면 안 되는데", KO),
        ("내 직장 잊으면 안 돼", KO),
        ("채식하는 거 잊지 말아줘", KO),
        ("알레르기 있는 거 까먹지 마", KO),
        ("내 직장 정보는 지우지 말아 줘", KO),
    ],
)
async def test_a_warning_against_forgetting_deletes_nothing(
    model: RulesModel, said: str, known: tuple[str, ...]
) -> None:
    assert await _find_deleted(model, said, known) == set()


@pytest.mark.req("A15")
@pytest.mark.parametrize(
    ("said", "known", "gone"),
    [
        ("Forget where I work", EN, EN[0]),
        ("can't you forget where I work", EN, EN[0]),
        ("Please forget my nut allergy", EN, EN[1]),
        ("why do you still know my job? delete it", EN, EN[0]),
        ("I'd like it if you forgot my nut allergy", EN, EN[1]),
        ("땅콩 알레르기 기억하고 있으면 지워 줘", KO, KO[1]),
        ("내 직장은 잊어줘", KO, KO[0]),
        ("잊지 말고 내 직장은 지워 줘", KO, KO[0]),
    ],
)
async def test_a_wish_beside_it_is_still_one(
    model: RulesModel, said: str, known: tuple[str, ...], gone: str
) -> None:
    assert gone in await _find_deleted(model, said, known)


@pytest.mark.parametrize(
    "said",
    [
        *("걱정하지 마세요", "운동하지 말래서 쉬는 중이야", "거짓말하지 마"),
        *(
            "제 딸 이름은 지우라고 해요",
            "엄마가 이모한테는 말하지 말랬는데 나 해병대 지원했어",
        ),
    ],
)
def test_what_is_not_to_be_done_otherwise_is_no_wish(said: str) -> None:
    assert find_wish(said) is None


@pytest.mark.parametrize(
    "said",
    [
        *("그 얘기는 하지 마", "그 말 하지 마", "이 얘긴 저장하지 말아 줘"),
        *("걔 얘기 진짜 하지 마", "걔 얘기 제발 하지 마", "걔 얘기 앞으로 하지 마"),
        *("그 얘기는 다시는 하지 마", "그 얘기 절대로 하지 마", "아는 척 하지 마"),
        *("그 얘기 나한테 하지 마", "그 얘기는 두 번 다시 하지 마"),
        *("그거 기억하지 마", "꺼내지 마세요", "기록하지 말라고", "그거 지우라고"),
    ],
)
def test_what_is_not_to_be_spoken_of_or_kept_is_a_wish(said: str) -> None:
    assert find_wish(said) is not None
