"""An answer is understood only to a question that asks whether to forget something."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Role
from gieok.memories import ForgetQuestion
from gieok.memories.answers import QuestionAnswers, find_answers
from gieok.sessions import Message
from gieok.text.terms import MixedTokenizer

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
SPLIT = MixedTokenizer().terms
BANK = "사용자는 은행에서 일한다"
SCHOOL = "사용자는 초등학교에서 일했다"
PIANO = "User plays the piano"
CELLO = "User plays the cello"
ASKED = "지난번에 잊어 달라고 하신 게 은행에서 일하시는 것 맞나요?"
ASKED_BOTH = "은행에서 일하시는 것과 초등학교에서 일하셨던 것 중 무엇을 지울까요?"
FRIEND = ("사용자는 “나 남친생김 이름은 준서야”라고 말했다", "사용자는 준서랑 헤어졌다")
ASKED_FRIEND = "준서라는 남자친구가 생겼다는 것과 준서랑 헤어졌다는 것을 지울까요?"
CHILD = ("사용자의 딸은 하윤이 다섯살이다", "하윤이 복숭아 알레르기이다")
ASKED_CHILD = "딸이 하윤이 다섯살이라는 것과 하윤이 복숭아 알레르기라는 것을 지울까요?"
NAMES = ("사용자의 딸은 하윤이다", "사용자의 딸 하윤이는 다섯 살이다")
THEO = ("The user's boyfriend Theo is a nurse", "The user and Theo broke up")
ASKED_THEO = (
    "Should I forget that your boyfriend Theo is a nurse"
    " and that Theo and you broke up?"
)
ASKED_EN = "Did you want me to forget that you play the piano?"


def question(number: int, content: str, *, wished: datetime = AT) -> ForgetQuestion:
    return ForgetQuestion(UUID(int=number), UUID(int=100 + number), content, wished)


def message(place: int, role: Role, text: str) -> Message:
    return Message(UUID(int=1000 + place), UUID(int=1), place, role, text, None, AT)


def answer(
    asked: str, reply: str, *contents: str, first_new: int = 0
) -> QuestionAnswers:
    told = [
        message(0, Role.USER, "안녕"),
        message(1, Role.ASSISTANT, asked),
        message(2, Role.USER, reply),
    ]
    unread = {each.message_id for each in told if each.position >= first_new}
    questions = [question(number, each) for number, each in enumerate(contents)]
    return find_answers(told, questions, unread, SPLIT)


def contents(questions: tuple[ForgetQuestion, ...]) -> list[str]:
    return [each.content for each in questions]


@pytest.mark.parametrize(
    ("asked", "reply", "content"),
    [
        (ASKED, "네", BANK),
        (ASKED, "응 그거 지워줘", BANK),
        (ASKED, "맞아요 부탁드려요", BANK),
        (ASKED, "ㅇㅇ", BANK),
        (ASKED_EN, "Yes please", PIANO),
        (ASKED_EN, "yep, that one", PIANO),
        (ASKED_EN, "Go ahead and delete it.", PIANO),
        ("Should I delete the note that you play piano?", "ok", PIANO),
    ],
)
def test_a_yes_confirms_what_was_asked(asked: str, reply: str, content: str) -> None:
    found = answer(asked, reply, content)
    assert contents(found.confirmed) == [content]
    assert found.declined == ()
    assert found.message_ids == {UUID(int=1001), UUID(int=1002)}


@pytest.mark.parametrize(
    ("asked", "reply", "content"),
    [
        (ASKED, "아니요", BANK),
        (ASKED, "아니, 그건 기억해 둬", BANK),
        (ASKED, "지우지 마세요", BANK),
        (ASKED, "그건 놔둬", BANK),
        (ASKED_EN, "No", PIANO),
        (ASKED_EN, "don't delete that", PIANO),
        (ASKED_EN, "nah, keep it", PIANO),
    ],
)
def test_a_no_keeps_it(asked: str, reply: str, content: str) -> None:
    found = answer(asked, reply, content)
    assert found.confirmed == ()
    assert contents(found.declined) == [content]


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("은행에서 일하시는 건 요즘 어떠세요?", "네 좋아요"),  # about no forgetting
        ("은행에서 일하시는 건 지웠어요.", "네"),  # no question
        ("지난번 얘기는 지울까요?", "네"),  # names nothing
        (ASKED, "오늘 점심 뭐 먹지"),  # no answer
        (ASKED, "네, 아니 잠깐만요"),  # both
        (ASKED, "동네 친구를 만났어"),
        (ASKED, "네. " + "그런데 오늘 회의가 길어서 힘들었어요. " * 20),
        (ASKED_EN, "Yesterday I went to a concert"),
    ],
)
def test_anything_else_erases_nothing(asked: str, reply: str) -> None:
    found = answer(asked, reply, BANK, PIANO)
    assert found.confirmed == found.declined == ()
    assert found.message_ids == frozenset()


def test_of_several_things_the_one_that_is_named_is_meant() -> None:
    found = answer(ASKED_BOTH, "은행이요", BANK, SCHOOL)
    assert contents(found.confirmed) == [BANK]
    assert contents(found.declined) == [SCHOOL]
    both = answer(ASKED_BOTH, "둘 다 지워 주세요", BANK, SCHOOL)
    assert {*contents(both.confirmed)} == {BANK, SCHOOL}


def test_the_word_for_the_person_names_nothing() -> None:
    age, grandson = "사용자는 예순두 살이다", "사용자의 손자 도윤은 일곱 살이다"
    asked = f"이 중에 지울 것이 있나요? {age}; {grandson}"
    found = answer(asked, "사용자는 예순두 살이다, 그거요", age, grandson)
    assert contents(found.confirmed) == [age]
    assert contents(found.declined) == [grandson]


def test_a_yes_to_a_choice_means_none_for_sure() -> None:
    found = answer(ASKED_BOTH, "네", BANK, SCHOOL)
    assert found.confirmed == found.declined == ()
    assert {*contents(found.asked)} == {BANK, SCHOOL}
    named = answer("Forget that you play the piano or the cello?", "yes", PIANO, CELLO)
    assert named.confirmed == ()
    both = answer(ASKED_BOTH, "네 전부요", BANK, SCHOOL)
    assert {*contents(both.confirmed)} == {BANK, SCHOOL}
    aside = answer(ASKED_BOTH, "ok, that's all for today", BANK, SCHOOL)
    assert aside.confirmed == ()


@pytest.mark.parametrize(
    ("asked", "reply", "known"),
    [
        *((ASKED_FRIEND, each, FRIEND) for each in ("응", "응 둘 다", "ㅇㅇ 다 지워")),
        *((ASKED_FRIEND, each, FRIEND) for each in ("둘 다", "전부 다", "싹 다")),
        *((ASKED_CHILD, each, CHILD) for each in ("네", "둘다요", "응 모두 지워줘")),
        *((ASKED_THEO, each, THEO) for each in ("yes", "yes both", "both of those")),
        *((ASKED_THEO, each, THEO) for each in ("all of them please", "delete both")),
        *((ASKED_THEO, each, THEO) for each in ("everything", "yes to all")),
    ],
)
def test_who_agrees_means_all_that_was_asked_about(
    asked: str, reply: str, known: tuple[str, str]
) -> None:
    found = answer(asked, reply, *known)
    assert {*contents(found.confirmed)} == {*known}
    assert found.declined == ()


@pytest.mark.parametrize(
    ("asked", "reply", "known"),
    [
        *((ASKED_FRIEND, each, FRIEND) for each in ("아니 그냥 둬", "둘 다 아니야")),
        *((ASKED_THEO, each, THEO) for each in ("neither", "none", "no, keep them")),
    ],
)
def test_who_refuses_keeps_all_that_was_asked_about(
    asked: str, reply: str, known: tuple[str, str]
) -> None:
    found = answer(asked, reply, *known)
    assert found.confirmed == ()
    assert {*contents(found.declined)} == {*known}


@pytest.mark.parametrize(
    ("asked", "reply", "known", "place"),
    [
        (ASKED_FRIEND, "첫 번째 거만", FRIEND, 0),
        (ASKED_FRIEND, "뒤에 거 지워줘", FRIEND, 1),
        (ASKED_FRIEND, "헤어진 것만", FRIEND, 1),
        (ASKED_CHILD, "두번째만요", CHILD, 1),
        (ASKED_THEO, "the first one", THEO, 0),
        (ASKED_THEO, "just the second", THEO, 1),
    ],
)
def test_what_is_counted_out_is_meant_and_the_other_is_not(
    asked: str, reply: str, known: tuple[str, str], place: int
) -> None:
    found = answer(asked, reply, *known)
    assert contents(found.confirmed) == [known[place]]
    assert contents(found.declined) == [known[1 - place]]
    kept = answer(ASKED_THEO, "keep the first one", *THEO)
    assert (kept.confirmed, contents(kept.declined)) == ((), [THEO[0]])


@pytest.mark.parametrize(
    "reply",
    [
        "네?",
        "what, both?",
        "둘 다 우리 딸이 해 준 얘기야",
        "no, just the second",
        "just the second, not the first",
        "the third",
        "first I need coffee",
        "응 하나만 지워",
        "ok delete his birthday",
        "yes, just one",
    ],
)
def test_what_is_in_doubt_erases_none_of_several(reply: str) -> None:
    found = answer(ASKED_THEO, reply, *THEO)
    assert found.confirmed == found.declined == ()


def test_a_word_of_several_picks_none_of_them() -> None:
    found = answer(ASKED_FRIEND, "준서 생일 지워", *FRIEND)
    assert found.confirmed == found.declined == ()


def test_both_of_three_says_nothing() -> None:
    three = (*THEO, "The user plays the cello")
    asked = ASKED_THEO.replace(" and that Theo", ", that you play the cello, and Theo")
    assert len(answer(asked, "yes", *three).confirmed) == len(three)
    assert answer(asked, "both", *three).confirmed == ()


@pytest.mark.parametrize(
    ("asked", "known", "place"),
    [
        ("준서라는 남자친구가 생겼다는 것을 지울까요?", FRIEND, 0),
        ("준서랑 헤어졌다는 것을 지울까요?", FRIEND, 1),
        ("하윤이 복숭아 알레르기라는 것을 지울까요?", CHILD, 1),
        ("Should I forget that you and Theo broke up?", THEO, 1),
        (ASKED_EN, (PIANO, CELLO), 0),
        ("딸이 하윤이라는 것을 지울까요?", NAMES, 0),
        ("하윤이가 다섯 살이라는 것을 지울까요?", NAMES, 1),
    ],
)
def test_what_was_not_asked_about_stays_open(
    asked: str, known: tuple[str, str], place: int
) -> None:
    found = answer(asked, "응 전부", *known)
    assert contents(found.confirmed) == [known[place]]
    assert found.declined == found.asked == ()


def test_what_says_less_than_another_is_named_where_its_words_are_repeated() -> None:
    asked = "딸이 하윤이라는 것과 하윤이가 다섯 살이라는 것을 지울까요?"
    assert {*contents(answer(asked, "네", *NAMES).confirmed)} == {*NAMES}


def test_an_answer_that_was_read_before_is_not_carried_out_again() -> None:
    assert answer(ASKED, "네", BANK, first_new=3).confirmed == ()


def test_what_another_wish_may_mean_waits_on() -> None:
    told = [message(1, Role.ASSISTANT, ASKED), message(2, Role.USER, "네")]
    questions = [question(1, BANK), question(2, SCHOOL, wished=AT + timedelta(days=1))]
    found = find_answers(told, questions, {m.message_id for m in told}, SPLIT)
    assert contents(found.confirmed) == [BANK]
    assert found.declined == ()


def test_what_somebody_else_answered_is_not_the_persons() -> None:
    child = {"other_speaker": "민수"}
    reply = replace(message(2, Role.USER, "네"), metadata=child)
    told = [message(1, Role.ASSISTANT, ASKED), reply]
    found = find_answers(told, [question(1, BANK)], {reply.message_id}, SPLIT)
    assert found.confirmed == found.declined == ()


TEXTS = st.sampled_from(
    [ASKED, ASKED_BOTH, ASKED_EN, "네", "아니요", "yes", "은행", "둘 다", "좋아해", ""]
)


@given(
    st.lists(st.tuples(st.sampled_from([Role.USER, Role.ASSISTANT]), TEXTS)),
    st.lists(st.sampled_from([BANK, SCHOOL, PIANO, CELLO]), unique=True),
)
def test_nothing_is_both_and_nothing_is_made_up(
    said: list[tuple[Role, str]], known: list[str]
) -> None:
    told = [message(place, *each) for place, each in enumerate(said)]
    questions = [question(number, each) for number, each in enumerate(known)]
    found = find_answers(told, questions, {m.message_id for m in told}, SPLIT)
    every = [*found.confirmed, *found.declined, *found.asked]
    assert len(every) == len(set(every))
    assert set(every) <= set(questions)
    roles = {each.message_id: each.role for each in told}
    assert not found.confirmed or Role.USER in {roles[m] for m in found.message_ids}


@pytest.mark.req("A15")
@pytest.mark.parametrize(
    ("asked", "known", "reply"),
    [
        (ASKED_EN, PIANO, "right, but what time is it"),
        (ASKED_EN, PIANO, "ok so anyway what's the weather"),
        (ASKED_EN, PIANO, "hmm, not sure"),
        (ASKED_EN, PIANO, "right right. so my boss yelled at me today"),
        (ASKED_EN, PIANO, "yeah about that, can you set a timer"),
        (ASKED_EN, PIANO, "I'm not sure about that"),
        (ASKED_EN, PIANO, "sure, whatever. what's for dinner"),
        (ASKED_EN, PIANO, "please turn on the lights"),
        (ASKED_EN, PIANO, "delete the 7am alarm"),
        (ASKED_EN, PIANO, "not now"),
        (ASKED_EN, PIANO, "yes? who's there"),
        (ASKED_EN, PIANO, "yeah I had a good day"),
        (ASKED_EN, PIANO, "no I mean what's the weather"),
        (ASKED_EN, PIANO, "nothing much going on today"),
        (ASKED_EN, PIANO, "yes and no"),
        (ASKED, BANK, "응 근데 지금 몇 시야"),
        (ASKED, BANK, "아 네 그건 그렇고"),
        (ASKED, BANK, "글쎄"),
        (ASKED, BANK, "음 모르겠어"),
        (ASKED, BANK, "맞아 그때 진짜 힘들었지"),
        (ASKED, BANK, "네 네 알겠고요, 알람 좀 맞춰 줘요"),
        (ASKED, BANK, "아니 진짜 피곤해"),
        (ASKED, BANK, "아니 근데 오늘 뭐 먹지"),
        (ASKED, BANK, "내일 아침에 알람 지워줘"),
        (ASKED, BANK, "삭제 말고 다른 얘기 하자"),
        (ASKED, BANK, "응 그럴까 말까"),
        (ASKED, BANK, "됐고 오늘 일정이나 말해줘"),
        (ASKED, BANK, "나중에 생각해 볼게"),
    ],
)
def test_what_does_not_clearly_answer_leaves_the_question_open(
    asked: str, known: str, reply: str
) -> None:
    found = answer(asked, reply, known)
    assert (found.confirmed, found.declined) == ((), ())
    assert contents(found.asked) == [known]


@pytest.mark.req("A15")
@pytest.mark.parametrize(
    ("asked", "known", "reply"),
    [
        (ASKED_EN, PIANO, "yes please. also what's the weather"),
        (ASKED_EN, PIANO, "yes, and what time is it?"),
        (ASKED_EN, PIANO, "yeah get rid of it thanks"),
        (ASKED_EN, PIANO, "that's right, forget that I play the piano"),
        (ASKED_EN, PIANO, "ok"),
        (ASKED, BANK, "네 지워 주세요. 그리고 내일 날씨 알려줘"),
        (ASKED, BANK, "응응 삭제해 그리고 날씨 알려줘"),
        (ASKED, BANK, "예, 삭제하셔도 됩니다"),
        (ASKED, BANK, "네에"),
        (ASKED, BANK, "응 그거 지워도 돼"),
    ],
)
def test_a_clear_yes_counts_whatever_is_asked_after_it(
    asked: str, known: str, reply: str
) -> None:
    found = answer(asked, reply, known)
    assert contents(found.confirmed) == [known]


@pytest.mark.req("A15")
@pytest.mark.parametrize(
    ("asked", "known", "reply"),
    [
        (ASKED_EN, PIANO, "no thanks, keep it"),
        (ASKED_EN, PIANO, "nope leave that alone"),
        (ASKED_EN, PIANO, "don't delete that"),
        (ASKED, BANK, "지우지 말고 놔둬"),
        (ASKED, BANK, "아뇨 괜찮아요 그냥 두세요"),
    ],
)
def test_a_clear_no_keeps_it(asked: str, known: str, reply: str) -> None:
    found = answer(asked, reply, known)
    assert contents(found.declined) == [known]


@pytest.mark.parametrize(
    ("reply", "meant"),
    [
        ("The user works at Barclays in Leeds, please.", [0]),
        ("the barclays one, please", [0]),
        ("The user drives a red Golf; the user's brother Tom lives in York.", [1, 2]),
        ("No, not that the user drives a red Golf", []),
        ("The user works at Barclays in Leeds? what do you mean", []),
    ],
)
def test_a_memory_that_is_repeated_word_for_word_is_named(
    reply: str, meant: list[int]
) -> None:
    known = (
        "The user works at Barclays in Leeds",
        "The user drives a red Golf",
        "The user's brother Tom lives in York",
    )
    asked = f"Is one of these what you wanted me to forget? {'; '.join(known)}"
    found = answer(asked, reply, *known)
    assert contents(found.confirmed) == [known[each] for each in meant]


def test_a_korean_memory_that_is_repeated_word_for_word_is_named() -> None:
    known = (
        "사용자는 은행에 다닌다",
        "사용자는 강남에 산다",
        "사용자의 남자친구 이름은 민수이다",
    )
    asked = f"혹시 잊어 달라고 하신 게 이 중에 있나요? {'; '.join(known)}"
    found = answer(asked, "사용자는 은행에 다닌다, 그거요.", *known)
    assert contents(found.confirmed) == [known[0]]
