"""Reads what a chat model answered; without a text that can be kept it is no answer."""

from collections.abc import Sequence
from typing import Any, Final, Protocol, cast

from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import ModelReply, Utterance
from gieok.models.deadline import await_answer
from gieok.text.cleaning import MAX_MESSAGE_BYTES

ODD_ANSWER: Final = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
)
"""What reading a body raises that is no JSON, or of another shape."""

_UNAUTHORIZED: Final = frozenset({401, 403})


class ChatModel(Protocol):
    """Answers in a conversation: the part of `kernel.language.Model` that talks."""

    @property
    def name(self) -> str:
        """Name that errors carry."""
        ...

    async def reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        """Return the assistant's next message; raises as `Model.reply`."""
        ...


async def request_reply(
    model: ChatModel,
    instructions: str,
    messages: Sequence[Utterance],
    end: float | None,
) -> ModelReply:
    """Return the reply that a model gives until `end`, as `clean_reply` leaves it.

    Raises:
        ModelUnavailableError: it is late, or its answer cannot be kept.
    """
    reply = await await_answer(model.name, model.reply(instructions, messages), end)
    return clean_reply(model.name, reply)


def clean_reply(model: str, reply: ModelReply) -> ModelReply:
    """Return a reply whose text can be kept and sent on.

    A NUL goes, and half a surrogate pair becomes "?".

    Raises:
        ModelUnavailableError: nothing is left of it, or it is too long to be kept.
    """
    said = reply.text.replace("\x00", "")
    if not said.encode("utf-8", "ignore").strip():
        raise ModelUnavailableError(model, "its answer holds no text")
    encoded = said.encode("utf-8", "replace").strip()
    if len(encoded) > MAX_MESSAGE_BYTES:
        raise ModelUnavailableError(model, "its answer is too long")
    return ModelReply(encoded.decode(), reply.tokens)


def format_status(status: int) -> str:
    """Return the reason that a vendor's HTTP status is, and what to do about it."""
    reason = f"it answered with HTTP status {status}"
    if status not in _UNAUTHORIZED:
        return reason
    return f"{reason}: check GIEOK_MODEL_API_KEY, or the variable of the vendor's key"


def build_reply(vendor: str, text: object, usage: object, total: str) -> ModelReply:
    """Return the reply of an answer's parts, whatever stands in their places.

    `total` names the tokens in `usage`; where that holds no number they count as 0.

    Raises:
        ModelUnavailableError: there is no text, or one that cannot be kept; the
            message names `vendor`.
    """
    said = text if isinstance(text, str) else ""
    counts = cast("dict[str, Any]", usage) if isinstance(usage, dict) else {}
    tokens = counts.get(total)
    return clean_reply(
        vendor, ModelReply(said, tokens if isinstance(tokens, int) else 0)
    )
