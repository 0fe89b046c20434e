"""Which episodes stay active."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.episodes import ArchivedReason, Episode
from gieok.episodes.active_rule import (
    FREE_LIMIT,
    build_rank_key,
    find_older_duplicates,
    get_plan_limit,
    select_archived,
)
from gieok.episodes.notices import format_notice
from support.plain_episode import NOW, PLAIN

FULL = ArchivedReason.PLAN
TOPICS = ["영화", "영화 ", "면접", "K-Pop", "kpop", "Work", "work", "여행", "", "!?"]


def one(
    number: int, importance: int = 5, age: int = 0, topics: Sequence[str] = ()
) -> Episode:
    """Return an episode made so many days ago."""
    return replace(
        PLAIN,
        episode_id=UUID(int=number),
        importance=importance,
        topics=tuple(topics),
        created_at=NOW - timedelta(days=age),
    )


@st.composite
def held(draw: st.DrawFn) -> list[Episode]:
    shapes = st.tuples(
        st.integers(1, 10),
        st.integers(0, 5),
        st.lists(st.sampled_from(TOPICS), max_size=4),
    )
    return [
        one(n, *shape) for n, shape in enumerate(draw(st.lists(shapes, max_size=14)))
    ]


limits = st.none() | st.integers(1, 8)


def staying(episodes: Sequence[Episode], limit: int | None) -> list[Episode]:
    gone = select_archived(episodes, limit)
    return [episode for episode in episodes if episode.episode_id not in gone]


@pytest.mark.req("E07")
@given(held(), limits)
def test_never_more_stay_than_the_plan_allows_and_nothing_is_lost(
    episodes: list[Episode], limit: int | None
) -> None:
    gone = select_archived(episodes, limit)
    stay = staying(episodes, limit)
    assert gone.keys() <= {episode.episode_id for episode in episodes}
    assert len(stay) + len(gone) == len(episodes)
    assert limit is None or len(stay) <= limit
    full = limit is not None and len(stay) == limit
    assert full or ArchivedReason.PLAN not in gone.values()
    assert bool(stay) == bool(episodes)


@pytest.mark.req("E07")
@given(held(), st.integers(1, 8))
def test_those_that_stay_are_worth_most(episodes: list[Episode], limit: int) -> None:
    stay = staying(episodes, limit)
    for episode in episodes:
        if episode not in stay:
            assert all(
                build_rank_key(episode) < build_rank_key(other) for other in stay
            )


@pytest.mark.req("E07")
@given(held())
def test_the_paid_plan_archives_nothing_but_what_is_repeated(
    episodes: list[Episode],
) -> None:
    assert select_archived(episodes, get_plan_limit("premium")) == {}


@given(held(), limits, st.randoms(use_true_random=False))
def test_the_order_in_which_they_are_read_does_not_matter(
    episodes: list[Episode], limit: int | None, random: Random
) -> None:
    shuffled = list(episodes)
    random.shuffle(shuffled)
    assert select_archived(shuffled, limit) == select_archived(episodes, limit)


@given(held(), limits)
def test_what_stayed_once_stays_again(
    episodes: list[Episode], limit: int | None
) -> None:
    assert select_archived(staying(episodes, limit), limit) == {}


@pytest.mark.req("E07")
def test_the_free_plan_keeps_five_by_importance_and_then_by_recency() -> None:
    assert get_plan_limit("free") == FREE_LIMIT == 5
    seven = [
        one(n, importance, age=n) for n, importance in enumerate([3, 9, 3, 8, 3, 7, 9])
    ]
    assert select_archived(seven, 5) == {
        UUID(int=4): ArchivedReason.PLAN,
        UUID(int=2): ArchivedReason.PLAN,
    }


@pytest.mark.req("E07")
def test_of_one_matter_only_what_was_said_last_stays_however_important() -> None:
    old, new, else_ = one(1, 10, 3), one(2, 1, 0), one(3, 5, 9)
    old = replace(
        old, summary="면접을 앞둠", topics=("면접",), said_at=NOW - timedelta(days=3)
    )
    new = replace(new, summary="면접을 봄", topics=("면접",), said_at=NOW)
    active = [old, new, replace(else_, summary="여행")]
    repeated = find_older_duplicates(active, new, {old.summary})
    assert repeated == {old.episode_id}
    assert select_archived(active, None, repeated) == {
        old.episode_id: ArchivedReason.TOPIC
    }
    other = replace(new, topics=("여행",))
    assert find_older_duplicates([old, other], other, {old.summary}) == set()
    late = find_older_duplicates(active, old, {new.summary})
    assert late == {old.episode_id}, "what is told late is older all the same"


@pytest.mark.req("E07")
def test_what_a_person_put_back_stays_beside_what_is_about_the_same() -> None:
    old = replace(one(1), edited=("archived_at",))
    assert select_archived([old, one(2)], None, {old.episode_id}) == {}


@pytest.mark.req("E16")
def test_the_notice_is_the_documents_in_both_languages() -> None:
    korean = format_notice("ko", reasons={FULL}, is_fallback=False)
    assert korean is not None
    first, second = korean.splitlines()
    assert first == (
        "메모리가 가득 찼습니다. 중요도가 낮은 이전 대화는 아카이브됩니다."
    )
    assert second == "더 많은 메모리를 원하시면 Knock Plus를 이용하세요"
    english = format_notice("en", reasons={FULL}, is_fallback=False)
    assert english is not None
    assert english.isascii()
    assert english == format_notice("fr", reasons={FULL}, is_fallback=False)
    both = format_notice("ko", reasons={FULL}, is_fallback=True)
    assert both is not None
    assert both.endswith(korean)
    assert format_notice("ko", reasons=(), is_fallback=False) is None
    own = format_notice(
        "ko", reasons={FULL}, is_fallback=False, upgrade_line="더 사세요"
    )
    assert own == f"{first}\n더 사세요"
    repeated = format_notice("en", reasons={ArchivedReason.TOPIC}, is_fallback=False)
    assert repeated is not None
    assert "same matter" in repeated
