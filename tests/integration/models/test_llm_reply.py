"""A language model that takes part in the conversation (E02)."""

import asyncio

import pytest
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import Model, ModelReply, Role, Utterance
from gieok.models.llm import LlmModel
from support.llm_server import Bench

TALK = (
    Utterance(0, Role.SYSTEM, "사용자가 앱을 다시 열었습니다."),
    Utterance(1, Role.USER, "안녕! 나 부산 살아"),
    Utterance(2, Role.ASSISTANT, "반가워요!"),
    Utterance(3, Role.USER, "바다 보러 어디 갈까?"),
)


def says(*texts: str) -> ModelResponse:
    usage = RequestUsage(input_tokens=40, output_tokens=2)
    return ModelResponse(parts=[TextPart(text) for text in texts], usage=usage)


class Chat:
    """A model whose vendor answers or fails in turn, the last way for ever."""

    def __init__(self, *answers: ModelResponse | Exception) -> None:
        self.answers = answers
        self.seen: list[list[ModelMessage]] = []
        self.instructions: list[str | None] = []
        self.sleeps = (bench := Bench()).sleeps
        self.model: Model = LlmModel(FunctionModel(self.answer), sleep=bench.sleep)

    def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.seen.append(messages)
        self.instructions.append(info.instructions)
        answer = self.answers[min(len(self.seen), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer


def spoken(messages: list[ModelMessage]) -> list[tuple[type, object]]:
    return [
        (type(part), part.content)
        for message in messages
        for part in message.parts
        if isinstance(part, SystemPromptPart | UserPromptPart | TextPart)
    ]


@pytest.mark.req("E02")
async def test_the_model_answers_the_last_message_knowing_the_ones_before() -> None:
    chat = Chat(says(" 해운대 어때요?\n"))
    reply = await chat.model.reply("너는 하나야.", TALK)
    assert reply == ModelReply("해운대 어때요?", tokens=42)
    assert chat.instructions == ["너는 하나야."]
    assert spoken(chat.seen[0]) == [
        (SystemPromptPart, TALK[0].content),
        (UserPromptPart, TALK[1].content),
        (TextPart, TALK[2].content),
        (UserPromptPart, TALK[3].content),
    ]
    assert isinstance(chat.seen[0][-1], ModelRequest)


@pytest.mark.req("E02")
async def test_a_first_message_needs_no_history() -> None:
    chat = Chat(says("Hello!"))
    assert (await chat.model.reply("Be kind.", TALK[3:])).text == "Hello!"
    assert len(spoken(chat.seen[0])) == 1


async def test_an_answer_may_be_in_any_language() -> None:
    chat = Chat(says("海雲台はいかがですか。 9 번 버스요."))
    assert (await chat.model.reply("", TALK)).text.startswith("海雲台")


@pytest.mark.req("E15")
@pytest.mark.parametrize(
    "answer",
    [
        says(),
        says(""),
        says(" \n"),
        ModelHTTPError(503, "bench", "부산"),
        TimeoutError("부산"),
        RuntimeError("부산"),
    ],
)
async def test_an_empty_answer_and_a_failure_are_asked_again(
    answer: ModelResponse | Exception,
) -> None:
    chat = Chat(answer, answer, says("해운대!"))
    assert (await chat.model.reply("", TALK)).text == "해운대!"
    assert (len(chat.seen), chat.sleeps) == (3, [1.0, 2.0])
    chat = Chat(answer)
    with pytest.raises(ModelUnavailableError) as caught:
        _ = await chat.model.reply("", TALK)
    assert len(chat.seen) == 3
    assert type(caught.value) is ModelUnavailableError
    assert "부산" not in caught.value.message("ko")
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)


@pytest.mark.req("E15")
async def test_a_model_that_hangs_is_given_up() -> None:
    async def hang(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        await asyncio.sleep(60)
        return says("late")

    model = LlmModel(FunctionModel(hang), timeout=0.02, sleep=Bench().sleep)
    with pytest.raises(ModelUnavailableError, match="in time"):
        _ = await model.reply("", TALK)
