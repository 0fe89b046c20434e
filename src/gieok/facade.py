"""The product's table of contents: one attribute per capability."""

from collections.abc import Callable
from dataclasses import dataclass

from gieok.accounts import Accounts
from gieok.audit import AuditLog
from gieok.context import Context
from gieok.database import Database, Jobs
from gieok.kernel.scope import Actor, Scope
from gieok.memories import Memories
from gieok.privacy import Vault
from gieok.recall import EmbedderRecord, Recall
from gieok.sessions import Sessions
from gieok.settings import SettingsService


@dataclass(frozen=True, slots=True)
class Gieok:
    """Long-term memory for conversational agents; `open_memory()` makes one."""

    accounts: Accounts
    settings: SettingsService
    sessions: Sessions
    memories: Memories
    recall: Recall
    context: Context
    audit: AuditLog
    jobs: Jobs
    vault: Vault
    database: Database

    def person(self, user_id: str, *, actor: Actor = Actor.USER) -> Scope:
        """Return the scope of a person by the id your app gives them.

        Raises:
            InvalidInputError: the id is empty, over 128 characters or not text.
        """
        return self.accounts.scope(user_id, actor=actor)

    async def reembed(self, progress: Callable[[int, int], None]) -> int:
        """Make every vector anew with the configured embedder; return how many.

        `progress` is told (people done, people in all). It may be stopped and run
        again: what is done stays done.

        Raises:
            ModelUnavailableError: the embedder does not answer.
        """
        people = await self.vault.keystore.people()
        made = 0
        for done, user_id in enumerate(people):
            progress(done, len(people))
            made += await self.recall.index(Scope(user_id, Actor.ADMIN))
        progress(len(people), len(people))
        await EmbedderRecord(self.database).set(self.recall.embedder)
        return made

    async def settled(self, scope: Scope) -> None:
        """Do now what would follow later: everything said is extracted and searchable.

        For tests and scripts; a server's worker gets there by itself.

        Raises:
            ModelUnavailableError: the model or embedder does not answer.
        """
        for session_id in await self.sessions.unread(scope):
            await self.memories.extract(scope, session_id)
        await self.recall.index(scope)
