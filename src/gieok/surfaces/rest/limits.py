"""How many requests a person's tokens, and an app's key, may make in a minute."""

from dataclasses import dataclass
from math import ceil
from uuid import UUID

from gieok.cache import Cache
from gieok.surfaces.rest.errors import RateLimitedError


@dataclass(frozen=True, slots=True)
class Limits:
    """The most requests in a minute; 0 is no limit. All may come at once."""

    cache: Cache
    """What counts: for this process, or for all of them in Redis."""
    per_person: int = 0
    per_key: int = 0

    async def spend(self, person: UUID, key_id: UUID | None) -> None:
        """Count a request, against the key if there is one.

        Raises:
            RateLimitedError: there were too many; says when to come back.
        """
        most = self.per_person if key_id is None else self.per_key
        if not most:
            return
        kind, who = ("person", person) if key_id is None else ("key", key_id)
        wait = await self.cache.spend(f"limit:{kind}:{who}", most)
        if wait > 0:
            raise RateLimitedError(ceil(wait))
