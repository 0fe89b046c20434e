"""The product's table of contents: one attribute per capability."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from gieok.access import Access, OperatorSignIns, SignIns
from gieok.accounts import Accounts
from gieok.audit import AuditLog
from gieok.chat import Chat
from gieok.context import Context
from gieok.database import Agenda, Jobs
from gieok.episodes import Episodes
from gieok.erasure import Erasure, Retention
from gieok.exchange import Exchange
from gieok.guard.judge import load_guard_weights
from gieok.items import Items
from gieok.kernel.clock import Clock
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.ids import NewId
from gieok.kernel.scope import Actor, Scope
from gieok.maintenance import Maintenance
from gieok.memories import Memories
from gieok.pii.rules import load_number_rules
from gieok.portability import Portability
from gieok.privacy.rotation import KeyRotation
from gieok.profile import Profile
from gieok.profile.tutor_cards import TutorCards
from gieok.recall import Recall
from gieok.sessions import Session, Sessions
from gieok.sessions.inputs import check_start
from gieok.settings import SettingsService
from gieok.summaries import Summaries
from gieok.sync import Sync
from gieok.text.patterns import compile_declared

ANONYMOUS_LASTS: Final = timedelta(hours=24)
"""Until when an anonymous session is gone, with the person it was for."""

WARM_UP_TEXTS: Final[Mapping[str, str]] = {"ko": "기억", "en": "memory"}
"""A text in each language, the tokenizing of which loads what the language needs."""


@dataclass(frozen=True, slots=True)
class Gieok:
    """Long-term memory for conversational agents; `open_memory()` makes one."""

    accounts: Accounts
    settings: SettingsService
    sessions: Sessions
    summaries: Summaries
    episodes: Episodes
    memories: Memories
    profile: Profile
    tutor_cards: TutorCards | None
    recall: Recall
    items: Items
    context: Context
    chat: Chat
    sync: Sync
    exchange: Exchange
    erasure: Erasure
    retention: Retention
    portability: Portability
    maintenance: Maintenance
    keys: KeyRotation
    audit: AuditLog
    access: Access
    sign_ins: SignIns
    operator_sign_ins: OperatorSignIns
    jobs: Jobs
    agenda: Agenda
    clock: Clock
    new_id: NewId

    def person(self, user_id: str, *, actor: Actor = Actor.USER) -> Scope:
        """Return the scope of a person by the id your app gives them.

        Raises:
            InvalidInputError: the id is empty, over 128 characters or not text.
        """
        return self.accounts.scope(user_id, actor=actor)

    async def anonymous(
        self,
        session_id: UUID,
        *,
        until: datetime | None = None,
        actor: Actor = Actor.USER,
    ) -> Scope:
        """Return the scope of a session whose person is unknown (B02).

        Memory is off for them, and a worker erases them at `until`: by default, and at
        the latest, in 24 hours. `accounts.anonymous` finds the scope again without
        touching the database.
        """
        latest = self.clock() + ANONYMOUS_LASTS
        scope = self.accounts.anonymous(session_id, actor=actor)
        await self.erasure.expect_anonymous(scope, min(until or latest, latest))
        await self.settings.update(scope, {"is_enabled": False})
        return scope

    async def start_anonymous(
        self,
        *,
        language: str | None = None,
        config: Mapping[str, Any] | None = None,
        expires_at: datetime | None = None,
        actor: Actor = Actor.USER,
    ) -> tuple[Scope, Session]:
        """Start a session whose person is unknown; return it with its scope.

        It is over at `expires_at`: by default, and at the latest, in 24 hours. A worker
        then erases it, and the person that it was for.

        Raises:
            InvalidInputError: as `sessions.start`, or an end that is later.
        """
        now = self.clock()
        latest = now + ANONYMOUS_LASTS
        check_start(language, None, expires_at, now)
        if expires_at is not None and expires_at > latest:
            field = "expires_at"
            raise InvalidInputError(
                field, "an anonymous session lasts 24 hours at most"
            )
        session_id, until = self.new_id(), expires_at or latest
        scope = await self.anonymous(session_id, until=until, actor=actor)
        session = await self.sessions.start(
            scope,
            session_id=session_id,
            language=language,
            config=config,
            expires_at=until,
        )
        return scope, session

    async def warm_up(self, *, language: str = "ko") -> None:
        """Load what the first requests of a server would have others wait for.

        Expressions are compiled, rules of numbers and the guard's weights are read, and
        for "ko" Korean morphology is loaded (310 MB), which would stop the event loop
        for about a second when the first Korean text comes. It takes up to two seconds;
        `gieok serve` and `gieok worker` do it.
        """
        await asyncio.to_thread(load_number_rules)
        await asyncio.to_thread(compile_declared)
        await asyncio.to_thread(load_guard_weights)
        await asyncio.to_thread(self.recall.tokenizer.terms, WARM_UP_TEXTS[language])

    async def settled(self, scope: Scope) -> None:
        """Run pending work now, as `maintenance.run_pending_work` does.

        Raises:
            ModelUnavailableError: the model or embedder does not answer.
        """
        await self.maintenance.run_pending_work(scope)
