"""Lets a person into the pages of their own memory: by a link that works once."""

import base64
import secrets
from binascii import Error
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from gieok.access import sign_in_store as store
from gieok.access.model import OpenSignIn, SignIn, SignInLink
from gieok.access.random_secrets import RANDOM_BYTES, hash_secret
from gieok.accounts import store as accounts
from gieok.database import Audit, Database
from gieok.kernel.errors import AuthenticationError, NotPermittedError
from gieok.kernel.scope import Actor, Scope

LINK_LASTS: Final = timedelta(minutes=10)
SIGN_IN_LASTS: Final = timedelta(hours=12)
ID_BYTES: Final = 16
TABLE: Final = "sign_ins"


@dataclass(frozen=True, slots=True)
class SignIns:
    """The sign-ins of everyone.

    A secret begins with the person's pseudonym, so that its row is looked for among
    that person's own, behind row security.
    """

    database: Database

    async def create_link(self, scope: Scope) -> SignInLink:
        """Make a link that signs the person in once, within ten minutes.

        Raises:
            NotPermittedError: a device asks; it shows no pages.
        """
        if scope.actor is Actor.DEVICE:
            reason = "a device cannot make a link to the pages"
            raise NotPermittedError(reason)
        secret = _generate_secret(scope.user_id)
        async with self.database.begin(scope) as tx:
            await accounts.insert_person(tx)
            await tx.lock_person()
            await store.delete_sign_ins(tx, expired_only=True)
            made = SignIn(tx.new_id(), tx.now, None, tx.now + LINK_LASTS)
            await store.insert_link(tx, made, hash_secret(secret))
            tx.record_audit(Audit("create", TABLE, made.sign_in_id, "link"))
        return SignInLink(secret, made.expires_at)

    async def has_link(self, secret: str) -> bool:
        """Tell whether a link is still good, without opening it."""
        scope = _parse_scope(secret)
        if scope is None:
            return False
        async with self.database.begin(scope, durable=False) as tx:
            return await store.is_link(tx, hash_secret(secret))

    async def open(self, secret: str) -> OpenSignIn:
        """Use up a link; return the sign-in, which lasts twelve hours.

        Raises:
            AuthenticationError: it was opened before, has expired, or never was.
        """
        scope = _require_scope(secret)
        opened = _generate_secret(scope.user_id)
        async with self.database.begin(scope) as tx:
            sign_in = await store.exchange_digest(
                tx, hash_secret(secret), hash_secret(opened), tx.now + SIGN_IN_LASTS
            )
            if sign_in is None:
                raise AuthenticationError("the link is not valid any more")
            tx.record_audit(Audit("access", TABLE, sign_in.sign_in_id, "sign_in"))
        return OpenSignIn(scope, sign_in, opened)

    async def verify(self, secret: str) -> OpenSignIn:
        """Return who is signed in; the database is asked, so ending one acts at once.

        Raises:
            AuthenticationError: nobody is.
        """
        scope = _require_scope(secret)
        async with self.database.begin(scope, durable=False) as tx:
            sign_in = await store.find_open(tx, hash_secret(secret))
        if sign_in is None:
            raise AuthenticationError("the sign-in is over")
        return OpenSignIn(scope, sign_in, secret)

    async def list(self, scope: Scope) -> list[SignIn]:
        """Return the person's sign-ins that are good, newest first."""
        async with self.database.begin(scope, durable=False) as tx:
            return await store.list_open(tx)

    async def end(self, secret: str) -> None:
        """Sign out; what is over already stays so."""
        scope = _require_scope(secret)
        async with self.database.begin(scope) as tx:
            await store.delete_digest(tx, hash_secret(secret))

    async def revoke(self, scope: Scope) -> None:
        """Sign the person out everywhere, and refuse every link from now on."""
        async with self.database.begin(scope) as tx:
            await accounts.insert_person(tx)
            await tx.lock_person()
            gone = await store.delete_sign_ins(tx)
            tx.record_audit(
                Audit("delete", TABLE, scope.user_id, "user_request", {"n": gone})
            )


def _generate_secret(user_id: UUID) -> str:
    raw = user_id.bytes + secrets.token_bytes(RANDOM_BYTES)
    return base64.urlsafe_b64encode(raw).decode("ascii")


def _parse_scope(secret: str) -> Scope | None:
    """Return whom a secret says it is of; nothing is proven by that."""
    try:
        raw = base64.b64decode(secret.encode("ascii"), altchars=b"-_", validate=True)
    except (Error, ValueError):
        return None
    if len(raw) != ID_BYTES + RANDOM_BYTES:
        return None
    return Scope(UUID(bytes=raw[:ID_BYTES]), Actor.USER)


def _require_scope(secret: str) -> Scope:
    scope = _parse_scope(secret)
    if scope is None:
        raise AuthenticationError("the link is not valid any more")
    return scope
