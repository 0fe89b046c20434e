"""What is believed of a summary, what is not (E04, design rules 7 and 11)."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import (
    Conversation,
    Emotion,
    Gist,
    Role,
    SummaryNote,
    Utterance,
)
from gieok.models.faults import Fault, UnusableAnswerError, normalize_line
from gieok.models.gist import (
    LONGEST_CONDENSED,
    LONGEST_LISTED,
    LONGEST_SUMMARY,
    LONGEST_TOPIC,
    MAX_LISTED,
    validate_condensed,
    validate_gist,
)
from gieok.models.grounding import ScriptLanguage

AT = datetime(2026, 2, 12, 9, 0, tzinfo=UTC)
KOREAN = Conversation(
    (
        Utterance(
            4, Role.USER, "다음 주 월요일 3시에 병원 예약이 있어. 그리고 Netflix 좋아해"
        ),
        Utterance(5, Role.ASSISTANT, "어느 병원이에요?"),
        Utterance(6, Role.USER, "세브란스요. 무릎 때문에요"),
        Utterance(7, Role.ASSISTANT, "서류 2장을 챙기세요. 쇼팽 음악도 들어 보세요."),
    ),
    (),
    AT,
)
GIST = Gist(
    "사용자는 월요일 3시에 무릎 때문에 세브란스 병원 예약이 있음",
    ("건강", "병원 예약"),
    Emotion.STRESS,
    7,
    ("월요일 3시에 병원에 가기",),
    ("Netflix를 좋아함",),
    (4, 6),
)


@pytest.mark.req("E04")
def test_what_rests_on_the_conversation_is_believed() -> None:
    assert validate_gist(GIST, KOREAN) == GIST


def test_a_summary_may_tell_what_the_assistant_said() -> None:
    told = replace(GIST, summary="사용자는 서류 2장을 챙기라는 말을 들음")
    assert validate_gist(told, KOREAN).summary == told.summary


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (replace(GIST, evidence=()), Fault.NO_EVIDENCE),
        (replace(GIST, evidence=(4, 0)), Fault.NO_EVIDENCE),
        (replace(GIST, evidence=(5, 7)), Fault.NOT_THE_USER),
        (replace(GIST, summary="병원 예약 " * 90), Fault.TOO_LONG),
        (replace(GIST, summary="User sees a doctor at 3"), Fault.LANGUAGE),
        (replace(GIST, summary="사용자는 5시에 병원 예약이 있음"), Fault.UNGROUNDED),
        (replace(GIST, summary="사용자의 병원 비밀번호는 무릎"), Fault.SECRET),
    ],
)
@pytest.mark.req("E04")
def test_a_summary_that_may_not_be_believed_is_refused(
    wrong: Gist, fault: Fault
) -> None:
    with pytest.raises(UnusableAnswerError) as caught:
        _ = validate_gist(wrong, KOREAN)
    assert caught.value.fault is fault
    assert str(caught.value) == fault


def test_without_a_summary_nothing_is_left() -> None:
    assert validate_gist(replace(GIST, summary=" \n", evidence=(99,)), KOREAN) == Gist(
        ""
    )


@pytest.mark.parametrize(
    ("topic", "kept"),
    [
        ("건강", True),
        (" 병원\n예약 ", True),
        ("Netflix", True),
        ("netflix", True),
        ("Wellbeing", False),
        ("월요일 5시", False),
        ("비밀번호는 무릎", False),
        ("病院", False),
        ("", False),
        ("무릎" * 21, False),
    ],
)
def test_topics_are_kept_or_dropped(topic: str, kept: bool) -> None:  # noqa: FBT001 - a table
    assert bool(validate_gist(replace(GIST, topics=(topic,)), KOREAN).topics) is kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("월요일 3시에 병원에 가기", True),
        ("사용자는 무릎 때문에 병원에 감", True),
        ("서류 2장을 챙기기", False),  # said last by the assistant, answered by nobody
        ("쇼팽 음악을 좋아함", False),
        ("사용자는 세브란스 병원에 다녀와야 함", True),
        ("User likes Netflix", False),
        ("제주도 감귤 농장 운영", False),
        ("", False),
        ("병원 예약 " * 50, False),
    ],
)
def test_what_is_listed_rests_on_the_user(text: str, kept: bool) -> None:  # noqa: FBT001 - a table
    gist = validate_gist(
        replace(GIST, open_tasks=(text, text), preferences=(text,)), KOREAN
    )
    assert gist.open_tasks == gist.preferences == ((text,) if kept else ())


def test_what_the_user_answers_counts_as_heard() -> None:
    messages = (
        Utterance(0, Role.ASSISTANT, "Shall I note to call the dentist on Friday?"),
        Utterance(1, Role.USER, "yes, please do"),
    )
    gist = Gist(
        "User will call the dentist.", open_tasks=("Call the dentist",), evidence=(1,)
    )
    assert validate_gist(gist, Conversation(messages, (), AT)).open_tasks


SAID = st.sampled_from(
    ["무릎", "병원", "세브란스", "월요일 3시", "Netflix", "제주도", "Oslo", "42", "\n"]
)
TEXT = st.lists(SAID | st.text(max_size=20), max_size=40).map(" ".join)
TEXTS = st.lists(TEXT, max_size=9).map(tuple)


@pytest.mark.req("E04")
@given(
    summary=TEXT,
    topics=TEXTS,
    tasks=TEXTS,
    evidence=st.sets(st.integers(3, 8)).map(tuple),
)
def test_whatever_is_answered_what_is_believed_keeps_its_bounds(
    summary: str,
    topics: tuple[str, ...],
    tasks: tuple[str, ...],
    evidence: tuple[int, ...],
) -> None:
    answer = replace(
        GIST, summary=summary, topics=topics, open_tasks=tasks, evidence=evidence
    )
    try:
        gist = validate_gist(answer, KOREAN)
    except UnusableAnswerError:
        return
    assert len(gist.summary) <= LONGEST_SUMMARY
    assert gist.summary == normalize_line(gist.summary)
    assert gist == Gist("") or set(gist.evidence) & {4, 6}
    for texts, longest in (
        (gist.topics, LONGEST_TOPIC),
        (gist.open_tasks, LONGEST_LISTED),
    ):
        assert len(texts) == len(set(texts)) <= MAX_LISTED
        assert all(0 < len(text) <= longest for text in texts)
        assert not any("42" in text or "제주도 Oslo" in text for text in texts)
    assert validate_gist(gist, KOREAN) == gist


NOTES = (
    SummaryNote(AT, "사용자는 무릎 수술을 앞두고 있음", ("건강",), 8),
    SummaryNote(
        AT.replace(day=14), "User bought a red bike for 300 dollars", ("bike",), 4
    ),
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            " 사용자는 2월 12일에 무릎 수술을 앞두고 있다고 했다.\n",
            ScriptLanguage.KOREAN,
        ),
        ("사용자는 무릎 수술을 앞두고 300달러에 bike를 샀다.", ScriptLanguage.KOREAN),
        (
            "User bought a red bike for 300 dollars on February 14.",
            ScriptLanguage.ENGLISH,
        ),
    ],
)
def test_a_text_that_rests_on_the_notes_is_believed(
    text: str, language: ScriptLanguage
) -> None:
    assert validate_condensed(text, NOTES, language) == normalize_line(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", Fault.EMPTY),
        ("무릎 수술 " * (LONGEST_CONDENSED // 5), Fault.TOO_LONG),
        ("User bought a red bike", Fault.LANGUAGE),
        ("사용자는 무릎 수술을 4번 앞두고 있음", Fault.UNGROUNDED),
        ("사용자는 무릎 수술 비밀번호는 bike", Fault.SECRET),
    ],
)
def test_a_text_that_does_not_is_refused(text: str, fault: Fault) -> None:
    with pytest.raises(UnusableAnswerError) as caught:
        _ = validate_condensed(text, NOTES, ScriptLanguage.KOREAN)
    assert caught.value.fault is fault
