"""A run of the agent survives the death of its process."""

from uuid import UUID

import pytest

from gieok.sessions import Layer, Status
from support.processes import (
    Config,
    kill,
    open_data,
    own_config,
    read_line,
    read_until,
    run_program,
)

config = own_config

pytestmark = pytest.mark.acceptance


@pytest.mark.req("B01", "B05", "B07")
async def test_a_run_killed_between_two_layers_is_resumed_where_it_was(
    config: Config,
) -> None:
    with run_program("thinker.py", config.data, "minji", "run", "-") as thinker:
        await read_until(thinker, "asked cognitive")
        between, session_id = (await read_line(thinker)).split(" ")
        assert between == "between"
        assert kill(thinker) == ""
    async with open_data(config) as memory:
        scope = memory.person("minji")
        session = (await memory.sessions.read(scope, UUID(session_id))).session
        assert (session.status, session.current_layer) == (
            Status.ACTIVE,
            Layer.COGNITIVE,
        )
    with run_program(
        "thinker.py", config.data, "minji", "resume", session_id
    ) as thinker:
        assert await read_line(thinker) == "asked planning"
        assert await read_line(thinker) == "asked response"
        told = await read_line(thinker)
    assert told == "done active cognitive: 페트병 response: 페트병"
    async with open_data(config) as memory:
        read = await memory.sessions.read(memory.person("minji"), UUID(session_id))
    assert [m.content for m in read.messages] == ["페트병", "response: 페트병"]
    assert (read.session.total_turns, read.session.total_tokens) == (1, 9)
