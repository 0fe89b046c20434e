"""What days and weeks have in common, what stays open, and what is used when."""

from datetime import UTC, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Conversation, Gist, Role, Utterance
from gieok.summaries.aggregation import (
    LONGEST_JOINED,
    MOST,
    detect_language,
    is_done,
    join_texts,
    merge_texts,
    rank_topics,
    select_repeated,
    select_unresolved,
)
from gieok.summaries.session_drafts import (
    LONGEST_ORIGINAL,
    LONGEST_SUMMARY,
    MAX_LISTED,
    build_fallback,
    clean_draft,
)
from gieok.summaries.usage import UsageEvent, find_patterns

SEOUL = ZoneInfo("Asia/Seoul")
PHONE = UUID(int=1)
NOON = datetime(2026, 1, 5, 3, 0, tzinfo=UTC)
words = st.lists(st.lists(st.sampled_from(["영화", "운동", "Movies", "work"])))


def talk(*said: str) -> Conversation:
    return Conversation(
        tuple(Utterance(at, Role.USER, text) for at, text in enumerate(said)), (), NOON
    )


@given(words)
def test_what_is_united_holds_everything_once(parts: list[list[str]]) -> None:
    assert sorted(merge_texts(parts)) == sorted(
        {text for part in parts for text in part}
    )


@given(words)
def test_topics_come_by_the_number_of_parts_that_name_them(
    parts: list[list[str]],
) -> None:
    ranked = rank_topics(parts)
    counts = [sum(topic in part for part in parts) for topic in ranked]
    assert counts == sorted(counts, reverse=True)
    assert set(select_repeated(parts)) == {
        topic for topic, count in zip(ranked, counts, strict=True) if count >= 2
    }


def test_the_same_words_in_other_letters_are_the_same() -> None:
    assert merge_texts([["Buy milk"], ["buy  milk"]]) == ("Buy milk",)
    assert select_repeated([["Movies"], ["movies"]]) == ("Movies",)


def test_a_topic_named_twice_on_one_day_is_not_repeated() -> None:
    assert select_repeated([["영화", "영화"], ["운동"]]) == ()


def test_the_latest_are_kept_when_there_are_too_many() -> None:
    assert merge_texts([[str(n) for n in range(100)]])[-1] == "99"
    assert len(merge_texts([[str(n) for n in range(100)]])) == MOST


@pytest.mark.req("A04")
@pytest.mark.parametrize(
    ("task", "later"),
    [
        ("우유를 사야 함", "사용자는 우유를 샀다."),
        ("보고서를 제출해야 한다", "어제 보고서를 제출했다고 한다."),
        ("병원 예약하기", "병원 예약을 마쳤다."),
        ("The user has to submit the report", "The user submitted the report."),
        ("Buy milk", "The user bought milk on the way home."),
        ("Call the dentist", "It rained. The user called the dentist."),
    ],
)
def test_a_task_that_is_done_is_no_longer_open(task: str, later: str) -> None:
    assert is_done(task, later)
    assert select_unresolved([((task,), ""), ((), later)]) == ()


@pytest.mark.req("A04")
@pytest.mark.parametrize(
    ("task", "later"),
    [
        ("우유를 사야 함", "사용자는 우유를 아직 못 샀다."),
        ("우유를 사야 함", "사용자는 빵을 샀다."),
        ("보고서를 제출해야 한다", "사용자는 보고서를 제출하려고 했다."),
        ("보고서를 제출해야 한다", "보고서를 제출할 예정이다."),
        ("The user has to submit the report", "The user still has to submit it."),
        ("Buy milk", "The user forgot to buy milk."),
        ("Buy milk", "The user hasn't bought milk yet."),
        ("Buy milk", "The user bought a car."),
        ("", "The user did it."),
    ],
)
def test_a_task_that_nobody_says_is_done_stays_open(task: str, later: str) -> None:
    assert not is_done(task, later)


def test_what_was_done_before_it_was_asked_stays_open() -> None:
    done_before = [((), "The user bought milk."), (("Buy milk",), "Milk is out.")]
    assert select_unresolved(done_before) == ("Buy milk",)


@given(st.lists(st.text(max_size=400), max_size=8))
def test_joined_texts_stay_short(texts: list[str]) -> None:
    assert len(join_texts(texts)) <= LONGEST_JOINED


def test_one_overlong_text_is_cut_rather_than_lost() -> None:
    assert len(join_texts(["word " * 1_000, "b"])) == LONGEST_JOINED


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        (["부산에 산다"], "ko"),
        (["He lives in Busan"], "en"),
        (["부산에 산다", "영화 얘기", "movies"], "ko"),
        (["부산에 산다", "movies"], "xx"),
        ([], "xx"),
    ],
)
def test_the_language_is_that_of_most_texts(texts: list[str], language: str) -> None:
    assert detect_language(texts, "xx") == language


@pytest.mark.req("E15")
@given(st.lists(st.text(min_size=1), min_size=1, max_size=20))
def test_the_original_that_stands_in_is_short(said: list[str]) -> None:
    gist = build_fallback(talk(*said))
    assert len(gist.summary) <= LONGEST_ORIGINAL
    assert gist.importance == 5


@pytest.mark.req("E15")
def test_the_original_that_stands_in_names_who_spoke() -> None:
    said = (Utterance(0, Role.USER, "안녕"), Utterance(1, Role.ASSISTANT, "네"))
    assert (
        build_fallback(Conversation(said, (), NOON)).summary
        == "user: 안녕\nassistant: 네"
    )


@pytest.mark.req("E04")
@given(
    st.text(alphabet=st.characters()),
    st.lists(st.text(alphabet=st.characters())),
    st.integers(),
    st.lists(st.integers()),
)
def test_whatever_a_model_says_can_be_kept(
    summary: str, listed: list[str], importance: int, evidence: list[int]
) -> None:
    told = Gist(
        summary,
        tuple(listed),
        importance=importance,
        open_tasks=tuple(listed),
        preferences=tuple(listed),
        evidence=tuple(evidence),
    )
    gist = clean_draft(told, talk("a", "b"))
    assert len(gist.summary) <= LONGEST_SUMMARY
    assert 1 <= gist.importance <= 10
    assert set(gist.evidence) <= {0, 1}
    for text in (gist.summary, *gist.topics, *gist.open_tasks, *gist.preferences):
        assert "\x00" not in text
        text.encode("utf-8")
    assert len(gist.topics) <= MAX_LISTED


@pytest.mark.req("A04")
def test_what_is_used_three_times_in_one_part_of_the_day_is_a_pattern() -> None:
    uses = [UsageEvent(PHONE, "FRG", NOON + timedelta(days=day)) for day in range(3)]
    (korean,) = find_patterns(uses, SEOUL, "ko")
    assert (korean.band, korean.count, korean.days) == ("afternoon", 3, 3)
    assert korean.text == "오후 12–18시에 FRG 요청 3번, 3일"
    (english,) = find_patterns(uses, SEOUL, "en")
    assert english.text == "FRG requests in the afternoon (12–18 h): 3 times on 3 days"
    (elsewhere,) = find_patterns(uses, ZoneInfo("America/New_York"), "en")
    assert elsewhere.band == "evening"


@pytest.mark.req("A04")
def test_what_is_used_twice_or_without_device_and_route_is_none() -> None:
    assert find_patterns([UsageEvent(PHONE, "FRG", NOON)] * 2, SEOUL, "ko") == ()
    assert find_patterns([UsageEvent(None, None, NOON)] * 9, SEOUL, "ko") == ()
    (device,) = find_patterns([UsageEvent(PHONE, None, NOON)] * 3, SEOUL, "en")
    assert device.text == "Conversations in the afternoon (12–18 h): 3 times on 1 day"
