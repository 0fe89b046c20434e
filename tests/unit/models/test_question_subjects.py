"""A question about somebody whom only the talk before names is answered for them."""

from datetime import date

import pytest

from gieok.kernel.language import Role, Utterance
from gieok.models.rules.answers import merge_answers
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.question_subjects import name_question_subject
from gieok.models.rules.wording import render_fact, render_memories
from gieok.text.kiwi import get_shared_morphology


def _merge(before: str, asked: str, answer: str) -> ClauseCandidate:
    """Return the first clause of what is said last, stated with what it answers."""
    talk = (
        Utterance(0, Role.USER, before),
        Utterance(1, Role.ASSISTANT, asked),
        Utterance(2, Role.USER, answer),
    )
    morphology = get_shared_morphology()
    found = merge_answers(collect_candidates(talk, morphology), morphology)
    return next(each for each in found if each.turn.index == talk[-1].index)


def _tell(before: str, asked: str, answer: str) -> str | None:
    """Return how an answer is told; nothing if it is not stated with its question."""
    said = _merge(before, asked, answer)
    return render_fact([said], date(2026, 4, 7)) if said.is_answer else None


@pytest.mark.parametrize(
    ("before", "asked", "answer", "told"),
    [
        (
            "my daughter's turning 7 soon",
            "Lovely! What's her name?",
            "keira. ta x",
            "The user's daughter's name is Keira",
        ),
        (
            "my son broke his arm",
            "Oh no. How old is he?",
            "9",
            "The user's son is 9 years old",
        ),
        (
            "taking my dog to the vet",
            "What's his name?",
            "Rufus",
            "The user's dog's name is Rufus",
        ),
        (
            "my kids want a pet",
            "How old are they?",
            "6 and 9",
            "The user's kids are 6 and 9 years old",
        ),
        (
            "my husband hates mess",
            "What does he do for a living?",
            "plumber",
            "The user's husband works as a plumber",
        ),
        (
            "my sister is coming over",
            "Does she have any allergies?",
            "just nuts",
            "The user's sister has allergies: just nuts",
        ),
        (
            "강아지 사료 추천해줘",
            "네! 몇 살이에요?",
            "다섯살",
            "사용자의 강아지는 다섯살이다",
        ),
        (
            "고양이 데려왔어요",
            "축하해요! 이름이 뭐예요?",
            "나비",
            "사용자의 고양이 이름은 나비이다",
        ),
        (
            "아들이 말을 안들어요",
            "몇 학년이에요?",
            "3학년이요",
            "사용자의 아들은 3학년이다",
        ),
    ],
)
def test_an_answer_is_told_of_whom_was_spoken_of(
    before: str, asked: str, answer: str, told: str
) -> None:
    assert _tell(before, asked, answer) == told


@pytest.mark.parametrize(
    ("before", "asked", "answer"),
    [
        ("the plumber came", "Is he expensive?", "no"),
        ("my mum and my sister are here", "What's her name?", "Jo"),
        ("친구 강아지 산책시키는 중", "이름이 뭐예요?", "뭉치"),
        ("엄마랑 딸이 왔어", "몇 살이에요?", "일곱 살"),
    ],
)
def test_whom_it_is_about_is_left_open_where_it_is_not_plain(
    before: str, asked: str, answer: str
) -> None:
    assert _tell(before, asked, answer) is None


@pytest.mark.parametrize(
    ("question", "before", "named"),
    [
        ("What's your name?", "my son is ill", "What's your name?"),
        ("이름이 뭐예요?", "이사했어요", "이름이 뭐예요?"),
        ("뭘 좋아하세요?", "엄마 선물 사려고", "뭘 좋아하세요?"),
        ("What's her name?", "the shop is shut", "What's her name?"),
        ("Do you see her often?", "my niece rang", "Do you see your niece often?"),
        ("Who's she been seeing?", "my niece rang", "Who's your niece been seeing?"),
        ("How's she doing?", "my niece rang", "How's your niece doing?"),
        ("품종이 뭐예요?", "고양이 데려왔어요", "고양이 품종이 뭐예요?"),
    ],
)
def test_a_question_is_named_after_the_users_own(
    question: str, before: str, named: str
) -> None:
    assert name_question_subject(question, [before], get_shared_morphology()) == named


def test_only_the_nearest_messages_say_whom_a_question_is_about() -> None:
    said = ["ok", "i see", "my niece rang"]
    told = name_question_subject("What's her name?", said, get_shared_morphology())
    assert told == "What's her name?"


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("before", "asked", "said", "told"),
    [
        (
            "울엄마 간호사거든",
            "어머니가 간호사셨구나",
            "ㅇㅇ 목포 사셔",
            "사용자의 어머니가 목포에 사신다",
        ),
        (
            "우리 할머니가 아흔이야",
            "정정하시네요",
            "응 혼자 사셔",
            "사용자의 할머니가 혼자 사신다",
        ),
    ],
)
def test_who_is_spoken_of_with_respect_is_not_the_user(
    before: str, asked: str, said: str, told: str
) -> None:
    """ "사용자는 목포를 사신다": nobody honours themselves."""
    clause = _merge(before, asked, said)
    assert clause.is_answer
    assert render_memories([clause], date(2026, 4, 7)) == (told,)


@pytest.mark.parametrize(
    ("before", "asked", "said"),
    [
        ("울엄마 간호사거든", "그렇구나", "여기 앉으세요"),
        ("울엄마 간호사거든", "그렇구나", "선생님이 오셨어"),
        ("울엄마 간호사거든", "그렇구나", "두 분 다 건강하셔"),
        ("엄마랑 아빠가 다투셨어", "저런", "응 아직도 화나셨어"),
        ("울엄마 간호사거든", "그렇구나", "목포 살아"),
        ("오늘 덥다", "그러게요", "목포 사셔"),
    ],
)
def test_nobody_is_named_where_nobody_or_another_is_honoured(
    before: str, asked: str, said: str
) -> None:
    assert not _merge(before, asked, said).is_answer
