"""How many requests a person, an app and a stranger may make in a minute."""

import hashlib
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import Final
from uuid import UUID

from gieok.cache import Cache
from gieok.kernel.errors import AuthenticationError, NotPermittedError
from gieok.surfaces.rest.errors import RateLimitedError

NETWORK_BITS: Final = 64
"""An IPv6 address is one of a network that is somebody's as a whole."""
MAX_KNOWN: Final = 10_000
"""Credentials and addresses remembered; the one used longest ago makes way."""


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The most requests in a minute; 0 is no limit. All may come at once."""

    cache: Cache
    """What counts: for this process, or for all of them in Redis."""
    per_person: int = 0
    per_key: int = 0

    async def count_request(self, person: UUID | None, key_id: UUID | None) -> None:
        """Count a request, against the key if there is one; nobody comes without.

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


class StrangerLimits:
    """The most requests a minute whose sender could not say who they are, by address.

    Of an address that has sent too many, what would have to be checked is refused
    unchecked for a while: guessing gets no further. Credentials that were good before
    are let through, so that nobody is locked out by a neighbour.
    """

    def __init__(
        self,
        cache: Cache,
        most: int = 0,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cache = cache
        self._most = most
        self._ticks = ticks
        self._until: OrderedDict[str, float] = OrderedDict()
        self._good: OrderedDict[str, float] = OrderedDict()

    def check_address(self, address: str, credentials: bytes) -> None:
        """Let somebody in whose credentials are to be checked.

        Raises:
            RateLimitedError: too many of this address were wrong, and these are new.
        """
        wait = self._until.get(address, 0) - self._ticks()
        if wait > 0 and _hash_credentials(credentials) not in self._good:
            raise RateLimitedError(ceil(wait))

    def record_success(self, credentials: bytes) -> None:
        """Note that credentials were good."""
        if self._most:
            _record_time(self._good, _hash_credentials(credentials), self._ticks())

    async def count_failure(self, address: str) -> None:
        """Count a request that came without good credentials.

        Raises:
            RateLimitedError: there were too many from this address.
        """
        if not self._most:
            return
        wait = await self._cache.spend(f"limit:address:{address}", self._most)
        if wait > 0:
            _record_time(self._until, address, self._ticks() + wait)
            raise RateLimitedError(ceil(wait))

    @asynccontextmanager
    async def count_failures(
        self, address: str, credentials: bytes = b""
    ) -> AsyncGenerator[None]:
        """Lend the time to check credentials; if they are refused, that is counted.

        Raises:
            RateLimitedError: too many of this address were wrong.
        """
        self.check_address(address, credentials)
        try:
            yield
        except (AuthenticationError, NotPermittedError):
            await self.count_failure(address)
            raise
        if credentials:
            self.record_success(credentials)


def derive_network(host: str) -> str:
    """Return what is counted as one address: of IPv6, the network."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return str(ip_network((address, NETWORK_BITS), strict=False))
        address = address.ipv4_mapped
    return str(address)


def _hash_credentials(credentials: bytes) -> str:
    return hashlib.sha256(credentials).hexdigest()


def _record_time(kept: OrderedDict[str, float], name: str, moment: float) -> None:
    kept[name] = moment
    kept.move_to_end(name)
    if len(kept) > MAX_KNOWN:
        kept.popitem(last=False)
