"""Leave something of every kind, export it, and read the export."""

import json
from datetime import timedelta
from typing import Any

from gieok import Gieok, Role, Scope, Turn
from gieok.items import Put
from gieok.kernel.language import Basis
from gieok.testing import FixedClock
from support.scripted_model import Script, fact

Lines = list[dict[str, Any]]


async def leave_everything(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    """Leave something of every kind."""
    persona = await memory.accounts.persona(me, "루나")
    device = await memory.accounts.device(me, "거실 스피커")
    session = await memory.sessions.start(
        me, persona_id=persona, device_id=device, config={"theme": "어둡게"}
    )
    script.says(fact("사용자는 강남구에 산다"), fact("커피?", basis=Basis.OBSERVED))
    for number in range(3):
        turn = Turn(f"나 강남구 살아 {number}", "네.", "DEF", {"plan": ["하나"]})
        await memory.sessions.record(me, session.session_id, turn)
    await memory.sessions.append(
        me, session.session_id, role=Role.USER, content="끝", metadata={"m": [1]}
    )
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)
    clock.advance(timedelta(days=8))
    await memory.settled(me)
    kept = await memory.memories.remember(me, "고양이를 키운다")
    await memory.memories.deactivate(me, kept.memory_id)
    await memory.settings.update(me, {"max_memories": 77})
    await memory.accounts.update(me, time_zone="Europe/Berlin")
    await memory.items.batch(me, [Put(("notes", "집"), "key", {"text": "화분 물"})])


async def export_bytes(memory: Gieok, scope: Scope) -> bytes:
    return b"".join([chunk async for chunk in memory.portability.export(scope)])


def parse_export(export: bytes) -> Lines:
    return [json.loads(line) for line in export.splitlines()]


def select_rows(lines: Lines, *, without: tuple[str, ...] = ("audit",)) -> Lines:
    """Return everything but the manifest and the log of the installation."""
    return [x for x in lines if "row" in x and x["part"] not in without]
