"""What goes wrong with a state: size, nodes that raise, damage, age."""

import base64
import json
from uuid import uuid4

import pytest
from langgraph.checkpoint.conformance.test_utils import (
    generate_checkpoint,
    generate_metadata,
)
from langgraph.checkpoint.serde.types import TASKS

from gieok import Gieok, Scope
from gieok.kernel.errors import (
    TamperedError,
)
from gieok.surfaces.langgraph import GieokSaver
from support.database import Owner
from support.graphs import TABLES, config, graph, rows


async def test_a_state_of_five_megabytes_comes_back_whole(
    memory: Gieok, me: Scope
) -> None:
    saver, big = GieokSaver(memory, me), "가" * 1_700_000
    here = config(str(uuid4()))
    await graph(saver).ainvoke({"said": [big]}, here)
    assert (await graph(saver).aget_state(here)).values["said"][0] == big


@pytest.mark.req("E19")
async def test_an_export_holds_what_a_graph_kept(memory: Gieok, me: Scope) -> None:
    thread = str(uuid4())
    await graph(GieokSaver(memory, me)).ainvoke({"said": ["화분에 물"]}, config(thread))
    export = b"".join([chunk async for chunk in memory.portability.export(me)])
    lines = [json.loads(line) for line in export.splitlines()]
    held = dict.fromkeys(("threads", "states", "writes"), b"")
    for line in lines:
        if line.get("part") in held:
            row = line["row"]
            held[line["part"]] += base64.b64decode(row.get("blob") or "")
            assert row["thread_id"] == thread
    assert "화분에 물".encode() in held["states"]
    assert b"thought" in held["writes"]
    assert lines[-1]["manifest"]["parts"]["threads"]["count"] > 0


async def test_a_node_that_raises_loses_nothing_that_was_kept(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    run, here = graph(GieokSaver(memory, me)), config(str(uuid4()))
    with pytest.raises(RuntimeError, match="the node broke"):
        await run.ainvoke({"said": ["before"], "broken": True}, here)
    state = await run.aget_state(here)
    assert state.values["said"] == ["before"]
    assert state.next == ("think",)
    errors = [
        row for row in await rows(owner, "checkpoint_writes", me) if "__err" in row[5]
    ]
    assert errors
    assert all(b"the node broke" not in row[7] for row in errors)
    await run.aupdate_state(here, {"broken": False})
    assert (await run.ainvoke(None, here))["said"] == ["before", "thought"]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE checkpoint_blobs SET blob = set_byte(blob, 20, 7 # get_byte(blob, 20))",
        "UPDATE checkpoint_blobs SET blob = ''",
        "UPDATE checkpoint_blobs SET type = 'msgpack', blob = '\\x01'",
        'UPDATE checkpoints SET metadata = metadata || \'{"gieok": "AAAA"}\'',
        "UPDATE checkpoints SET metadata = metadata || '{\"gieok\": 7}'",
        "UPDATE checkpoints SET checkpoint = '{}'",
        "UPDATE checkpoints SET checkpoint = '[]'",
    ],
)
async def test_a_damaged_checkpoint_is_said_to_be_damaged(
    memory: Gieok, me: Scope, owner: Owner, damage: str
) -> None:
    saver, here = GieokSaver(memory, me), config(str(uuid4()), app="x")
    await graph(saver).ainvoke({"said": ["whole"]}, here)
    await owner.execute(f"{damage} WHERE user_id = %s".encode(), [me.user_id])
    with pytest.raises(TamperedError, match="does not open"):
        await saver.aget_tuple(here)
    with pytest.raises(TamperedError):
        _ = [each async for each in saver.alist(here)]


async def test_a_state_moved_to_another_thread_does_not_open(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    saver, first, second = GieokSaver(memory, me), str(uuid4()), str(uuid4())
    await graph(saver).ainvoke({"said": ["first"]}, config(first))
    for table in TABLES:
        await owner.execute(
            f"UPDATE {table} SET thread_id = %s WHERE thread_id = %s".encode(),
            [second, first],
        )
    with pytest.raises(TamperedError):
        await saver.aget_tuple(config(second))


async def test_a_checkpoint_of_an_older_version_is_brought_up_to_date(
    memory: Gieok, me: Scope
) -> None:
    saver, thread = GieokSaver(memory, me), str(uuid4())
    parent = generate_checkpoint()
    first = await saver.aput(config(thread), parent, generate_metadata(), {})
    await saver.aput_writes(first, [(TASKS, "sent")], "task")
    old = generate_checkpoint(channel_versions={"a": 1}, channel_values={"a": "kept"})
    second = await saver.aput(first, {**old, "v": 3}, generate_metadata(), {"a": 1})
    found = await saver.aget_tuple(second)
    assert found is not None
    assert found.checkpoint["channel_values"] == {"a": "kept", TASKS: ["sent"]}
