"""What callers hand to sessions, made clean or refused by name."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from gieok.kernel.errors import InvalidInputError
from gieok.sessions.model import Turn
from gieok.text.cleaning import clean_name, clean_text
from gieok.text.patterns import compile_lazily

MAX_LISTED: Final = 200
MAX_OFFSET: Final = 2**31 - 1
MAX_PAIRS: Final = 10_000
MAX_COST: Final = 10_000
"""Largest cost of one turn; a session's total stops at 999,999.9999 (B02)."""
MAX_COUNTED: Final = 2**53
"""Largest token count accepted, and where a session's total stops: exact everywhere."""
_CODE = compile_lazily(r"[A-Za-z0-9][A-Za-z0-9_.:-]*")


def clean_turn(turn: Turn, told_at: datetime | None = None) -> Turn:
    """Return a turn whose texts and figures can be kept; `told_at` before its own.

    Raises:
        InvalidInputError: it names the field.
    """
    check_figures(turn.tokens, turn.cost)
    return Turn(
        user_text=clean_text("user_text", turn.user_text),
        assistant_text=clean_text("assistant_text", turn.assistant_text),
        route_family=turn.route_family
        and clean_name("route_family", turn.route_family),
        planner_summary=turn.planner_summary,
        tokens=turn.tokens,
        cost=turn.cost,
        user_layer=turn.user_layer,
        assistant_layer=turn.assistant_layer,
        told_at=told_at or turn.told_at,
        speaker=clean_name("speaker", turn.speaker) if turn.speaker else None,
    )


def count_characters(*values: object) -> int:
    """Return the characters of what should be texts, whatever they are."""
    return sum(len(value) for value in values if isinstance(value, str))


def check_figures(tokens: object, cost: object) -> None:
    """Refuse a count or cost that cannot be added up.

    Raises:
        InvalidInputError: it names the field.
    """
    if not (isinstance(tokens, int) and 0 <= tokens <= MAX_COUNTED):
        field = "tokens"
        raise InvalidInputError(field, "it must be a whole number, 0 or more")
    if not isinstance(cost, Decimal):
        field = "cost"
        raise InvalidInputError(field, "it must be a Decimal")
    if not (cost.is_finite() and 0 <= cost <= MAX_COST):
        field = "cost"
        raise InvalidInputError(field, f"it must be from 0 to {MAX_COST}")


def check_start(
    language: str | None,
    max_pairs: int | None,
    expires_at: datetime | None,
    now: datetime,
) -> None:
    """Refuse what no session can be started with.

    Raises:
        InvalidInputError: it names the field.
    """
    if language not in {None, "ko", "en"}:
        field = "language"
        raise InvalidInputError(field, "it must be ko or en")
    if max_pairs is not None:
        check_range("max_pairs", max_pairs, 1, MAX_PAIRS)
    if expires_at is None:
        return
    field = "expires_at"
    if expires_at.tzinfo is None:
        raise InvalidInputError(field, "it must be a time with a zone")
    if expires_at <= now:
        raise InvalidInputError(field, "it must be in the future")
    try:
        expires_at.astimezone(UTC)
    except OverflowError:  # it is in the year 10000 there
        raise InvalidInputError(field, "it cannot be accepted") from None


def check_range(field: str, value: int, least: int, most: int) -> None:
    """Refuse a number outside a range.

    Raises:
        InvalidInputError: it names the field.
    """
    if isinstance(value, bool) or not least <= value <= most:
        raise InvalidInputError(field, f"it must be from {least} to {most}")


def clean_code(field: str, value: str) -> str:
    """Return a reason that may lie open: a code, never a sentence.

    Raises:
        InvalidInputError: it holds more than letters, digits and "_.:-".
    """
    code = clean_name(field, value)
    if not _CODE.fullmatch(code):
        raise InvalidInputError(field, "it must be a code such as model_unavailable")
    return code
