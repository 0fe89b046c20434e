"""Which episodes stay active."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_episode import NOW, PLAIN

from gieok.episodes import ArchivedReason, Episode
from gieok.episodes.keep import (
    FREE_LIMIT,
    distinct_topics,
    giving_way,
    limit_of,
    same_topic,
    worth,
)
from gieok.episodes.notices import notice

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


def alike(one: Episode, other: Episode) -> bool:
    return same_topic(distinct_topics(one), distinct_topics(other))


def staying(episodes: Sequence[Episode], limit: int | None) -> list[Episode]:
    gone = giving_way(episodes, limit)
    return [episode for episode in episodes if episode.episode_id not in gone]


@pytest.mark.req("E07")
@given(held(), limits)
def test_never_more_stay_than_the_plan_allows_and_nothing_is_lost(
    episodes: list[Episode], limit: int | None
) -> None:
    gone = giving_way(episodes, limit)
    stay = staying(episodes, limit)
    assert gone.keys() <= {episode.episode_id for episode in episodes}
    assert len(stay) + len(gone) == len(episodes)
    assert limit is None or len(stay) <= limit
    full = limit is not None and len(stay) == limit
    assert full or ArchivedReason.PLAN not in gone.values()
    assert bool(stay) == bool(episodes)


@pytest.mark.req("E07")
@given(held(), limits)
def test_those_that_stay_are_worth_most_and_about_different_things(
    episodes: list[Episode], limit: int | None
) -> None:
    gone = giving_way(episodes, limit)
    stay = staying(episodes, limit)
    assert not any(alike(a, b) for a in stay for b in stay if a is not b)
    for episode in episodes:
        reason = gone.get(episode.episode_id)
        if reason is ArchivedReason.PLAN:
            assert all(worth(episode) < worth(other) for other in stay)
        if reason is ArchivedReason.TOPIC:
            newer = (
                other
                for other in episodes
                if (other.created_at, other.episode_id)
                > (episode.created_at, episode.episode_id)
            )
            assert any(alike(episode, other) for other in newer)


@pytest.mark.req("E07")
@given(held())
def test_the_paid_plan_archives_nothing_but_repeated_topics(
    episodes: list[Episode],
) -> None:
    gone = giving_way(episodes, limit_of("premium"))
    assert set(gone.values()) <= {ArchivedReason.TOPIC}
    plain = [replace(episode, topics=()) for episode in episodes]
    assert giving_way(plain, None) == {}


@given(held(), limits, st.randoms(use_true_random=False))
def test_the_order_in_which_they_are_read_does_not_matter(
    episodes: list[Episode], limit: int | None, random: Random
) -> None:
    shuffled = list(episodes)
    random.shuffle(shuffled)
    assert giving_way(shuffled, limit) == giving_way(episodes, limit)


@given(held(), limits)
def test_what_stayed_once_stays_again(
    episodes: list[Episode], limit: int | None
) -> None:
    assert giving_way(staying(episodes, limit), limit) == {}


@pytest.mark.req("E07")
def test_the_free_plan_keeps_five_by_importance_and_then_by_recency() -> None:
    assert limit_of("free") == FREE_LIMIT == 5
    seven = [
        one(n, importance, age=n) for n, importance in enumerate([3, 9, 3, 8, 3, 7, 9])
    ]
    assert giving_way(seven, 5) == {
        UUID(int=4): ArchivedReason.PLAN,
        UUID(int=2): ArchivedReason.PLAN,
    }


@pytest.mark.req("E07")
def test_an_older_one_on_the_same_topic_gives_way_however_important() -> None:
    old, new = one(1, 10, 3, ["면접", "회사"]), one(2, 1, 0, ["회사", "면접"])
    assert giving_way([old, new], None) == {old.episode_id: ArchivedReason.TOPIC}


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (["영화", "여가"], ["여가", "영화"]),
        (["K-Pop"], ["kpop "]),
        (["Work stress"], ["work STRESS"]),
        (["영화"], ["영화", "주말"]),
        (["영화", "영화"], ["영화"]),
    ],
)
def test_what_counts_as_the_same_topic(mine: list[str], theirs: list[str]) -> None:
    a, b = one(1, topics=mine), one(2, topics=theirs)
    assert alike(a, b)
    assert alike(b, a)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (["영화", "여가", "팝콘"], ["영화", "주말", "친구"]),
        (["영화", "주말"], ["주말", "친구"]),
        (["영화"], ["면접"]),
        ([], []),
        (["!?"], ["..."]),
    ],
)
def test_what_does_not_count_as_the_same_topic(
    mine: list[str], theirs: list[str]
) -> None:
    a, b = one(1, topics=mine), one(2, topics=theirs)
    assert not alike(a, b)
    assert not alike(b, a)


@pytest.mark.req("E16")
def test_the_notice_is_the_documents_in_both_languages() -> None:
    korean = notice("ko", is_full=True, is_fallback=False)
    assert korean is not None
    first, second = korean.splitlines()
    assert first == (
        "메모리가 가득 찼습니다. 중요도가 낮은 이전 대화는 아카이브됩니다."
    )
    assert "유료 플랜" in second
    english = notice("en", is_full=True, is_fallback=False)
    assert english is not None
    assert english.isascii()
    assert english == notice("fr", is_full=True, is_fallback=False)
    both = notice("ko", is_full=True, is_fallback=True)
    assert both is not None
    assert both.endswith(korean)
    assert notice("ko", is_full=False, is_fallback=False) is None
