"""A run that waits for a person: 승인이 필요한 실행.

    python examples/approval.py

The reference agent pauses before planning. Somebody reads what it understood, writes
another plan, and the run goes on, maybe in another process and hours later.
"""

import asyncio
import sys
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from gieok import Gieok, open_memory
from gieok.surfaces.langgraph import Agent, Edits, RunState


class Clerk(BaseChatModel):
    """Answers with the plan it is given; yours would think."""

    @property
    def _llm_type(self) -> str:
        return "clerk"

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        asks, *plan = str(messages[0].text).split("[Plan]")
        if "of the known information" in asks:
            answer = "The user wants a refund of 42,000 won for order 7."
        elif "Write a plan" in asks:
            answer = "1. Refund the whole amount"
        else:
            answer = "Done: " + " ".join(" ".join(plan).split())
        return ChatResult(generations=[ChatGeneration(message=AIMessage(answer))])


async def main(memory: Gieok, model: BaseChatModel, person: str) -> RunState:
    """Ask, wait for approval, and return how the run ended."""
    agent, scope = Agent(memory, model=model), memory.person(person)
    waiting = await agent.run(
        scope, "Please refund order 7.", interrupt=True, language="en"
    )
    sys.stdout.write(
        f"{waiting.session.status} before {waiting.waits_before}: "
        f"{waiting.understanding}\n"
    )
    # A person looks at it, in another process if you like, and decides.
    edits = Edits(plan=["Refund half of it", "Say sorry"])
    done = await agent.resume(scope, waiting.session.session_id, edits=edits)
    sys.stdout.write(f"{done.session.status}: {done.response}\n")
    return done


async def run() -> None:
    """Open a memory on this machine and run it."""
    async with open_memory(worker=False) as memory:
        await main(memory, Clerk(), "minji")


if __name__ == "__main__":
    asyncio.run(run())
