"""A block costs two transactions: what is read, and what is noted of its use."""

from typing import Any

import pytest

from gieok import Gieok, Scope, Turn
from gieok.database import Database


async def test_building_a_block_takes_two_transactions(
    memory: Gieok, me: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("벌을 키워요", "네."))
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)
    await memory.memories.remember(me, "사용자는 강남구에 삶")
    await memory.context.build(me, "벌")
    begun: list[object] = []
    begin = Database.begin

    def count(self: Database, *arguments: Any, **options: Any) -> Any:
        begun.append(arguments)
        return begin(self, *arguments, **options)

    monkeypatch.setattr(Database, "begin", count)
    block = await memory.context.build(me, "벌")
    assert block.lines
    assert len(begun) == 2
