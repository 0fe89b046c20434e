"""A server's cards in a table of their own: no views of memories, but bodies of C04.

A person's item stands under their pseudonym, never under the id that an app gives them,
so that an erasure finds it with what the ledger knows.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import UUID

from gieok.accounts import Accounts
from gieok.accounts import store as account_store
from gieok.database import Audit, Database
from gieok.kernel.errors import NotFoundError, TamperedError
from gieok.kernel.language import CardField
from gieok.kernel.scope import Actor, Scope
from gieok.memories.permission import (
    ignore_default_categories,
    is_text_allowed,
    require_allowed,
)
from gieok.pii import is_special
from gieok.privacy import PersonKey, Place, Vault, log_unreadable
from gieok.profile.documents import NOTHING_LOST
from gieok.profile.merge import select_texts, select_values
from gieok.profile.model import CardDocument
from gieok.profile.parsing import parse_document
from gieok.profile.statements import get_category
from gieok.settings import Purpose, Settings, SettingsService
from gieok.settings.consent_rules import can_store_texts

if TYPE_CHECKING:
    from gieok.profile.dynamodb import DynamoProfileDocuments

T = TypeVar("T")
TABLE: Final = "tutor_cards"
"""What the audit log calls them."""
CARD: Final = Place(TABLE, "memory")


@dataclass(frozen=True, slots=True)
class PersonCardSeal:
    """A `CardSeal` by the key that everything else of the person is sealed with."""

    key: PersonKey
    user_id: UUID
    is_on: bool
    passes_over: bool = False
    """Whether what this key, as the keystore has it now, does not open is left out."""

    def seal(self, card: Mapping[str, Any]) -> bytes:
        """Return the card, sealed; its length shows in steps only."""
        text = json.dumps(dict(card), ensure_ascii=False)
        return self.key.seal_text(CARD, self.user_id, text)

    def open(self, sealed: bytes) -> dict[str, Any] | None:
        """Return what was sealed; None and raises as the port."""
        try:
            return json.loads(self.key.open_text(CARD, self.user_id, sealed))
        except TamperedError:
            if not self.passes_over:
                raise
            log_unreadable(TABLE, 1)
            return None

    def is_current(self, sealed: bytes) -> bool:
        """Tell whether the person's newest key sealed it."""
        return self.key.is_current(sealed)


@dataclass(frozen=True, slots=True, kw_only=True)
class TutorCards:
    """A `ProfileDocumentStore` for the people of a server, by their settings."""

    database: Database
    accounts: Accounts
    settings: SettingsService
    vault: Vault
    documents: "DynamoProfileDocuments"
    is_sealed: bool = False
    """Whether cards are sealed with the person's key when they are written."""
    actor: Actor = Actor.USER

    async def get(self, user_id: str) -> dict[str, Any]:
        """Return the person's card; `{}` also where they refuse consent.

        Without consent to special categories, what touches one is left out.
        """
        scope = self._create_scope(user_id)
        await self._audit(scope, "get")
        settings = await self.settings.get(scope)
        if {Purpose.STORAGE, Purpose.PROFILE}.intersection(settings.withheld):
            return {}
        return _select_storable(settings, await self.load(scope))

    async def quote(self, user_id: str) -> dict[str, Any]:
        """Return what of the card a prompt may be told.

        Nothing while memory is off, and no place of a category that is not allowed.
        """
        card = await self.get(user_id)
        settings = await self.settings.get(self._create_scope(user_id))
        if not settings.is_enabled:
            return {}
        own = ignore_default_categories(settings, self.settings.defaults)
        hidden = {
            place
            for place in CardField
            if get_category(place) not in own.allowed_categories
        }
        return {name: value for name, value in card.items() if name not in hidden}

    async def select_allowed(
        self, user_id: str, document: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return what of a card the person's settings do not refuse to keep."""
        settings = await self.settings.get(self._create_scope(user_id))
        own = ignore_default_categories(settings, self.settings.defaults)
        return select_values(
            parse_document(document),
            lambda place, text: is_text_allowed(own, get_category(place), text),
        )

    async def merge(
        self,
        user_id: str,
        new: Mapping[str, Any],
        lost: Mapping[str, Sequence[str]] = NOTHING_LOST,
    ) -> dict[str, Any]:
        """Add to the card by C02's rule, and take out what was lost.

        Return what `get` would.

        Raises:
            InvalidInputError, UnavailableError: as the port.
            NotPermittedError: the person does not allow this; nothing is changed.
            NotFoundError: the person was erased meanwhile; nothing is kept.
        """
        scope = self._create_scope(user_id)
        since = await self._begin_write(scope, parse_document(new), "merge")
        merged = await self._call_sealed(
            scope, lambda seal: self.documents.merge(_get_key(scope), new, lost, seal)
        )
        await self._verify_still_there(scope, since)
        return _select_storable(await self.settings.get(scope), merged)

    async def replace(self, user_id: str, document: Mapping[str, Any]) -> None:
        """Make the card what is given; raises as `merge`."""
        scope = self._create_scope(user_id)
        since = await self._begin_write(scope, parse_document(document), "replace")
        await self._call_sealed(
            scope,
            lambda seal: self.documents.replace(_get_key(scope), document, seal),
        )
        await self._verify_still_there(scope, since)

    async def delete(self, user_id: str) -> bool:
        """Erase the card; tell whether there was any."""
        scope = self._create_scope(user_id)
        await self._audit(scope, "delete")
        return await self.erase(scope)

    async def load(self, scope: Scope) -> dict[str, Any]:
        """Return what the table holds of a person, whatever they allow.

        A sealed card that never opens is left out, and the next write takes its place.
        """
        return await self._call_sealed(
            scope, lambda seal: self.documents.get(_get_key(scope), seal)
        )

    async def is_unreadable(self, scope: Scope) -> bool:
        """Tell whether the person has a sealed card that never opens."""
        return await self._call_sealed(
            scope, lambda seal: self.documents.is_unreadable(_get_key(scope), seal)
        )

    async def erase(self, scope: Scope) -> bool:
        """Remove what the table holds of a person; tell whether there was any.

        Raises:
            UnavailableError: the table does not answer; it may still be there.
        """
        gone = await self.documents.delete(_get_key(scope))
        await self._record_erasure(scope, gone=gone)
        return gone

    async def erase_older(self, scope: Scope, before: datetime) -> bool:
        """Remove a card that was last changed before a time; tell whether there was.

        Raises:
            UnavailableError: as `erase`.
        """
        gone = await self.documents.delete_older(_get_key(scope), before)
        await self._record_erasure(scope, gone=gone)
        return gone

    async def erase_special(self, scope: Scope, before: datetime | None = None) -> bool:
        """Take out what touches a special category; tell whether there was any.

        `before` leaves a card alone that was changed at that time or later.

        Raises:
            UnavailableError: the table does not answer; it may still be there.
        """
        gone = await self._call_sealed(
            scope,
            lambda seal: self.documents.remove_texts(
                _get_key(scope), is_special, seal, before
            ),
        )
        await self._record_erasure(scope, gone=gone)
        return gone

    async def reseal(self, scope: Scope, key: PersonKey) -> int:
        """Seal a person's card with their newest key, if it is to be; how many.

        One that no key of theirs opens is passed over.

        Raises:
            UnavailableError: the table does not answer; the older key is still needed.
        """
        seal = PersonCardSeal(key, scope.user_id, self.is_sealed, passes_over=True)
        return await self.documents.reseal(_get_key(scope), seal)

    async def verify(self) -> None:
        """Make sure that the store is there; raises as the store's own `verify`."""
        await self.documents.verify()

    async def _call_sealed(
        self, scope: Scope, call: Callable[[PersonCardSeal], Awaitable[T]]
    ) -> T:
        """Call the table; what does not open is passed over once no key is newer.

        A key that did not open something is asked for anew.
        """
        try:
            return await call(await self._get_seal(scope))
        except TamperedError:
            return await call(replace(await self._get_seal(scope), passes_over=True))

    async def _get_seal(self, scope: Scope) -> PersonCardSeal:
        key = await self.vault.get_key(scope)
        return PersonCardSeal(key, scope.user_id, self.is_sealed)

    def _create_scope(self, user_id: str) -> Scope:
        return self.accounts.scope(user_id, actor=self.actor)

    async def _begin_write(
        self, scope: Scope, wanted: CardDocument, reason: str
    ) -> datetime:
        """Make sure that all of it may be kept; return since when the person is known.

        Who was erased and came back is known since later.
        """
        await self._audit(scope, reason)
        async with self.database.begin(scope) as tx:
            settings = await self.settings.read_settings(tx)
            since = (await account_store.get_person(tx)).created_at
        own = ignore_default_categories(settings, self.settings.defaults)
        for name, value in wanted.items():
            category = get_category(CardField(name))
            for text in [value] if isinstance(value, str) else value:
                require_allowed(own, category, text)
        return since

    async def _verify_still_there(self, scope: Scope, since: datetime) -> None:
        """Take back what was written of a person who was erased while it was."""
        async with self.database.begin(scope) as tx:
            person = await account_store.find_person(tx)
        if person is not None and person.created_at == since:
            return
        await self.erase(scope)
        thing = "person"
        raise NotFoundError(thing)

    async def _record_erasure(self, scope: Scope, *, gone: bool) -> None:
        """Let copies of the card go that wait to be handed out, if any of it went."""
        if gone:
            async with self.database.begin(scope) as tx:
                tx.record_erasure()

    async def _audit(self, scope: Scope, reason: str) -> None:
        async with self.database.begin(scope) as tx:
            await account_store.insert_person(tx)
            event = "delete" if reason == "delete" else "access"
            tx.record_audit(Audit(event, TABLE, scope.user_id, reason))


def _select_storable(settings: Settings, card: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a card the person lets memory hold."""
    return select_texts(card, lambda text: can_store_texts(settings, text))


def _get_key(scope: Scope) -> str:
    return str(scope.user_id)
