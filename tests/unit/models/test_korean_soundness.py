"""A Korean memory stands by itself, or is told as what the user said."""

from datetime import date

import pytest

from gieok.kernel.language import Role, Utterance
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.korean.quotation import (
    render_indirect_question,
    render_quotation,
)
from gieok.models.rules.korean.reports import render_reported_speech
from gieok.models.rules.korean.soundness import WordingFault, find_fault, is_momentary
from gieok.models.rules.korean.wording import KoreanContext, list_memories
from gieok.models.rules.wording import render_memories, render_report
from gieok.text.kiwi import get_shared_morphology

MORPHOLOGY = get_shared_morphology()
TODAY = date(2026, 3, 2)


def _talk(said: str, asked: str = "") -> tuple[ClauseCandidate, ...]:
    messages = [Utterance(0, Role.ASSISTANT, asked)] if asked else []
    messages.append(Utterance(1, Role.USER, said))
    return collect_candidates(messages, MORPHOLOGY)


@pytest.mark.parametrize(
    "sentence",
    [
        "사용자는 3월부터 수영 강습에 다닌다",
        "태호가 제대했다",
        "사용자의 할머니가 무등산 밑에서 두부집을 한다",
        "사용자는 유당불내증이 있다",
        "사용자는 이 년 동안 첼로를 배웠다",
        "사용자는 단호박 수프에 파이를 얹어 먹고 싶어 한다",
        "사용자는 밤에는 불을 꺼 주기를 바란다",
        "사용자는 9월에 부산으로 이사할 것이다",
        "사용자는 간호사이다",
        "사용자의 딸이 목요일마다 피아노를 배운다(네 시)",
    ],
)
def test_a_whole_sentence_of_somebody_is_sound(sentence: str) -> None:
    assert find_fault(sentence, MORPHOLOGY) is None


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ("사용자는 무릎이 아파서", WordingFault.ENDING),
        ("사용자는 무릎이 아프네요", WordingFault.ENDING),
        ("사용자는 아이고 무릎이 아프다", WordingFault.SPEECH),
        ("사용자는 너를 김비서라고 부른다", WordingFault.SPEAKER),
        ("사용자는 그거 이제 안 먹는다", WordingFault.LEANS),
        ("사용자는 그 약을 먹는다", WordingFault.LEANS),
        ("간호사라 나이트가 달에 여섯 번이다", WordingFault.LEANS),
        ("사용자는 체스는 알지 정석을 배운다", WordingFault.RUN_ON),
        ("사용자는 엑셀이 산더미다 한다", WordingFault.RUN_ON),
        ("사용자는 올해는 23일이다이다", WordingFault.RUN_ON),
        ("사용자는 월세 공제는요 천에 55를 낸다", WordingFault.SPEECH),
        ("나 총무는 이제 그만뒀다", WordingFault.SPEAKER),
        ("사용자는 말고 소리만 크게 해 주기를 바란다", WordingFault.LEANS),
        ("버스도 한산하다", WordingFault.NO_SUBJECT),
        ("사용자도 게메 자리젓 담아시민 주컬 안 담안 미안허우한다", WordingFault.ODD),
        ("옆자리 애가 사용자의 매운 맛을 안다", WordingFault.ODD),
        ("사용자는 감자을 싫어한다", WordingFault.ODD),
        ("사용자는 민서 나갔다", WordingFault.PARTICLE),
        ("평생 간직하려고 한다", WordingFault.NO_SUBJECT),
        ("사용자의 엄마는 여섯 살한테는 긴 연설이다", WordingFault.WRONG_SUBJECT),
        (
            "사용자는 애 아빠는 폴란드 주재원이라 전화를 못 했다",
            WordingFault.WRONG_SUBJECT,
        ),
        ("사용자는 11월 14일로 잡았다", WordingFault.NO_OBJECT),
        ("사용자는 이제 안 다닌다", WordingFault.NO_OBJECT),
        ("사용자는 항암 중에 김치를 먹어도 된다", WordingFault.ASKS),
        ("사용자는 왼쪽 귀가 안 들리는 것이다", WordingFault.THING),
        ("사용자는 습도를 오십으로 맞춰놓는다", WordingFault.ORDER),
    ],
)
def test_what_cannot_stand_by_itself_has_a_fault(
    sentence: str, fault: WordingFault
) -> None:
    assert find_fault(sentence, MORPHOLOGY) is fault


@pytest.mark.parametrize(
    ("question", "indirect"),
    [
        ("무릎은 좀 어떠세요?", "무릎은 좀 어떠냐는"),
        ("안과 예약은 잡으셨어요?", "안과 예약은 잡았느냐는"),
        ("수영 강습은 아직 다니세요?", "수영 강습은 아직 다니느냐는"),
        ("이름이 뭐예요?", "이름이 뭐냐는"),
        ("몇 학년이에요?", "몇 학년이냐는"),
        ("주무시는 건 어떠셨어요?", "자는 건 어땠느냐는"),
        ("영화 볼까요?", None),
    ],
)
def test_a_question_is_asked_indirectly(question: str, indirect: str | None) -> None:
    assert render_indirect_question(question, MORPHOLOGY) == indirect


@pytest.mark.parametrize(
    ("said", "asked", "reported"),
    [
        (
            "22일 오전 열한 시에 강릉아산으로 잡았어요",
            "안과 예약은 잡으셨어요?",
            (
                "사용자는 안과 예약은 잡았느냐는 물음에 22일 오전 열한 시에"
                " 강릉아산으로 잡았다고 답했다"
            ),
        ),
        (
            "중2",
            "몇 학년이에요?",
            "사용자는 몇 학년이냐는 물음에 중2라고 답했다",
        ),
        (
            "갈비 두 개 금이 갔어",
            "",
            "사용자는 갈비 두 개 금이 갔다고 말했다",
        ),
        ("나 수영하고 싶어", "", "사용자는 수영하고 싶다고 말했다"),
        ("그거 이제 안 먹어", "", None),
        ("처남 전화번호는 제가 알려 드리겠습니다", "", None),
    ],
)
def test_what_leans_is_told_as_what_was_said(
    said: str, asked: str, reported: str | None
) -> None:
    context = KoreanContext("", asked)
    assert render_reported_speech(said, context, MORPHOLOGY) == reported


@pytest.mark.parametrize(
    ("said", "asked", "quoted"),
    [
        (
            "협착이라 카데 백 발만 걸으모 다리가 저리가",
            "허리가 많이 불편하세요?",
            (
                "사용자는 허리가 많이 불편하냐는 물음에 “협착이라 카데 백 발만 걸으모"
                " 다리가 저리가”라고 답했다"
            ),
        ),
        (
            "근데 육아휴직이 8월까지라ㅋㅋ",
            "",
            "사용자는 “육아휴직이 8월까지라”라고 말했다",
        ),
        ("걔가 토요일에 간대", "", None),
        ("연금은 당겨서 들어오나", "", None),
        ("가" * 200, "", None),
    ],
)
def test_what_cannot_be_turned_is_quoted_or_left_out(
    said: str, asked: str, quoted: str | None
) -> None:
    assert render_quotation(said, asked, MORPHOLOGY) == quoted


@pytest.mark.parametrize(
    ("said", "asked", "told"),
    [
        (
            "저는 포항에 살고 앵무새를 키워요",
            "",
            ["사용자는 포항에 산다", "사용자는 앵무새를 키운다"],
        ),
        (
            "우리 애가 변기를 무서워해요. 나는 감자를 싫어하거든요",
            "",
            ["사용자의 애가 변기를 무서워한다", "사용자는 감자를 싫어한다"],
        ),
        ("이거 꼭 기억해줘, 나는 우유를 못 마셔", "", ["사용자는 우유를 못 마신다"]),
        ("오늘은 불 켜 줘", "", []),
        ("책은 사면 안 봐", "자전거는 타세요?", ["사용자는 책은 사면 안 본다"]),
        ("잘 안 타", "아드님은 자전거 타세요?", None),
        ("11월 14일로 잡았다", "", None),
    ],
)
def test_several_facts_are_several_memories_and_orders_of_the_moment_none(
    said: str, asked: str, told: list[str] | None
) -> None:
    assert list_memories(said, KoreanContext("", asked), MORPHOLOGY) == told


def test_a_task_is_no_wish_for_good() -> None:
    task = KoreanContext(lasting=False)
    assert list_memories("서랍장만 계산해 주세요", task, MORPHOLOGY) == []
    wish = KoreanContext(lasting=True)
    assert list_memories("앞으로 짧게 답해 주세요", wish, MORPHOLOGY) == [
        "사용자는 앞으로 짧게 답해 주기를 바란다"
    ]


def test_a_wish_is_of_the_moment_by_its_words() -> None:
    assert is_momentary("오늘은 꺼 줘", MORPHOLOGY)
    assert not is_momentary("밤에는 꺼 줘", MORPHOLOGY)


def test_a_clause_that_only_gives_a_reason_is_told_with_what_it_is_for() -> None:
    said = "장사 끝나면 새벽 한 시라 아침 연락은 못 받아요"
    message = _talk(said)
    assert render_memories(message[:1], TODAY) is None
    assert render_memories(message[:1], TODAY, message) == (
        "사용자는 장사 끝나면 새벽 한 시라 아침 연락은 못 받는다",
    )
    reported = render_report(message[:1], TODAY)
    assert reported is not None
    assert "아침" in reported


def test_a_secret_beside_it_is_not_reported() -> None:
    said = "카드는 4111-1111-1111-1111이야 11월 14일로 잡았어"
    found = _talk(said)
    assert all("4111" not in (render_report([c], TODAY) or "") for c in found)
