"""What a few Korean words say together with the question that they answer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.models.rules.korean.answers import render_korean_answer
from gieok.text.kiwi import get_shared_morphology


def _render(asked: str, said: str) -> str | None:
    return render_korean_answer(asked, said, get_shared_morphology())


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("아들 있으세요?", "아뇨 딸이에요", "저는 아들이 없고 딸이 있다"),
        (
            "강아지 키우세요?",
            "아뇨 고양이예요",
            "저는 강아지를 키우지 않고 고양이를 키운다",
        ),
        (
            "강아지 키우세요?",
            "아뇨 동생이요",
            "저는 강아지를 키우지 않고 제 동생은 강아지를 키운다",
        ),
        ("형제 있으세요?", "네 자매예요", "저는 자매가 있다"),
        ("딸 있으세요?", "네 아들도요", "저는 딸이 있고 아들도 있다"),
        ("아내분 일하세요?", "아뇨 저만요", "제 아내는 일하지 않고 저만 일한다"),
        ("고기 드세요?", "생선만요", "저는 생선만 먹는다"),
        ("고기 드세요?", "남편만요", "제 남편만 고기를 먹는다"),
        ("부모님 살아계세요?", "어머니만요", "제 어머니만 살아있다"),
    ],
)
def test_who_or_what_is_named_stands_for_what_was_asked(
    asked: str, said: str, told: str
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("아내분 일하세요?", "네 학교에서요", "제 아내는 학교에서 일한다"),
        ("남동생 군대 갔어요?", "네", "제 남동생은 군대에 갔다"),
        ("어머니 편찮으세요?", "네 허리가요", "제 어머니는 허리가 아프다"),
        ("부모님 모시세요?", "네", "저는 부모님을 모신다"),
        ("남편 만났어요?", "네", "저는 남편을 만났다"),
        ("아이 키우세요?", "네 둘이요", "저는 아이를 둘 키운다"),
    ],
)
def test_a_person_without_a_particle_does_it_or_is_whom_it_is_done_to(
    asked: str, said: str, told: str
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("담배 피우세요?", "예전에는요", "저는 예전에는 담배를 피웠다"),
        ("담배 피우세요?", "젊을 때는요", "저는 젊을 때는 담배를 피웠다"),
        ("담배 피우세요?", "피웠었어요", "저는 담배를 피웠다"),
        ("학생이세요?", "예전에는요", "저는 예전에는 학생이었다"),
        ("결혼하셨어요?", "했었죠", None),
        ("술 드세요?", "가끔요", "저는 술을 가끔 마신다"),
    ],
)
def test_what_was_is_told_as_past(asked: str, said: str, told: str | None) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("아이가 학교 좋아해요?", "네 좋아해요", "제 아이가 학교를 좋아한다"),
        ("아이가 학교 좋아해요?", "안 좋아해요", "제 아이가 학교를 좋아하지 않는다"),
        ("남편분 담배 피우세요?", "안 피워요", "제 남편은 담배를 피우지 않는다"),
        ("혼자 사세요?", "네 혼자 살아요", "저는 혼자 산다"),
        ("고기 드세요?", "네 먹어요 가끔", "저는 고기를 가끔 먹는다"),
        ("커피 드세요?", "네 마셔요", "저는 커피를 마신다"),
        ("고양이 있으세요?", "없어요", "저는 고양이가 없다"),
        ("결혼하셨어요?", "아직 안 했어요", None),
        ("고기 드세요?", "아뇨 먹어요", None),
    ],
)
def test_the_verb_again_is_a_yes_or_a_no(
    asked: str, said: str, told: str | None
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("젊을 때 어디 사셨어요?", "부산이요", "저는 젊을 때 부산에 살았다"),
        ("서울 사셨어요?", "네", "저는 서울에 살았다"),
        ("어머니 돌아가셨어요?", "네", "제 어머니는 돌아가셨다"),
        ("교사셨어요?", "네", "저는 교사였다"),
        ("공무원이셨어요?", "네", "저는 공무원이었다"),
        ("집을 파셨어요?", "네 작년에", "저는 작년에 집을 팔았다"),
        ("강아지 기르셨어요?", "네", "저는 강아지를 길렀다"),
        ("많이 아프셨어요?", "네", "저는 많이 아팠다"),
        ("농사 지으셨어요?", "네", "저는 농사를 지었다"),
        ("중국어 배우세요?", "네 작년부터요", "저는 작년부터 중국어를 배운다"),
        ("막내세요?", "네", "저는 막내이다"),
    ],
)
def test_an_honorific_leaves_the_verb_that_was_meant(
    asked: str, said: str, told: str
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("이모님은 어디 사세요?", "대구요", "제 이모님은 대구에 산다"),
        ("장모님은 건강하세요?", "네", "제 장모님은 건강하다"),
        ("사장님은 친절하세요?", "네", "제 사장님은 친절하다"),
        ("목사님 자주 만나세요?", "네", "저는 목사님을 자주 만난다"),
        ("할머니는 건강하세요?", "네", None),
        ("선생님은 몇 살이세요?", "마흔이요", None),
        ("어르신은 혼자 사세요?", "네", "저는 혼자 산다"),
        ("김영숙님은 혼자 사세요?", "네", "저는 혼자 산다"),
        ("너 어디 살아?", "노원", "저는 노원에 산다"),
    ],
)
def test_who_is_spoken_of_is_not_who_is_spoken_to(
    asked: str, said: str, told: str | None
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("아이 혼자 키우세요?", "네", "저는 아이를 혼자 키운다"),
        ("손주 자주 보세요?", "네", "저는 손주를 자주 본다"),
        ("엄마 닮았어?", "응", "저는 엄마를 닮았다"),
        ("누구 존경해?", "아버지", "저는 아버지를 존경한다"),
        ("누구 기다리세요?", "딸이요", "저는 딸을 기다린다"),
        ("누구 무서워해?", "엄마", "저는 엄마를 무서워한다"),
        ("아이 있으세요?", "둘이요", "저는 아이가 둘 있다"),
        ("아이 있으세요?", "네", "저는 아이가 있다"),
        ("아들은 있으세요?", "네", "저는 아들이 있다"),
        ("엄마 보고 싶어?", "응", "저는 엄마가 보고 싶다"),
        ("동생 미워?", "가끔", "저는 동생이 가끔 밉다"),
        ("강아지 산책 자주 시켜?", "응", "저는 강아지를 산책을 자주 시킨다"),
        ("며느님은 일하세요?", "네 학교에서요", "제 며느리는 학교에서 일한다"),
        ("큰딸은 어디 살아요?", "캐나다요", "제 큰딸은 캐나다에 산다"),
        ("요즘 입맛은 어떠세요?", "별로예요", None),
        ("막내아들은 결혼했어요?", "아직요", "제 막내아들은 결혼하지 않았다"),
        ("어머니는 어디 계세요?", "요양원이요", "제 어머니는 요양원에 있다"),
    ],
)
def test_a_person_is_had_or_has_it_done_to_them_as_the_verb_says(
    asked: str, said: str, told: str | None
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("강아지 키우세요?", "네 몰티즈요", "저는 강아지를 키운다"),
        ("커피 좋아하세요?", "네 라떼요", "저는 커피를 좋아한다"),
        ("병원 다니세요?", "네 정형외과요", "저는 병원에 다닌다"),
        ("숙제 했어?", "네 쌤", "저는 숙제를 했다"),
        ("형제 있어요?", "네 선생님", "저는 형제가 있다"),
        ("혼자 사세요?", "네 뭐", "저는 혼자 산다"),
        ("여자친구 있어?", "응 간호사야", "저는 여자친구가 있다"),
        ("아들 있으세요?", "네 군대 갔어요", "저는 아들이 있다"),
        ("남편 있으세요?", "네 아파요", "저는 남편이 있다"),
        ("교회 다니세요?", "네 권사예요", "저는 교회에 다니고 권사이다"),
        ("손주 있으세요?", "네 세 살이요", "저는 손주가 있다"),
        ("형제 있어?", "누나 둘", "저는 누나가 둘 있다"),
    ],
)
def test_a_noun_after_yes_is_not_made_what_the_user_is(
    asked: str, said: str, told: str
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("회사 다니세요?", "아뇨 백수요", "저는 회사에 다니지 않고 백수이다"),
        ("학교 다녀요?", "아뇨 취준생이요", "저는 학교에 다니지 않고 취준생이다"),
        ("매운 거 좋아해?", "아뇨 딱히요", "저는 매운 거를 좋아하지 않는다"),
        ("매운 거 좋아해?", "아니 진짜", "저는 매운 거를 좋아하지 않는다"),
        ("결혼하셨어요?", "아뇨 아직이요", "저는 결혼하지 않았다"),
        ("결혼하셨어요?", "아뇨 이혼이요", "저는 결혼하지 않았다"),
        ("운전하세요?", "아뇨 버스요", "저는 운전하지 않는다"),
        ("딸이랑 사세요?", "아뇨 아들이요", "저는 딸이랑 살지 않고 아들이랑 산다"),
        (
            "월요일에 가세요?",
            "아뇨 화요일이요",
            "저는 월요일에 가지 않고 화요일에 간다",
        ),
        (
            "버스로 다니세요?",
            "아뇨 지하철이요",
            "저는 버스로 다니지 않고 지하철로 다닌다",
        ),
        (
            "강아지가 아파요?",
            "아뇨 고양이요",
            "제 강아지가 아프지 않고 제 고양이가 아프다",
        ),
        (
            "땅콩 알레르기 있죠?",
            "아뇨 호두요",
            "저는 땅콩 알레르기가 없고 호두 알레르기가 있다",
        ),
        (
            "영어 학원 다녀?",
            "아니 수학",
            "저는 영어 학원에 다니지 않고 수학 학원에 다닌다",
        ),
        ("알레르기 있어요?", "복숭아만요", "저는 복숭아 알레르기만 있다"),
        ("아들 둘 있으시죠?", "아뇨 셋이요", "저는 아들이 셋 있다"),
    ],
)
def test_what_follows_no_takes_the_place_of_its_own_kind(
    asked: str, said: str, told: str
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("담배 피우세요?", "작년까지요", "저는 작년까지 담배를 피웠다"),
        ("담배 피우세요?", "네 젊을 때요", "저는 젊을 때 담배를 피웠다"),
        ("담배 피우세요?", "예전부터요", "저는 예전부터 담배를 피운다"),
        ("담배 피우세요?", "예전에 끊었어요", None),
        ("담배 피우세요?", "20년 전에요", "저는 20년 전에 담배를 피웠다"),
        (
            "담배 피우세요?",
            "아뇨 예전에만요",
            "저는 담배를 피우지 않고 예전에만 담배를 피웠다",
        ),
        ("결혼하셨어요?", "내년에요", None),
        ("결혼하셨어요?", "네 작년에요", "저는 작년에 결혼했다"),
        ("약 드셨어요?", "이따가요", None),
        ("학교 다녀요?", "휴학 중이에요", "저는 휴학 중이다"),
        ("취업했어?", "준비 중", None),
    ],
)
def test_a_time_says_whether_it_was_is_or_will_be(
    asked: str, said: str, told: str | None
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("고기 안 드시죠?", "네 안 먹어요", "저는 고기를 먹지 않는다"),
        ("고기 못 드세요?", "네", "저는 고기를 먹지 못한다"),
        ("고기 못 드세요?", "아뇨 먹어요", "저는 고기를 먹는다"),
        ("담배는 안 피우시죠?", "피워요", "저는 담배를 피운다"),
        ("외롭지 않으세요?", "네 외롭죠", "저는 외롭다"),
        ("아이는 없으세요?", "네 아직요", "저는 아이가 없다"),
        ("당뇨는 없으시죠?", "있어요", "저는 당뇨가 있다"),
        ("안 드시는 음식 있으세요?", "다 먹어요", None),
        ("학생 아니에요?", "맞아요", None),
    ],
)
def test_the_verb_said_again_decides_what_a_negative_question_leaves_open(
    asked: str, said: str, told: str | None
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("담배 피우세요?", "네 남편이 피워요", None),
        ("담배 피우세요?", "네 남편이요", None),
        ("요리하세요?", "네 아내가 해요", None),
        ("술 드세요?", "네 근데 요즘은 안 마셔요", None),
        ("술 드세요?", "네 안 마신 지 오래됐어요", None),
    ],
)
def test_a_yes_that_is_of_another_or_taken_back_states_nothing(
    asked: str, said: str, told: str | None
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("혼자 사세요?", "아들네랑요", "저는 아들네랑 산다"),
        ("지하철로 다니세요?", "버스로요", "저는 버스로 다닌다"),
        ("매일 운동하세요?", "주말에만요", "저는 주말에만 운동한다"),
        ("따님은 자주 오세요?", "명절에나요", "제 딸은 명절에나 온다"),
        ("고기 드세요?", "생선은요", "저는 생선은 먹는다"),
        ("커피 좋아해?", "그닥", "저는 커피를 좋아하지 않는다"),
        ("술 자주 드세요?", "거의요", None),
        ("친구 많아?", "세 명", None),
        ("잠 잘 자요?", "네 시간이요", None),
        ("하루에 몇 시간 자요?", "네 시간이요", "저는 하루에 네 시간 잔다"),
        ("친구 자주 만나?", "응", "저는 친구를 자주 만난다"),
        ("눈은 잘 보이세요?", "네", "저는 눈이 잘 보인다"),
        ("해외여행 가 봤어?", "응 두 번", "저는 해외여행을 두 번 가 봤다"),
    ],
)
def test_a_word_stands_where_the_question_had_one_of_its_kind(
    asked: str, said: str, told: str | None
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("강아지는?", "안 키워", None),
        ("남편은요?", "사랑하죠", None),
        ("언니는?", "부러워", None),
        ("이모는?", "제주도", None),
        ("엄마는?", "집에", None),
        ("아버지는요?", "안 계세요", "우리 아버지는 안 계세요"),
        ("동생은요?", "학생", "제 동생은 학생이다"),
        ("어느 나라 사람이에요?", "베트남이요", "저는 베트남 사람이다"),
        ("누구 팬이야?", "아이유", "저는 아이유 팬이다"),
        ("무슨 약 드세요?", "혈압이요", "저는 혈압약을 먹는다"),
        ("무슨 학원 다녀?", "수학이요", "저는 수학 학원에 다닌다"),
        ("아드님은 뭐 하세요?", "은행원이요", "제 아들은 은행원이다"),
        ("이름이 뭐야?", "까먹었어", None),
        ("이름이 뭐야?", "민수야", "제 이름은 민수이다"),
        ("직업이 뭐예요?", "남편은 의사요", None),
        ("몸무게가 얼마예요?", "묻지 마세요", None),
        ("혈압이 몇이에요?", "130이요", "제 혈압은 130이다"),
        ("어디 사세요?", "여수여", "저는 여수에 산다"),
        ("언제 퇴직하셨어요?", "2년 전이요", "저는 2년 전에 퇴직했다"),
        ("누구랑 살아?", "혼자", "저는 혼자 산다"),
    ],
)
def test_a_value_is_named_as_what_was_asked_for(
    asked: str, said: str, told: str | None
) -> None:
    assert _render(asked, said) == told


@pytest.mark.parametrize(
    "asked",
    [
        *("몇 년생이세요?", "키가 얼마나 돼요?", "어디 사세요?", "술 드세요?"),
        *("이름이 뭐예요?", "강아지 키우세요?", "언제 퇴직하셨어요?", "누구랑 살아?"),
    ],
)
@pytest.mark.parametrize(
    "said",
    ["ㅇ", "ㄴ", "ㅇㅋ", "에서", "네 에서요", "을요", "아뇨 에서 살아요", "1", "ㅇ 2"],
)
def test_a_letter_or_a_particle_alone_is_read_without_failing(
    asked: str, said: str
) -> None:
    assert "ㅇ" not in (_render(asked, said) or "")


_PIECES = st.sampled_from(
    (
        *("어머니", "강아지", "혼자", "술", "학교에", "딸이랑", "안", "못", "매일"),
        *("세", "명", "작년까지", "그닥", "뭐", "어디", "드세요", "사셨어요", "요"),
        *("ㄴ", "ㅇ", "에서", "을", "1", "얼마나 돼요", "몇 년생이세요", "언제"),
        *("없으시죠", "아니에요", "해", "있어", "먹고요", "교사셨어요", "네", "아뇨"),
    )
)


@given(st.lists(_PIECES, max_size=6), st.lists(_PIECES, max_size=4))
@settings(max_examples=150, deadline=None)
def test_any_pair_is_told_as_one_clean_sentence_or_not_at_all(
    asked: list[str], said: list[str]
) -> None:
    told = _render(" ".join(asked) + "?", " ".join(said))
    assert told is None or ("이다이다" not in told and "  " not in told)


@given(
    who=st.sampled_from(["", "어머니는 ", "아드님은 ", "이모님은 ", "강아지 "]),
    when=st.sampled_from(["", "매일 ", "요즘 ", "작년에 "]),
    what=st.sampled_from(
        ["술 드세요", "학교 다니세요", "혼자 사셨어요", "결혼하셨어요", "건강하세요"]
    ),
)
@settings(max_examples=60, deadline=None)
def test_a_mere_yes_brings_in_no_word_of_its_own(
    who: str, when: str, what: str
) -> None:
    told = _render(f"{who}{when}{what}?", "네")
    said = f"{who}{when}{what} 저는 제 마신다 살았다".replace("아드님", "아들").split()
    for word in (told or "").split():
        assert any(word[0] == each[0] for each in said)
