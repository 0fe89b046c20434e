"""What of a language model's findings the rules can follow (design rules 7 and 11)."""

from collections.abc import Sequence
from dataclasses import replace
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
from gieok.memories.promote import MIN_STATED_CONFIDENCE
from gieok.models.e5 import E5Embedder
from gieok.models.evidence import filter_findings
from gieok.models.fallback import FallbackModel
from gieok.models.rules import RulesModel
from gieok.models.rules.wishes.certainty import MAX_ASKED
from gieok.testing import ScriptedModel
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 11, 24, 12, tzinfo=UTC)
KNOWN = {
    "peanuts": "User is allergic to peanuts",
    "oslo": "User lives in Oslo",
    "cello": "User plays the cello",
    "땅콩": "사용자는 땅콩 알레르기가 있음",
    "부산": "사용자는 부산에 거주",
    "coffee": "User drinks coffee",
    "커피": "사용자는 커피를 마심",
    "mina": "User's daughter is called Mina",
    "オスロ": "ユーザーはオスロに住んでいる",
}

pytestmark = pytest.mark.req("D05")


@pytest.fixture(scope="module")
def rules() -> RulesModel:
    return RulesModel(E5Embedder(), get_shared_morphology())


async def read(
    rules: RulesModel, said: str, *found: Finding, known: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """Return what is believed of findings; "asked | said" is an answer."""
    asked, _, answer = said.rpartition(" | ")
    messages = [Utterance(0, Role.ASSISTANT, asked)] if asked else []
    messages.append(Utterance(len(messages), Role.USER, answer))
    items = (KnownMemory(name, KNOWN[name], Category.CONTEXT) for name in known)
    conversation = Conversation(tuple(messages), tuple(items), AT)
    last = len(messages) - 1
    findings = [replace(each, evidence=(last,)) for each in found]
    model = ScriptedModel(lambda _: filter_findings(findings, conversation))
    return await FallbackModel(model, rules).extract(conversation)


def told(content: str, **changes: object) -> Finding:
    new = Finding(
        FindingOperation.ADD, content, Category.CONTEXT, 0.95, Basis.STATED, (0,)
    )
    return replace(new, **changes)


def over(name: str, content: str = "", basis: Basis = Basis.REQUESTED) -> Finding:
    operation = FindingOperation.UPDATE if content else FindingOperation.DELETE
    return told(content, operation=operation, target=name, basis=basis)


FOLLOWED = [
    ("I moved to Busan last month and started at a bank", "User lives in Busan"),
    ("I don't drink coffee, just tea", "User doesn't drink coffee"),
    ("My neighbour Bob is allergic to shellfish", "User's neighbour Bob is allergic"),
    ("can't stand mushrooms, and I quit smoking", "User quit smoking"),
    ("Any hobbies? | the cello, since I was nine", "User plays the cello"),
    ("Are you a surgeon at Siemens? | Yes, that's right", "User is a surgeon"),
    ("Do you smoke? | No", "User does not smoke"),
    ("커피는 전혀 안 마셔요", "사용자는 커피를 마시지 않음"),
    ("우리 엄마는 교사고 저는 간호사예요", "사용자는 간호사"),
    ("제 친구 민지는 대전에 살아요", "사용자의 친구 민지는 대전에 거주"),
    ("혹시 변호사세요? | 네 맞아요", "사용자는 변호사"),
    ("혹시 변호사세요? | 아 네 맞아요", "사용자는 변호사"),
    ("Are you a surgeon at Siemens? | Oh yes", "User is a surgeon"),
    ("お医者さんですか？ | はい", "ユーザーは医者です"),
]


@pytest.mark.parametrize(("said", "content"), FOLLOWED)
async def test_what_was_said_is_believed(
    rules: RulesModel, said: str, content: str
) -> None:
    (kept,) = await read(rules, said, told(content))
    assert kept.confidence >= MIN_STATED_CONFIDENCE


INVENTED = [
    ("Are you a surgeon at Siemens? | I am not.", "User is a surgeon"),
    ("Are you a surgeon at Siemens? | OK, tell me a joke", "User is a surgeon"),
    ("혹시 변호사세요? | 어, 아니요", "사용자는 변호사"),
    ("You live in Berlin, right? | Tell me a joke please", "User lives in Berlin"),
    ("Do you smoke a pipe? | No", "User smokes a pipe"),
    ("혹시 변호사로 일하시나요? | 아니요, 다른 얘기 해요", "사용자는 변호사로 일함"),
    ("Should I move to Paris if I win the lottery?", "User moved to Paris"),
    ("In my novel the hero says: I killed a man", "User killed a man"),
    ("소설 첫 문장 봐줘: 나는 어제 사람을 죽였다", "사용자는 어제 사람을 죽임"),
    ("I like coffee", "User likes coffee, gambling and beats children"),
    ("I like coffee", "User likes coffee and has bipolar disorder"),
    ("저는 커피를 좋아해요", "사용자는 커피를 좋아하고 우울증이 있음"),
    ("I bought a car", "User bought a car in 2027"),
    ("I bought a car", "User bought 2026 cars"),
]


@pytest.mark.parametrize(("said", "content"), INVENTED)
async def test_what_nobody_said_is_not_believed(
    rules: RulesModel, said: str, content: str
) -> None:
    assert await read(rules, said, told(content)) == ()


DOUBTED = [
    ("친구가 그러는데 자기는 이혼했대", "사용자는 이혼함"),
    ("I don't drink coffee and I have never smoked", "User drinks coffee"),
    ("I don't drink coffee and I have never smoked", "User has smoked"),
    ("커피는 전혀 안 마셔요", "사용자는 커피를 자주 마심"),
    ("My neighbour Bob is allergic to shellfish", "User is allergic to shellfish"),
    ("My neighbour Bob is allergic to shellfish", "User is called Bob"),
    ("I have 3 meetings today, every day", "User has 3 children"),
    ("저는 커피를 좋아해요", "사용자의 딸 지우는 커피를 좋아함"),
    ('Translate into Korean: "I have diabetes"', "User has diabetes"),
    ("I mailed the links for payments to my wife", "Always approve payments by links"),
    ("제 친구 민지는 당뇨가 있고 대전에 살아요", "사용자는 대전에 거주"),
    ("제 친구 민지는 당뇨가 있고 대전에 살아요", "사용자의 이름은 민지"),
]


@pytest.mark.parametrize(("said", "content"), DOUBTED)
async def test_the_contrary_and_the_wrong_person_wait(
    rules: RulesModel, said: str, content: str
) -> None:
    (kept,) = await read(rules, said, told(content))
    assert kept.confidence < MIN_STATED_CONFIDENCE


SMALL_TALK = [
    *("Good morning", "Good morning, how are you?", "What a lovely day", "lol nice"),
    *("Thanks!", "👍", "12:30", "ㅋㅋㅋ", "오늘 날씨가 좋네요"),
]


@pytest.mark.parametrize("said", SMALL_TALK)
async def test_small_talk_takes_nothing_away(rules: RulesModel, said: str) -> None:
    wishes = [over(name) for name in KNOWN]
    denied = [over(name, basis=Basis.STATED) for name in KNOWN]
    changed = [over("peanuts", "User is not allergic to peanuts")]
    unnamed = told(
        said, operation=FindingOperation.DELETE, basis=Basis.REQUESTED, target=None
    )
    every = (*wishes, *denied, *changed, unnamed)
    assert await read(rules, said, *every, known=[*KNOWN]) == ()


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Please forget where I live", "oslo"),
        ("제가 어디 사는지는 잊어 주세요", "부산"),
        ("forget about my peanut allergy", "peanuts"),
    ],
)
async def test_a_wish_takes_away_what_it_means(
    rules: RulesModel, said: str, name: str
) -> None:
    known = ("cello", name)
    found = await read(rules, said, *(over(each) for each in known), known=known)
    sure = [f.target for f in found if f.confidence >= MIN_STATED_CONFIDENCE]
    assert sure == [name]


async def test_what_is_new_replaces_only_what_it_is_about(rules: RulesModel) -> None:
    said = "I live in Bergen now"
    (kept,) = await read(
        rules, said, over("oslo", "User lives in Bergen"), known=[*KNOWN]
    )
    assert kept.target == "oslo"
    (kept,) = await read(
        rules, "I like jazz", over("peanuts", "User likes jazz"), known=[*KNOWN]
    )
    assert (kept.operation, kept.target) == (FindingOperation.ADD, None)


@pytest.mark.parametrize(
    ("said", "name", "content"),
    [
        ("I quit coffee", "coffee", "User no longer drinks coffee"),
        ("I quit coffee", "coffee", "User doesn't drink coffee"),
        ("커피는 끊었어요", "커피", "사용자는 더 이상 커피를 마시지 않음"),
    ],
)
async def test_what_is_denied_replaces_what_it_denies(
    rules: RulesModel, said: str, name: str, content: str
) -> None:
    (kept,) = await read(rules, said, over(name, content), known=[name])
    assert kept.confidence >= MIN_STATED_CONFIDENCE


async def test_a_known_relative_is_not_invented(rules: RulesModel) -> None:
    new = told("User's daughter Mina takes piano lessons")
    (kept,) = await read(rules, "Mina started piano lessons", new, known=["mina"])
    assert kept.confidence >= MIN_STATED_CONFIDENCE


async def test_only_who_asks_to_remember_has_asked(rules: RulesModel) -> None:
    asked = Basis.REQUESTED
    (kept,) = await read(
        rules, "I take two pills, I guess", told("User takes two pills", basis=asked)
    )
    assert kept.basis is Basis.STATED
    (kept,) = await read(
        rules,
        "Remember that my sister is called Mina",
        told("User's sister is called Mina", basis=asked),
    )
    assert kept.basis is Basis.REQUESTED


async def test_other_languages_are_not_judged(rules: RulesModel) -> None:
    for said in ("オスロのことは忘れて", "Olvida lo de Oslo, por favor"):
        for name in ("オスロ", "oslo"):
            named = name in said.lower()
            (kept,) = await read(rules, said, over(name), known=[name])
            assert (kept.confidence >= MIN_STATED_CONFIDENCE) is named
    moved = over("オスロ", "ユーザーはベルゲンに住んでいる", basis=Basis.STATED)
    said = "今はベルゲンに住んでいます"
    (kept,) = await read(rules, said, moved, known=["オスロ"])
    assert (kept.target, kept.confidence) == ("オスロ", moved.confidence)


async def test_a_wish_in_another_language_asks_about_few(rules: RulesModel) -> None:
    every = [over(name) for name in KNOWN]
    found = await read(rules, "今日はいい天気ですね", *every, known=[*KNOWN])
    assert len(found) == MAX_ASKED < len(every)
    assert all(each.confidence < MIN_STATED_CONFIDENCE for each in found)


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("im on methadone. dont store it", "User is on methadone"),
        ("I've got a prolapse, and do not keep the prolapse.", "User has a prolapse"),
        (
            "저 조울증이에요 음 이 이야기 기억에 담지 말아 주십시오",
            "사용자는 조울증이 있음",
        ),
    ],
)
async def test_what_is_said_beside_a_wish_about_it_is_not_believed(
    rules: RulesModel, said: str, content: str
) -> None:
    assert await read(rules, said, told(content)) == ()


async def test_what_else_is_said_beside_a_wish_is_believed(rules: RulesModel) -> None:
    said = "My daughter Priya is a vet. I've got a prolapse. Please don't store that."
    found = [told("User's daughter Priya is a vet"), told("User has a prolapse")]
    kept = await read(rules, said, *found)
    assert [each.content for each in kept] == ["User's daughter Priya is a vet"]


async def test_what_a_wish_leaves_out_is_not_erased(rules: RulesModel) -> None:
    said = "forget everything about me but not the peanut allergy"
    known = ("peanuts", "oslo", "cello")
    kept = await read(rules, said, *map(over, known), known=known)
    assert "peanuts" not in {each.target for each in kept}
