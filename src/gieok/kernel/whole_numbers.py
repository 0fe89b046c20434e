"""Whole numbers that somebody wrote: in a setting, in an environment variable."""

from typing import Final

MAX_DIGITS: Final = 18
"""Digits of a number that is read. Beyond 4,300 Python reads none, and fails."""


def parse_whole_number(text: str) -> int | None:
    """Return the number that a text of nothing but digits is, or None.

    None as well for more than 18 digits: no setting is as large.
    """
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS else None
