"""Turns the id an app uses for a person into a `Scope`, and keeps what it needs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from gieok.accounts import naming, store
from gieok.accounts.model import Person
from gieok.accounts.naming import DEVICE, PERSONA, NamedEntity
from gieok.database import (
    Audit,
    Change,
    Database,
    PeriodEnded,
    Transaction,
    schedule_event,
)
from gieok.database.installation import store_values
from gieok.kernel.clock import is_time_zone
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.ids import derive_pseudonym
from gieok.kernel.scope import Actor, Scope
from gieok.pii import S3_ONLY, TextMasker
from gieok.privacy import PersonKey, Vault
from gieok.text.cleaning import clean_name, require_path_segments


@dataclass(frozen=True, slots=True)
class Accounts:
    """The people of this installation, known by pseudonyms only."""

    database: Database
    vault: Vault = field(repr=False)
    naming_secret: bytes = field(repr=False)

    async def set_defaults(
        self, *, language: str, time_zone: str, replaces: bool = True
    ) -> None:
        """Say for all processes what people met from now on have until they change it.

        `language` is "ko" or "en", `time_zone` an IANA one. What was said before stands
        unless this replaces it.
        """
        values = {"language": language, "time_zone": time_zone}
        await store_values(self.database, values, replaces=replaces)

    def scope(self, user: str, *, actor: Actor = Actor.USER) -> Scope:
        """Return the scope of a person named by the app; touches no database.

        Raises:
            InvalidInputError: the id is empty, too long or not text.
        """
        name = clean_name("user_id", user)
        return Scope(derive_pseudonym(self.naming_secret, "user", name), actor)

    def anonymous(self, session_id: UUID, *, actor: Actor = Actor.USER) -> Scope:
        """Return the scope of whoever talks in a session without saying who (B02).

        Each such session is a person of its own, found again by the session's id. No
        name that an app gives a person leads to one of them.
        """
        secret = self.naming_secret
        return Scope(derive_pseudonym(secret, "anonymous", session_id.hex), actor)

    def persona_id(self, scope: Scope, name: str) -> UUID:
        """Return the id of a persona by the app's name; touches no database.

        Raises:
            InvalidInputError: the name is empty, too long or not text.
        """
        return self._derive_id(scope, PERSONA, name)

    def device_id(self, scope: Scope, name: str) -> UUID:
        """Return the id of a device by the app's name; raises as `persona_id`."""
        return self._derive_id(scope, DEVICE, name)

    def session_id(self, scope: Scope, name: str) -> UUID:
        """Return the id of a session by the app's name; a UUID names itself.

        Touches no database; raises as `persona_id`.
        """
        clean = clean_name("session_id", name)
        try:
            return UUID(clean)
        except ValueError:
            person = scope.user_id.hex
            return derive_pseudonym(self.naming_secret, "session", person, clean)

    def pair_id(self, scope: Scope, *names: str) -> UUID:
        """Return the id of a turn by the app's names for it; touches no database."""
        person = scope.user_id.hex
        return derive_pseudonym(self.naming_secret, "pair", person, *names)

    async def persona(self, scope: Scope, name: str) -> UUID:
        """Return the id of a persona, kept on first sight; raises as `persona_id`."""
        return await self._ensure_named(scope, PERSONA, name)

    async def device(self, scope: Scope, name: str) -> UUID:
        """Return the id of a device, kept on first sight; raises as `persona_id`."""
        return await self._ensure_named(scope, DEVICE, name)

    async def persona_names(self, scope: Scope) -> Mapping[UUID, str]:
        """Return the app's names of the person's personas, by id."""
        return await self._list_names(scope, PERSONA)

    async def device_names(self, scope: Scope) -> Mapping[UUID, str]:
        """Return the app's names of the person's devices as it gave them, by id."""
        return await self._list_names(scope, DEVICE)

    async def ensure(self, scope: Scope) -> None:
        """Make sure the person exists; calling it again changes nothing."""
        erasures = await self._count_erasures(scope)
        async with self.database.begin(scope) as tx:
            await store.insert_person(tx, erasures)

    async def get(self, scope: Scope) -> Person:
        """Return the person, created on first sight."""
        async with self.database.begin(scope) as tx:
            person = await store.find_person(tx)
        if person is not None:
            return person
        erasures = await self._count_erasures(scope)
        async with self.database.begin(scope) as tx:
            await store.insert_person(tx, erasures)
            return await store.get_person(tx)

    async def is_known(self, scope: Scope) -> bool:
        """Tell whether anything is kept of the person; makes no key for who is not."""
        async with self.database.begin(scope) as tx:
            return await store.is_known(tx)

    async def plan(self, scope: Scope) -> str:
        """Return the person's plan, "free" for who is not known yet (E07)."""
        async with self.database.begin(scope) as tx:
            return await store.get_plan(tx)

    async def time_zone(self, scope: Scope) -> str:
        """Return the person's IANA zone, the installation's for who is not known."""
        async with self.database.begin(scope) as tx:
            return await store.get_time_zone(tx)

    async def update(
        self, scope: Scope, *, language: str | None = None, time_zone: str | None = None
    ) -> Person:
        """Change the person's language ("ko" or "en") or IANA time zone.

        Days and weeks that are kept are cut anew by a new time zone: those whose
        conversations then began on another date are made again, all others stay.

        Raises:
            InvalidInputError: a language or zone that does not exist.
        """
        if language is not None and language not in {"ko", "en"}:
            field = "language"
            raise InvalidInputError(field, "it must be ko or en")
        if time_zone is not None and not is_time_zone(time_zone):
            field = "time_zone"
            raise InvalidInputError(field, "there is no such IANA zone")
        erasures = await self._count_erasures(scope)
        async with self.database.begin(scope) as tx:
            await store.insert_person(tx, erasures)
            await tx.lock_person()
            before = await store.get_person(tx)
            await store.update_person(tx, language=language, time_zone=time_zone)
            after = await store.get_person(tx)
            if after != before:
                tx.record_changes(Change("user", scope.user_id))
                tx.record_audit(Audit("update", "users", scope.user_id, "user_request"))
            if after.time_zone != before.time_zone:
                await schedule_event(tx, PeriodEnded, tx.now)
        return after

    async def _count_erasures(self, scope: Scope) -> int:
        """Return how often the person was erased, also since a backup was made."""
        ledger = self.vault.keystore.ledger
        return await ledger.count_person_erasures(scope.user_id)

    def _derive_id(self, scope: Scope, kind: NamedEntity, name: str) -> UUID:
        clean = clean_name(kind.kind, name)
        return derive_pseudonym(self.naming_secret, kind.kind, scope.user_id.hex, clean)

    async def _ensure_named(self, scope: Scope, kind: NamedEntity, name: str) -> UUID:
        named = self._derive_id(scope, kind, name)
        async with self.database.begin(scope) as tx:
            if await naming.is_saved(tx, kind, named):
                return named
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await store.insert_person(tx, key.incarnation)
            await self.register(tx, key, kind, name)
        return named

    async def register(
        self, tx: Transaction, key: PersonKey, kind: NamedEntity, name: str
    ) -> UUID:
        """Return the id of a persona or device, kept on first sight; locks the person.

        Raises:
            InvalidInputError: the name is empty, too long or not text, or a new one
                that leads elsewhere in a path.
        """
        named = self._derive_id(tx.scope, kind, name)
        await tx.lock_person()
        if kind.is_in_paths and not await naming.is_saved(tx, kind, named):
            require_path_segments(kind.kind, name)
        screen = TextMasker(S3_ONLY)
        masked = screen.mask_text(clean_name(kind.kind, name))
        shown = masked if screen.is_masked else name
        if await naming.insert_name(tx, key, kind, named, shown):
            tx.record_changes(Change(kind.kind, named))
            tx.record_audit(Audit("create", kind.place.table, named, "first_seen"))
            if screen.is_masked:
                table, flags = kind.place.table, screen.flags
                tx.record_audit(Audit("mask", table, named, "pii", flags))
        return named

    async def _list_names(self, scope: Scope, kind: NamedEntity) -> Mapping[UUID, str]:
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope) as tx:
            return await naming.list_names(tx, key, kind)
