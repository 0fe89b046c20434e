"""What LangGraph's own tests ask of a store, asked of `GieokStore`, written anew.

The lists name their tests: `libs/checkpoint/tests/test_store.py` (base) and the async
and sync tests of the Postgres and SQLite stores (pg, lite) at f09cfe8.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)

from gieok import Gieok, Scope
from gieok.surfaces.langgraph import GieokStore
from support.store_people import fill, keys

pytestmark = pytest.mark.req("D13")


@pytest.fixture
async def store(memory: Gieok, me: Scope) -> GieokStore:
    return GieokStore(memory, me)


async def test_put_get_update_and_delete(store: GieokStore, clock: Any) -> None:
    at = ("test", "documents")
    await store.aput(at, "doc1", {"title": "Test", "content": "Hello, World!"})
    first = await store.aget(at, "doc1")
    assert first is not None
    assert (first.namespace, first.key) == (at, "doc1")
    assert first.value == {"title": "Test", "content": "Hello, World!"}
    clock.advance(timedelta(seconds=1))
    await store.aput(at, "doc1", {"title": "Updated"})
    second = await store.aget(at, "doc1")
    assert second is not None
    assert second.value == {"title": "Updated"}
    assert second.updated_at > first.updated_at
    assert second.created_at == first.created_at
    assert await store.aget(("test", "other"), "doc1") is None
    await store.adelete(at, "doc1")
    assert await store.aget(at, "doc1") is None


async def test_a_batch_answers_in_order_and_reads_before_it_writes(
    store: GieokStore,
) -> None:
    await store.aput(("test", "foo"), "key1", {"data": "value1"})
    await store.aput(("test", "bar"), "key2", {"data": "value2"})
    answers: list[Any] = await store.abatch(
        [
            SearchOp(("test",), limit=5),
            GetOp(("test", "bar"), "key2"),
            ListNamespacesOp(limit=5),
            PutOp(("test",), "key3", {"data": "value3"}),
            GetOp(("test",), "key3"),
            SearchOp(("test",), filter={"data": "value1"}),
            PutOp(("test", "bar"), "key2", None),
        ]
    )
    assert sorted(keys(answers[0])) == ["key1", "key2"]
    assert isinstance(answers[1], Item)
    assert answers[2] == [("test", "bar"), ("test", "foo")]
    assert (answers[3], answers[4], answers[6]) == (None, None, None)
    assert keys(answers[5]) == ["key1"]
    after: list[Any] = await store.abatch(
        [GetOp(("test",), "key3"), GetOp(("test", "bar"), "key2")]
    )
    assert after[0].value == {"data": "value3"}
    assert after[1] is None


async def test_puts_of_a_batch_and_the_last_of_one_key(store: GieokStore) -> None:
    answers = await store.abatch(
        [
            PutOp(("t",), "a", {"n": 1}),
            PutOp(("t",), "b", {"n": 1}),
            PutOp(("t",), "c", None),
            PutOp(("t",), "a", {"n": 2}),
        ]
    )
    assert answers == [None] * 4
    assert sorted(keys(await store.asearch(("t",)))) == ["a", "b"]
    kept = await store.aget(("t",), "a")
    assert kept is not None
    assert kept.value == {"n": 2}


async def test_of_writes_at_once_the_last_stays(store: GieokStore) -> None:
    for _ in range(5):
        await asyncio.gather(
            *(store.aput(("t",), "k", {"n": number}) for number in range(8))
        )
        kept = await store.aget(("t",), "k")
        assert kept is not None
        assert kept.value == {"n": 7}


async def test_many_operations_at_once(store: GieokStore) -> None:
    names = [f"doc{number}" for number in range(30)]
    await asyncio.gather(
        *(store.aput(("t",), name, {"text": f"red {name}"}) for name in names),
        *(store.adelete(("t",), name) for name in names),
        *(store.aput(("t",), name, {"text": f"blue {name}"}) for name in names),
        *(store.asearch(("t",)) for _ in names),
        *(store.asearch(("t",), query="red") for _ in names),
        *(store.alist_namespaces(max_depth=1) for _ in names),
    )
    found = await store.asearch(("t",), query="blue", limit=100)
    assert sorted(keys(found)) == sorted(names)
    assert all(each.value["text"].startswith("blue") for each in found)


async def test_threads_may_use_it_and_the_loop_may_not_wait_for_itself(
    store: GieokStore,
) -> None:
    calls: list[Callable[[], object]] = [
        lambda: store.put(("foo", "bar"), "baz", {"val": "baz"}),
        lambda: store.get(("foo", "bar"), "baz"),
        lambda: store.delete(("foo", "bar"), "baz"),
        lambda: store.search(("foo", "bar")),
        lambda: store.list_namespaces(prefix=("foo",)),
        lambda: store.batch([PutOp(("foo", "bar"), "baz", {"val": "baz"})]),
    ]
    for call in calls:
        with pytest.raises(asyncio.InvalidStateError, match="asynchronous"):
            call()
    with ThreadPoolExecutor(max_workers=4) as threads:
        working = [threads.submit(call) for call in calls * 5]
        await asyncio.gather(*map(asyncio.wrap_future, working))
    await asyncio.to_thread(store.put, ("foo", "bar"), "baz", {"val": "baz"})
    found = await asyncio.to_thread(store.get, ("foo", "bar"), "baz")
    assert found is not None
    assert found.value == {"val": "baz"}


TREE = (
    ("a", "b", "c"),
    ("a", "b", "d", "e"),
    ("a", "b", "d", "i"),
    ("a", "b", "f"),
    ("a", "c", "f"),
    ("b", "a", "f"),
    ("users", "123"),
    ("users", "456", "settings"),
    ("admin", "users", "789"),
)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"prefix": ("a", "b")}, TREE[:4]),
        ({"suffix": ("f",)}, TREE[3:6]),
        ({"prefix": ("a",), "suffix": ("f",)}, TREE[3:5]),
        (
            {"prefix": ("a", "b"), "max_depth": 3},
            (("a", "b", "c"), ("a", "b", "d"), ("a", "b", "f")),
        ),
        ({"prefix": ("a", "b"), "limit": 2}, TREE[:2]),
        ({"prefix": ("a", "b"), "offset": 2}, TREE[2:4]),
        ({"prefix": ("a", "*", "f")}, TREE[3:5]),
        ({"suffix": ("*", "f")}, TREE[3:6]),
        ({"prefix": ("nonexistent",)}, ()),
        ({"prefix": ("users", "123")}, (("users", "123"),)),
        ({"prefix": ("users", "*")}, TREE[6:8]),
        ({"prefix": ("*", "users"), "suffix": ("*", "settings")}, ()),
        ({}, tuple(sorted(TREE))),
        ({"max_depth": 1}, (("a",), ("admin",), ("b",), ("users",))),
    ],
)
async def test_namespaces_are_listed(
    store: GieokStore, asked: dict[str, Any], expected: tuple[tuple[str, ...], ...]
) -> None:
    await fill(store, *TREE)
    assert await store.alist_namespaces(**asked) == list(expected)


async def test_pages_of_namespaces(store: GieokStore) -> None:
    assert await store.alist_namespaces() == []
    names = [("namespace", f"sub_{number:02d}") for number in range(20)]
    await fill(store, *names)
    for start in (0, 5, 15):
        listed = await store.alist_namespaces(
            prefix=("namespace",), limit=5, offset=start
        )
        assert listed == names[start : start + 5]


async def test_pages_of_items_put_together_hold_each_once(
    store: GieokStore, memory: Gieok, me: Scope
) -> None:
    names = [f"key{number:02d}" for number in range(20)]
    await store.abatch([PutOp(("a",), name, {"text": name}) for name in names])
    await memory.items.index(me)
    found: list[str] = []
    for start in range(0, 20, 3):
        page = await store.asearch(("a",), limit=3, offset=start)
        found += [each.key for each in page]
    assert found == names[::-1]


async def test_a_prefix_ends_where_a_label_ends(store: GieokStore) -> None:
    await fill(
        store,
        ("foo",),
        ("foo", "child"),
        ("foo", "child", "deep"),
        ("foobar",),
        ("foobar", "baz"),
        ("uid", "users", "alice"),
        ("uid", "users", "malice"),
    )

    async def below(*prefix: str) -> set[tuple[str, ...]]:
        found = await store.asearch(prefix, limit=100)
        return {each.namespace for each in found}

    assert await below("foo") == {("foo",), ("foo", "child"), ("foo", "child", "deep")}
    assert await below("foobar") == {("foobar",), ("foobar", "baz")}
    assert await below("fo") == set()
    assert len(await below()) == 7
    assert await store.alist_namespaces(suffix=("alice",)) == [
        ("uid", "users", "alice")
    ]


async def test_labels_mean_nothing_but_themselves(store: GieokStore) -> None:
    odd = [("user_1",), ("userX1",), ("a%b",), ("axxb",), ("q'; DROP",), ("alice\n",)]
    await fill(store, *odd, ("alice",), ("Alice",), ("a[b]?",))
    for label in [*odd, ("alice",), ("Alice",), ("a[b]?",)]:
        found = await store.asearch(label, limit=100)
        assert [each.namespace for each in found] == [label]
    assert await store.alist_namespaces(suffix=("alice",)) == [("alice",)]


async def test_bad_namespaces_are_refused_and_langgraphs_own_need_a_batch(
    store: GieokStore,
) -> None:
    for bad in ((), ("the", "thing.about"), ("some", "fun", ""), ("langgraph", "foo")):
        with pytest.raises(InvalidNamespaceError):
            await store.aput(bad, "foo", {"foo": "bar"})
    with pytest.raises(InvalidNamespaceError):
        await store.abatch([PutOp(("foo.bar",), "k", {"v": 1})])
    listing = MatchCondition("prefix", ("foo.bar",))
    with pytest.raises(InvalidNamespaceError):
        await store.abatch([ListNamespacesOp(match_conditions=(listing,))])
    inner = ("foo", "langgraph", "foo")
    await store.aput(inner, "bar", {"foo": "bar"})
    assert keys(await store.asearch(inner, query="bar")) == ["bar"]
    await store.abatch([PutOp(("langgraph", "foo"), "bar", {"foo": "bar"})])
    assert await store.aget(("langgraph", "foo"), "bar") is not None
    await store.adelete(("langgraph", "foo"), "bar")
    assert await store.aget(("langgraph", "foo"), "bar") is None
