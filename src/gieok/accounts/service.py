"""Turns the id an app uses for a person into a `Scope`, and keeps what it needs."""

from dataclasses import dataclass, field
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gieok.accounts import store
from gieok.accounts.model import Person
from gieok.database import Database
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.ids import pseudonym
from gieok.kernel.scope import Actor, Scope
from gieok.kernel.text import clean_name


@dataclass(frozen=True, slots=True)
class Accounts:
    """The people of this installation, known by pseudonyms only."""

    database: Database
    naming_secret: bytes = field(repr=False)

    def scope(self, user: str, *, actor: Actor = Actor.USER) -> Scope:
        """Return the scope of a person named by the app; touches no database.

        Raises:
            InvalidInputError: the id is empty, too long or not text.
        """
        name = clean_name("user_id", user)
        return Scope(pseudonym(self.naming_secret, "user", name), actor)

    async def ensure(self, scope: Scope) -> None:
        """Make sure the person exists; calling it again changes nothing."""
        async with self.database.begin(scope) as tx:
            await store.insert(tx)

    async def get(self, scope: Scope) -> Person:
        """Return the person, created on first sight."""
        async with self.database.begin(scope) as tx:
            await store.insert(tx)
            return await store.get(tx)

    async def update(
        self, scope: Scope, *, language: str | None = None, time_zone: str | None = None
    ) -> Person:
        """Change the person's language ("ko" or "en") or IANA time zone.

        Raises:
            InvalidInputError: a language or zone that does not exist.
        """
        if language is not None and language not in {"ko", "en"}:
            problem = "language"
            raise InvalidInputError(problem, "it must be ko or en")
        if time_zone is not None:
            _require_zone(time_zone)
        async with self.database.begin(scope) as tx:
            await store.insert(tx)
            await store.update(tx, language=language, time_zone=time_zone)
            return await store.get(tx)


def _require_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        field = "time_zone"
        raise InvalidInputError(field, "there is no such IANA zone") from None
