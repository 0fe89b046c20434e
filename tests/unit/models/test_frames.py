"""What takes a message back, pastes one or opens a role play, and what does not."""

import pytest

from gieok.kernel.language import Role, Utterance
from gieok.models.rules.discourse_frame import collect_turns
from gieok.models.rules.lexicon import JOKE_TAKEN_BACK, PASTED, ROLEPLAY_START


@pytest.mark.parametrize(
    "said",
    [
        *("농담이야", "농담ㅋㅋ", "아까 그거 농담", "농담으로 한 말이야", "장난이었어"),
        *("나 결혼해 농담 ㅋㅋ", "농담이죠", "농담이구", "농담이당", "농담인 거 알지"),
        *("속았어?", "낚였어?"),
        *("뻥이야", "구라야", "드립이야", "속았지"),
    ],
)
def test_what_takes_back_what_was_said(said: str) -> None:
    assert JOKE_TAKEN_BACK.search(said)


@pytest.mark.parametrize(
    "said",
    [
        *("핸드드립 커피 좋아해", "드립백 커피", "허리 통증이 장난이 아니야"),
        *("남편은 농담을 잘해", "농담 아니고 나 퇴사했어", "불알친구라 자주 봐"),
        *("농담인 줄 알았는데 진짜래", "보이스피싱에 속았어"),
        *("농담 하나 해 줘", "동생이 장난이 심해"),
    ],
)
def test_what_only_speaks_of_jokes_takes_nothing_back(said: str) -> None:
    assert JOKE_TAKEN_BACK.search(said) is None


@pytest.mark.parametrize(
    "said",
    ["이 글 봐 줘", "문장 교정 좀", "교정 봐 줘", "영어 교정 부탁해", "요약해 줘"],
)
def test_what_hands_over_a_text(said: str) -> None:
    assert PASTED.search(said)


@pytest.mark.parametrize(
    "said",
    [
        *("나 치아 교정 중이야", "남편이 기사예요", "딸이 글을 잘 써요"),
        *("우리 팀이 메일을 안 봐", "교정직 공무원이야"),
    ],
)
def test_what_only_names_a_text_hands_over_none(said: str) -> None:
    assert PASTED.search(said) is None


@pytest.mark.parametrize(
    "said",
    [
        *(
            "넌 카페 알바생이고 난 손님이야",
            "너는 선생님 역할 해",
            "너는 면접관 역 해줘",
        ),
        *("네가 손님 하고 내가 점원 할게", "니가 환자 해라", "연기하자", "연기해 줘"),
    ],
)
def test_who_hands_out_roles_plays_them(said: str) -> None:
    assert ROLEPLAY_START.search(said)


@pytest.mark.parametrize(
    "said",
    [
        *("네가 알려준 운동 하고 있어", "너는 어떻게 생각하고 있어?"),
        *("니가 말한 그 역 근처 살아", "수술 연기할 것 같아", "약속 연기할게"),
        *("언니가 이혼하고 울산으로 갔대", "할머니가 수역에 살아"),
    ],
)
def test_who_speaks_to_the_assistant_plays_nothing(said: str) -> None:
    assert ROLEPLAY_START.search(said) is None


@pytest.mark.parametrize(
    ("earlier", "later", "taken"),
    [
        ("나 강아지 세 마리 키워", "농담이야 ㅋㅋ", True),
        (
            "나 강아지 세 마리 키워",
            "사실 우리 집에 강아지 한 마리도 없어 농담이었어",
            True,
        ),
        (
            "자전거 도둑맞았어요",
            "엄마 김치찌개 먹고싶다 한국가서 살까봐요 ㅋㅋ 농담",
            False,
        ),
        ("i have three dogs", "sorry about that one, i was kidding", True),
        ("i have three dogs", "off to mars with my boss next week lol jk", False),
    ],
)
def test_a_joke_takes_back_what_it_is_about(
    earlier: str, later: str, *, taken: bool
) -> None:
    messages = [
        Utterance(n, Role.USER, each) for n, each in enumerate((earlier, later))
    ]
    first, last = collect_turns(messages)
    assert first.frame.taken_back is taken
    assert last.frame.taken_back
