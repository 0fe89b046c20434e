"""Whose items they are, how they lie on disk, how long they stay."""

import asyncio
from datetime import timedelta
from typing import Any, Required, TypedDict

import pytest
from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore, GetOp, PutOp

from gieok import Config, Gieok, Parts, Scope, open_memory
from gieok.items import Get, Put
from gieok.kernel.errors import (
    InvalidInputError,
    ModelUnavailableError,
    NotPermittedError,
)
from gieok.kernel.language import Vectors
from gieok.kernel.scope import Actor
from gieok.surfaces.langgraph import GieokStore
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from gieok.worker.job_steps import ON
from support.database import Owner
from support.store_people import keys, values

SPACE = ("memories",)


class State(TypedDict, total=False):
    said: Required[str]
    found: list[str]


async def remember(state: State, runtime: Runtime[None]) -> State:
    store = runtime.store
    assert isinstance(store, BaseStore)
    await store.aput(SPACE, state["said"], {"text": state["said"]})
    return {**state, "found": keys(await store.asearch(SPACE))}


def remember_in_a_thread(state: State, runtime: Runtime[None]) -> State:
    store = runtime.store
    assert isinstance(store, BaseStore)
    store.put(SPACE, state["said"], {"text": state["said"]})
    return {**state, "found": keys(store.search(SPACE))}


@pytest.mark.req("D13")
@pytest.mark.parametrize("node", [remember, remember_in_a_thread])
async def test_the_run_says_whose_items_they_are(memory: Gieok, node: Any) -> None:
    builder = StateGraph(State)
    builder.add_node("remember", node)
    builder.add_edge(START, "remember")
    run = builder.compile(store=GieokStore(memory))
    names = [f"{node.__name__}-{number}" for number in range(6)]
    done = await asyncio.gather(
        *(
            run.ainvoke({"said": f"of {name}"}, {"configurable": {"user_id": name}})
            for name in names
        )
    )
    assert [each["found"] for each in done] == [[f"of {name}"] for name in names]
    with pytest.raises(InvalidInputError, match="names a person"):
        await run.ainvoke({"said": "nobody's"}, {"configurable": {}})


async def test_outside_of_a_graph_a_person_has_to_be_given(memory: Gieok) -> None:
    with pytest.raises(InvalidInputError) as caught:
        await GieokStore(memory).aget(SPACE, "k")
    assert caught.value.field == "user_id"
    assert "사용자" in caught.value.message("ko")


@pytest.mark.req("E20")
async def test_nobody_sees_anybody_elses_items(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    mine, theirs = GieokStore(memory, me), GieokStore(memory, other)
    await mine.aput(SPACE, "k", {"text": "mine"})
    assert await theirs.aget(SPACE, "k") is None
    assert await theirs.asearch(()) == []
    assert await theirs.asearch((), query="mine") == []
    assert await theirs.alist_namespaces() == []
    await theirs.adelete(SPACE, "k")
    await theirs.aput(SPACE, "k", {"text": "theirs"})
    assert values(await mine.asearch(())) == [{"text": "mine"}]


@pytest.mark.req("D16", "E19")
async def test_no_label_key_or_value_can_be_read_on_disk(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    words = ("canary-label", "canary-key", "canary-field", "까나리뷁", "canary-who")
    store = GieokStore(memory, me)
    value = {words[2]: words[3], "speaker": words[4]}
    await store.aput((words[0], "x"), words[1], value)
    await memory.items.index(me)
    found = await owner.execute(
        "SELECT s::text, name, content, search FROM store_items AS s "
        "WHERE user_id = %s",
        [me.user_id],
    )
    (row,) = await found.fetchall()
    assert row[3] is not None
    for part in row:
        raw = part.encode() if isinstance(part, str) else bytes(part)
        for word in words:
            assert word.encode() not in raw
            assert word.encode().hex().encode() not in raw
    names = await owner.execute(
        "SELECT details::text, reason FROM memory_audit_log WHERE user_id = %s",
        [me.user_id],
    )
    assert not any(
        word in str(line) for line in await names.fetchall() for word in words
    )


async def test_a_value_that_was_moved_or_changed_is_left_out(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    store = GieokStore(memory, me)
    await store.aput(SPACE, "a", {"text": "a"})
    await store.aput(SPACE, "b", {"text": "b"})
    await owner.execute(
        "UPDATE store_items SET content = (SELECT content FROM store_items AS one "
        "WHERE one.user_id = store_items.user_id ORDER BY position LIMIT 1) "
        "WHERE user_id = %s",
        [me.user_id],
    )
    assert keys(await store.asearch(())) == ["a"]
    assert await store.aget(SPACE, "b") is None


@pytest.mark.req("D13")
async def test_words_are_found_at_once_and_meaning_when_the_job_is_done(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    store = GieokStore(memory, me)
    await store.aput(SPACE, "cat", {"text": "My cat is called Momo"})
    await store.aput(SPACE, "job", {"text": "I work in Busan"})
    assert (await store.asearch(SPACE, query="cat"))[0].key == "cat"
    waiting = await owner.execute(
        "SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'vector_missing' "
        "AND args->>'user_id' = %s",
        [str(me.user_id)],
    )
    assert await waiting.fetchone() == (1,)
    assert await memory.items.index(me) == 2
    assert await memory.items.index(me) == 0
    assert (await store.asearch(SPACE, query="cat"))[0].key == "cat"
    assert {step.__name__ for steps in ON.values() for step in steps} >= {
        "index_items",
        "expire_items",
    }


@pytest.mark.req("A08", "A09")
async def test_changes_are_numbered_and_audited_without_content(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    store = GieokStore(memory, me)
    await store.abatch([PutOp(SPACE, "a", {"n": 1}), PutOp(SPACE, "b", {"n": 1})])
    await store.aput(SPACE, "a", {"n": 2})
    await store.aget(SPACE, "a")
    await store.adelete(SPACE, "a")
    await store.adelete(SPACE, "never there")
    feed = await owner.execute(
        "SELECT operation FROM memory_updates WHERE user_id = %s ORDER BY seq",
        [me.user_id],
    )
    assert [row[0] for row in await feed.fetchall()] == ["put", "put", "put", "delete"]
    lines = [(each.event_type, each.details) for each in await memory.audit.lines(me)]
    assert [kind for kind, _ in sorted(lines, key=str)] == [
        "access",
        "create",
        "delete",
        "update",
    ]
    assert await memory.audit.verify(me)


async def test_a_time_to_live_starts_anew_with_each_reading(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    store = GieokStore(memory, me, ttl={"default_ttl": 10, "refresh_on_read": True})
    await store.aput(SPACE, "short", {"text": "short lived"})
    await store.aput(SPACE, "long", {"text": "long lived"}, ttl=None)
    for read in (
        store.aget(SPACE, "short"),
        store.asearch(SPACE),
        store.asearch(SPACE, query="short"),
    ):
        clock.advance(timedelta(minutes=9))
        assert await read
    clock.advance(timedelta(minutes=9))
    assert await store.aget(SPACE, "short", refresh_ttl=False)
    clock.advance(timedelta(minutes=2))
    assert await store.aget(SPACE, "short", refresh_ttl=True) is None
    assert keys(await store.asearch(SPACE)) == ["long"]
    assert keys(await store.asearch(SPACE, query="short")) == ["long"]
    assert await store.sweep_ttl() == 1
    assert await store.sweep_ttl() == 0


async def test_expired_items_take_no_place_on_a_page_or_in_the_list(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    store = GieokStore(memory, me)
    for number in range(4):
        clock.advance(timedelta(seconds=1))
        ttl = 1 if number % 2 else None
        await store.aput((f"s{number}",), str(number), {"n": number}, ttl=ttl)
    clock.advance(timedelta(minutes=2))
    assert keys(await store.asearch((), limit=2)) == ["2", "0"]
    assert await store.alist_namespaces() == [("s0",), ("s2",)]


async def test_the_agenda_sweeps_what_has_expired(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    store = GieokStore(memory, me)
    await store.aput(SPACE, "k", {"n": 1}, ttl=5)
    due = await owner.execute(
        "SELECT due FROM agenda WHERE user_id = %s AND task = 'items_expired'",
        [me.user_id],
    )
    row = await due.fetchone()
    assert row is not None
    assert row[0] == clock() + timedelta(minutes=5)
    clock.advance(timedelta(minutes=6))
    assert await memory.agenda.enqueue_due() >= 1
    (step,) = next(steps for kind, steps in ON.items() if kind.name == "items_expired")
    await step(memory, Scope(me.user_id, Actor.CLOUD), me.user_id)
    left = await owner.execute(
        "SELECT FROM store_items WHERE user_id = %s", [me.user_id]
    )
    assert await left.fetchall() == []


@pytest.mark.req("D04")
async def test_who_switched_memory_off_keeps_nothing_new_and_may_remove(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    store = GieokStore(memory, me)
    await store.aput(SPACE, "k", {"text": "before"})
    await memory.settings.update(me, {"is_enabled": False})
    with pytest.raises(NotPermittedError):
        await store.aput(SPACE, "new", {"text": "after"})
    assert await store.aget(SPACE, "k") is None
    assert await store.asearch(SPACE, query="before") == []
    assert await store.alist_namespaces() == []
    await store.adelete(SPACE, "k")
    left = await owner.execute(
        "SELECT FROM store_items WHERE user_id = %s", [me.user_id]
    )
    assert await left.fetchall() == []


@pytest.mark.req("E19")
async def test_items_go_with_their_person(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    store = GieokStore(memory, me)
    await store.aput(SPACE, "k", {"text": "gone"})
    assert await store.asearch(SPACE, query="gone")
    await owner.execute("DELETE FROM users WHERE user_id = %s", [me.user_id])
    memory.items.drop(me)
    assert await store.asearch(SPACE, query="gone") == []
    assert await store.aget(SPACE, "k") is None


CIRCLE: dict[str, Any] = {}
CIRCLE["self"] = CIRCLE


@pytest.mark.parametrize(
    ("operation", "field"),
    [
        (lambda s: s.aput(SPACE, "", {"n": 1}), "key"),
        (lambda s: s.aput(SPACE, "k\x00", {"n": 1}), "key"),
        (lambda s: s.aput(SPACE, "k" * 2_000, {"n": 1}), "key"),
        (lambda s: s.aput(("n" * 2_000,), "k", {"n": 1}), "namespace"),
        (lambda s: s.aput(("n",) * 40, "k", {"n": 1}), "namespace"),
        (lambda s: s.aput(SPACE, "k", "text"), "value"),
        (lambda s: s.aput(SPACE, "k", {1: "x"}), "value"),
        (lambda s: s.aput(SPACE, "k", {"n": float("nan")}), "value"),
        (lambda s: s.aput(SPACE, "k", {"n": object()}), "value"),
        (lambda s: s.aput(SPACE, "k", {"n": "\ud800"}), "value"),
        (lambda s: s.aput(SPACE, "k", CIRCLE), "value"),
        (lambda s: s.aput(SPACE, "k", {"n": "x" * 5_000_001}, index=False), "value"),
        (lambda s: s.aput(SPACE, "k", {"n": 1}, index="text"), "index"),
        (lambda s: s.aput(SPACE, "k", {"n": 1}, index=[1]), "index"),
        (lambda s: s.aput(SPACE, "k", {"n": 1}, ttl=-1), "ttl"),
        (lambda s: s.aput(SPACE, "k", {"n": 1}, ttl=float("inf")), "ttl"),
        (lambda s: s.asearch(SPACE, limit=-1), "limit"),
        (lambda s: s.asearch(SPACE, limit=10_001), "limit"),
        (lambda s: s.asearch(SPACE, offset=-1), "offset"),
        (lambda s: s.asearch(SPACE, filter={"n": {"$near": 1}}), "filter"),
        (lambda s: s.asearch(SPACE, filter={"n": {"$gt": 1, "x": 2}}), "filter"),
        (lambda s: s.asearch(SPACE, filter=["n"]), "filter"),
        (lambda s: s.asearch(SPACE, query="q" * 40_000), "query"),
        (lambda s: s.asearch(SPACE, query="q\x00"), "query"),
        (lambda s: s.alist_namespaces(max_depth=0), "max_depth"),
        (lambda s: s.alist_namespaces(limit=-1), "limit"),
        (lambda s: s.abatch([GetOp(SPACE, "k")] * 10_001), "operations"),
    ],
)
async def test_what_cannot_be_accepted_is_named_and_nothing_is_kept(
    memory: Gieok, me: Scope, operation: Any, field: str
) -> None:
    store = GieokStore(memory, me)
    with pytest.raises(InvalidInputError) as caught:
        await operation(store)
    assert caught.value.field == field
    assert await store.asearch(()) == []


async def test_a_batch_is_kept_whole_or_not_at_all(memory: Gieok, me: Scope) -> None:
    store = GieokStore(memory, me)
    with pytest.raises(InvalidInputError):
        await store.abatch([PutOp(SPACE, "a", {"n": 1}), PutOp(SPACE, "", {"n": 1})])
    assert await store.asearch(()) == []


async def test_without_an_embedder_words_alone_find(tmp_path: Any) -> None:
    class Away(HashEmbedder):
        async def queries(self, texts: Any) -> Vectors:
            raise ModelUnavailableError("The embedder", f"{len(texts)} unanswered")

        passages = queries

    parts = Parts(model=ScriptedModel(), embedder=Away(), tokenizer=WordTokenizer())
    async with open_memory(Config(data=tmp_path), parts=parts, worker=False) as memory:
        store = GieokStore(memory, "me")
        await store.aput(SPACE, "cat", {"text": "the cat"})
        await store.aput(SPACE, "dog", {"text": "the dog"})
        with pytest.raises(ModelUnavailableError):
            await memory.items.index(memory.person("me"))
        assert (await store.asearch(SPACE, query="dog"))[0].key == "dog"


async def test_an_item_put_while_it_was_embedded_keeps_its_new_words(
    memory: Gieok, me: Scope
) -> None:
    """The job read the old value; what it made of that is not kept."""
    key = await memory.maintenance.vault.get_key(me)
    await memory.items.batch(me, [Put(SPACE, "k", {"t": "old"}, texts=["old"])])
    batch = await memory.items._list_waiting(me, key)  # noqa: SLF001 - between its steps
    await memory.items.batch(me, [Put(SPACE, "k", {"t": "new"}, texts=["new"])])
    await memory.items._index_items(me, key, batch)  # noqa: SLF001 - as above
    assert await memory.items.index(me) == 1
    (found,) = await memory.items.batch(me, [Get(SPACE, "k")])
    assert found
    store = GieokStore(memory, me)
    (new,) = await store.asearch(SPACE, query="new")
    (old,) = await store.asearch(SPACE, query="old")
    assert (new.score or 0) > (old.score or 0)
