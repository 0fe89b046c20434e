"""A chat model of Amazon Bedrock, such as Claude, over boto3's `converse`."""

import asyncio
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any, Final, Self, cast

import boto3  # pyright: ignore[reportMissingTypeStubs] - it has none
from botocore.config import (  # pyright: ignore[reportMissingTypeStubs] - as above
    Config,
)
from botocore.exceptions import (  # pyright: ignore[reportMissingTypeStubs] - as above
    BotoCoreError,
    ClientError,
)

from gieok.kernel.errors import ConfigurationError, ModelUnavailableError
from gieok.kernel.language import ModelReply, Role, Utterance
from gieok.models.chat_answers import ODD_ANSWER, build_reply
from gieok.models.deadline import await_answer, compute_end, compute_seconds_left

_TRY: Final = "before-send.bedrock-runtime.Converse"
_until: ContextVar[float | None] = ContextVar("bedrock_until", default=None)
"""When the time of a thread's call is over, by the monotonic clock."""


@dataclass(frozen=True, slots=True)
class BedrockChat:
    """Talks through Bedrock; credentials are as boto3 finds them."""

    model: str
    client: Any = field(repr=False)
    seconds: float = 25.0
    """How long an answer may take, with every try and pause of the client's."""

    @classmethod
    def create(
        cls, model: str, *, seconds: float = 25.0, endpoint: str | None = None
    ) -> Self:
        """Return a model by its id or inference profile.

        Raises:
            ConfigurationError: no region.
        """
        patience = Config(
            connect_timeout=2,
            read_timeout=seconds,
            retries={"mode": "standard", "total_max_attempts": 2},
        )
        try:
            client = cast("Any", boto3).client(
                "bedrock-runtime", endpoint_url=endpoint, config=patience
            )
            client.meta.events.register(_TRY, _limit_try)
        except BotoCoreError as error:
            problem = f"Bedrock cannot be called ({type(error).__name__})."
            raise ConfigurationError(problem) from None
        return cls(model, client, seconds)

    @property
    def name(self) -> str:
        """Vendor and model."""
        return f"bedrock:{self.model}"

    async def reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        """Return the assistant's next message.

        Raises:
            ModelUnavailableError: no usable answer came in time.
        """
        asked = self._fetch_reply(instructions, messages)
        return await await_answer(self.name, asked, compute_end(self.seconds))

    async def _fetch_reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        turns = [
            {"role": role.value, "content": [{"text": text}]}
            for role, text in join_turns(messages)
        ]
        left = compute_seconds_left()
        call = partial(
            self._call_client,
            None if left is None else monotonic() + left,
            modelId=self.model,
            system=[{"text": instructions}],
            messages=turns,
        )
        try:
            answer = await asyncio.to_thread(call)
            parts = answer["output"]["message"]["content"]
            text = "".join(part.get("text") or "" for part in parts)
        except ClientError as error:
            code = cast("Any", error).response["Error"].get("Code", "")
            raise ModelUnavailableError(self.name, code) from None
        except (BotoCoreError, *ODD_ANSWER) as error:
            raise ModelUnavailableError(self.name, type(error).__name__) from None
        return build_reply(self.name, text, answer.get("usage"), "totalTokens")

    def _call_client(self, until: float | None, **fields: object) -> Any:
        """Return what Bedrock answers to a call that ends by then."""
        _until.set(until)
        return self.client.converse(**fields)


def _limit_try(request: Any, **_: object) -> None:
    """Let a try end with the time of its call: nobody can break off a thread.

    A botocore before 1.43.72 reads as long as the client may.

    Raises:
        TimeoutError: that time is over.
    """
    until = _until.get()
    if until is None:
        return
    left = until - monotonic()
    if left <= 0:
        raise TimeoutError
    context = getattr(request, "context", None)
    if context is not None:
        context["read_timeout"] = left


def join_turns(messages: Sequence[Utterance]) -> list[tuple[Role, str]]:
    """Return messages as turns of two speakers that alternate, the user's first."""
    turns: list[tuple[Role, str]] = []
    for message in messages:
        if turns and turns[-1][0] is message.role:
            turns[-1] = (message.role, f"{turns[-1][1]}\n{message.content}")
        elif turns or message.role is Role.USER:
            turns.append((message.role, message.content))
    return turns
