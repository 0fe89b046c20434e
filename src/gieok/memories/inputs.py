"""Checks of what callers ask of memories."""

from typing import Final

from gieok.kernel.errors import InvalidInputError

MAX_LISTED: Final = 1_000


def require_limit(limit: int) -> None:
    """Refuse to list that many.

    Raises:
        InvalidInputError: it is not from 1 to 1,000.
    """
    if not 1 <= limit <= MAX_LISTED:
        field = "limit"
        raise InvalidInputError(field, f"it must be from 1 to {MAX_LISTED}")
