"""A few words in haste are told as what they say, and what only looks like them not."""

from datetime import UTC, datetime

import pytest

from gieok.kernel.language import Conversation, Role, Utterance
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.english.soundness import select_statements
from gieok.models.rules.korean.notes import restore_note
from gieok.models.rules.korean.wording import KoreanContext, list_memories
from gieok.models.rules.message_context import select_messages
from gieok.models.rules.terse import LONGEST, MAX_MESSAGES, is_terse
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 4, 7, 20, tzinfo=UTC)
MORPHOLOGY = get_shared_morphology()


@pytest.fixture(scope="module")
def model() -> RulesModel:
    return RulesModel(E5Embedder(), MORPHOLOGY)


def _build_talk(*said: str) -> Conversation:
    messages = [Utterance(place, Role.USER, text) for place, text in enumerate(said)]
    return Conversation(tuple(messages), (), AT)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("cat person here", "is a cat person"),
        ("arsenal fan", "is an arsenal fan"),
        ("only child", "is an only child"),
        ("uni student, 2nd yr", "is a university student, 2nd year"),
        ("type 1 diabetic here", "is a type 1 diabetic"),
        ("nut allergy, severe", "has a nut allergy, severe"),
        ("no kids, one dog", "has no kids, one dog"),
        ("hay fever every spring", "has hay fever every spring"),
        ("from glasgow originally", "is from Glasgow originally"),
        ("into pottery these days", "is into pottery these days"),
        ("not a fan of olives", "is not a fan of olives"),
        ("training for a half marathon", "is training for a half marathon"),
        ("living with my mum rn", "is living with their mum right now"),
        ("love thai food", "loves Thai food"),
        ("never eat breakfast tbh", "never eats breakfast"),
        ("lactose intolerant fyi", "is lactose intolerant"),
    ],
)
def test_the_user_is_who_says_it_without_a_subject(said: str, told: str) -> None:
    assert select_statements(said, [], []) == (f"The user {told}",)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("brother in the navy", "The user's brother is in the navy"),
        ("wife pregnant", "The user's wife is pregnant"),
        ("boyfriend's vegan", "The user's boyfriend is vegan"),
        ("hubby works offshore", "The user's hubby works offshore"),
    ],
)
def test_one_of_theirs_is_told_with_the_verb(said: str, told: str) -> None:
    assert select_statements(said, [], []) == (told,)


@pytest.mark.parametrize(
    "said", ["the fan", "my fan", "big mood", "two minutes", "rain again", "that nurse"]
)
def test_other_nouns_are_nobody_s_description(said: str) -> None:
    assert select_statements(said, [], []) == ()


@pytest.mark.parametrize(
    ("said", "is_work"),
    [
        ("dentist friday at 4", False),
        ("plumber tomorrow morning", False),
        ("plumber since 2010", True),
        ("dentist for 20 years", True),
    ],
)
def test_who_comes_at_a_time_is_not_the_user(said: str, *, is_work: bool) -> None:
    is_told = any("The user is a" in told for told in select_statements(said, [], []))
    assert is_told is is_work


@pytest.mark.parametrize("said", ["never ask twice", "always call me Al"])
def test_what_an_assistant_can_do_stays_an_order(said: str) -> None:
    assert all("wants" in told for told in select_statements(said, [], []))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("오이 개싫음", "사용자는 오이가 아주 싫다"),
        ("떡볶이 개좋아함", "사용자는 떡볶이를 아주 좋아한다"),
        ("고수 극혐", "사용자는 고수를 아주 싫어한다"),
        ("클라이밍 다녀", "사용자는 클라이밍을 다닌다"),
        ("영어 학원 다녀", "사용자는 영어 학원에 다닌다"),
        ("부산 살아", "사용자는 부산에 산다"),
        ("할무니랑 살어", "사용자는 할머니랑 산다"),
        ("술 못함", "사용자는 술을 못한다"),
        ("동생 이름 민지", "사용자의 동생 이름은 민지이다"),
        ("울집 강쥐 이름 두부", "사용자의 집 강아지 이름은 두부이다"),
        ("본가 대구", "사용자의 본가는 대구이다"),
        ("내 생일 3월 4일", "사용자의 생일은 3월 4일이다"),
        ("갑각류 알러지", "사용자는 갑각류 알러지가 있다"),
        ("우리 애 땅콩 알레르기", "사용자의 애는 땅콩 알레르기가 있다"),
        ("요가 3년째", "사용자는 요가를 3년째 한다"),
        ("운동 3년째", "사용자는 운동을 3년째 한다"),
        ("당뇨 5년째", "사용자는 5년째 당뇨가 있다"),
        ("서울 3년째", "사용자는 서울에 3년째 산다"),
        ("망원동 2년째", "사용자는 망원동에 2년째 산다"),
        ("INFP임", "사용자는 INFP이다"),
    ],
)
def test_korean_notes_are_told_as_sentences(said: str, told: str) -> None:
    assert list_memories(said, KoreanContext(), MORPHOLOGY) == [told]


@pytest.mark.parametrize(
    "said",
    [
        "임신 5개월째",
        "집 도착",
        "회사 지각",
        "생일 축하해",
        "이름 뭐임",
        "학교 가기 싫다",
        "집 감",
    ],
)
def test_what_happens_is_no_note_of_what_something_is(said: str) -> None:
    assert restore_note(said, MORPHOLOGY) == said


@pytest.mark.parametrize(
    ("said", "terse"),
    [
        (["allergic to bees"], True),
        (["hey", "got two cats"], True),
        (["a" * (LONGEST + 1)], False),
        ([f"got {n} cats" for n in range(MAX_MESSAGES + 1)], False),
    ],
)
def test_a_talk_is_terse_by_its_messages(said: list[str], *, terse: bool) -> None:
    turns = select_messages(_build_talk(*said))
    assert is_terse(collect_candidates(turns, MORPHOLOGY)) is terse


@pytest.mark.req("D01")
@pytest.mark.parametrize(
    "said",
    [
        ("cat person here", "wife's name is Jo", "got two cats"),
        ("클라이밍 다녀", "취준생임", "본가 대구"),
    ],
)
async def test_terse_facts_are_kept(model: RulesModel, said: tuple[str, ...]) -> None:
    kept = {text: await model.extract(_build_talk(text)) for text in said}
    assert [text for text, found in kept.items() if not found] == []


@pytest.mark.parametrize(
    "said",
    [
        (
            "big mood",
            "got two left",
            "what's her name again",
            "allergic to mondays lol",
        ),
        ("월요일 개싫음", "지금 마트 다녀옴", "집 도착", "과제 개많음"),
    ],
)
async def test_what_looks_like_them_is_not(
    model: RulesModel, said: tuple[str, ...]
) -> None:
    kept = {text: await model.extract(_build_talk(text)) for text in said}
    assert [text for text, found in kept.items() if found] == []
