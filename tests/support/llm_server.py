"""A language model that answers what it is told to, for the tests of `LlmModel`."""

import asyncio
import json
from collections.abc import Callable

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from gieok.models.llm import LlmModel

MARK = "f3nce"
Item = dict[str, object]
Answer = Callable[[AgentInfo], ModelResponse]


def writes(answer: Item) -> Answer:
    """Answer through the output tool, as a well-behaved vendor does."""

    def reply(info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, answer)])

    return reply


def arguments(raw: str) -> Answer:
    """Answer through the output tool with any text as its arguments."""

    def reply(info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, raw)])

    return reply


def parts(*given: TextPart | ToolCallPart) -> Answer:
    def reply(_: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=given)

    return reply


def failing(error: Exception) -> Answer:
    def reply(_: AgentInfo) -> ModelResponse:
        raise error

    return reply


class Bench:
    """A model whose vendor answers the replies in turn, the last one for ever."""

    def __init__(self, *replies: Answer, timeout: float = 30.0) -> None:
        self.replies = replies
        self.prompts: list[str] = []
        self.instructions: list[str] = []
        self.sleeps: list[float] = []
        self.model = LlmModel(
            FunctionModel(self.answer, model_name="bench"),
            timeout=timeout,
            sleep=self.sleep,
            token=lambda: MARK,
        )

    async def answer(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> ModelResponse:
        (request,) = messages
        assert isinstance(request, ModelRequest)
        (part,) = request.parts
        assert isinstance(part, UserPromptPart)
        assert isinstance(part.content, str)
        self.prompts.append(part.content)
        self.instructions.append(info.instructions or "")
        await asyncio.sleep(0)
        return self.replies[min(len(self.prompts), len(self.replies)) - 1](info)

    async def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)

    @property
    def data(self) -> dict[str, list[Item]]:
        """What stands between the marks of the last prompt, which is one line."""
        lines = self.prompts[-1].split("\n")
        begin = lines.index(f"=====BEGIN {MARK}=====")
        assert lines[begin + 2] == f"=====END {MARK}====="
        return json.loads(lines[begin + 1])
