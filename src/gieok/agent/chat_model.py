"""The model that gieok was configured with, as a chat model of LangChain's."""

from collections.abc import Sequence
from typing import Any

from langchain.chat_models import init_chat_model
from langchain_core.callbacks import (
    AsyncCallbackManagerForLLMRun,
    CallbackManagerForLLMRun,
)
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, SystemMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult

from gieok.facade import Gieok
from gieok.kernel.errors import ConfigurationError, NoChatModelError
from gieok.kernel.language import Model, Role, Utterance, is_chat_model
from gieok.models.chat_answers import request_reply
from gieok.models.deadline import compute_end


class GieokChatModel(BaseChatModel):
    """Talks through a `gieok.kernel.language.Model`; takes no tools."""

    model: Any
    """The `Model`; pydantic need not look into it."""
    seconds: float | None = None
    """How long a reply may take, all tries together; None is any time."""

    @property
    def _llm_type(self) -> str:
        return "gieok"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        del messages, stop, run_manager, kwargs
        problem = "this model is for ainvoke and astream"
        raise NotImplementedError(problem)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        """Answer; raises as `request_reply`."""
        del stop, run_manager, kwargs
        talker: Model = self.model
        told = [m for m in messages if isinstance(m, SystemMessage)]
        reply = await request_reply(
            talker,
            "\n\n".join(str(each.text) for each in told),
            _to_utterances(messages),
            compute_end(self.seconds),
        )
        used = UsageMetadata(
            input_tokens=reply.tokens, output_tokens=0, total_tokens=reply.tokens
        )
        answer = AIMessage(reply.text, usage_metadata=used)
        return ChatResult(generations=[ChatGeneration(message=answer)])


def resolve_chat_model(
    memory: Gieok, model: BaseChatModel | str | None
) -> BaseChatModel:
    """Return a model as it is, by its name, or the one gieok is configured with.

    Raises:
        ConfigurationError: the name is unknown, or a package or a key is missing.
    """
    if isinstance(model, BaseChatModel):
        return model
    if model is None:
        chat = memory.chat
        return GieokChatModel(model=chat.model, seconds=chat.reply_patience)
    try:
        return init_chat_model(model)
    except (ImportError, ValueError) as error:
        problem = f"The model {model!r} cannot be used: {error}"
        raise ConfigurationError(problem) from error


def require_chat_model(model: BaseChatModel) -> None:
    """Refuse the configured model where it is known that it cannot talk.

    Raises:
        NoChatModelError: it says so before it is asked.
    """
    if isinstance(model, GieokChatModel) and not is_chat_model(model.model):
        raise NoChatModelError


def _to_utterances(messages: Sequence[BaseMessage]) -> list[Utterance]:
    said = [
        (Role.ASSISTANT if isinstance(each, AIMessage) else Role.USER, str(each.text))
        for each in messages
        if not isinstance(each, SystemMessage)
    ]
    return [
        Utterance(index, role, text)
        for index, (role, text) in enumerate(s for s in said if s[1].strip())
    ]
