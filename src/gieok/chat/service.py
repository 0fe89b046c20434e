"""Answers with the configured model, told what is known and what was just said."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

from gieok.accounts import Accounts
from gieok.chat.conversations import Conversations
from gieok.chat.inputs import clean_base, clean_client_messages, require_dialogue_roles
from gieok.chat.model import Answer, ClientMessage
from gieok.chat.recent_messages import WORKING_MEMORY, merge_recent_messages
from gieok.context import Block, Context
from gieok.context.model import EMPTY
from gieok.episodes import Episodes, SavedEpisode
from gieok.episodes.checks import clean_summary
from gieok.kernel.errors import ConflictError, GieokError
from gieok.kernel.language import Gist, Model, ModelReply, Role, Utterance
from gieok.kernel.logs import get_logger
from gieok.kernel.offload import run_aside
from gieok.kernel.scope import Scope
from gieok.models.chat_answers import request_reply
from gieok.models.deadline import compute_end
from gieok.pii import TextMasker
from gieok.sessions import Pair, Sessions, Turn
from gieok.sessions.repeats import UsedTurnIdError, require_same_words
from gieok.settings.consent_rules import require_storage_consent
from gieok.text.cleaning import clean_name, clean_text

if TYPE_CHECKING:
    from gieok.models.rules.save_request import SaveRequestDetector

log = get_logger("gieok.chat")

LONGEST_MESSAGE_BYTES: Final = 32_000
MAX_TOLD: Final = 500
"""Messages that a client may bring along."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """Turns with a chat model, and what becomes of them."""

    accounts: Accounts
    sessions: Sessions
    episodes: Episodes
    context: Context
    model: Model
    patience: float = 5.0
    """Seconds that a reply waits for memory before it goes without."""
    reply_patience: float | None = 30.0
    """Seconds the model has for a reply, all its tries together."""
    save_requests: "SaveRequestDetector | None" = None
    """What sees that a message asks to save the conversation; None never does."""

    async def send(  # noqa: PLR0913 - most may be left out
        self,
        scope: Scope,
        *,
        persona: str,
        message: str,
        recent: Sequence[ClientMessage] = (),
        session: str | None = None,
        instructions: str | None = None,
        pair_id: UUID | None = None,
    ) -> Answer:
        """Return the persona's reply; the turn is on disk when this returns.

        `session` is the app's name of a session, or the id of an earlier answer; by
        default it is the person's open session with the persona. One that is over is
        followed by another. `recent` fills in what the session does not hold of its
        last ten messages, and is not recorded. `instructions` say who the persona is.
        A message that asks to save the conversation has it saved (`Answer.saved`), and
        the next turn begins another session.
        A message that is sent again with the same `pair_id` is answered with the reply
        that was kept, or anew where that may not be read; it is kept once.
        A memory that fails is done without. The model reads everything masked, and so
        is the reply on disk; the text that is returned is as the model wrote it.

        Raises:
            InvalidInputError: a name or text that cannot be used.
            ConflictError: the session is with another persona; or the turn of this id
                was erased, or is another one.
            NotPermittedError: the person does not agree to storage; no model was asked.
            NoChatModelError: the configured model cannot talk.
            ModelUnavailableError: no reply came in time; nothing was recorded.
            StorageFullError, DatabaseUnavailableError: nothing was recorded.
        """
        message = clean_text("message", message, max_bytes=LONGEST_MESSAGE_BYTES)
        if pair_id and (earlier := await self._find_answer(scope, pair_id, message)):
            return earlier
        size = sum(len(each.content) for each in recent)
        told = await run_aside(
            size,
            lambda: clean_client_messages(
                "recent_messages", recent, MAX_TOLD, TextMasker(), self._now
            ),
        )
        require_dialogue_roles("recent_messages", told)
        persona_id = self.accounts.persona_id(scope, _clean_persona(persona))
        async with self.sessions.database.begin(scope) as tx:
            await require_storage_consent(tx)
        open_ = await self._conversations.resolve_unsaved(scope, persona_id, session)
        held = await self._read_working_memory(scope, open_)
        before = [each.content for each in held or told]
        said = await run_aside(
            len(message), lambda: TextMasker().mask_text(message, before)
        )
        shown = merge_recent_messages(held, told, said)
        person = await self.accounts.get(scope)
        base = await run_aside(
            len(instructions or ""), lambda: clean_base(instructions, person.language)
        )
        episodes, facts = await self._build_memory(scope, persona_id, said)
        told_all = "\n\n".join(filter(None, (base, str(episodes), str(facts))))
        reply = await self._request_reply(
            told_all, [*shown, ClientMessage(Role.USER, said)]
        )
        await self.accounts.persona(scope, _clean_persona(persona))
        turn = Turn(message, reply.text, tokens=reply.tokens)
        pair = await self._record_turn(scope, persona_id, session, turn, pair_id)
        if pair.is_repeated and (
            earlier := await self._find_answer(scope, pair.pair_id, message)
        ):
            return earlier
        saved = await self._save_if_requested(scope, pair, message)
        return Answer(
            text=reply.text,
            session_id=pair.session_id,
            pair_id=pair.pair_id,
            message_id=pair.assistant_message_id,
            tokens=reply.tokens,
            created_at=pair.created_at,
            episodes=tuple(line.memory_id for line in episodes.lines),
            memories=tuple(line.memory_id for line in facts.lines),
            saved=saved,
        )

    async def keep(
        self,
        scope: Scope,
        *,
        persona: str,
        session: str,
        told: Sequence[ClientMessage] = (),
        summary: str | None = None,
    ) -> SavedEpisode | None:
        """Sum a conversation up, or keep a person's own summary of it (E05, E10).

        What `told` holds and the session does not is recorded first, so that the
        episode rests on what was said. The next turn begins another session.
        Returns None when there is nothing to remember.

        Raises:
            InvalidInputError: a name or text that cannot be used, or a message without
                a time that may be one of those that the person erased.
            ConflictError: the session is with another persona.
            NotPermittedError: the person switched memory off.
            StorageFullError, DatabaseUnavailableError: nothing was kept.
        """
        name = clean_name("session_id", session)
        screen = TextMasker()
        size = sum(len(each.content) for each in told)
        brought = await run_aside(
            size,
            lambda: clean_client_messages(
                "messages", told, MAX_TOLD, screen, self._now
            ),
        )
        own = None
        if summary is not None:
            own = await run_aside(
                len(summary),
                lambda: clean_summary(clean_text("manual_summary", summary)),
            )
        persona_id = await self.accounts.persona(scope, _clean_persona(persona))
        session_id = await self._conversations.merge(
            scope, persona_id, name, brought, screen
        )
        if own is None:
            return session_id and await self._save_on_request(scope, session_id)
        session_id = session_id or await self._conversations.open(
            scope, persona_id, name
        )
        await self._conversations.mark_saved(scope, session_id)
        return await self.episodes.create(
            scope,
            persona_id=persona_id,
            session_id=session_id,
            gist=Gist(own),
            is_fallback=False,
            is_manual=True,
            summarizer="manual",
        )

    async def close(
        self, scope: Scope, *, persona: str, session: str | None = None
    ) -> UUID | None:
        """End the open session that is meant; None when there was none.

        Raises:
            InvalidInputError: a name that cannot be used.
            ConflictError: the session is with another persona.
        """
        persona_id = self.accounts.persona_id(scope, _clean_persona(persona))
        open_ = await self._conversations.find(scope, persona_id, session)
        if open_ is None:
            return None
        with suppress(ConflictError):  # somebody else closed it just now
            await self.sessions.close(scope, open_)
        return open_

    async def get_names(
        self, scope: Scope, session_ids: Sequence[UUID]
    ) -> Mapping[UUID, str]:
        """Return sessions by the names the app gave them, or by their ids."""
        return await self._conversations.get_names(scope, session_ids)

    async def _save_if_requested(
        self, scope: Scope, pair: Pair, message: str
    ) -> UUID | None:
        """Save the conversation if a new message asks for it; the reply stands."""
        if self.save_requests is None or pair.is_repeated:
            return None
        try:
            if not await self.save_requests.is_save_request(message):
                return None
            saved = await self._save_on_request(scope, pair.session_id)
        except GieokError as error:
            log.warning("conversation_not_saved", error=type(error).__name__)
            return None
        return saved and saved.episode.episode_id

    async def _save_on_request(
        self, scope: Scope, session_id: UUID
    ) -> SavedEpisode | None:
        """Keep what a session was about because somebody asks for it (E03)."""
        kept = await self.episodes.remember(scope, session_id, is_requested=True)
        if kept is not None:
            await self._conversations.mark_saved(scope, session_id)
        return kept

    @property
    def _now(self) -> datetime:
        return self.sessions.database.clock()

    @property
    def _conversations(self) -> Conversations:
        return Conversations(self.accounts, self.sessions)

    async def _read_working_memory(
        self, scope: Scope, session_id: UUID | None
    ) -> list[ClientMessage]:
        """Return what the two said last; only we speak for the system (rule 10)."""
        if session_id is None:
            return []
        messages = await self.sessions.recent(scope, session_id, WORKING_MEMORY)
        return [
            ClientMessage(message.role, message.content)
            for message in messages
            if message.role is not Role.SYSTEM
        ]

    async def _build_memory(
        self, scope: Scope, persona_id: UUID, said: str
    ) -> tuple[Block, Block]:
        """Return what was talked about (E09) and what is known (D08)."""
        return await asyncio.gather(
            self._build_or_empty(self.context.episodes(scope, persona_id)),
            self._build_or_empty(
                self.context.build(scope, said, persona_id=persona_id)
            ),
        )

    async def _build_or_empty(self, block: Awaitable[Block]) -> Block:
        """Return a block; memory that fails or takes long never breaks the chat."""
        try:
            async with asyncio.timeout(self.patience):
                return await block
        except Exception as error:  # noqa: BLE001 - whatever it is, the chat goes on
            log.warning("memory_left_out", error=type(error).__name__)
            return EMPTY

    async def _request_reply(
        self, instructions: str, messages: Sequence[ClientMessage]
    ) -> ModelReply:
        """Return the model's reply as a text that can be kept."""
        told = [
            Utterance(index, said.role, said.content)
            for index, said in enumerate(messages)
        ]
        end = compute_end(self.reply_patience)
        return await request_reply(self.model, instructions, told, end)

    async def _record_turn(
        self,
        scope: Scope,
        persona_id: UUID,
        session: str | None,
        turn: Turn,
        pair_id: UUID | None,
    ) -> Pair:
        session_id = await self._conversations.open(scope, persona_id, session)
        try:
            return await self.sessions.record(scope, session_id, turn, pair_id=pair_id)
        except UsedTurnIdError:
            raise
        except ConflictError:  # it ended just now
            session_id = await self._conversations.open(scope, persona_id, session)
            return await self.sessions.record(scope, session_id, turn, pair_id=pair_id)

    async def _find_answer(
        self, scope: Scope, pair_id: UUID, message: str
    ) -> Answer | None:
        """Return the reply that a message of this id was given before."""
        found = await self.sessions.find_turn(scope, pair_id)
        if found is None:
            return None
        pair, words = found
        require_same_words(words, message)
        return Answer(
            text=words.assistant_text,
            session_id=pair.session_id,
            pair_id=pair.pair_id,
            message_id=pair.assistant_message_id,
            tokens=0,
            created_at=pair.created_at,
        )


def _clean_persona(name: str) -> str:
    return clean_name("persona_id", name)
