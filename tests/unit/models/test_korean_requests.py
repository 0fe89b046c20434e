"""What is asked in Korean to be remembered ("…인 거 기억해") is told as it is."""

from datetime import UTC, datetime
from time import perf_counter

import pytest

from gieok.kernel.language import Basis, Conversation, Finding, Role, Utterance
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.models.rules.korean.requests import rewrite_requests
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 4, 7, 12, tzinfo=UTC)
MORPHOLOGY = get_shared_morphology()


@pytest.fixture(scope="module")
def model() -> RulesModel:
    return RulesModel(E5Embedder(), MORPHOLOGY)


async def _extract(model: RulesModel, said: str) -> tuple[Finding, ...]:
    messages = (Utterance(0, Role.USER, said),)
    return await model.extract(Conversation(messages, (), AT))


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("나 새우 알레르기 있는 거 기억해줘", "사용자는 새우 알레르기가 있다"),
        ("나 부산 사는 거 기억해 둬", "사용자는 부산에 산다"),
        ("술 끊은 거 잊지 마", "사용자는 술을 끊었다"),
        ("내가 왼손잡이인 거 기억해 줄래?", "사용자는 왼손잡이이다"),
        ("내가 왼손잡이란 걸 기억하고 있어 줘", "사용자는 왼손잡이이다"),
        ("나 고수 싫어하는 거 꼭 기억해", "사용자는 고수를 싫어한다"),
        ("엄마가 당뇨 있다는 거 기억해줘", "사용자는 엄마가 당뇨가 있다"),
        (
            "저는 채식주의자라는 점 기억해 주시면 감사하겠습니다",
            "사용자는 채식주의자이다",
        ),
        ("제가 안경 쓴다는 사실을 잊지 말아 주세요", "사용자는 안경을 쓴다"),
        ("나 예전에 간호사였던 거 알아둬", "사용자는 예전에 간호사였다"),
        ("나 매운 거 못 먹는단 거 기억해둬!", "사용자는 매운 거 못 먹는다"),
        ("나 담배 피우던 거 기억해", "사용자는 담배를 피웠다"),
        ("나 임신한 거 기억해줘", "사용자는 임신했다"),
        ("나 대전으로 이사할 거 기억해 둬", "사용자는 대전으로 이사할 것이다"),
        ("저 오이 못 먹는 거 좀 기억해주실 수 있을까요?", "사용자는 오이를 못 먹는다"),
        ("나 고혈압약 먹는 거 잊지 말고 식단 짜줘", "사용자는 고혈압약을 먹는다"),
        ("여동생이 간호사인 거 기억해 놔", "사용자의 여동생이 간호사이다"),
        (
            "저희 어머니가 당뇨 있으신 거 기억해 주세요",
            "사용자는 자신의 어머니가 당뇨가 있으시다",
        ),
    ],
)
async def test_what_is_to_be_remembered_is_told(
    model: RulesModel, said: str, told: str
) -> None:
    found = await _extract(model, said)
    assert [(f.content, f.basis) for f in found] == [(told, Basis.REQUESTED)]


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "said",
    [
        "내가 새우 알레르기 있는 거 기억해?",
        "내가 새우 알레르기 있는 거 기억나?",
        "내가 비건인 거 기억하고 있어?",
        "내가 좋아하는 거 기억해줘",
        "오늘 얘기한 거 저장해 줘",
        "살 거 적어 둬",
        "필요한 거 적어 둬",
        "내일 7시에 깨워주는 거 기억해",
        "모레 병원 예약해 주는 거 기억해",
        "내가 채식하는 거 기억해줘서 고마워",
    ],
)
async def test_what_states_nothing_is_not(model: RulesModel, said: str) -> None:
    assert await _extract(model, said) == ()


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "said",
    ["엄마가 내 생일인 거 기억해 주더라", "선생님이 내가 왼손잡이인 거 기억해 주셨어"],
)
async def test_what_somebody_else_remembered_is_no_request(
    model: RulesModel, said: str
) -> None:
    found = await _extract(model, said)
    assert all(each.basis is not Basis.REQUESTED for each in found)


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    "said",
    [
        "내가 새우 알레르기 있는 거 기억하니?",
        "내가 새우 알레르기 있는 거 기억하지 마",
        "나 술 끊은 거 잊어줘",
        "엄마가 내 생일인 거 기억해",
        "네가 도와준 거 기억해",
        "선생님이 내가 왼손잡이인 거 기억해 주셨어",
        "내가 채식하는 거 기억해줘서 고마워",
    ],
)
def test_other_talk_of_remembering_stays_as_it_was_said(said: str) -> None:
    assert rewrite_requests(said, MORPHOLOGY) == said


def test_the_rest_of_a_message_stays() -> None:
    said = "안녕!\n나 부산 사는 거 기억해줄래? 오늘  날씨 어때?"
    told = "안녕!\n나 부산 산다. 기억해 줘. 오늘  날씨 어때?"
    assert rewrite_requests(said, MORPHOLOGY) == told


def test_a_row_of_adverbs_is_read_at_once() -> None:
    assert rewrite_requests("가", MORPHOLOGY) == "가"
    started = perf_counter()
    for said in ("다 " * 24 + "가", "좀 다너 " * 1000 + "가"):
        assert rewrite_requests(said, MORPHOLOGY) == said
    assert perf_counter() - started < 5
