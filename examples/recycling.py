"""A recycling helper that knows where you live: 분리배출 도우미.

    python examples/recycling.py

Two conversations of one person with LangChain's prebuilt agent. What the first one
says, the second one knows, in another session. No key is needed: a small model of rules
stands in for yours. Give `main` any chat model of LangChain's, for example
`init_chat_model("openai:gpt-5-mini")`.
"""

import asyncio
import sys
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from gieok import Gieok, open_memory
from gieok.surfaces.langgraph import GieokSaver, MemoryMiddleware

INSTRUCTIONS = "당신은 분리배출 도우미입니다. 사용자가 사는 곳의 규칙으로 답하세요."
RULES = {"강남구": "목요일 저녁에 투명 봉투로", "마포구": "화요일 저녁에 전용 수거함에"}


class Rules(BaseChatModel):
    """Knows a district's rule if anything in the prompt names the district."""

    @property
    def _llm_type(self) -> str:
        return "recycling-rules"

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        told = "\n".join(str(each.text) for each in messages)
        lives = next((district for district in RULES if district in told), None)
        answer = (
            f"{lives}에서는 투명 페트병을 {RULES[lives]} 내놓으세요."
            if lives
            else "어느 구에 사시나요? 구마다 요일이 달라요."
        )
        return ChatResult(generations=[ChatGeneration(message=AIMessage(answer))])


async def main(memory: Gieok, model: BaseChatModel, person: str) -> list[str]:
    """Hold both conversations and return what the helper answered."""
    helper = create_agent(
        model,
        system_prompt=INSTRUCTIONS,
        middleware=[MemoryMiddleware(memory)],
        checkpointer=GieokSaver(memory),
    )
    answers: list[str] = []
    for thread, said in (
        ("monday", "투명 페트병은 어떻게 버려?"),
        ("monday", "나 강남구 살아"),
        ("friday", "투명 페트병 버리는 날이 언제야?"),
    ):
        done = await helper.ainvoke(
            {"messages": [{"role": "user", "content": said}]},
            {"configurable": {"thread_id": thread, "user_id": person}},
        )
        answers.append(str(done["messages"][-1].text))
        sys.stdout.write(f"[{thread}] 나: {said}\n[{thread}] 도우미: {answers[-1]}\n")
        # A running service extracts by itself, half a minute after the last word.
        await memory.settled(memory.person(person))
    return answers


async def run() -> None:
    """Open a memory on this machine and talk."""
    async with open_memory(worker=False) as memory:
        await main(memory, Rules(), "minji")


if __name__ == "__main__":
    asyncio.run(run())
