"""What LangGraph's own tests ask of searches, asked of `GieokStore`, written anew."""

from typing import Any

import pytest
from langgraph.store.base import (
    PutOp,
)

from gieok import Gieok, Scope
from gieok.surfaces.langgraph import GieokStore
from support.store_people import keys

pytestmark = pytest.mark.req("D13")


@pytest.fixture
async def store(memory: Gieok, me: Scope) -> GieokStore:
    return GieokStore(memory, me)


async def test_plain_search_by_namespace_filter_and_page(store: GieokStore) -> None:
    docs = ("test", "docs")
    await store.aput(docs, "doc1", {"author": "Alice", "tags": ["important"]})
    await store.aput(docs, "doc2", {"author": "Bob", "tags": ["draft"]})
    await store.aput(("test", "images"), "img1", {"author": "Alice", "tags": ["x"]})
    assert len(await store.asearch(("test",))) == 3
    assert sorted(keys(await store.asearch(docs))) == ["doc1", "doc2"]
    alice = await store.asearch(("test",), filter={"author": "Alice"})
    assert sorted(keys(alice)) == ["doc1", "img1"]
    assert len(await store.asearch(("test",), limit=2)) == 2
    assert len(await store.asearch(("test",), offset=2)) == 1
    tagged = await store.asearch(("test",), filter={"tags": ["draft"]})
    assert keys(tagged) == ["doc2"]
    assert all(each.score is None for each in tagged)


DOCS = {
    "doc1": {"text": "red apple", "color": "red", "score": 4.5},
    "doc2": {"text": "red car", "color": "red", "score": 3.0},
    "doc3": {"text": "green apple", "color": "green", "score": 4.0},
    "doc4": {"text": "blue car", "color": "blue", "score": 3.5},
}


@pytest.mark.parametrize("indexed", [False, True], ids=["words", "words and vectors"])
@pytest.mark.parametrize(
    "asked",
    [
        ("apple", {"color": "red"}, 2, "doc1"),
        ("car", {"color": "red"}, 2, "doc2"),
        ("blue", {"score": {"$gt": 3.2}}, 3, "doc4"),
        ("apple", {"score": {"$gte": 4.0}, "color": "green"}, 1, "doc3"),
        ("apple", {"color": {"$ne": "red"}}, 2, "doc3"),
    ],
)
async def test_search_by_meaning_within_a_filter(
    memory: Gieok,
    me: Scope,
    asked: tuple[str, dict[str, Any], int, str],
    *,
    indexed: bool,
) -> None:
    query, wanted, count, best = asked
    store = GieokStore(memory, me, fields=["text"])
    for key, value in DOCS.items():
        await store.aput(("test",), key, value)
    if indexed:
        await memory.items.index(me)
    found = await store.asearch(("test",), query=query, filter=wanted)
    assert len(found) == count
    assert found[0].key == best


async def test_a_new_value_is_found_by_its_new_words(
    memory: Gieok, me: Scope, store: GieokStore
) -> None:
    await store.aput(("test",), "doc1", {"text": "zany zebra Xerxes"})
    await store.aput(("test",), "doc2", {"text": "something about dogs"})
    await store.aput(("test",), "doc3", {"text": "text about birds"})
    await memory.items.index(me)
    first = await store.asearch(("test",), query="Zany Xerxes")
    assert first[0].key == "doc1"
    await store.aput(("test",), "doc1", {"text": "new text about dogs"})
    for _ in range(2):
        after = {
            each.key: each for each in await store.asearch((), query="Zany Xerxes")
        }
        assert (after["doc1"].score or 0) < (first[0].score or 0)
        new = await store.asearch(("test",), query="new text about dogs")
        assert new[0].key == "doc1"
        await memory.items.index(me)
    await store.aput(("test",), "doc4", {"text": "new text about dogs"}, index=False)
    best = await store.asearch(("test",), query="new text about dogs", limit=3)
    assert "doc4" not in keys(best)
    everything = await store.asearch(("test",), query="new text about dogs")
    assert (everything[-1].key, everything[-1].score) == ("doc4", None)
    second_page = await store.asearch(("test",), query="new text", limit=2, offset=2)
    assert [each.score is None for each in second_page] == [False, True]


async def test_pages_of_a_search(store: GieokStore) -> None:
    for number in range(5):
        await store.aput(("test",), f"doc{number}", {"text": f"test number {number}"})
    first = await store.asearch(("test",), query="test", limit=2)
    second = await store.asearch(("test",), query="test", limit=2, offset=2)
    third = await store.asearch(("test",), query="test", limit=2, offset=4)
    assert len({*keys(first), *keys(second), *keys(third)}) == 5
    assert len(await store.asearch(("test",), query="test", limit=10)) == 5


@pytest.mark.parametrize("query", [None, "", "   "])
async def test_without_a_question_nothing_is_scored(
    store: GieokStore, query: str | None
) -> None:
    await store.aput(("test",), "doc1", {"text": "test document"})
    (found,) = await store.asearch(("test",), query=query)
    assert found.score is None


async def test_a_better_question_scores_higher(store: GieokStore) -> None:
    await store.aput(("test",), "doc1", {"text": "test document"})
    (perfect,) = await store.asearch(("test",), query="text test document")
    (long,) = await store.asearch(("test",), query="foo " * 100)
    assert (long.score or 0) < (perfect.score or 0)
    assert len(await store.asearch(("test",), query="test!@#$%^&*()")) == 1


async def test_the_answers_of_several_questions_merge_by_score(
    memory: Gieok, store: GieokStore
) -> None:
    """As LangMem's manager does: what answers stands above what only came first."""
    for name in ("red apple", "green pear", "blue plum", "black tea"):
        await store.aput(("test",), name, {"text": name})
    assert store.owner.fixed is not None
    await memory.items.index(store.owner.fixed)
    found = [
        each
        for query in ("red apple", "nothing of the kind", "black tea")
        for each in await store.asearch(("test",), query=query)
    ]
    assert all(0 <= (each.score or 0) <= 1 for each in found)
    merged = sorted(found, key=lambda each: each.score or 0, reverse=True)
    assert set(keys(merged[:2])) == {"red apple", "black tea"}


async def test_a_score_never_rises_from_one_found_to_the_next(
    store: GieokStore,
) -> None:
    for number in range(20):
        value = {"text": "cat " * number + "dog", "role": "user"}
        await store.aput(("talk", str(number % 3)), str(number), value)
    for query in ("cat", "dog", "a dog or a cat?"):
        scores = [
            each.score or 0 for each in await store.asearch((), query=query, limit=20)
        ]
        assert scores == sorted(scores, reverse=True)


async def test_only_the_named_fields_are_searched(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    store = GieokStore(memory, me, fields=["key0", "key1", "key3"])
    one = {"key1": "xxx", "key2": "yyy", "key3": "zzz"}
    two = {"key0": "uuu", "key1": "vvv", "key2": "www", "key3": "xxx"}
    await store.aput(("test",), "doc1", one)
    await store.aput(("test",), "doc2", two)
    await memory.items.index(me)
    same = await store.asearch(("test",), query="xxx")
    assert same[0].score == pytest.approx(same[1].score, abs=1e-3)
    better = await store.asearch(("test",), query="uuu")
    assert keys(better) == ["doc2", "doc1"]
    unknown = await store.asearch(("test",), query="www")
    assert all((each.score or 0) < (better[0].score or 0) for each in unknown)

    named = GieokStore(memory, other, fields=["key17"])
    await named.aput(("test",), "doc3", {"key0": "aaa", "key1": "bbb"}, index=["key0"])
    await named.aput(("test",), "doc4", {"key1": "bbb", "key3": "ggg"}, index=["key3"])
    await named.aput(("test",), "doc5", {"key0": "hhh"}, index=False)
    assert (await named.asearch(("test",), query="aaa"))[0].key == "doc3"
    assert (await named.asearch(("test",), query="ggg"))[0].key == "doc4"
    found = await named.asearch(("test",), query="hhh")
    assert [each.score is None for each in found] == [False, False, True]


async def test_the_one_that_matches_comes_before_hundreds(store: GieokStore) -> None:
    await store.aput(("test", "M"), "M", {"key1": "mmm"})
    await store.abatch(
        [
            PutOp(("test", space), f"{space}{number}", {"key1": "no"})
            for space in "AZ"
            for number in range(100)
        ]
    )
    found = await store.asearch(("test",), query="mmm")
    assert len(set(keys(found))) == 10
    assert found[0].key == "M"
    assert (found[0].score or 0) > (found[1].score or 0)


async def test_every_script_is_found(store: GieokStore) -> None:
    said = ["这是中文", "これは日本語です", "이건 한국어야", "Это русский", "यह रूसी है"]
    at = ("user_123", "memories")
    for number, text in enumerate(said):
        await store.aput(at, str(number), {"text": text})
    for number, text in enumerate(said):
        assert (await store.asearch(at, query=text))[0].key == str(number)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"n": {"$gt": 9}}, ["ten"]),
        ({"n": {"$gte": 9, "$lt": 10}}, ["nine"]),
        ({"n": {"$lte": 9}}, ["nine"]),
        ({"n": {"$eq": 10}}, ["ten"]),
        ({"on": True}, ["nine"]),
        ({"on": 1}, ["ten"]),
        ({"deep": {"er": "x"}}, ["ten"]),
        ({"deep": {"er": {"$ne": "x"}}}, []),
        ({"with-dash_1": "y"}, ["nine"]),
        ({"a' OR '1'='1": "y"}, []),
        ({"n": {"$gt": "9"}}, []),
        ({"day": {"$gte": "2026-01-02"}}, ["ten"]),
    ],
)
async def test_filters_compare_as_they_say(
    store: GieokStore, wanted: dict[str, Any], found: list[str]
) -> None:
    nine = {"n": 9, "on": True, "with-dash_1": "y", "day": "2026-01-01"}
    ten = {"n": 10, "on": 1, "deep": {"er": "x", "also": 1}, "day": "2026-01-02"}
    await store.aput(("t",), "nine", nine)
    await store.aput(("t",), "ten", ten)
    assert keys(await store.asearch(("t",), filter=wanted)) == found
