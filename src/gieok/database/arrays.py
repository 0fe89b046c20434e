"""Arrays of plain words, spelled as PostgreSQL reads them."""

from collections.abc import Iterable


def to_array_literal(values: Iterable[str]) -> str:
    """Return an array literal of ids, times and names of ours.

    Nothing in them needs quoting. The driver's own lists cost a tenth of the time it
    takes to record a turn.
    """
    return f"{{{','.join(values)}}}"


def to_text_array_literal(values: Iterable[str | None]) -> str:
    """Return an array literal of any texts."""
    return to_array_literal(
        "NULL" if value is None else f'"{_escape_text(value)}"' for value in values
    )


def to_bytes_array_literal(values: Iterable[bytes | None]) -> str:
    """Return an array literal of any bytes."""
    return to_array_literal(
        "NULL" if value is None else f'"\\\\x{value.hex()}"' for value in values
    )


def _escape_text(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
