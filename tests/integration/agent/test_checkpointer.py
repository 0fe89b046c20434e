"""`GieokSaver` in graphs: whose state it is, what lies on disk, what goes wrong."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, cast
from uuid import UUID, uuid4

import psycopg
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.conformance.test_utils import (
    generate_checkpoint,
    generate_metadata,
)
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command

from gieok import Gieok, Scope, Turn
from gieok.agent.turns import record_turn
from gieok.kernel.errors import (
    InvalidInputError,
    NotFoundError,
    NotPermittedError,
    SchemaError,
)
from gieok.sessions.threads import delete_threads
from gieok.surfaces.langgraph import GieokSaver
from gieok.testing import FixedClock
from support.database import Owner
from support.graphs import CANARIES, TABLES, State, config, graph, rows, say


@pytest.mark.req("B01", "B07")
async def test_a_graph_stops_and_goes_on_in_another_process(
    memory: Gieok, me: Scope
) -> None:
    session = await memory.sessions.start(me)
    here = config(str(session.session_id))
    await graph(GieokSaver(memory, me)).ainvoke({"said": ["hello"]}, here)
    again = graph(GieokSaver(memory, me))
    stopped = await again.aget_state(here)
    assert stopped.next == ("ask",)
    done = await again.ainvoke(Command(resume="yes"), here)
    assert done["said"] == ["hello", "thought", "yes"]
    assert (done["last"], done["price"], done["sure"]) == (CANARIES[1], 731.4159, True)


@pytest.mark.req("B01", "D16")
async def test_nothing_of_a_state_or_its_metadata_can_be_read_on_disk(
    memory: Gieok, owner: Owner
) -> None:
    saver = GieokSaver(memory)
    me = memory.person(CANARIES[4])
    thread = f"about {CANARIES[3]}"
    run = config(thread, user_id=CANARIES[4], team=CANARIES[3])
    run["metadata"] = {"note": CANARIES[3]}
    await graph(saver).ainvoke({"said": [CANARIES[0]], "last": CANARIES[1]}, run)
    state = await graph(saver).aget_state(run)
    assert state.values["said"][0] == CANARIES[0]
    assert state.metadata["note"] == CANARIES[3]
    held = [row for table in TABLES for row in await rows(owner, table, me)]
    assert len(held) > 5
    for row in held:
        shown = "".join(
            bytes(part).decode("utf-8", "replace")
            if isinstance(part, bytes)
            else repr(part)
            for part in row
        )
        assert not [word for word in CANARIES if word in shown]
        assert CANARIES[0].encode("unicode_escape").decode() not in shown


@pytest.mark.req("B01", "E20")
async def test_someone_elses_thread_is_one_that_was_never_written(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    thread = str(uuid4())
    mine, theirs = GieokSaver(memory, me), GieokSaver(memory, other)
    await graph(mine).ainvoke({"said": ["mine"]}, config(thread))
    assert await theirs.aget_tuple(config(thread)) is None
    assert [each async for each in theirs.alist(config(thread))] == []
    assert [each async for each in theirs.alist(None)] == []
    await theirs.adelete_thread(thread)
    await graph(theirs).ainvoke({"said": ["theirs"]}, config(thread))
    kept = await mine.aget_tuple(config(thread))
    assert kept is not None
    assert kept.checkpoint["channel_values"]["said"] == ["mine", "thought"]
    stolen = await mine.aget_tuple(kept.config)
    assert stolen is not None
    with pytest.raises(NotFoundError):
        await theirs.aput(
            config(thread), stolen.checkpoint, stolen.metadata, {"said": "1"}
        )


async def test_a_name_of_the_apps_is_a_thread_of_each_person(
    memory: Gieok, me: Scope, other: Scope, owner: Owner
) -> None:
    for person in (me, other):
        saver = GieokSaver(memory, person)
        await graph(saver).ainvoke({"said": [person.user_id.hex]}, config("main"))
        found = await saver.aget_tuple(config("main"))
        assert found is not None
        assert cast("Any", found.config)["configurable"]["thread_id"] == "main"
        assert found.checkpoint["channel_values"]["said"][0] == person.user_id.hex
    (row, *_) = await rows(owner, "checkpoints", me)
    assert row[0] == str(memory.accounts.session_id(me, "main"))


async def test_the_config_says_whose_thread_it_is_and_hands_it_on(
    memory: Gieok,
) -> None:
    saver = GieokSaver(memory)
    here = config(str(uuid4()), user_id="person in a config")
    await graph(saver).ainvoke({"said": ["hi"]}, here)
    state = await graph(saver).aget_state(here)
    assert state.config["configurable"]["user_id"] == "person in a config"
    changed = await graph(saver).aupdate_state(state.config, {"said": ["more"]})
    after = await graph(saver).aget_state(changed)
    assert after.values["said"][-1] == "more"
    history = [each async for each in graph(saver).aget_state_history(here)]
    assert len(history) >= 4


async def test_a_node_lists_the_threads_of_the_person_of_its_run(
    memory: Gieok,
) -> None:
    saver, found = GieokSaver(memory), list[Any]()

    async def look(state: State) -> State:
        found.extend([each async for each in saver.alist(None)])
        return {"said": [f"{len(state['said'])} said"]}

    builder = StateGraph(State)
    builder.add_node("look", look)
    builder.add_edge(START, "look")
    looking = builder.compile(checkpointer=saver)
    here = config("now", user_id="who lists")
    await graph(saver).ainvoke({"said": ["hi"]}, config("then", user_id="who lists"))
    await graph(saver).ainvoke({"said": ["hi"]}, config("then", user_id="another"))
    await looking.ainvoke({"said": ["hi"]}, here)
    named = [each.config["configurable"] for each in found]
    then = memory.accounts.session_id(memory.person("who lists"), "then")
    assert str(then) in {each["thread_id"] for each in named}
    assert {each["user_id"] for each in named} == {"who lists"}
    for each in found:
        again = await saver.aget_tuple(each.config)
        assert again is not None
        assert again.checkpoint["id"] == each.checkpoint["id"]
    with pytest.raises(InvalidInputError, match="user_id"):
        _ = [each async for each in saver.alist(None)]


@pytest.mark.parametrize(
    ("run", "field"),
    [
        (config("t"), "user_id"),
        (config("t", user_id=7), "user_id"),
        (config("t", user_id=""), "user_id"),
        (config("\x00", user_id="me"), "thread_id"),
        (config("x" * 200, user_id="me"), "thread_id"),
        (config(["t"], user_id="me"), "thread_id"),
        (config(None, user_id="me"), "thread_id"),
    ],
)
async def test_a_config_that_names_nobody_or_nothing_is_refused_by_its_field(
    memory: Gieok, run: RunnableConfig, field: str
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        await GieokSaver(memory).aget_tuple(run)
    assert caught.value.field == field


async def test_metadata_is_filtered_although_it_is_sealed(
    memory: Gieok, me: Scope
) -> None:
    saver, thread = GieokSaver(memory, me), str(uuid4())
    for step in range(3):
        tags = {"tags": ["a", {"deep": step}], "flag": step == 1, "step": step}
        await saver.aput(
            config(thread, checkpoint_ns=""),
            generate_checkpoint(),
            generate_metadata(**tags),
            {},
        )

    async def steps(wanted: dict[str, Any], limit: int | None = None) -> list[int]:
        listed = saver.alist(config(thread), filter=wanted, limit=limit)
        return [each.metadata.get("step", -9) async for each in listed]

    assert await steps({"tags": [{"deep": 2}]}) == [2]
    assert await steps({"flag": True}) == [1]
    assert await steps({"flag": 1}) == []
    assert await steps({"tags": ["a"]}, limit=2) == [2, 1]
    assert await steps({"tags": ["a"], "step": 0}) == [0]
    assert await steps({"absent": None}) == []
    everything = [each async for each in saver.alist(None, limit=2)]
    assert [each.metadata.get("step") for each in everything] == [2, 1]


@pytest.mark.req("B11")
async def test_a_lower_layer_deletes_the_states_of_a_session(
    memory: Gieok, me: Scope, other: Scope, owner: Owner
) -> None:
    session = (await memory.sessions.start(me)).session_id
    here = config(str(session))
    saver = GieokSaver(memory, me)
    await graph(saver).ainvoke({"said": ["bye"]}, here)
    async with memory.maintenance.database.begin(other) as tx:
        assert await delete_threads(tx, [session]) == 0
    async with memory.maintenance.database.begin(me) as tx:
        assert await delete_threads(tx, [session]) >= 2
    assert [len(await rows(owner, table, me)) for table in TABLES] == [0, 0, 0]
    assert await saver.aget_tuple(here) is None


async def test_deleting_a_thread_is_audited_and_deletes_that_thread_only(
    memory: Gieok, me: Scope
) -> None:
    saver = GieokSaver(memory, me)
    for thread in ("one", "two"):
        await graph(saver).ainvoke({"said": [thread]}, config(thread))
    await saver.adelete_thread("one")
    await saver.adelete_thread("one")
    assert await saver.aget_tuple(config("one")) is None
    assert await saver.aget_tuple(config("two")) is not None
    lines = [
        each for each in await memory.audit.lines(me) if each.event_type == "delete"
    ]
    assert [each.target_id for each in lines] == [memory.accounts.session_id(me, "one")]


@pytest.mark.req("A15")
async def test_pruning_threads_away_is_audited_as_deleting_them(
    memory: Gieok, me: Scope
) -> None:
    saver = GieokSaver(memory, me)
    for thread in ("one", "two", "three"):
        await graph(saver).ainvoke({"said": [thread]}, config(thread))
    for _ in "12":
        await saver.aprune(["one", "two"], strategy="delete")
    assert await saver.aget_tuple(config("one")) is None
    assert await saver.aget_tuple(config("three")) is not None
    deleted = [
        each.target_id
        for each in await memory.audit.lines(me)
        if each.event_type == "delete"
    ]
    gone = [memory.accounts.session_id(me, each) for each in ("one", "two")]
    assert sorted(map(str, deleted)) == sorted(map(str, gone))


@pytest.mark.req("E19")
async def test_states_go_with_their_person(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    await graph(GieokSaver(memory, me)).ainvoke({"said": ["x"]}, config("t"))
    await owner.execute("DELETE FROM users WHERE user_id = %s", [me.user_id])
    assert [len(await rows(owner, table, me)) for table in TABLES] == [0, 0, 0]


@pytest.mark.req("B01")
async def test_nothing_is_kept_of_who_does_not_agree_to_storage(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    saver, here = GieokSaver(memory, me), config("main")
    await graph(saver).ainvoke({"said": ["before"]}, here)
    kept = [await rows(owner, table, me) for table in TABLES]
    await memory.settings.consent(me, {"storage": False})
    with pytest.raises(NotPermittedError, match="storage"):
        await graph(saver).ainvoke({"said": ["after"]}, here)
    with pytest.raises(NotPermittedError, match="storage"):
        await saver.aput_writes(
            {"configurable": {"thread_id": "main", "checkpoint_id": str(uuid4())}},
            [("said", "after")],
            str(uuid4()),
        )
    assert [await rows(owner, table, me) for table in TABLES] == kept
    assert await saver.aget_tuple(here), "it is there until a job has erased it"
    await saver.adelete_thread("main")
    assert await saver.aget_tuple(here) is None
    await memory.settings.consent(me, {"storage": True})
    await graph(saver).ainvoke({"said": ["again"]}, here)


async def say_in(memory: Gieok, me: Scope, text: str) -> UUID:
    """Say something in the thread "daily"; return the session that it stands in."""
    await graph(GieokSaver(memory, me)).ainvoke({"said": [text]}, config("daily"))
    return (await record_turn(memory, me, "daily", Turn(text, "네."))).session_id


async def begin_daily(
    memory: Gieok, me: Scope, clock: FixedClock, way: str
) -> tuple[UUID, UUID]:
    """Return two sessions of one thread: one rested, or was full, before the other."""
    daily = memory.accounts.session_id(me, "daily")
    if way == "full":
        await memory.sessions.start(me, session_id=daily, max_pairs=1)
    first = await say_in(memory, me, "하나")
    if way == "rested":
        clock.advance(timedelta(days=1))
        await memory.sessions.expire_idle(me)
    second = await say_in(memory, me, "둘")
    assert (first, second != first) == (daily, True)
    assert await say_in(memory, me, "셋") == second or way == "full"
    return first, second


@pytest.mark.req("B11")
@pytest.mark.parametrize("way", ["rested", "full"])
@pytest.mark.parametrize("gone", [0, 1])
async def test_the_states_of_a_thread_go_with_any_of_its_sessions(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock, way: str, gone: int
) -> None:
    others = GieokSaver(memory, me)
    await graph(others).ainvoke({"said": ["other"]}, config("other"))
    sessions = await begin_daily(memory, me, clock, way)
    await memory.erasure.session(me, sessions[gone])
    saver = GieokSaver(memory, me)
    assert await saver.aget_tuple(config("daily")) is None
    assert await saver.aget_tuple(config("other")) is not None
    threads = {row[0] for table in TABLES for row in await rows(owner, table, me)}
    assert threads == {str(memory.accounts.session_id(me, "other"))}
    await say_in(memory, me, "넷")
    assert await saver.aget_tuple(config("daily")) is not None


@pytest.mark.req("B11")
@pytest.mark.usefixtures("replayed")
async def test_a_restore_erases_no_session_that_only_shares_a_thread_with_an_erased_one(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    first, second = await begin_daily(memory, me, clock, "rested")
    await memory.erasure.session(me, second)
    await memory.erasure.replay()
    assert len((await memory.sessions.read(me, first)).messages) == 2


@pytest.mark.req("B11")
@pytest.mark.parametrize("way", ["rested", "full"])
async def test_the_states_of_a_thread_are_kept_until_its_last_words_are_gone(
    memory: Gieok, me: Scope, clock: FixedClock, way: str
) -> None:
    first, second = await begin_daily(memory, me, clock, way)
    saver = GieokSaver(memory, me)
    clock.advance(timedelta(days=29))
    last = await say_in(memory, me, "넷")
    clock.advance(timedelta(days=1, hours=1))
    await memory.sessions.expire_idle(me)
    assert await memory.retention.expire(me) > 0
    for session_id in (first, second):
        assert not (await memory.sessions.read(me, session_id)).messages
    assert (await memory.sessions.read(me, last)).messages
    assert await saver.aget_tuple(config("daily")) is not None
    clock.advance(timedelta(days=30))
    assert await memory.retention.expire(me) > 0
    assert await saver.aget_tuple(config("daily")) is None


async def test_other_threads_may_call_it_synchronously(
    memory: Gieok, me: Scope
) -> None:
    saver = GieokSaver(memory, me)
    builder = StateGraph(State)
    builder.add_node("say", say)
    builder.add_edge(START, "say")
    run = builder.compile(checkpointer=saver)
    done = await asyncio.to_thread(run.invoke, {"said": []}, config("sync"))
    assert done["said"] == ["sync after 0"]
    found = await asyncio.to_thread(saver.get_tuple, config("sync"))
    assert found is not None
    await asyncio.to_thread(saver.delete_thread, "sync")
    assert await saver.aget_tuple(config("sync")) is None
    with pytest.raises(asyncio.InvalidStateError):
        saver.get_tuple(config("sync"))


async def test_the_tables_are_those_that_the_librarys_setup_makes(
    memory: Gieok, owner: Owner, address: str
) -> None:
    assert memory.maintenance.database, "it has made ours"
    await owner.execute("CREATE SCHEMA librarys")
    there = f"{address} options='-c search_path=librarys'"
    async with AsyncPostgresSaver.from_conn_string(there) as saver:
        await saver.setup()

    async def columns(schema: str) -> set[tuple[Any, ...]]:
        found = await owner.execute(
            "SELECT table_name, column_name, data_type, is_nullable, "
            "  CASE WHEN column_name <> 'user_id' THEN column_default END "
            "FROM information_schema.columns WHERE table_schema = %s "
            "AND starts_with(table_name, 'checkpoint') AND column_name <> 'user_id'",
            [schema],
        )
        return set(await found.fetchall())

    async def keys(schema: str) -> set[tuple[Any, ...]]:
        found = await owner.execute(
            "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) "
            "FROM pg_constraint WHERE contype = 'p' AND connamespace = %s::regnamespace"
            " AND pg_get_constraintdef(oid) LIKE '%%(%%'",
            [schema],
        )
        every = {(row[0].rpartition(".")[2], row[1]) for row in await found.fetchall()}
        return {row for row in every if row[0].startswith("checkpoint")}

    assert await columns("gieok") == await columns("librarys")
    assert await keys("gieok") == await keys("librarys")
    versions = "SELECT array_agg(v ORDER BY v) FROM {}.checkpoint_migrations"
    ours = await owner.execute(versions.format("gieok").encode())
    theirs = await owner.execute(versions.format("librarys").encode())
    assert await ours.fetchone() == await theirs.fetchone()
    await owner.execute("DROP SCHEMA librarys CASCADE")


async def test_a_library_with_newer_tables_is_refused(
    memory: Gieok, me: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = [*GieokSaver.MIGRATIONS, "SELECT 1"]
    monkeypatch.setattr(GieokSaver, "MIGRATIONS", newer)
    with pytest.raises(SchemaError, match="newer"):
        GieokSaver(memory, me)


async def test_setup_is_allowed_and_changes_nothing(memory: Gieok, me: Scope) -> None:
    saver = GieokSaver(memory, me)
    await saver.setup()
    with pytest.raises(psycopg.Error):
        async with memory.maintenance.database.connection() as connection:
            await connection.execute("CREATE TABLE checkpoints_too (v int)")


async def test_two_people_in_one_process_at_once_keep_apart(memory: Gieok) -> None:
    saver = GieokSaver(memory)

    async def talk(name: str) -> Mapping[str, Any]:
        here = config("same name", user_id=name)
        await graph(saver).ainvoke({"said": [name]}, here)
        return (await graph(saver).aget_state(here)).values

    people = [f"crowd-{number}" for number in range(8)]
    values = await asyncio.gather(*(talk(name) for name in people))
    assert [each["said"][0] for each in values] == people
