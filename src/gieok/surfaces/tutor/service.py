"""The four actions of the document, whoever carries them here (C01, C03, C05, C06)."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self, cast

from gieok.kernel.errors import InvalidInputError, NoChatModelError, NotPermittedError
from gieok.kernel.language import CardField
from gieok.models.chat_answers import ChatModel, request_reply
from gieok.models.deadline import await_answer, compute_end
from gieok.pii import mask_text
from gieok.profile.documents import ProfileDocumentStore
from gieok.profile.lost_values import find_lost_values
from gieok.profile.merge import merge_documents, remove_values
from gieok.profile.model import CardDocument
from gieok.surfaces.tutor.extraction import CardExtractor
from gieok.surfaces.tutor.prompts import build_instructions
from gieok.surfaces.tutor.requests import (
    parse_card,
    parse_memory,
    parse_messages,
    parse_settings,
    parse_user_id,
    read_card,
)

log = logging.getLogger("gieok.tutor")

ACTIONS: Final = ("chat", "extract_user_info", "save_user_memory", "get_user_memory")
Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tutor:
    """The document's endpoint over any store of cards and any model."""

    documents: ProfileDocumentStore
    model: ChatModel | None = field(default=None, repr=False)
    extractor: CardExtractor | None = field(default=None, repr=False)
    end: float | None = None
    """When the model's time is over, by the event loop's clock; None is never."""

    def limit_time(self, seconds: float | None) -> Self:
        """Return a tutor whose model has so many seconds from now; None is any number.

        Whatever is asked of it shares them, and what is read before it is asked.
        """
        return replace(self, end=compute_end(seconds))

    async def answer(self, body: object, person: str | None) -> Answer:
        """Return what the document answers to a body.

        `person` is who calls, as far as that is proven. None has nobody's memory: the
        document's answer to a missing user id.

        Raises:
            InvalidInputError: names what of the body cannot be accepted.
            NotPermittedError: the body names somebody else.
            NoChatModelError: no model is configured that could do this.
            UnavailableError: the store or the model does not answer.
        """
        if not isinstance(body, dict):
            raise InvalidInputError("body", "it must be an object")
        asked = cast("Mapping[str, Any]", body)
        named = parse_user_id(asked)
        if named is not None and named != person:
            reason = "user_id names somebody else than the token"
            raise NotPermittedError(reason)
        ways = {
            "chat": self._reply,
            "extract_user_info": self._extract_card,
            "save_user_memory": self._save_memory,
            "get_user_memory": self._get_memory,
        }
        action = asked.get("action")
        if not isinstance(action, str) or action not in ways:
            problem = f"it must be one of {', '.join(ACTIONS)}"
            raise InvalidInputError("action", problem)
        return await ways[action](asked, person)

    async def _reply(self, body: Mapping[str, Any], person: str | None) -> Answer:
        messages = parse_messages(body)
        settings = parse_settings(body)
        if not messages:
            raise InvalidInputError("messages", "it is missing")
        if self.model is None:
            raise NoChatModelError
        card = await self._load_card(person)
        told = build_instructions(settings, card)
        reply = await request_reply(self.model, told, messages, self.end)
        return {"message": reply.text}

    async def _load_card(self, person: str | None) -> CardDocument:
        """Return what the model may be told; nothing where memory fails (C05).

        Half of the time is the model's, however long memory takes.
        """
        if person is None:
            return {}
        now = asyncio.get_running_loop().time()
        halfway = None if self.end is None else (now + self.end) / 2
        try:
            async with asyncio.timeout_at(halfway):
                return read_card(await self.documents.quote(person))
        except Exception as error:  # noqa: BLE001 - no fault of memory breaks the chat
            log.warning("memory_not_loaded error=%s", type(error).__name__)
            return {}

    async def _extract_card(
        self, body: Mapping[str, Any], person: str | None
    ) -> Answer:
        messages = parse_messages(body)
        if not messages or person is None:
            return {"extracted": {}}
        if self.extractor is None:
            raise NoChatModelError
        name = "rules" if self.model is None else self.model.name
        found = await await_answer(name, self.extractor.extract(messages), self.end)
        extracted = await self.documents.select_allowed(person, mask_card(found))
        known = await self.documents.get(person)
        lost = find_lost_values(messages, merge_documents(known, extracted))
        extracted = remove_values(extracted, lost)
        if not extracted and not lost:
            return {"extracted": {}, "merged": known}
        merged = await self.documents.merge(person, extracted, lost)
        return {"extracted": extracted, "merged": merged}

    async def _save_memory(self, body: Mapping[str, Any], person: str | None) -> Answer:
        memory = parse_memory(body)
        if person is None:
            return {"success": False}
        others = memory.keys() - set(CardField)
        known = await self.documents.get(person) if others else {}
        await self.documents.replace(person, mask_card(parse_card(memory, known)))
        return {"success": True}

    async def _get_memory(self, _: Mapping[str, Any], person: str | None) -> Answer:
        return {"memory": await self.documents.get(person) if person else {}}


def mask_card(card: CardDocument) -> CardDocument:
    """Return a card in which personal data is masked as everywhere (A19)."""
    return {
        name: mask_text(value)
        if isinstance(value, str)
        else [mask_text(each) for each in value]
        for name, value in card.items()
    }
