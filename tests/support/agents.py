"""Chat models that answer as they are told, for the tests of graphs and agents."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, SystemMessage, ToolMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool

from gieok import Category, Gieok, Scope
from gieok.database.transaction import assert_no_open_transaction
from gieok.surfaces.langgraph import Agent, RunState
from support.scripted_model import fact

Answers = Callable[[str, Sequence[BaseMessage]], AIMessage | str]
LAYERS = {
    "알고 있는 정보 가운데": "cognitive",
    "계획을 한 줄에": "planning",
    "계획에 필요한 도구": "execution",
    "알아낸 것을 바탕으로": "response",
    "of the known information": "cognitive",
    "Write a plan": "planning",
    "Use the tools": "execution",
    "following the plan": "response",
}


def layer_of(prompt: str) -> str:
    """Return which layer of the reference agent asks."""
    return next((layer for mark, layer in LAYERS.items() if mark in prompt), "other")


class Talker(BaseChatModel):
    """Answers by `answers(layer, messages)`, and keeps what it was shown."""

    answers: Any
    prompts: list[tuple[str, str]]
    shown: list[list[BaseMessage]]
    tokens: int = 10

    @property
    def _llm_type(self) -> str:
        return "talker"

    def bind_tools(self, tools: Any, **_: Any) -> Any:  # noqa: ARG002
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **_: Any,
    ) -> ChatResult:
        assert_no_open_transaction()
        prompt = "\n".join(
            str(m.text) for m in messages if isinstance(m, SystemMessage)
        )
        said = [m for m in messages if not isinstance(m, SystemMessage)]
        layer = layer_of(prompt)
        self.prompts.append((layer, prompt))
        self.shown.append(said)
        answer = self.answers(layer, said)
        if isinstance(answer, str):
            answer = AIMessage(answer)
        answer.usage_metadata = UsageMetadata(
            input_tokens=self.tokens, output_tokens=1, total_tokens=self.tokens + 1
        )
        return ChatResult(generations=[ChatGeneration(message=answer)])


PLAN = "1. 지역을 확인한다\n- 답한다"


def plain(layer: str, said: Sequence[BaseMessage]) -> str:
    """Answer every layer."""
    answers = {
        "cognitive": "분리배출을 묻는다.",
        "planning": PLAN,
        "execution": "알아낼 것이 없다.",
        "response": f"답: {said[-1].text}",
    }
    return answers.get(layer, f"답: {said[-1].text}")


def talker(answers: Answers = plain, **more: Any) -> Talker:
    """Return a model that has seen nothing yet."""
    return Talker(answers=answers, prompts=[], shown=[], **more)


def fences(text: str) -> int:
    """Count the blocks of memory in a text."""
    return len(re.findall(r"<memory-[0-9a-f]+>", text))


ASKED = "투명 페트병은 어떻게 버려?"
STEPS = ("지역을 확인한다", "답한다")
LIVES = fact("사용자는 강남구에 거주한다.", Category.LOCATION)


def agent(memory: Gieok, model: Talker | None = None, **more: Any) -> Agent:
    return Agent(memory, model=model or talker(), **more)


async def told(memory: Gieok, scope: Scope, run: RunState) -> list[tuple[str, str]]:
    read = await memory.sessions.read(scope, run.session.session_id)
    return [(m.role.value, m.content) for m in read.messages]


@tool
def lookup(district: str) -> str:
    """Return a district's rule."""
    return f"{district}: 목요일"


def using(name: str, arguments: dict[str, Any]) -> Any:
    def answers(layer: str, said: Sequence[BaseMessage]) -> AIMessage | str:
        if layer == "execution" and not isinstance(said[-1], ToolMessage):
            call = {"name": name, "args": arguments, "id": "1"}
            return AIMessage("", tool_calls=[call])
        if layer == "response":
            used = [m.text for m in said if isinstance(m, ToolMessage)]
            return " ".join(str(text) for text in used) or "없음"
        return plain(layer, said)

    return answers
