"""A state of life gives way to the event that ends it."""

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
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 11, 29, tzinfo=UTC)


@pytest.fixture(scope="module")
def model() -> RulesModel:
    return RulesModel(E5Embedder(), get_shared_morphology())


async def _list_changed(
    model: RulesModel, known: str, said: str
) -> list[FindingOperation]:
    items = (KnownMemory("k", known, Category.CONTEXT),)
    talk = Conversation((Utterance(0, Role.USER, said),), items, AT)
    return [one.operation for one in await model.extract(talk) if one.target]


@pytest.mark.req("D02")
@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("사용자는 취업 준비를 하고 있다", "저 취업했어요!! 카카오요"),
        ("사용자는 임신 중이다", "드디어 출산했어요 아들이에요"),
        ("사용자의 언니는 임신 중이다", "언니 드디어 출산했어요"),
        ("사용자는 대학생이다", "저 졸업했어요"),
        ("사용자의 동생은 군대에 있다", "동생 전역했어"),
        ("사용자는 결혼을 준비하고 있다", "저희 지난주에 결혼했어요"),
        ("사용자는 임용고시를 준비하고 있다", "임용 붙었어요!!"),
        ("사용자는 집을 구하고 있다", "드디어 집 구했어 마포로"),
        ("The user is pregnant", "had the baby on sunday, a girl"),
        ("The user is job hunting", "got the job at Tesco!"),
        ("The user is a student at Leeds", "i graduated last week"),
        ("The user is engaged", "we got married on saturday"),
        ("The user's dad is in hospital", "dad's out of hospital"),
        ("The user is learning to drive", "passed my driving test"),
        ("The user is looking for a flat", "we found a flat in Leith"),
        ("The user is doing a course in Bristol", "i dropped out of the course"),
        ("The user works nights", "i'm on days now"),
        ("사용자는 야간 근무한다", "이제 주간으로 바뀌었어"),
        ("The user has a cat called Miso", "we rehomed miso"),
        ("사용자는 고양이 미소를 키운다", "미소 다른 집에 보냈어"),
        ("The user is 29", "turned 30 today"),
        ("사용자는 29살이다", "오늘로 서른 됐어"),
        ("The user is a vegetarian", "i eat fish now so pescatarian i guess"),
        ("사용자는 채식을 한다", "이제 고기 먹어요"),
        ("사용자는 취준생이다", "저 다음주부터 출근해요!"),
        ("사용자는 취준생이다", "나 카카오 붙었어"),
        ("사용자의 아내는 육아휴직중이다", "와이프가 복직해서 장모님이 봐주러 오세요"),
        ("사용자의 학교는 휴학중이다", "복학했당 과제 지옥"),
        ("사용자는 군복무 중이다", "민간인이다아아아 어제 나왔음"),
        ("사용자는 임신 16주이다", "콩이 낳았어요! 아들이에요"),
        ("사용자는 솔로이다", "나 여자친구 생겼어"),
        ("사용자는 솔로이다", "요즘 만나는 사람 있어"),
        ("사용자는 혼자 산다", "요즘 동생이랑 같이 살아"),
        ("사용자는 간호사이다", "지난달에 정년퇴직했어요"),
        ("사용자는 맥주를 즐겨 마신다", "나 술 끊었어"),
        ("사용자는 담배를 피운다", "금연 3주째야"),
        ("사용자는 아반떼를 탄다", "차 바꿨어 소나타로"),
        ("사용자는 28살이다", "나 이제 스물아홉이야"),
        ("The user is single", "i have a girlfriend now her name is amy"),
        ("The user is single", "leo and i are official!"),
        ("The user is a line cook at a diner", "got promoted, i'm kitchen manager now"),
        ("The user is 34", "just had my 35th birthday"),
        ("The user is going to Portugal in May", "portugal fell through, money"),
        ("The user works remotely for a bank", "back in the office five days a week"),
        ("The user is trying to save for a house", "we closed on the house!!"),
        ("The user smokes", "day 40 without a cigarette"),
        ("The user is looking for a job", "signed the contract at deloitte"),
        ("The user lives with their parents", "got my own place at last"),
        ("사용자는 5월에 제주도에 갈 예정이다", "제주도 물건너갔어"),
        ("사용자는 간호사이다", "나 이번에 수간호사 달았어"),
        ("사용자는 부모님과 산다", "드디어 독립했어"),
        ("The user lives alone", "my boyfriend moved in with me last month"),
        ("The user works as a nurse", "I'm retired as of june"),
        (
            "The user works at Meta",
            "got laid off in march, started at Stripe last week",
        ),
        ("The user has a cast on her leg", "cast came off yesterday"),
        ("The user weighs 200 pounds", "down to 180 pounds"),
        ("The user has a glass of wine with dinner", "i dont drink at all these days"),
        ("The user smokes a pack a day", "havent smoked in 2 months"),
    ],
)
async def test_an_event_takes_the_place_of_the_state_it_ends(
    model: RulesModel, known: str, said: str
) -> None:
    assert await _list_changed(model, known, said) == [FindingOperation.UPDATE]


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("사용자는 임신 중이다", "언니 출산했어요"),
        ("사용자는 대학생이다", "졸업하고 싶어"),
        ("사용자는 대학생이다", "동생 졸업했어"),
        ("사용자는 취업 준비를 하고 있다", "취업하면 여행 갈 거야"),
        ("The user is pregnant", "my sister had a baby"),
        ("The user is a student at Leeds", "once i graduated i'd move"),
        ("The user is engaged to Tom", "my brother got married on saturday"),
        ("The user is job hunting", "did you think i got the job?"),
        ("The user works at a hospital", "dad's out of hospital"),
        ("The user is 29", "my sister turned 30 today"),
        ("The user is 29", "i turn 30 next month"),
        ("The user works days", "i love going on nights out"),
        ("The user is engaged to Tom", "we got married on saturday"),
        ("The user is a senior engineer", "i graduated from Leeds"),
        ("The user volunteers in the hospital", "i was discharged this morning"),
        ("The user's rent is due on Friday", "had the baby on sunday"),
        ("The user runs a vegetarian restaurant", "i eat fish now"),
        ("사용자는 채식 식당을 운영한다", "이제 고기 먹어요"),
        ("사용자는 3학년 담임이다", "저 졸업했어요"),
        ("The user has a cat called Miso", "we rehomed Biscuit"),
        ("The user works nights", "i have a few days off"),
        ("사용자는 29살이다", "동생이 서른 됐어"),
        ("사용자는 솔로이다", "동생 여자친구 생겼어"),
        ("사용자는 임신 16주이다", "강아지가 새끼를 낳았어요"),
        ("사용자는 휴학 중이다", "복학하면 뭐 듣지"),
        ("사용자의 집은 신촌이다", "언니가 나가서 이 집 나 혼자 쓰게됐어요 넓다넓어"),
        ("사용자는 혼자 산다", "부모님이랑 같이 살고 싶어"),
        ("사용자는 취준생이다", "가스비 고지서가 문에 붙었어"),
        ("사용자는 간호사이다", "은퇴하면 뭐하지"),
        ("사용자는 맥주를 즐겨 마신다", "오늘은 술 안 마셔"),
        ("사용자는 아반떼를 탄다", "아빠 차 바꿨어"),
        ("The user is single", "my sister got a boyfriend"),
        ("The user is single", "met a guy who sells bikes"),
        ("The user is going to Portugal in May", "the concert got cancelled"),
        ("The user is going to Portugal in May", "my sister's trip fell through"),
        ("The user is a line cook at a diner", "the manager here now is Dave"),
        ("The user works at Meta", "i'm team lead now"),
        ("The user is 34", "it's my mum's 60th birthday"),
        ("The user is looking for a job", "the landlord signed the contract"),
        ("The user lives with their parents", "i want my own place"),
        ("사용자는 5월에 제주도에 갈 예정이다", "택배 주문 취소했어"),
        ("사용자는 재택근무를 한다", "친구네 회사는 재택 없앴대"),
        ("The user works as a nurse", "i want to quit my job"),
        ("The user works at Tesco", "i left my job file at home"),
        ("The user has a cast on her leg", "the cast comes off next week"),
        ("The user weighs 200 pounds", "my goal is to get down to 180 pounds"),
        ("The user has a glass of wine with dinner", "i don't drink coffee at all"),
        ("The user smokes a pack a day", "i want to quit smoking"),
        ("The user drives a Honda Civic", "thinking of swapping my car"),
    ],
)
async def test_what_is_wished_or_of_others_ends_nothing(
    model: RulesModel, known: str, said: str
) -> None:
    assert await _list_changed(model, known, said) == []
