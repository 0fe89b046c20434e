"""A question and its short answer are one statement, told in the third person."""

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
from gieok.models.rules.answers import merge_answers
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.wording import render_fact
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 4, 7, tzinfo=UTC)


def _tell(asked: str, *answers: str) -> str | None:
    """Return how the pair is told; nothing if it is not taken as one statement."""
    morphology = get_shared_morphology()
    said = [Utterance(n + 1, Role.USER, each) for n, each in enumerate(answers)]
    pair = (Utterance(0, Role.ASSISTANT, asked), *said)
    found = merge_answers(collect_candidates(pair, morphology), morphology)
    return render_fact(found[:1], AT.date()) if found[0].is_answer else None


@pytest.mark.parametrize(
    ("asked", "answer", "told"),
    [
        ("노래교실은 잘 다니고 계세요?", "네", "사용자는 노래교실에 잘 다니고 있다"),
        ("술은 좀 드세요?", "아니 전혀", "사용자는 술을 좀 마시지 않는다"),
        (
            "땅콩 알레르기 있으시죠?",
            "아뇨, 그건 동생이요",
            "사용자는 땅콩 알레르기가 없고 사용자의 동생은 땅콩 알레르기가 있다",
        ),
        ("당뇨 있으세요?", "아니요, 고혈압이요", "사용자는 당뇨가 없고 고혈압이 있다"),
        ("고기 드세요?", "아뇨, 비건이에요", "사용자는 고기를 먹지 않고 비건이다"),
        (
            "직장 다니세요?",
            "아니요 주부예요",
            "사용자는 직장에 다니지 않고 주부이다",
        ),
        (
            "담배 피우세요?",
            "아뇨 비흡연자예요",
            "사용자는 담배를 피우지 않고 비흡연자이다",
        ),
        ("술 드세요?", "아뇨 위염이에요", "사용자는 술을 마시지 않고 위염이다"),
        ("당뇨 있으세요?", "아뇨 비염이에요", "사용자는 당뇨가 없고 비염이 있다"),
        ("축구 하세요?", "아뇨 농구예요", "사용자는 축구를 하지 않고 농구를 한다"),
        (
            "커피 좋아하세요?",
            "아뇨 녹차예요",
            "사용자는 커피를 좋아하지 않고 녹차를 좋아한다",
        ),
        ("고기 드세요?", "아뇨 피자예요", "사용자는 고기를 먹지 않고 피자를 먹는다"),
        (
            "삼성 다니세요?",
            "아뇨 엘지예요",
            "사용자는 삼성에 다니지 않고 엘지에 다닌다",
        ),
        (
            "강아지 키우세요?",
            "아뇨 물고기예요",
            "사용자는 강아지를 키우지 않고 물고기를 키운다",
        ),
        ("서울 사세요?", "아뇨 부산이에요", "사용자는 서울에 살지 않고 부산에 산다"),
        ("아드님은 아직 부산에 사세요?", "네", "사용자의 아들은 아직 부산에 산다"),
        ("아드님은 결혼하셨어요?", "아직요.", "사용자의 아들은 결혼하지 않았다"),
        ("따님은 어디 사세요?", "세종 살아", "사용자의 딸은 세종에 산다"),
        ("사위분은 무슨 일 하세요?", "교육청 댕겨", "사용자의 사위는 교육청에 다닌다"),
        ("어머니는요?", "어린이집 하세요", "사용자의 어머니는 어린이집을 하신다"),
        ("동생은 뭐 해?", "군대 갔어", "사용자의 동생은 군대 갔다"),
        ("목표 점수는?", "850", "사용자의 목표 점수는 850이다"),
        ("어디 사세요?", "일산이요", "사용자는 일산에 산다"),
        ("누구랑 사세요?", "딸이랑요", "사용자는 딸이랑 산다"),
        ("강아지 이름이 뭐예요?", "보리요", "사용자의 강아지 이름은 보리이다"),
        (
            "조부모님은 살아 계세요?",
            "아니 두 분 다 돌아가셨어",
            "사용자의 조부모님은 살아 있지 않고 두 분 다 돌아가셨다",
        ),
        ("형님은 결혼하셨어요?", "응", "사용자의 형님은 결혼했다"),
        ("채식주의자예요?", "네", "사용자는 채식주의자이다"),
        ("학생이야?", "응", "사용자는 학생이다"),
        ("결혼하셨어요?", "네", "사용자는 결혼했다"),
        ("담배 피우세요?", "아뇨", "사용자는 담배를 피우지 않는다"),
        ("허리는 좀 어떠세요?", "아직도 아파요", "사용자는 허리가 아직도 아프다"),
        (
            "노래교실은 잘 다니고 계세요?",
            "네. 매주 목요일에 가요.",
            "사용자는 노래교실에 잘 다니고 있고 매주 목요일에 간다",
        ),
        ("소도 키우세요?", "안 키워", "사용자는 소도 키우지 않는다"),
        ("집은 멀어?", "ㄴㄴ 성수 살아서", "사용자의 집이 멀지 않다"),
        (
            "Do you live in Leeds?",
            "nooo Bradford",
            "The user does not live in Leeds but Bradford",
        ),
        ("Do you have pets?", "ya two cats", "The user has pets, two cats"),
        ("You climb?", "twice a week yeah", "The user climbs, twice a week"),
        ("Does Stephen have family?", "two boys", "Stephen has family: two boys"),
        ("How old is Stephen?", "52", "Stephen is 52 years old"),
        ("Where does Stephen live?", "phoenix", "Stephen lives in phoenix"),
        ("Who is Duke?", "my beagle", "Duke is the user's beagle"),
        ("Who's Maya?", "oh shes my friend", "Maya is the user's friend"),
        ("What's your dog called?", "rex", "The user's dog is called Rex"),
        ("Do you wear the alarm, Dot?", "Always", "The user wears the alarm, always"),
        (
            "Do you have any allergies?",
            "No, none",
            "The user does not have any allergies",
        ),
        (
            "Do you still go to choir?",
            "Not anymore",
            "The user does not go to choir anymore",
        ),
        ("Do you still go to choir?", "Yes.", "The user still goes to choir"),
        (
            "Have you ever been to Korea?",
            "No, never",
            "The user has never been to Korea",
        ),
        ("What's your dog's name?", "Biscuit", "The user's dog's name is Biscuit"),
        ("How many kids do you have?", "Three", "The user has three kids"),
        ("What time do you get up?", "5:30", "The user gets up at 5:30"),
        ("Are you married?", "Widowed", "The user is widowed"),
        ("You live alone, don't you?", "Yes", "The user lives alone"),
        (
            "You don't have a car, do you?",
            "nope, no car",
            "The user does not have a car",
        ),
        ("Do you have kids?", "no kids yet", "The user does not have kids"),
        ("Do you smoke?", "No way", "The user does not smoke"),
        ("Do you smoke?", "No thanks", "The user does not smoke"),
        ("Do you smoke?", "No sir", "The user does not smoke"),
        ("You can't swim, can you?", "No", "The user cannot swim"),
        ("You won't eat fish, right?", "No", "The user will not eat fish"),
        ("You don't smoke, right?", "That's right", "The user does not smoke"),
        (
            "Would you say you don't like crowds?",
            "Yes",
            "The user does not like crowds",
        ),
        (
            "Are you married?",
            "no divorced",
            "The user is not married but divorced",
        ),
    ],
)
def test_question_and_answer_are_one_sentence(
    asked: str, answer: str, told: str
) -> None:
    assert _tell(asked, answer) == told


@pytest.mark.parametrize(
    ("asked", "answer", "told"),
    [
        ("따님은 어디 사세요?", "세종 살아", "사용자의 딸은 세종에 산다"),
        ("따님은요?", "세종 살아", "사용자의 딸은 세종에 산다"),
    ],
)
async def test_an_answer_is_remembered_of_whom_it_is_about(
    model: RulesModel, asked: str, answer: str, told: str
) -> None:
    found = await _find(model, f"a: {asked}", f"u: {answer}")
    assert found == [f"{FindingOperation.ADD} {told}"]


async def test_what_cannot_be_told_of_whom_was_asked_names_them(
    model: RulesModel,
) -> None:
    told = "사용자는 둘째는 어떠냐는 물음에 태권도라고 답했다"
    found = await _find(model, "a: 둘째는요?", "u: 태권도")
    assert found == [f"{FindingOperation.ADD} {told}"]


async def test_what_goes_on_about_whom_was_asked_is_theirs(model: RulesModel) -> None:
    asked, told = "a: 따님은 무슨 일 하세요?", "사용자의 딸은 서울에서 일한다"
    found = await _find(model, asked, "u: 간호사야 서울에서 일해")
    assert f"{FindingOperation.ADD} {told}" in found


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Where does Anna work?", "no idea"),
        ("시어머니는 건강하세요?", "치매 초기세요"),
        ("시어머니도 같이 가세요?", "아뇨 요양원에 모셨어요"),
        ("남자친구분도 물리치료사예요?", "아니 걔는 은행 다녀"),
        ("담임 선생님이야?", "응 기타를 겁나 잘 치셔"),
        ("출퇴근용이에요?", "ㅇㅇ 담주에 이사가거든"),
        ("Who's Sam?", "none of your business"),
        ("What's your name and what grade are you in?", "priya, gr 10"),
        ("What does Biscuit get up to?", "eats my socks"),
        ("좀 쉬시는 게 어때요?", "네"),
        ("불 꺼 드릴까요?", "응"),
        ("병원에 가 보시는 게 좋지 않을까요?", "네"),
        ("산책 한번 나가 보실래요?", "네"),
        ("영어 공부는 왜 하세요?", "네"),
        ("알레르기 있으세요?", "그건 왜요?"),
        ("알레르기가 있으시군요.", "네"),
        ("누가 보내셨어요?", "미경이"),
        ("바둑도 두세요?", "몰라 그건"),
        ("담배는 안 피우시죠?", "하루 반 갑"),
        ("설을 원주에서 쇠세요?", "그래"),
        ("Did you sleep well?", "Not a wink"),
        ("Are you drinking enough water?", "Two glasses"),
        ("Were you tired?", "Home by nine"),
        ("What do you do in Berlin?", "coffee"),
        ("혼자 사세요, 가족이랑 사세요?", "네"),
        ("Shall I read it again?", "Yes"),
        ("How about taking a break?", "Yes"),
        ("Would you like me to play some jazz?", "Yes"),
        ("Do you have any allergies?", "Why do you ask?"),
        ("You have allergies.", "Yes"),
        ("Why do you get up so early?", "Yes"),
        ("Any allergies before I suggest a sauce?", "No satay!"),
        ("Do you have siblings?", "No brothers, one sister"),
        ("Do you eat meat?", "No red meat"),
        ("Do you eat meat?", "No, no red meat"),
        ("You aren't vegetarian, are you?", "No I am"),
        ("Any allergies in the house?", "lol glad you asked."),
        ("You don't have a car, do you?", "Yes"),
    ],
)
def test_an_offer_a_suggestion_or_a_dodge_states_nothing(
    asked: str, answer: str
) -> None:
    assert _tell(asked, answer) is None


def test_who_answers_in_full_is_taken_at_their_word() -> None:
    assert _tell("어디 사세요?", "저는 일산에 살아요") is None
    assert _tell("Where do you live?", "I live in Leeds") is None


def test_what_cannot_be_turned_about_is_said_to_be_an_answer() -> None:
    morphology = get_shared_morphology()
    pair = (
        Utterance(0, Role.ASSISTANT, "좌석은 창가로 할까요, 통로로 할까요?"),
        Utterance(1, Role.USER, "창가"),
    )
    found = merge_answers(collect_candidates(pair, morphology), morphology)
    told = render_fact(found, AT.date())
    assert told == "사용자는 좌석, 창가, 통로에 대해 ‘창가’라고 답했다"


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Do you smoke?", "quit in january", "quit in January"),
        ("Where do you keep it?", "don't trust banks", "does not trust banks"),
        ("Are you there?", "dim the lamps", "wants the assistant to dim the lamps"),
        (
            "Did you sleep?",
            "answer in French from now on",
            "wants the assistant to answer in French from now on",
        ),
    ],
)
def test_what_is_said_without_a_subject_is_told_by_its_question(
    asked: str, said: str, told: str
) -> None:
    pair = (Utterance(0, Role.ASSISTANT, asked), Utterance(1, Role.USER, said))
    found = collect_candidates(pair, get_shared_morphology())
    assert render_fact(found, AT.date()) == f"The user {told}"


@pytest.fixture(scope="module")
def model() -> RulesModel:
    return RulesModel(E5Embedder(), get_shared_morphology())


async def _find(model: RulesModel, *said: str, known: str = "") -> list[str]:
    roles = {"u": Role.USER, "a": Role.ASSISTANT}
    messages = tuple(
        Utterance(n, roles[line[0]], line[3:]) for n, line in enumerate(said)
    )
    items = (KnownMemory("1", known, Category.CONTEXT),) if known else ()
    found = await model.extract(Conversation(messages, items, AT))
    return [f"{one.operation} {one.content}" for one in found]


async def test_an_answer_is_remembered_with_its_question(model: RulesModel) -> None:
    asked = "a: 노래교실은 잘 다니고 계세요?"
    told = f"{FindingOperation.ADD} 사용자는 노래교실에 잘 다니고 있다"
    assert await _find(model, asked, "u: 네") == [told]
    assert await _find(model, asked) == []
    allergic = "a: Do you have any allergies?"
    none = f"{FindingOperation.ADD} The user does not have any allergies"
    assert await _find(model, allergic, "u: No, none") == [none]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("좀 쉬시는 게 어때요?", "네"),
        ("점심 드셨어요?", "네"),
        ("프랑스 수도가 어디죠?", "파리"),
        ("어디 사세요?", "비밀"),
        ("What's the capital of France?", "Paris"),
        ("Did you sleep well?", "Not really"),
        ("Are you tired?", "Bit"),
    ],
)
async def test_a_quiz_the_moment_or_a_dodge_is_not_remembered(
    model: RulesModel, asked: str, answer: str
) -> None:
    assert await _find(model, f"a: {asked}", f"u: {answer}") == []


@pytest.mark.parametrize(
    ("asked", "answer", "done"),
    [
        ("허리는 좀 어떠세요?", "이제는 괜찮아요", {"update", "delete"}),
        ("허리는 아직 아프세요?", "아뇨", {"update", "delete"}),
        ("허리는 아직 아프세요?", "네", {"reinforce"}),
    ],
)
async def test_an_answer_ends_or_repeats_what_is_known(
    model: RulesModel, asked: str, answer: str, done: set[str]
) -> None:
    known = "사용자는 허리가 아프다"
    found = await _find(model, f"a: {asked}", f"u: {answer}", known=known)
    assert len(found) == 1
    assert found[0].split()[0] in done


async def test_answers_in_a_play_or_a_drill_are_not_remembered(
    model: RulesModel,
) -> None:
    played = ("u: 상황극 하자. 넌 의사고 나는 환자야", "a: 네. 어디 사세요?", "u: 화성")
    assert await _find(model, *played) == []
