"""A person of whom something of every kind is kept."""

from datetime import timedelta
from uuid import UUID

import pytest

from gieok import Gieok, Role, Scope, Turn
from gieok.items import Put
from gieok.testing import FixedClock
from support.scripted_model import Script, fact


@pytest.fixture
async def session_id(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> UUID:
    """A session of a person of whom something of every kind is kept."""
    persona = await memory.accounts.persona(me, "루나")
    began = await memory.sessions.start(me, persona_id=persona, config={"theme": 1})
    script.says(fact("사용자는 강남구에 산다"))
    await memory.sessions.record(me, began.session_id, Turn("나 강남구 살아", "네."))
    await memory.sessions.append(
        me, began.session_id, role=Role.USER, content="고양이", metadata={"m": 1}
    )
    await memory.sessions.close(me, began.session_id)
    await memory.settled(me)
    clock.advance(timedelta(days=8))
    await memory.settled(me)
    await memory.memories.remember(me, "고양이를 키운다")
    await memory.items.batch(
        me, [Put(("notes",), "key", {"text": "화분"}, texts=("화분",))]
    )
    await memory.settled(me)
    return began.session_id
