"""Who changes their mind within one talk is known by their last word.

With the shipped models: what a later message of a session takes back is out of use, and
whoever goes on about a change, or tells of two things at once, takes nothing back.
"""

from collections.abc import AsyncGenerator
from itertools import count

import pytest

from gieok import ALL_CATEGORIES, Config, Gieok, Settings, open_memory
from support.memory_talk import list_contents, list_memories, talk

HOME = {"ko": "저는 서울에 살아요", "en": "I live in Leeds"}
_people = count()

REPLACED = [
    ("ko", ("나 일산으로 이사했어", "아니다 결국 파주로 이사했어"), "일산", "파주"),
    ("ko", ("나 일산으로 이사했어", "아니다 결국 파주로 갔어"), "일산", "파주"),
    (
        "ko",
        ("지난달에 일산으로 이사했어요", "생각해 보니 저희 결국 파주로 갔어요"),
        "일산",
        "파주",
    ),
    (
        "ko",
        ("저 일산으로 이사했어요", "이사하니까 좋다", "사실은 파주로 이사 왔어요"),
        "일산",
        "파주",
    ),
    ("ko", ("나 강릉으로 이사 왔어", "참, 지난주에 속초로 이사했어"), "강릉", "속초"),
    (
        "en",
        ("I moved to Ilsan last month.", "Actually we ended up in Paju."),
        "Ilsan",
        "Paju",
    ),
    ("en", ("I moved to York.", "Sorry, I mean I moved to Hull."), "York", "Hull"),
    ("en", ("I moved to York.", "No wait, we moved to Hull."), "York", "Hull"),
    (
        "en",
        ("I moved to York.", "The movers were kind.", "I moved to Hull in the end."),
        "York",
        "Hull",
    ),
    ("en", ("i moved to york", "actually we ended up in paju"), "york", "paju"),
]

KEPT = [
    ("ko", ("나 파주로 이사했어", "이사하니까 좋다"), ("파주",)),
    ("ko", ("나 파주로 이사했어", "이사했더니 피곤하네"), ("파주",)),
    ("ko", ("나 파주로 이사했어", "이사 왔더니 공기가 좋아"), ("파주",)),
    ("ko", ("나 파주로 이사했어", "지난주 토요일에 이사했어"), ("파주",)),
    ("ko", ("나 파주로 이사했어", "새 집으로 이사했어"), ("파주",)),
    ("ko", ("나 파주로 이사했어", "주말에 드라이브하다 강릉으로 갔어"), ("파주",)),
    ("ko", ("나 파주로 이사했어", "남편 회사가 판교로 이사했어"), ("파주",)),
    ("ko", ("커피도 좋아하고 차도 좋아해",), ("커피", "차도")),
    ("ko", ("난 커피를 좋아해", "아 그리고 차도 좋아해"), ("커피", "차도")),
    (
        "en",
        ("I moved to Paju.", "The move went well, the movers were kind."),
        ("Paju",),
    ),
    ("en", ("I moved to Paju.", "I moved from Leeds, it took all day."), ("Paju",)),
    ("en", ("I moved to Paju.", "I moved to a bigger place."), ("Paju",)),
    ("en", ("I moved to Paju.", "I've moved to a new job as well."), ("Paju",)),
    ("en", ("I moved to Paju.", "My brother moved to York."), ("Paju",)),
    ("en", ("I moved to Paju.", "We ended up in York for the day."), ("Paju",)),
    ("en", ("I have a dog and a cat.",), ("dog", "cat")),
    ("en", ("I have a dog.", "Actually I have a cat too."), ("dog", "cat")),
    ("en", ("I like coffee and I like tea.",), ("coffee", "tea")),
]


@pytest.fixture(scope="module")
async def real(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Gieok]:
    allowed = Settings(allowed_categories=ALL_CATEGORIES)
    config = Config(data=tmp_path_factory.mktemp("last-word"), defaults=allowed)
    async with open_memory(config, worker=False) as opened:
        yield opened


@pytest.mark.req("D03", "D07")
@pytest.mark.parametrize("is_home_known", [True, False])
@pytest.mark.parametrize(("language", "said", "before", "last"), REPLACED)
async def test_the_last_word_of_a_talk_is_what_is_known(
    real: Gieok,
    *,
    language: str,
    said: tuple[str, ...],
    before: str,
    last: str,
    is_home_known: bool,
) -> None:
    me = real.person(f"last-{next(_people)}")
    if is_home_known:
        await talk(real, me, HOME[language], close=True)
    await talk(real, me, *said, close=True)
    known = await list_contents(real, me)
    assert any(last in each for each in known)
    assert not any(before in each for each in known)
    assert not any("서울" in each or "Leeds" in each for each in known)
    ended = await list_memories(real, me, include_inactive=True)
    (new,) = [each for each in ended if each.is_active and last in each.content]
    (old,) = [each for each in ended if before in each.content]
    assert old.superseded_by == new.memory_id, "it is in the history"


@pytest.mark.req("D03", "A07")
@pytest.mark.parametrize(("language", "said", "kept"), KEPT)
async def test_who_goes_on_about_something_takes_nothing_back(
    real: Gieok, language: str, said: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    me = real.person(f"last-{next(_people)}")
    await talk(real, me, HOME[language], close=True)
    await talk(real, me, *said, close=True)
    known = await list_memories(real, me)
    for value in kept:
        named = [each for each in known if value in each.content]
        assert named, value
        assert any(each.contradicted_by is None for each in named), value


@pytest.mark.req("D03")
@pytest.mark.parametrize(
    ("said", "last", "denied"),
    [
        (
            "나 일산으로 이사했어. 아니, 일산이 아니라 파주로 이사했어.",
            "파주",
            "일산으로",
        ),
        ("I moved, not to Ilsan but to Paju.", "to Paju", "moved to Ilsan"),
    ],
)
async def test_what_one_message_denies_is_not_known(
    real: Gieok, said: str, last: str, denied: str
) -> None:
    me = real.person(f"last-{next(_people)}")
    await talk(real, me, said, close=True)
    known = await list_contents(real, me)
    assert any(last in each for each in known)
    assert not any(denied in each for each in known)


@pytest.mark.req("D03", "A07")
@pytest.mark.parametrize(
    "said", ["I moved to York and we moved to Hull.", "요크로 이사했고 헐로 이사했어"]
)
async def test_homes_named_in_one_message_stand_together(
    real: Gieok, said: str
) -> None:
    me = real.person(f"last-{next(_people)}")
    await talk(real, me, said, close=True)
    ended = await list_memories(real, me, include_inactive=True)
    assert ended
    assert all(each.is_active and not each.contradicted_by for each in ended)
