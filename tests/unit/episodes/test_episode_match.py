"""Which episodes a search finds."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.episodes import Episode
from gieok.episodes.match import EpisodeQuery, match_episodes
from gieok.testing import WordTokenizer
from gieok.text.terms import MixedTokenizer
from support.plain_episode import PLAIN

TOKENIZER = MixedTokenizer()


def one(
    number: int, summary: str, topics: Sequence[str] = (), tags: Sequence[str] = ()
) -> Episode:
    return replace(
        PLAIN,
        episode_id=UUID(int=number),
        summary=summary,
        topics=tuple(topics),
        tags=tuple(tags),
    )


INTERVIEW = one(1, "사용자가 IT 스타트업 면접을 앞두고 긴장함.", ["면접"], ["커리어"])
FILM = one(2, "사용자가 새로운 영화를 봤고 재미있었다고 함.", ["영화", "여가"])
TIRED = one(3, "회사 일이 많아서 지쳐 있음. 면접도 생각 중.", ["스트레스"])
JAPAN = one(4, "The user planned a trip to Kyoto with two friends.", ["travel"])
ALL = [INTERVIEW, FILM, TIRED, JAPAN]


@pytest.mark.req("E21")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("면접 어떻게 됐지?", [INTERVIEW, TIRED]),
        ("영화를 본 날", [FILM]),
        ("trips with friends", [JAPAN]),
        ("KYOTO", [JAPAN]),
        ("커리어", [INTERVIEW]),
        ("스트레스", [TIRED]),
        ("스타트", [INTERVIEW]),
        ("수영", []),
        ("?!", []),
    ],
)
def test_words_are_found_in_both_languages(query: str, found: list[Episode]) -> None:
    assert match_episodes(EpisodeQuery(query), ALL, TOKENIZER) == found


@pytest.mark.req("E21", "E23")
def test_tags_narrow_and_alone_list_the_most_important_first() -> None:
    low = replace(one(5, "가", tags=["가족", "Health"]), importance=2)
    high = replace(one(6, "나", tags=["health"]), importance=9)
    held = [*ALL, low, high]
    assert match_episodes(EpisodeQuery("", ["HEALTH"]), held, TOKENIZER) == [high, low]
    assert match_episodes(EpisodeQuery("", ["health", "가족"]), held, TOKENIZER) == [
        low
    ]
    assert match_episodes(EpisodeQuery("면접", ["커리어"]), held, TOKENIZER) == [
        INTERVIEW
    ]
    assert match_episodes(EpisodeQuery("면접", ["health"]), held, TOKENIZER) == []


def test_what_stands_there_word_for_word_comes_first() -> None:
    scattered = one(7, "user friend user trip two planned", ["two friends", "planned"])
    query = "planned a trip to Kyoto with two friends"
    assert (
        match_episodes(EpisodeQuery(query), [scattered, JAPAN], TOKENIZER)[0] == JAPAN
    )


@given(st.text(min_size=1), st.lists(st.text(max_size=40), max_size=5))
def test_any_text_can_be_searched_for(query: str, summaries: list[str]) -> None:
    held = [one(n, summary) for n, summary in enumerate(summaries)]
    found = match_episodes(EpisodeQuery(query), held, WordTokenizer())
    assert {e.episode_id for e in found} <= {e.episode_id for e in held}
