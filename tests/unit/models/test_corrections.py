"""Who corrects what they have just said is taken at their last word."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import pytest

from gieok.kernel.language import (
    Category,
    Conversation,
    Finding,
    FindingOperation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.models.e5 import E5Embedder
from gieok.models.evidence import find_fault
from gieok.models.rules import RulesModel
from gieok.models.rules.changes.correction_markers import read_correction
from gieok.models.rules.changes.corrections import CorrectedTalk, correct_talk
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 4, 7, 12, tzinfo=UTC)
MORPHOLOGY = get_shared_morphology()
ALIKE: Mapping[tuple[str, str], float] = {
    ("accounting", "finance"): 0.92,
    ("accounting", "dinner"): 0.83,
    ("vegetarian", "vegan"): 0.95,
    ("땅콩", "호두"): 0.92,
    ("알레르기", "호두"): 0.88,
    ("커피", "버스"): 0.88,
}


@pytest.fixture(scope="module")
def model() -> RulesModel:
    return RulesModel(E5Embedder(), MORPHOLOGY)


def _build_talk(turns: Sequence[str], reply: str = "Okay.") -> tuple[Utterance, ...]:
    said = [(Role.USER, text) for text in turns]
    spoken = [each for one in said for each in (one, (Role.ASSISTANT, reply))]
    return tuple(Utterance(n, role, text) for n, (role, text) in enumerate(spoken))


def _correct(
    *turns: str, reply: str = "Okay.", known: Sequence[KnownMemory] = ()
) -> CorrectedTalk:
    return correct_talk(_build_talk(turns, reply), known, MORPHOLOGY, ALIKE)


def _list_user_texts(talk: CorrectedTalk) -> list[str]:
    return [one.content for one in talk.messages if one.role is Role.USER]


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("wrong", "said", "right"),
    [
        ("I work in accounting", "I mean finance", "I work in finance"),
        ("I work in accounting", "sorry, finance", "I work in finance"),
        ("dentist friday at 3", "no wait, 4", "dentist friday at 4"),
        ("dentist friday at 3", "no hang on, 4", "dentist friday at 4"),
        ("오른쪽 무릎이 아파", "아이다 왼쪽이다", "왼쪽 무릎이 아파"),
        ("I start on May 12", "nah wait not the 12th, 19", "I start on May 19"),
        ("I start on May 12", "no wait not 12, 19 cos of lent", "I start on May 19"),
        ("my sister lives in Leeds", "sorry, Lincoln", "my sister lives in Lincoln"),
        ("my brother lives in Hall", "*Hull", "my brother lives in Hull"),
        ("My mom is a teacher", "I mean my aunt", "My aunt is a teacher"),
        ("I'm a nurse", "wait no, an engineer", "I'm an engineer"),
        ("my son is 5", "sorry said that wrong, 6", "my son is 6"),
        ("my son is 5", "i put that wrong, he's 6", "my son is 6"),
        (
            "나 시급 만이백원 받아",
            "시급 잘못말함 만이천원임",
            "나 시급 만이천원 받아",
        ),
        ("I'm a nurse", "I meant engineer", "I'm an engineer"),
        ("We moved in June 12", "scratch that, June 14", "We moved in June 14"),
        ("I swim on Tuesdays", "Thursdays sorry", "I swim on Thursdays"),
        ("My wife lives in Bath", "no, she lives in Wells", "My wife lives in Wells"),
        ("I drive a Honda", "it's a Kia, not a Honda", "I drive a Kia"),
        ("My son is 5", "my son is 6, not 5", "My son is 6"),
        ("I'm from Spain", "I said Spain but I meant Peru", "I'm from Peru"),
        ("우리 마케팅팀이야", "아 아니 재무팀", "우리 재무팀이야"),
        ("동생은 부산에 살아", "아 미안 대구", "동생은 대구에 살아"),
        ("누나는 간호사야", "아니 간호사 말고 선생님", "누나는 선생님이야"),
        ("우리 딸 7살이에요", "앗 8살이요", "우리 딸 8살이에요"),
        ("매주 화요일에 수영해", "아 수요일", "매주 수요일에 수영해"),
        ("땅콩 알레르기가 있어요", "죄송해요 호두요", "호두 알레르기가 있어요"),
        ("엄마가 당뇨가 있으셔", "아 엄마가 아니라 아빠", "아빠가 당뇨가 있으셔"),
        ("저는 대구에 살아요", "아니 부산에 살아요", "저는 부산에 살아요"),
        ("저는 약사예요", "아까 약사라고 했는데 간호사야", "저는 간호사예요"),
        (
            "대전에서 태어났어요",
            "정정할게요 대구에서 태어났어요",
            "대구에서 태어났어요",
        ),
    ],
)
def test_a_correction_takes_the_place_of_what_was_wrong(
    wrong: str, said: str, right: str
) -> None:
    talk = _correct(wrong, said)
    assert _list_user_texts(talk) == [right]
    (found,) = talk.corrections
    assert (found.message, found.evidence) == (0, (0, 2))


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("my son is 5, no wait, 6", "my son is 6"),
        ("my son is 5 no hang on 6", "my son is 6"),
        ("my appointment is friday, no thursday sorry", "my appointment is thursday"),
        ("I have two, no, three kids", "I have three kids"),
        ("I'm a vegetarian, sorry, a vegan", "I'm a vegan"),
        ("He was born on the 3rd, er, the 4th of may", "He was born on the 4th of may"),
        ("She lives in Oslo - no, Bergen - with Ida", "She lives in Bergen with Ida"),
        ("동생이 부산, 아니 대구에 살아", "동생이 대구에 살아"),
        ("저는 디자이너 아 아니 기획자예요", "저는 기획자예요"),
        ("나 월요일 아니 화요일에 요가 해", "나 화요일에 요가 해"),
    ],
)
def test_what_is_right_may_follow_in_the_same_sentence(said: str, right: str) -> None:
    assert _list_user_texts(_correct(said)) == [right]


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("I work in accounting", "no wait, what time is it"),
        ("I start on May 12", "nah wait for the 12th, the 19th"),
        ("I start on May 12", "not the 13th, the 19th"),
        ("I work in accounting", "actually I also have a dog"),
        ("I work in accounting", "sorry, can you repeat"),
        ("I work in accounting", "sorry, dinner"),
        ("I work in accounting", "I mean it"),
        ("I work in accounting", "no"),
        ("나 시급 만이백원 받아", "나이를 잘못 입력해서 가입이 안 돼"),
        ("동생은 부산에 살아", "아빠 잘못 말했어 대구야"),
        ("월세는 오십만원이야", "시급 잘못말함 육십만원임"),
        ("I work in accounting", "no, thanks"),
        ("I get up at 6", "oops it's 8, gotta go"),
        ("My sister lives in Leeds", "Oh, Alexa"),
        ("My sister lives in Leeds", "Actually, my brother lives in Lincoln"),
        ("We lived in Rome, no, Florence was better", "anyway"),
        ("마케팅팀에서 일해요", "아 맞다 우유 사야 돼"),
        ("마케팅팀에서 일해요", "아니 근데 오늘 덥다"),
        ("마케팅팀에서 일해요", "아니 진짜 맛있어"),
        ("마케팅팀에서 일해요", "아니요"),
        ("나 6시에 일어나", "아 8시다"),
        ("우리 엄마는 선생님이야", "앗 아빠"),
        ("커피를 좋아해요", "아니 버스"),
        ("동생은 부산에 살아", "아니 누나는 대구에 살아"),
        ("저는 대구에 살아요", "전에 부산에 살았어요"),
        ("저는 대구에 살아요", "아니 부산에 살았어요"),
        ("저는 대구에 살아요", "전에 부산이었어요"),
        ("엘지에서 일해요", "전에 삼성에서 일했어요"),
        ("엘지에서 일해요", "저번에 삼성에서 일해요"),
    ],
)
def test_what_only_sounds_like_a_correction_changes_nothing(
    told: str, said: str
) -> None:
    talk = _correct(told, said)
    assert _list_user_texts(talk) == [told, said]
    assert not talk.corrections


@pytest.mark.parametrize(
    ("wrong", "said", "asked"),
    [
        ("I swim on Tuesdays", "no, Wednesdays", "Do you play tennis on Mondays?"),
        ("나 커피 좋아해", "커피 말고 홍차", "커피 드릴까요?"),
    ],
)
def test_an_answer_corrects_nothing(wrong: str, said: str, asked: str) -> None:
    assert not _correct(wrong, said, reply=asked).corrections


def test_the_rest_of_a_message_stays() -> None:
    talk = _correct("I have a dog. I work in accounting.", "I mean finance. It's late.")
    assert _list_user_texts(talk) == ["I have a dog. I work in finance.", "It's late."]


def test_a_correction_is_corrected() -> None:
    talk = _correct("I work in accounting", "I mean finance", "no wait, marketing")
    assert _list_user_texts(talk) == ["I work in marketing"]
    assert talk.corrections[-1].evidence == (0, 2, 4)


def test_words_that_are_not_measured_change_nothing_yet() -> None:
    talk = _correct("I sell tea", "sorry, coffee")
    assert not talk.corrections
    assert talk.unmeasured == {("tea", "coffee")}


@pytest.mark.parametrize(
    ("item", "said", "content"),
    [
        (
            "The user works in accounting",
            "actually it's finance, not accounting",
            "The user works in finance",
        ),
        ("사용자의 팀은 마케팅팀이다", "마케팅팀 아니고 재무팀이야", "재무팀이다"),
        ("사용자는 약사이다", "저번에 약사라고 했는데 간호사야", "간호사다"),
    ],
)
def test_what_is_known_is_corrected_where_it_is_named(
    item: str, said: str, content: str
) -> None:
    memory = KnownMemory("m1", item, Category.CONTEXT)
    (found,) = _correct(said, known=[memory]).known
    assert found.memory is memory
    assert found.content.endswith(content)


@pytest.mark.parametrize("said", ["I mean finance", "finance, not accounting"])
def test_what_is_known_stays_where_it_is_not_plainly_meant(said: str) -> None:
    memory = KnownMemory("m1", "The user works in accounting", Category.CONTEXT)
    assert not _correct(said, known=[memory]).known


def test_a_question_reads_as_no_correction() -> None:
    assert not [*read_correction("no wait, 4?")]
    assert [*read_correction("no wait, 4")]


async def _extract(
    model: RulesModel, turns: Sequence[str], *known: str
) -> tuple[Conversation, tuple[Finding, ...]]:
    items = tuple(
        KnownMemory(f"m{n}", text, Category.CONTEXT) for n, text in enumerate(known)
    )
    conversation = Conversation(_build_talk(turns), items, AT)
    return conversation, await model.extract(conversation)


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("turns", "content"),
    [
        (["I work in accounting", "I mean finance"], "The user works in finance"),
        (["동생은 부산에 살아", "아 미안 대구"], "사용자의 동생은 대구에 산다"),
    ],
)
async def test_the_corrected_fact_alone_is_kept_and_rests_on_both(
    model: RulesModel, turns: list[str], content: str
) -> None:
    conversation, (found,) = await _extract(model, turns)
    assert found.content == content
    assert found.evidence == (0, 2)
    assert find_fault(found, conversation) is None


@pytest.mark.req("D05")
async def test_what_was_remembered_before_the_correction_is_changed(
    model: RulesModel,
) -> None:
    turns = ["I work in accounting", "I mean finance"]
    _, (found,) = await _extract(model, turns, "The user works in accounting")
    assert found.operation is FindingOperation.UPDATE
    assert (found.target, found.content) == ("m0", "The user works in finance")
    assert found.evidence == (0, 2)


@pytest.mark.req("D05")
async def test_nothing_is_quoted_that_nobody_said(model: RulesModel) -> None:
    conversation, found = await _extract(
        model, ["할머니가 광주에 사셔", "아니 아니 전주에"]
    )
    for one in found:
        assert "“" not in one.content
        assert find_fault(one, conversation) is None
