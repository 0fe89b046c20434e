"""Says of which year an appointment's day is that is told without one.

"The user's driving test is on 14th May" becomes "… on 14th May (2026-05-14)", "시험은
4월 25일이다" "시험은 4월 25일(2026-04-25)이다", so that it can be read off a fact that
the day has passed (see `memories.lapse`). It is the coming day of that name, and only
of what takes place once and lies ahead: a birthday, a payday and what was are no plan.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date
from typing import Final

from gieok.models.rules.dates.vocabulary import APPOINTMENT, MONTH_NAMES, WEEKDAYS
from gieok.models.rules.english.tense import Tense, read_tense
from gieok.text.kiwi import get_shared_morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.dates", "calendar_days.toml")
MONTHS: Final = 12
_NOT_AHEAD: Final = _LISTS.compile_list("calendar_days.not_ahead")
_PAST: Final = frozenset({"었", "았", "였", "더", "던"})
_MONTH_NAMES: Final = "|".join(sorted(MONTH_NAMES, key=len, reverse=True))
_UNDATED: Final = r"\b(?![’']|,? (?:20)?\d\d\b| \()"
_ON: Final = rf"\b(?:on|for) (?:(?P<weekday>{'|'.join(WEEKDAYS)}),? )?"
_DAY: Final = r"(?:the )?(?P<day>\d{1,2})"
_MONTH: Final = f"(?P<month>{_MONTH_NAMES})"
_CLOSED: Final = (
    r"(?=$|[.,;:!?)”\"]| (?:at|in(?! a\b)|from|with|by|around|about|before|after|to"
    r"|because|so|but|is|for|on|if|when|as|again|this|and(?! (?:the )?\d))\b)"
)
"""What follows a day that no noun follows: no "3rd floor", no "1st Monday"."""
_ENGLISH: Final = tuple(
    compile_lazily(_ON + expression + _UNDATED, re.IGNORECASE)
    for expression in (
        f"{_DAY}(?:st|nd|rd|th)?(?: of)? {_MONTH}",
        f"{_MONTH} {_DAY}(?:st|nd|rd|th)?",
        f"{_DAY}(?:st|nd|rd|th){_CLOSED}",
    )
)
_KOREAN: Final = compile_lazily(
    r"(?<![년\d~])(?<!년 )(?P<month>\d{1,2})월 ?(?P<day>\d{1,2})일"
    r"(?!부터|까지|\(|, 20| ?[~～-])"
)


def resolve_calendar_days(text: str, today: date) -> str:
    """Return the text with the whole date of each day of an appointment ahead."""
    if not APPOINTMENT.search(text) or _NOT_AHEAD.search(text):
        return text
    if has_hangul(text):
        return text if _is_past(text) else _KOREAN.sub(_build_writer("", today), text)
    for pattern in _ENGLISH:
        text = pattern.sub(_build_writer(" ", today), text)
    return text


def find_coming_day(month: int | None, day: int, today: date) -> date | None:
    """Return the first day of that name from today on; None where there is none soon.

    Without a month it is the next month that has such a day.
    """
    for step in range(MONTHS + 1):
        year, number = divmod(today.year * MONTHS + today.month - 1 + step, MONTHS)
        if month not in {None, number + 1}:
            continue
        if 1 <= day <= monthrange(year, number + 1)[1]:
            found = date(year, number + 1, day)
            if found >= today:
                return found
    return None


def _build_writer(space: str, today: date) -> Callable[[re.Match[str]], str]:
    """Return what writes a day's date behind it, if there is such a day."""

    def write(match: re.Match[str]) -> str:
        found = match.groupdict()
        if space and _is_past_tense(match):
            return match[0]
        name, number = found.get("month"), int(found["day"])
        month = None if name is None else _read_month(name)
        day = find_coming_day(month, number, today)
        if day is None or not _is_weekday(found.get("weekday"), day):
            return match[0]
        this_month = match.string.startswith(" this month", match.end())
        if this_month and day.month != today.month:
            return match[0]
        return f"{match[0]}{space}({day.isoformat()})"

    return write


def _is_past_tense(match: re.Match[str]) -> bool:
    """Tell whether the English clause of a day tells what was: "saw the doctor"."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    return read_tense(before, after) is Tense.PAST


def _is_weekday(name: str | None, day: date) -> bool:
    """Tell whether a day falls on the weekday that was named, if one was."""
    return name is None or WEEKDAYS[name.lower()] == day.weekday()


def _read_month(name: str) -> int:
    return int(name) if name.isdigit() else MONTH_NAMES[name.lower()]


def _is_past(text: str) -> bool:
    """Tell whether a Korean text tells what was."""
    found = get_shared_morphology().analyze(text)
    return any(each.form in _PAST and each.tag in {"EP", "ETM"} for each in found)
