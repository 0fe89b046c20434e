"""Run the agent, or resume a run: thinker.py DATA NAME run|resume SESSION|- .

The first process hangs for ever between the layers `cognitive` and `planning`, once
what the first came to is on disk. Every layer that asks the model is printed.
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from fakes import config, parts, say

from gieok import open_memory
from gieok.kernel.clock import read_system_clock
from gieok.kernel.language import ModelReply, Utterance
from gieok.surfaces.langgraph import Agent, GieokSaver
from gieok.testing import ScriptedModel

LAYERS = {
    "알고 있는 정보 가운데": "cognitive",
    "계획을 한 줄에": "planning",
    "알아낸 것을 바탕으로": "response",
}


class Hanging(GieokSaver):
    """Keeps the state after `cognitive`, says so and never returns."""

    async def aput(
        self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any
    ) -> Any:
        """Keep a checkpoint."""
        kept = await super().aput(config, checkpoint, metadata, new_versions)
        if checkpoint["channel_values"].get("understanding"):
            ((session,), _) = await self.memory.sessions.page(
                self.owner.resolve_running()
            )
            say("between", session.session_id)
            await asyncio.sleep(3_600)
        return kept


def reply(prompt: str, messages: Sequence[Utterance]) -> ModelReply:
    """Answer with the name of the layer."""
    layer = next(name for mark, name in LAYERS.items() if mark in prompt)
    say("asked", layer)
    return ModelReply(f"{layer}: {messages[-1].content}", tokens=3)


async def main(data: str, name: str, what: str, session: str) -> None:
    """Run until it hangs, or resume as if ten minutes had passed."""
    later = timedelta(minutes=10 if what == "resume" else 0)
    ours = replace(
        parts(),
        model=ScriptedModel(replies=reply),
        clock=lambda: read_system_clock() + later,
    )
    async with open_memory(config(data), parts=ours, worker=False) as memory:
        scope = memory.person(name)
        if what == "run":
            await Agent(memory, saver=Hanging).run(scope, "페트병", interrupt=False)
        done = await Agent(memory).resume(scope, UUID(session))
        say("done", done.session.status, done.understanding, done.response)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:5]))
