"""Lets operators into `/console`: with a key that may administer, or by a link."""

from dataclasses import dataclass
from typing import Final

from gieok.access import operator_store as store
from gieok.access.model import (
    ApiKey,
    OpenOperatorSignIn,
    OperatorSignIn,
    Right,
    SignInLink,
)
from gieok.access.random_secrets import (
    LONGEST_SECRET,
    generate_secret,
    hash_secret,
)
from gieok.access.service import Access
from gieok.access.sign_ins import LINK_LASTS, SIGN_IN_LASTS
from gieok.database import Database
from gieok.kernel.errors import AuthenticationError, NotPermittedError

EVERYTHING: Final = frozenset(Right)


@dataclass(frozen=True, slots=True)
class OperatorSignIns:
    """The sign-ins of operators; each lasts twelve hours, or until its key ends."""

    database: Database
    access: Access

    async def create_link(self) -> SignInLink:
        """Make a link that signs in once, within ten minutes, without a key.

        Only who runs a command on the machine gets one: no address hands it out.
        """
        secret, now = generate_secret(), self.database.clock()
        link = OperatorSignIn(
            self.database.new_id(), None, None, EVERYTHING, now, None, now + LINK_LASTS
        )
        async with self.database.connection() as connection:
            await store.delete_sign_ins(connection, now)
            await store.insert_sign_in(connection, link, hash_secret(secret))
        return SignInLink(secret, link.expires_at)

    async def has_link(self, secret: str) -> bool:
        """Tell whether a link is still good, without opening it."""
        if len(secret) > LONGEST_SECRET:
            return False
        async with self.database.connection() as connection:
            now = self.database.clock()
            return await store.is_link(connection, hash_secret(secret), now)

    async def open(self, secret: str) -> OpenOperatorSignIn:
        """Use up a link; return the sign-in.

        Raises:
            AuthenticationError: it was opened before, has expired, or never was.
        """
        opened, now = generate_secret(), self.database.clock()
        async with self.database.connection() as connection:
            is_opened = len(secret) <= LONGEST_SECRET and await store.exchange_digest(
                connection,
                hash_secret(secret),
                hash_secret(opened),
                now,
                now + SIGN_IN_LASTS,
            )
        if not is_opened:
            raise AuthenticationError("the link is not valid any more")
        return await self.verify(opened)

    async def create(self, key: str) -> OpenOperatorSignIn:
        """Sign in with a key.

        Raises:
            AuthenticationError: there is no such key, or it was revoked.
            NotPermittedError: it has not the right to administer.
        """
        owner = await self.access.verify(key)
        if Right.ADMIN not in owner.rights:
            reason = "the key does not have the right to admin"
            raise NotPermittedError(reason)
        secret = generate_secret()
        sign_in = self._build_sign_in(owner)
        async with self.database.connection() as connection:
            await store.delete_sign_ins(connection, sign_in.created_at)
            await store.insert_sign_in(connection, sign_in, hash_secret(secret))
        return OpenOperatorSignIn(sign_in, secret)

    async def verify(self, secret: str) -> OpenOperatorSignIn:
        """Return who is signed in; the database is asked, so ending one acts at once.

        Raises:
            AuthenticationError: nobody is.
        """
        sign_in = None
        if len(secret) <= LONGEST_SECRET:
            async with self.database.connection() as connection:
                now = self.database.clock()
                sign_in = await store.find_open(connection, hash_secret(secret), now)
        if sign_in is None:
            raise AuthenticationError("the sign-in is over")
        return OpenOperatorSignIn(sign_in, secret)

    async def list(self) -> list[OperatorSignIn]:
        """Return the sign-ins that are good, newest first."""
        async with self.database.connection() as connection:
            return await store.list_open(connection, self.database.clock())

    async def end(self, secret: str) -> None:
        """Sign out; what is over already stays so."""
        async with self.database.connection() as connection:
            await store.delete_digest(connection, hash_secret(secret))

    async def revoke(self) -> None:
        """Sign every operator out, and refuse every link from now on."""
        async with self.database.connection() as connection:
            await store.delete_sign_ins(connection, None)

    def _build_sign_in(self, key: ApiKey) -> OperatorSignIn:
        now = self.database.clock()
        until = now + SIGN_IN_LASTS
        return OperatorSignIn(
            self.database.new_id(), key.key_id, key.name, key.rights, now, now, until
        )
