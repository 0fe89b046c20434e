"""Dates that a sentence gives and nobody said: worked out from "내일" or "next May".

Loads no package, so that a Lambda has it too.
"""

import re
from typing import Final

from gieok.models.figures import extract_claimed_numbers, extract_stated_numbers
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_MONTH: Final = "|".join(MONTHS)
_YEAR: Final = r"(?:19|20)\d\d"
_DATE: Final = compile_lazily(
    rf"{_YEAR}[-./]\d\d?[-./]\d\d?|{_YEAR}[-./]\d\d?(?!\d)"
    rf"|{_YEAR}[년年](?:\s?\d\d?[월月](?:\s?\d\d?[일日])?)?"
    r"|\d\d?[월月](?:\s?\d\d?[일日])?"
    rf"|(?:{_MONTH})\s\d\d?(?:st|nd|rd|th)?(?:,?\s{_YEAR})?(?!\d)"
    rf"|\d\d?(?:st|nd|rd|th)?\s(?:of\s)?(?:{_MONTH})(?:,?\s{_YEAR})?|(?<!\d){_YEAR}(?!\d)",
    re.IGNORECASE,
)
_DAY: Final = compile_lazily(
    rf"{_YEAR}[-./]\d\d?(?:[-./]\d\d?)?(?!\d)|{_YEAR}[년年]\s?\d\d?[월月](?:\s?\d\d?[일日])?"
    rf"|(?:{_MONTH})(?:\s\d\d?(?:st|nd|rd|th)?)?,?\s{_YEAR}(?!\d)"
    rf"|\d\d?(?:st|nd|rd|th)?\s(?:of\s)?(?:{_MONTH}),?\s{_YEAR}(?!\d)",
    re.IGNORECASE,
)
"""A year with its month, and maybe the day."""
_RELATIVE_TIME: Final = PatternFile("gieok.models", "patterns.toml").compile_list(
    "grounding.relative_time"
)
_NEAR: Final = 2
"""Years by which a worked-out date may lie from the conversation."""


def has_stated_figures(text: str, source: str, year: int | None) -> bool:
    """Tell whether each number of a text is in the source, or part of such a date.

    `year` is that of the conversation, to which the date lies close; without it nobody
    can have worked out any.
    """
    near = set[float]()
    if year is not None:
        near.update(float(y) for y in range(year - _NEAR, year + _NEAR + 1))
    allowed = extract_stated_numbers(source) | near
    if extract_claimed_numbers(text) <= allowed:
        return _has_stated_years(text, source, near)
    if year is None or not _RELATIVE_TIME.search(source):
        return False
    dated = " ".join(_DATE.findall(text))
    years = {
        n
        for n in extract_claimed_numbers(dated)
        if n > max(near) or 1900 <= n < min(near)  # noqa: PLR2004 - what `_YEAR` reads
    }
    return (
        not (years - allowed)
        and extract_claimed_numbers(_DATE.sub(" ", text)) <= allowed
    )


def _has_stated_years(text: str, source: str, near: set[float]) -> bool:
    """Tell whether a year that stands alone was said, or can be worked out.

    That of a date need not be: "May 3" is one of this year or the next.
    """
    if _RELATIVE_TIME.search(source):
        return True
    alone = extract_claimed_numbers(_DAY.sub(" ", text)) & near
    return alone <= extract_stated_numbers(source)


def remove_dates(text: str, source: str) -> str:
    """Return a text without its dates, where the source lets one be worked out."""
    return _DATE.sub(" ", text) if _RELATIVE_TIME.search(source) else text
