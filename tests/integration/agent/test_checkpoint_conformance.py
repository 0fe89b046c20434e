"""LangGraph's own conformance suite, on `GieokSaver`: everything sealed."""

from collections.abc import AsyncGenerator

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.conformance import checkpointer_test, validate

from gieok import Gieok, Scope
from gieok.surfaces.langgraph import GieokSaver
from support.database import Owner

BASE = {"put", "put_writes", "get_tuple", "list", "delete_thread"}


@pytest.mark.req("B01")
async def test_every_base_capability_and_pruning_conform(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    async def factory() -> AsyncGenerator[BaseCheckpointSaver[str]]:
        yield GieokSaver(memory, me)

    report = await validate(checkpointer_test(name="GieokSaver")(factory))
    ran = {name: each for name, each in report.results.items() if each.detected}
    assert [failure for each in ran.values() for failure in each.failures] == []
    assert set(ran) == BASE | {"prune"}
    assert sum(each.tests_passed for each in ran.values()) >= 66
    kinds = await owner.execute(
        "SELECT type FROM checkpoint_blobs WHERE user_id = %(me)s "
        "UNION SELECT type FROM checkpoint_writes WHERE user_id = %(me)s",
        {"me": me.user_id},
    )
    assert {row[0] for row in await kinds.fetchall()} == {"gieok"}
