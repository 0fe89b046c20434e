"""Card documents on PostgreSQL."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gieok.accounts import Accounts
from gieok.kernel.language import Basis
from gieok.kernel.scope import Actor
from gieok.profile.documents import NOTHING_LOST
from gieok.profile.service import Profile


@dataclass(frozen=True, slots=True)
class PostgresProfileDocuments:
    """Cards as gieok's own views of memories: the default."""

    accounts: Accounts
    profile: Profile
    actor: Actor = Actor.USER

    async def get(self, user_id: str) -> dict[str, Any]:
        """Return the person's card; `{}` if nothing is known."""
        card = await self.profile.get(self.accounts.scope(user_id, actor=self.actor))
        return dict(card.to_document())

    async def quote(self, user_id: str) -> dict[str, Any]:
        """Return what of the card a prompt may be told; `{}` if nothing may."""
        scope = self.accounts.scope(user_id, actor=self.actor)
        return dict(await self.profile.quote(scope))

    async def select_allowed(
        self, user_id: str, document: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return what of a card may be kept, as `Profile.select_allowed`."""
        scope = self.accounts.scope(user_id, actor=self.actor)
        return dict(await self.profile.select_allowed(scope, document))

    async def merge(
        self,
        user_id: str,
        new: Mapping[str, Any],
        lost: Mapping[str, Sequence[str]] = NOTHING_LOST,
    ) -> dict[str, Any]:
        """Add what was found in talk, and set aside what was lost there.

        Raises as `Profile.merge`.
        """
        scope = self.accounts.scope(user_id, actor=self.actor)
        card = await self.profile.merge(scope, new, basis=Basis.STATED)
        if lost:
            card = await self.profile.set_aside(scope, lost)
        return dict(card.to_document())

    async def replace(self, user_id: str, document: Mapping[str, Any]) -> None:
        """Make the card what is given; raises as `Profile.replace`."""
        scope = self.accounts.scope(user_id, actor=self.actor)
        await self.profile.replace(scope, document)

    async def delete(self, user_id: str) -> bool:
        """Erase every memory of the person, and so the card."""
        scope = self.accounts.scope(user_id, actor=self.actor)
        return await self.profile.clear(scope) > 0
