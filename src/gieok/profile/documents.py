"""Card documents by the id an app gives a person: the port."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Protocol

NOTHING_LOST: Final[Mapping[str, Sequence[str]]] = MappingProxyType({})


class ProfileDocumentStore(Protocol):
    """The cards of everyone, as plain documents (C01, C03)."""

    async def get(self, user_id: str) -> dict[str, Any]:
        """Return the person's card; `{}` if nothing is known.

        Raises:
            InvalidInputError: the id is empty, over 128 characters or not text.
            UnavailableError: the store does not answer.
        """
        ...

    async def quote(self, user_id: str) -> dict[str, Any]:
        """Return what of the card a prompt may be told; `{}` if nothing. As `get`."""
        ...

    async def select_allowed(
        self, user_id: str, document: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return what of a card `merge` would not refuse for what it is about.

        Raises as `merge` for what no card could have.
        """
        ...

    async def merge(
        self,
        user_id: str,
        new: Mapping[str, Any],
        lost: Mapping[str, Sequence[str]] = NOTHING_LOST,
    ) -> dict[str, Any]:
        """Add to the card by C02's rule, and take out of its lists what was lost.

        Return all of it.

        Of merges that happen at once, none loses what another added.

        Raises:
            InvalidInputError: also a place that no card has, or a value it cannot
                take, or more than the store can hold; nothing is changed then.
            UnavailableError: the store does not answer, or is asked too much.
        """
        ...

    async def replace(self, user_id: str, document: Mapping[str, Any]) -> None:
        """Make the card what is given; raises as `merge`."""
        ...

    async def delete(self, user_id: str) -> bool:
        """Erase the card; tell whether there was anything. Raises as `get`."""
        ...


class CardSeal(Protocol):
    """Seals one person's card where documents lie outside the database."""

    @property
    def is_on(self) -> bool:
        """Whether a card that is written is sealed; one that is sealed always opens."""
        ...

    def seal(self, card: Mapping[str, Any]) -> bytes:
        """Return the card, sealed for this person alone."""
        ...

    def open(self, sealed: bytes) -> dict[str, Any] | None:
        """Return what was sealed; None if it never opens and is to be passed over.

        Raises:
            TamperedError: it was changed, or sealed with a key that is not known.
        """
        ...

    def is_current(self, sealed: bytes) -> bool:
        """Tell whether the person's newest key sealed it."""
        ...
