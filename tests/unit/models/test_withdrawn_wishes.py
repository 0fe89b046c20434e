"""A wish to forget that is taken back erases nothing (A15)."""

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
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 11, 24, 12, tzinfo=UTC)
ENGLISH = (
    "The user's daughter Eunji is a nurse",
    "The user lives in Leeds",
    "The user has diabetes",
)
KOREAN = (
    "사용자의 큰딸 은지는 간호사이다",
    "사용자는 대전에 산다",
    "사용자는 당뇨가 있다",
)

pytestmark = pytest.mark.req("A15")


@pytest.fixture(scope="module")
def rules() -> RulesModel:
    return RulesModel(E5Embedder(), get_shared_morphology())


async def list_erased(rules: RulesModel, *said: str) -> list[str | None]:
    known = KOREAN if any("가" <= letter <= "힣" for letter in said[0]) else ENGLISH
    roles = (Role.USER, Role.ASSISTANT, Role.USER)
    talk = Conversation(
        tuple(
            Utterance(n, role, text)
            for n, (role, text) in enumerate(zip(roles, said, strict=False))
        ),
        tuple(
            KnownMemory(str(n), text, Category.CONTEXT) for n, text in enumerate(known)
        ),
        AT,
    )
    found = await rules.extract(talk)
    return [f.target for f in found if f.operation is FindingOperation.DELETE]


@pytest.mark.parametrize(
    "said",
    [
        ("forget my daughter's job. no wait, keep it",),
        ("Forget where I live. Actually no, leave it.",),
        ("please delete my diabetes... oh never mind, leave it in",),
        ("forget my diabetes. on second thoughts don't delete it",),
        ("forget that I live in Leeds. actually scrap that, you can keep it",),
        ("forget where I live", "I'll forget it.", "no wait, keep it"),
        ("forget that im diabetic", "Okay.", "wait no dont"),
        ("forget where I live", "Done.", "Oh no. No, leave that in, it's who I am."),
        ("forget where I live", "Done.", "on second thoughts leave that one in"),
        ("No, leave that in Leeds",),
        ("keep that one, diabetes and all",),
        ("no no leave it there, in Leeds",),
        ("우리 딸 직업 얘기는 잊어줘요. 아이고 아니다, 그냥 둬요",),
        ("나 당뇨 있는 거 잊어줘. 아 아니야 그냥 둬",),
        ("대전 사는 거 지워 줘 아니다 됐어 그냥 놔둬",),
        ("딸 직업은 잊어 줘. 아 취소, 그냥 기억해",),
        ("나 당뇨 있는 거 지워 줘", "지울게요.", "아니다 그냥 둬"),
        ("나 당뇨 있는 거 지워 줘. 아 취소할게.",),
        ("나 당뇨 있는 거 지워 줘. 아 취소 부탁해",),
        ("나 당뇨 있는 거 지워 줘", "지울게요.", "취소 좀"),
        ("나 당뇨 있는 거 지워 줘", "지울게요.", "취소하자"),
        ("나 당뇨 있는 거 지워 줘. 농담이야",),
    ],
)
async def test_a_wish_that_is_taken_back_erases_nothing(
    rules: RulesModel, said: tuple[str, ...]
) -> None:
    assert await list_erased(rules, *said) == []


@pytest.mark.parametrize(
    ("said", "erased"),
    [
        (("forget my daughter's job, no really, forget it",), "0"),
        (("Forget that I live in Leeds. Leave it out of everything.",), "1"),
        (("forget my diabetes and don't keep it anywhere",), "2"),
        (("forget my diabetes, never mind why",), "2"),
        (("forget my diabetes. keep that between us",), "2"),
        (("please forget my diabetes and leave that out of the notes",), "2"),
        (("forget my diabetes. no need to keep it after this",), "2"),
        (("forget where I live, I don't want you to keep that",), "1"),
        (("forget my diabetes. there's no reason to keep it",), "2"),
        (("delete where I live", "Done.", "what time is it? leave it on, please"), "1"),
        (("당뇨 얘기 잊어줘. 아니 진짜로 잊어줘",), "2"),
        (("대전 사는 건 지워 줘. 걱정하지 마",), "1"),
        (("나 당뇨 있는 거 잊어 줘. 예약은 취소했어",), "2"),
        (("나 당뇨 있는 거 잊어 줘. 수술은 취소됐어.",), "2"),
        (("나 당뇨 있는 거 잊어 줘. 수술 취소 부탁했어",), "2"),
        (("나 당뇨 있는 거 지워 줘. 농담이 아니야.",), "2"),
        (("당뇨도 잊지 말고 지워 줘",), "2"),
    ],
)
async def test_a_wish_that_is_meant_still_erases(
    rules: RulesModel, said: tuple[str, ...], erased: str
) -> None:
    assert erased in await list_erased(rules, *said)


@pytest.mark.parametrize(
    "said",
    [
        "I've got bipolar. I don't want you to keep that.",
        "I only told you my age for the vitamins. No need to keep it after this.",
        "My PIN is my mother's birthday, and no, you don't get to keep that.",
        "The miscarriage. Please don't ever bring it up or keep it.",
        "I wear a hairpiece. That is between us and you're not to keep it.",
        "yaar leave it, don't store that",
        "내 강아지 안락사 시켰어. 이건 나중에 꺼내지 않게 그냥 기억하지 말아줘",
    ],
)
async def test_a_wish_in_which_something_is_not_to_be_kept_is_heard(
    rules: RulesModel, said: str
) -> None:
    talk = Conversation((Utterance(0, Role.USER, said),), (), AT)
    found = await rules.extract(talk)
    assert any(each.operation is FindingOperation.DELETE for each in found)


@pytest.mark.parametrize(
    ("said", "erased"),
    [
        ("forget my daughter's job. no wait, keep it", []),
        ("forget my daughter's job", ["0"]),
    ],
)
async def test_what_a_language_model_makes_of_it_is_held_to_the_same(
    rules: RulesModel, said: str, erased: list[str]
) -> None:
    known = KnownMemory("0", ENGLISH[0], Category.CONTEXT)
    talk = Conversation((Utterance(0, Role.USER, said),), (known,), AT)
    found = Finding(
        FindingOperation.DELETE,
        known.content,
        known.category,
        0.9,
        Basis.REQUESTED,
        (0,),
        known.id,
    )
    assert [each.target for each in await rules.verify(talk, [found])] == erased
