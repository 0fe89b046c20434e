"""What a conversation says of its user, as a card (C01)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, cast

from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import CardField, Role, Utterance
from gieok.models.chat_answers import ChatModel
from gieok.profile.model import CardDocument
from gieok.surfaces.tutor.grounding import keep_grounded
from gieok.surfaces.tutor.prompts import build_extraction
from gieok.surfaces.tutor.requests import read_card

TRIES: Final = 2
"""How often a model is asked that babbles."""


class CardExtractor(Protocol):
    """Reads what the user of a conversation says of themselves."""

    async def extract(self, messages: Sequence[Utterance]) -> CardDocument:
        """Return what the user stated; `{}` for nothing.

        Raises:
            ModelUnavailableError: the model is away, or answers no card.
        """
        ...


@dataclass(frozen=True, slots=True)
class PromptExtractor:
    """Has a chat model write the card, and keeps what the conversation bears out."""

    model: ChatModel

    async def extract(self, messages: Sequence[Utterance]) -> CardDocument:
        """Return what the user stated, checked against what they said."""
        if all(message.role is not Role.USER for message in messages):
            return {}
        instructions, asked = build_extraction(messages)
        for _ in range(TRIES):
            answer = await self.model.reply(instructions, [asked])
            card = parse_answer(answer.text)
            if card is not None:
                return keep_grounded(card, messages)
        raise ModelUnavailableError(self.model.name, "its answer is no card")


def parse_answer(text: str) -> CardDocument | None:
    """Return the card that a model wrote, with or without words around it.

    None for what is no card: half an object, a list, none of the six places.
    """
    start = text.find("{")
    if start < 0:
        return None
    try:
        value, _ = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    card = cast("Mapping[str, Any]", value)
    if card and not set(CardField) & card.keys():
        return None
    return read_card(card)
