"""Makes, checks and revokes the keys of apps."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from gieok.access import store
from gieok.access.model import PREFIX, ApiKey, NewKey, Right
from gieok.access.random_secrets import (
    LONGEST_SECRET,
    generate_secret,
    hash_secret,
)
from gieok.database import Database
from gieok.kernel.errors import AuthenticationError, InvalidInputError, NotFoundError
from gieok.kernel.ids import NewId, generate_id
from gieok.privacy import Ledger
from gieok.text.cleaning import clean_name

NOTED_EVERY: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Access:
    """The keys of this installation's apps."""

    database: Database
    ledger: Ledger
    new_id: NewId = generate_id

    async def create(self, name: str, rights: Iterable[str]) -> NewKey:
        """Make a key; it can be read from the answer and never again.

        Raises:
            InvalidInputError: a name that is not text of up to 128 characters, no
                right, or an unknown one.
        """
        given = frozenset(rights)
        if not given or not given <= set(Right):
            field = "rights"
            raise InvalidInputError(field, f"each must be one of {', '.join(Right)}")
        secret = PREFIX + generate_secret()
        key = ApiKey(
            key_id=self.new_id(),
            name=clean_name("name", name),
            rights=frozenset(map(Right, given)),
            created_at=self.database.clock(),
            last_used_at=None,
            revoked_at=None,
        )
        async with self.database.connection() as connection:
            await store.insert_key(connection, key, hash_secret(secret))
        return NewKey(key, secret)

    async def verify(self, secret: str) -> ApiKey:
        """Return the key; the database is asked every time, so revoking acts at once.

        Raises:
            AuthenticationError: there is no such key, or it was revoked.
        """
        if not secret.startswith(PREFIX) or len(secret) > LONGEST_SECRET:
            raise AuthenticationError("the key is not valid")
        now = self.database.clock()
        async with self.database.connection() as connection:
            key = await store.find_valid_key(connection, hash_secret(secret))
            if key is None:
                raise AuthenticationError("the key is not valid")
            if key.last_used_at is None or now - key.last_used_at >= NOTED_EVERY:
                await store.update_last_used(connection, key.key_id, now, NOTED_EVERY)
        return key

    async def list(self) -> list[ApiKey]:
        """Return every key, revoked ones too, newest first."""
        async with self.database.connection() as connection:
            return await store.list_keys(connection)

    async def revoke(self, key_id: UUID) -> None:
        """Refuse a key from now on, also after a restore; again changes nothing.

        Raises:
            NotFoundError: there is no such key.
            DatabaseUnavailableError: the keystore does not answer; the key stays valid.
        """
        now = self.database.clock()
        async with self.database.connection() as connection:
            if not await store.revoke_key(connection, key_id, now):
                thing = "key"
                raise NotFoundError(thing)
            await self.ledger.append_revocation(key_id, now)

    async def replay(self) -> int:
        """Revoke again what a restored database has as valid; return how many."""
        revoked = await self.ledger.list_revocations()
        async with self.database.connection() as connection:
            return await store.restore_revocations(connection, revoked)
