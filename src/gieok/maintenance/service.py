"""Runs what follows later at once, re-embeds everyone, checks what was restored."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from gieok.access import Access
from gieok.database import (
    AgendaEvent,
    Database,
    DefaultCategoriesChanged,
    DefaultsChanged,
)
from gieok.episodes import Episodes
from gieok.erasure import Erasure, Retention
from gieok.items import Items
from gieok.kernel.errors import ConflictError
from gieok.kernel.scope import Actor, Scope
from gieok.memories import Memories
from gieok.portability import Portability
from gieok.privacy import Vault
from gieok.recall import EmbedderRecord, Recall
from gieok.sessions import Sessions
from gieok.settings import Purpose, SettingsService
from gieok.settings.installation_defaults import (
    put_off_other_defaults,
    schedule_default_changes,
)
from gieok.summaries import Summaries


@dataclass(frozen=True, slots=True)
class Replay:
    """What was done again after a restore, in numbers."""

    erasures: int
    decisions: int
    revocations: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintenance:
    """What a worker or an operator does to everything that is kept of people."""

    database: Database
    vault: Vault
    settings: SettingsService
    access: Access
    sessions: Sessions
    summaries: Summaries
    episodes: Episodes
    memories: Memories
    recall: Recall
    items: Items
    erasure: Erasure
    retention: Retention
    portability: Portability
    own_defaults: str
    """What `describe_defaults` says of this process."""

    async def run_pending_work(self, scope: Scope) -> None:
        """Do now what would follow later for a person, up to the present time.

        Idle sessions are over, everything said is extracted and searchable, what has
        ended is summarized. For tests and scripts; a server's worker gets there by
        itself.

        Raises:
            ModelUnavailableError: the model or embedder does not answer.
        """
        await self.sessions.expire_idle(scope)
        for session_id in await self.sessions.unread(scope):
            await self.memories.extract(scope, session_id)
        await self.memories.deactivate_surplus(scope)
        await self.erasure.erase_forgotten(scope)
        for session_id in await self.summaries.list_unsummarized_sessions(scope):
            await self.episodes.remember(scope, session_id)
        await self.summaries.refresh(scope, scope.user_id)
        await self.episodes.refresh(scope)
        await self.episodes.replace_fallbacks(scope)
        await self.summaries.expire(scope)
        await self.retention.expire(scope)
        await self.erase_withdrawn(scope)
        await self.erasure.attest(scope)
        await self.portability.expire(scope)
        await self.recall.index(scope)
        await self.items.index(scope)

    async def erase_withdrawn(
        self, scope: Scope, before: datetime | None = None
    ) -> int:
        """Erase what was kept for purposes the person no longer agrees to.

        Of the tutor's card only what was last changed `before` a time, if one is given.
        Returns how many rows or memories that were. Running it twice changes nothing.
        """
        withheld = (await self.settings.get(scope)).withheld
        if Purpose.STORAGE in withheld:
            return await self.erasure.content(scope, before)
        gone = 0
        if Purpose.PROFILE in withheld:
            gone += await self.erasure.profile(scope, before)
        if Purpose.SENSITIVE in withheld:
            gone += await self.erasure.special(scope, before)
        if Purpose.WORDS in withheld:
            gone += await self.retention.expire(scope)
        return gone

    async def schedule_default_changes(self) -> int:
        """Let changed defaults come due for the next people; return for how many."""
        return await schedule_default_changes(
            self.database, self.vault.keystore, self.own_defaults
        )

    async def apply_defaults(self, scope: Scope) -> None:
        """Let what is kept of the person already end as the defaults now say.

        A process that was not started with them puts it off.
        """
        if not await self._put_off(scope, DefaultsChanged):
            await self.settings.apply_default_retention(scope)
            await self.summaries.update_expiry(scope)

    async def apply_default_categories(self, scope: Scope) -> None:
        """Let the person's devices hold what the default categories now allow.

        A process that was not started with them puts it off.
        """
        if not await self._put_off(scope, DefaultCategoriesChanged):
            await self.settings.apply_default_categories(scope)

    async def _put_off(self, scope: Scope, event: type[AgendaEvent]) -> bool:
        return await put_off_other_defaults(
            self.database, scope, self.own_defaults, event
        )

    async def replay(self) -> Replay:
        """Do again what was erased, decided and revoked since a backup was made.

        To be run after a restore, before anybody is let in. Running it twice changes
        nothing.

        Raises:
            UnavailableError: the table of the tutor's cards does not answer; running it
                again goes on.
            ConflictError: an erasure failed, as `Erasure.replay`; all else is done.
        """
        revocations = await self.access.replay()
        try:
            erasures = await self.erasure.replay()
        except ConflictError:
            await self.settings.replay()
            raise
        return Replay(erasures, await self.settings.replay(), revocations)

    async def reembed(self, progress: Callable[[int, int], None]) -> int:
        """Make every vector anew with the configured embedder; return how many.

        `progress` is told (people done, people in all). It may be stopped and run
        again: what is done stays done.

        Raises:
            ModelUnavailableError: the embedder does not answer.
        """
        people = await self.vault.keystore.list_people()
        made = 0
        for done, user_id in enumerate(people):
            progress(done, len(people))
            made += await self.recall.index(Scope(user_id, Actor.ADMIN))
            made += await self.items.index(Scope(user_id, Actor.ADMIN))
        progress(len(people), len(people))
        await EmbedderRecord(self.database).set(self.recall.embedder)
        return made
