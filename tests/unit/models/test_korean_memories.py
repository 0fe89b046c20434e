"""Facts said in Korean are told clause by clause, of whom they can be about."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Conversation, Role, Utterance
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.discourse_frame import collect_turns
from gieok.models.rules.korean.readings import correct_readings
from gieok.models.rules.korean.reports import render_reported_speech
from gieok.models.rules.korean.wording import KoreanContext, list_memories
from gieok.models.rules.message_context import select_messages
from gieok.models.rules.wording import render_memories, render_report
from gieok.text.kiwi import get_shared_morphology

MORPHOLOGY = get_shared_morphology()
TODAY = date(2026, 3, 2)


def _list(said: str, *, before: str = "", asked: str = "") -> list[str] | None:
    return list_memories(said, KoreanContext(before, asked), MORPHOLOGY)


def _collect(said: str) -> tuple[ClauseCandidate, ...]:
    messages = (Utterance(0, Role.USER, said),)
    at = datetime.fromisoformat("2026-03-02T19Z")
    turns = select_messages(Conversation(messages, (), at))
    return collect_candidates(turns, MORPHOLOGY)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("엄마가 약을 드세요", "사용자의 엄마가 약을 드신다"),
        ("할아버지가 요양병원에 계세요", "사용자의 할아버지가 요양병원에 계신다"),
        ("무거운 건 못 들어요", "사용자는 무거운 건 못 든다"),
        ("엄마는 목포에 사셔", "사용자의 엄마는 목포에 사신다"),
        ("엄마는 옷을 사셔", "사용자의 엄마는 옷을 사신다"),
        ("위염은 다 나음", "위염은 다 나았다"),
        ("저는 클래식을 들어요", "사용자는 클래식을 듣는다"),
        ("내 동생은 배 타요", "사용자의 동생은 배를 탄다"),
        ("큰애가 땅콩 알레르기가 있어", "사용자의 큰애가 땅콩 알레르기가 있다"),
        ("고수 들어간 건 못 먹겠더라고요", "사용자는 고수 들어간 건 못 먹는다"),
        ("일곱 시에는 일어나야겠어", "사용자는 일곱 시에는 일어나야 한다"),
        ("본론만 말해 주면 좋겠어요", "사용자는 본론만 말해 주기를 바란다"),
        ("앞으로 짧게 말해 줬으면 해요", "사용자는 앞으로 짧게 말해 주기를 바란다"),
        ("3교대로 일하다 보니까", "사용자는 3교대로 일한다"),
        ("클라이밍에 빠져서", "사용자는 클라이밍에 빠졌다"),
        ("민준이 벌써 일곱 살이야", "민준이는 벌써 일곱 살이다"),
        ("나 민준이 엄마야", "사용자는 민준이 엄마이다"),
        ("지호는 우리 아들이야", "지호는 사용자의 아들이다"),
        ("민준이는 제 친구예요", "민준이는 사용자의 친구이다"),
        ("안녕하세요 쌤 강도윤이라고 합니다", "사용자는 강도윤이라고 한다"),
        ("쌤 누나가 이직했어요", "사용자의 누나가 이직했다"),
        ("연남동 주민됨", "사용자는 연남동 주민됐다"),
        ("혼자 살아요", "사용자는 혼자 산다"),
        ("나 얼마 전에 제대했거든", "사용자는 얼마 전에 제대했다"),
        ("저 임신 14주예요", "사용자는 임신 14주이다"),
        ("올해 일흔여덟이고", "사용자는 올해 일흔여덟이다"),
        ("나 서른셋이야", "사용자는 서른셋이다"),
        ("나 법인 세웠거든", "사용자는 법인을 세웠다"),
        ("출근은 전철로 해", "사용자는 출근은 전철로 한다"),
        ("대답은 반말로 해", "사용자는 대답은 반말로 해 주기를 바란다"),
        ("내 MBTI는 ISTJ임", "사용자의 MBTI는 ISTJ이다"),
        ("혈액형은 AB형이야", "사용자의 혈액형은 AB형이다"),
        ("고양이 나비 키워요", "사용자는 고양이 나비를 키운다"),
        ("강아지 초코 키우고 있어", "사용자는 강아지 초코를 키우고 있다"),
        ("우리 아들 민준이는 여섯 살이야", "사용자의 아들 민준이는 여섯 살이다"),
        ("카카오 다녀요", "사용자는 카카오를 다닌다"),
        ("이름 하은이야", "사용자의 이름은 하은이다"),
        ("임신 16주에요", "사용자는 임신 16주이다"),
        ("태명은 콩이야", "사용자의 태명은 콩이다"),
        ("세례명은 마리아야", "사용자의 세례명은 마리아이다"),
        ("딸은 초3", "사용자의 딸은 초3이다"),
        ("고양이 두마리 집사임", "사용자는 고양이 두마리 집사이다"),
        ("강아지 집사야", "사용자는 강아지 집사이다"),
        ("나는 물질하는 사람이우다", "사용자는 물질하는 사람이다"),
        ("배고파 죽겠어요", "사용자는 배고파 죽겠다고 한다"),
        ("취미 낚시예요", "사용자의 취미는 낚시이다"),
        ("고2예요", "사용자는 고2이다"),
        ("민준이 어린이집 다녀", "민준이 어린이집에 다닌다"),
        ("여의도 근무해요", "사용자는 여의도 근무한다"),
        ("나는 지훈이야", "사용자는 지훈이다"),
        ("안녕 나 이름은 지훈이야", "사용자의 이름은 지훈이다"),
        ("내 이름은 민준이야", "사용자의 이름은 민준이다"),
        ("강아지 이름은 콩이야", "사용자의 강아지 이름은 콩이이다"),
        ("나 취미는 낚시야", "사용자의 취미는 낚시이다"),
        ("저는 회사는 안 다녀요", "사용자는 회사는 안 다닌다"),
        ("여자친구 한국 사람이야", "사용자의 여자친구는 한국 사람이다"),
        (
            "고양이 두 마리랑 살아. 보리랑 콩이",
            "사용자는 고양이 두 마리랑 산다(보리랑 콩이)",
        ),
    ],
)
def test_it_is_told_as_it_is_meant(said: str, told: str) -> None:
    assert _list(said) == [told]


def test_a_name_is_of_the_pet_that_was_spoken_of() -> None:
    said = "고양이 키우는데 털이 장난 아니야. 이름은 두부야"
    told = _list(said)
    assert told is not None
    assert told[-1] == "사용자의 고양이 이름은 두부이다"


def test_a_name_is_of_whom_the_user_has() -> None:
    told = _list("나 남자친구 있어 이름은 준호")
    assert told == ["사용자는 남자친구가 있다", "사용자의 남자친구 이름은 준호이다"]
    told = _list("나 대학생이야 이름은 민수")
    assert told == ["사용자는 대학생이다", "사용자의 이름은 민수이다"]


def test_a_name_behind_a_thing_is_not_the_users() -> None:
    assert _list("우리 가게가 작아요. 이름은 순이네예요") == [
        "사용자의 가게가 작다(이름은 순이네)"
    ]


@pytest.mark.parametrize(
    "said", ["1톤짜리 배도 하나 있다 이름이 덕배호", "닭을 열댓마리 치고 이름은 없어"]
)
def test_a_name_behind_a_boat_or_a_hen_renames_nobody(said: str) -> None:
    assert not any("사용자의 이름" in each for each in _list(said) or ())


@pytest.mark.parametrize(
    ("before", "said", "told"),
    [
        (
            "딸 하나 있는데",
            "미국 시애틀에서 삽니다",
            "사용자의 딸은 미국 시애틀에서 산다",
        ),
        ("저는 형이 있는데", "서울에서 일해요", "사용자의 형은 서울에서 일한다"),
        ("딸이 있는데", "저는 혼자 살아요", "사용자는 혼자 산다"),
    ],
)
def test_who_was_just_introduced_lives_where_it_is_told(
    before: str, said: str, told: str
) -> None:
    context = KoreanContext(before, "")
    assert list_memories(said, context, MORPHOLOGY) == [told]


@pytest.mark.parametrize(
    "said", ["딸이 하나 있는데 시애틀에 살아요", "아들이 있는데 삼성에 다녀요"]
)
def test_nobody_is_told_to_live_where_their_child_does(said: str) -> None:
    assert _list(said) is None


def test_a_boat_takes_no_name_from_the_user() -> None:
    assert _list("배 타요. 제 이름은 덕배예요") == [
        "사용자는 배를 탄다",
        "사용자의 이름은 덕배이다",
    ]


def test_what_is_disliked_is_named() -> None:
    assert _list("개싫음") is None
    assert _list("운동은 싫어") == ["사용자는 운동은 싫다"]


def test_a_place_is_no_denial() -> None:
    """ "안산 공장" was told as “안 산 공장”, of what nobody bought."""
    assert _list("우리 회사는 안산 금형공장이야") == [
        "사용자의 회사는 안산 금형공장이다"
    ]


def test_a_name_and_an_age_beside_the_user_are_of_nobody_sure() -> None:
    assert _list("고양이 키워 이름은 두부고 세 살이야") is None


def test_a_noun_that_ends_like_a_polite_verb_stays() -> None:
    assert _list("제 폰은 갤럭시요") == ["사용자의 폰은 갤럭시이다"]


@pytest.mark.parametrize(
    ("said", "before", "asked", "told"),
    [
        (
            "보통 열두 시쯤 자요",
            "",
            "몇 시에 주무세요?",
            "사용자는 보통 열두 시쯤 잔다",
        ),
        ("다음 달에 넓은 데로 이사 가요", "작업실이 좁아요. ", "", "사용자는"),
        ("올해 열두 살 됐어요", "우리 강아지 이름은 보리예요. ", "", None),
        ("밥을 현미로 바꿨어요", "남편이 당뇨라 ", "", None),
        ("요즘은 잘 지내요", "", "따님은 어떻게 지내세요?", None),
    ],
)
def test_the_user_is_meant_where_nobody_else_can_be(
    said: str, before: str, asked: str, told: str | None
) -> None:
    found = _list(said, before=before, asked=asked)
    assert (found is None) == (told is None)
    assert not found or found[0].startswith(told or "")


def test_without_that_assumption_only_what_names_somebody_is_told() -> None:
    context = KoreanContext("", "몇 시에 주무세요?", assumes=False)
    assert list_memories("보통 열두 시쯤 자요", context, MORPHOLOGY) is None
    assert list_memories("저는 열두 시쯤 자요", context, MORPHOLOGY) is not None


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "남편이 당뇨 전 단계라 밥을 현미로 바꿨어요",
            [
                "사용자의 남편이 당뇨 전 단계이다",
                "사용자의 남편이 당뇨 전 단계라 밥을 현미로 바꿨다",
            ],
        ),
        (
            "무릎 수술을 두 번 해서 계단은 못 다녀요.",
            [
                "사용자는 무릎 수술을 두 번 해서 계단은 못 다닌다",
                "사용자는 계단은 못 다닌다",
            ],
        ),
    ],
)
def test_a_reason_stands_alone_only_where_it_says_when_and_whose_it_is(
    said: str, told: list[str]
) -> None:
    message = _collect(said)
    found = [render_memories([clause], TODAY, message) for clause in message]
    assert found == [(text,) for text in told]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "나는 약사고 남편은 기자야",
            ["사용자는 약사이다", "사용자의 남편은 기자이다"],
        ),
        (
            "치과기공사고 수원 살아요",
            ["사용자는 치과기공사이다", "사용자는 수원에 산다"],
        ),
        (
            "고2고 수학학원 다녀",
            ["사용자는 고2이다", "사용자는 수학학원에 다닌다"],
        ),
        (
            "나는 여든하나고 성당에 다녀요",
            ["사용자는 여든하나이다", "사용자는 성당에 다닌다"],
        ),
        (
            "취준생이고 용인 살아",
            ["사용자는 취준생이다", "사용자는 용인에 산다"],
        ),
        (
            "스물일곱이고 부산에서 카페 알바해",
            ["사용자는 스물일곱이다", "사용자는 부산에서 카페 알바한다"],
        ),
        (
            "저는 서른두 살이고 서울에 살고 은행에 다녀요",
            [
                "사용자는 서른두 살이다",
                "사용자는 서울에 산다",
                "사용자는 은행에 다닌다",
            ],
        ),
        (
            "아버지는 농부시고 어머니는 주부세요",
            ["사용자의 아버지는 농부이다", "사용자의 어머니는 주부이다"],
        ),
        (
            "형은 의사고 서울에 살아요",
            ["사용자의 형은 의사이다", "사용자의 형은 서울에 산다"],
        ),
        (
            "첫째 아들은 네 살이고 이름은 지호예요",
            ["사용자의 첫째 아들은 네 살이다", "사용자의 아들 이름은 지호이다"],
        ),
        (
            "전화번호 뒷자리는 4821이고 차 번호는 12가 3456이에요",
            ["전화번호 뒷자리는 4821이다", "사용자의 차 번호는 12가 3456이다"],
        ),
    ],
)
def test_several_facts_of_a_sentence_are_several_memories(
    said: str, told: list[str]
) -> None:
    assert _list(said) == told


@pytest.mark.parametrize(
    "said",
    [
        "나는 밥을 먹고 출근해",
        "차 타고 출근해요",
        "담배를 끊고 살이 쪘어",
        "나는 서울에 살고 싶어",
        "나는 지금 서울에 살고 있어",
        "나는 스물이고 서울에 사는 대학생이야",
        "저는 서울이 아니고 부산에 살아요",
        "약사고 남편은 기자라서 바빠",
        "고양이가 둘인데 하나는 코숏이고 하나는 샴이야",
        "키가 크고 잘생긴 남자를 좋아해",
    ],
)
def test_what_leads_to_something_or_leans_on_it_stays_with_it(said: str) -> None:
    told = _list(said)
    assert told is not None
    assert len(told) == 1


@pytest.mark.parametrize(
    "said",
    [
        "여자친구는 디자이너고 야근이 많아",
        "동생은 학생이고 키가 커",
        "남편은 회사원이고 취미는 낚시야",
        "강아지는 말티즈이고 이름은 콩이야",
    ],
)
def test_what_follows_somebody_else_is_not_told_of_the_user(said: str) -> None:
    assert _list(said) is None


def test_what_honours_somebody_before_is_no_wish() -> None:
    assert _list("할머니는 아흔이고 혼자 사세요") == [
        "사용자의 할머니는 아흔이고 혼자 사신다"
    ]


@given(st.text(alphabet="내드세계요들어걷물개가무거운 것짐을", max_size=12))
def test_a_corrected_reading_stands_where_the_words_stand(text: str) -> None:
    read = MORPHOLOGY.analyze(text)
    corrected = correct_readings(read)
    assert [m.start for m in read if m.length] == [
        m.start for m in corrected if m.length
    ]


def test_whom_an_earlier_sentence_was_about_is_not_sought_in_a_later_one() -> None:
    """Places of one sentence were read in another, and nothing could be remembered."""
    told = _list("아직 말이 두 단어예요. 할미 가.")
    assert told is None or all("두 단어" in each or "할미" in each for each in told)


@pytest.mark.parametrize("said", ["소민이 언니꺼", "이거 우리 누나꺼야"])
def test_what_is_somebodys_is_nothing_to_do(said: str) -> None:
    """ "언니꺼" was told as “소민이는 언니끈다”."""
    assert _list(said) is None


@pytest.mark.parametrize("said", ["응 했어", "한다", "안 했어"])
def test_nothing_is_reported_that_says_nothing(said: str) -> None:
    assert render_reported_speech(said, KoreanContext("", ""), MORPHOLOGY) is None


@pytest.mark.parametrize(
    "said", ["남편이 승진해서 이제 센터장이에요", "동생이 이사해서 지금 부산 살아"]
)
def test_what_follows_an_act_of_somebody_else_is_not_told_of_the_user(
    said: str,
) -> None:
    assert _list(said) is None


def test_a_feeling_after_an_act_of_somebody_else_is_the_users() -> None:
    assert _list("아빠가 입원해서 무서워요") == ["사용자는 아빠가 입원해서 무섭다"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("언니 서울로 이사 갔어", "사용자의 언니가 서울로 이사 갔다"),
        ("동생 미국에 살아", "사용자의 동생은 미국에 산다"),
        ("남편 삼성에 다녀", "사용자의 남편은 삼성에 다닌다"),
        ("내 동생 네이버에서 일해", "사용자의 동생은 네이버에서 일한다"),
        ("제 남자친구 카카오에서 일해요", "사용자의 남자친구는 카카오에서 일한다"),
        ("우리 서울로 이사 갔어", "사용자네는 서울로 이사 갔다"),
        ("남편 고향 부산으로 이사했어", "사용자는 남편 고향 부산으로 이사했다"),
    ],
)
def test_a_relative_before_a_place_is_the_subject(said: str, told: str) -> None:
    assert _list(said) == [told]


def test_what_is_told_after_somebody_else_is_not_the_users() -> None:
    said = "5살이고 슬개골이 안 좋아"
    assert _list(said) == ["사용자는 5살이고 슬개골이 안 좋다"]
    assert _list(said, before="강아지 이름은 보리야.") is None
    assert _list(said, before="남편은 야근이 많아.") is None
    assert _list("나는 의사야", before="딸 직업은 잊어 줘.") == ["사용자는 의사이다"]


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("남자친구가 이번에 취업했어.", "판교에서 일해"),
        ("강아지 이름은 보리야.", "5살이고 슬개골이 안 좋아"),
    ],
)
def test_a_report_names_whom_it_is_about(before: str, said: str) -> None:
    candidates = _collect(f"{before} {said}")
    told = render_report(candidates[-1:], TODAY, whole=False)
    assert told is not None
    assert before.split(maxsplit=1)[0] in told


@pytest.mark.parametrize(
    ("said", "secret"),
    [
        ("남자친구가 취업했어. 판교에서 일해. 빚 얘기는 잊어줘", "빚"),
        ("남자친구가 취업했어. 빚 얘기는 잊어줘. 판교에서 일해", "빚"),
        ("남자친구가 취업했어. 비밀번호는 hunter22야. 판교에서 일해", "hunter22"),
    ],
)
def test_what_leans_on_somebody_brings_no_wish_or_secret_along(
    said: str, secret: str
) -> None:
    candidates = _collect(said)
    (place,) = (n for n, c in enumerate(candidates) if "판교" in c.clause.text)
    told = render_report(candidates[place : place + 1], TODAY, whole=False)
    assert told is None or secret not in told
    assert told is None or "남자친구" in told


@pytest.mark.parametrize(
    ("earlier", "said", "told"),
    [
        ("나 남자친구 생겼어!", "이름은 민호", "사용자의 남자친구 이름은 민호이다"),
        ("강아지 새로 데려왔어", "이름은 보리예요", "사용자의 강아지 이름은 보리이다"),
        ("우리 아들 태어났어", "이름은 하준이야", "사용자의 아들 이름은 하준이다"),
        (
            "우리 누나 이번에 결혼해",
            "이름은 은지야",
            "사용자의 누나 이름은 은지이다",
        ),
        ("저 결혼했어요", "이름은 김수진이에요", "사용자의 이름은 김수진이다"),
        ("비행기 타고 왔어", "이름은 민호예요", "사용자의 이름은 민호이다"),
        ("안녕하세요", "이름은 김민지예요", "사용자의 이름은 김민지이다"),
        (
            "저는 딸 둘 엄마예요",
            "이름은 김민지예요",
            "사용자의 이름은 김민지이다",
        ),
    ],
)
def test_a_name_is_theirs_whom_the_message_before_introduces(
    earlier: str, said: str, told: str
) -> None:
    context = KoreanContext(earlier=earlier)
    assert list_memories(said, context, MORPHOLOGY) == [told]


def test_a_message_before_counts_unless_something_was_asked_in_between() -> None:
    said = [("남자친구 생겼어", "와!"), ("이름은 민호", "몇 살이에요?"), ("서른", "네")]
    turns = [
        Utterance(2 * n + place, role, text)
        for n, pair in enumerate(said)
        for place, (role, text) in enumerate(
            zip((Role.USER, Role.ASSISTANT), pair, strict=True)
        )
    ]
    assert [each.before for each in collect_turns(turns)] == ["", "남자친구 생겼어", ""]


def test_a_name_joined_to_what_somebody_is_names_them() -> None:
    assert _list("둘째 아들은 네살이고 이름은 지호") == [
        "사용자의 둘째 아들은 네살이다",
        "사용자의 아들 이름은 지호이다",
    ]


@pytest.mark.parametrize(
    "said",
    [
        "저 형 있는데 고2예요",
        "여친이 디자이너인데 야근 많이 해",
        "큰애가 자폐 스펙트럼이 있어서 소리에 민감해요",
        "콩이가 열다섯살이라 귀가 안 들려요",
        "오빠 다시 취직해서 판교로 독립했어",
        "동생이 있는데 의대생이에요",
    ],
)
def test_what_follows_somebody_else_in_a_sentence_is_told_of_nobody(said: str) -> None:
    assert _list(said) is None


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("딸이 둘 있어서 큰 차를 타요", "사용자의 딸이 둘 있어서 큰 차를 탄다"),
        ("고양이 키워서 털이 많아요", "사용자는 고양이 키워서 털이 많다"),
        ("저는 회사원인데 야근이 많아요", "사용자는 회사원인데 야근이 많다"),
    ],
)
def test_what_follows_whom_the_user_has_is_the_users(said: str, told: str) -> None:
    assert _list(said) == [told]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("부모님은 광주에 계세요", "사용자의 부모님은 광주에 계신다"),
        ("저는 라디오를 매일 아침 들어요", "사용자는 라디오를 매일 아침 듣는다"),
        ("저는 가방을 오른손으로 들어요", "사용자는 가방을 오른손으로 든다"),
        ("안녕 나 이혼했어 작년에", "사용자는 작년에 이혼했다"),
    ],
)
def test_verbs_and_greetings_are_read_as_meant(said: str, told: str) -> None:
    assert _list(said) == [told]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "이름 하은이야 반말로 해줘",
            ["사용자의 이름은 하은이다", "사용자는 반말로 해주기를 바란다"],
        ),
        ("우리 개 이름이 망치야 진돗개", ["사용자의 개 이름이 망치이다(진돗개)"]),
        (
            "나는 여든하나고 성당에 다녀요 세례명은 마리아",
            [
                "사용자는 여든하나이다",
                "사용자는 성당에 다닌다",
                "사용자의 세례명은 마리아이다",
            ],
        ),
        (
            "나이는 서른이고 직업은 간호사",
            ["사용자의 나이는 서른이다", "사용자의 직업은 간호사이다"],
        ),
        (
            "집은 수원이고 회사는 판교",
            ["사용자의 집은 수원이다", "사용자의 회사는 판교이다"],
        ),
        (
            "저희 팀은 자바 스프링 쓰고 저는 결제쪽 담당입니다",
            ["사용자의 팀은 자바 스프링을 쓴다", "사용자는 결제쪽 담당이다"],
        ),
        (
            "남편은 요리하고 저는 설거지 담당이에요",
            ["사용자의 남편은 요리한다", "사용자는 설거지 담당이다"],
        ),
        (
            "치즈는 다섯살이고 고등어는 두살이에요",
            ["치즈는 다섯살이다", "고등어는 두살이다"],
        ),
        ("치즈는 다섯살 고등어는 두살", ["치즈는 다섯살이다", "고등어는 두살이다"]),
        (
            "첫째 다섯살 둘째 세살이에요",
            ["사용자의 첫째는 다섯살이다", "사용자의 둘째는 세살이다"],
        ),
        ("두시간마다 깨요 죽겠어요", ["사용자는 두시간마다 깬다"]),
        ("개 키움 이름은 보리차", ["사용자는 개 키운다(이름은 보리차)"]),
        ("나 진짜 죽겠어", []),
    ],
)
def test_what_is_told_in_one_breath_is_told_apart(said: str, told: list[str]) -> None:
    assert _list(said) == told
