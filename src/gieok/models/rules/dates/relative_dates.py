"""Resolves relative dates, so that a fact stays true after the day it was said."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from gieok.models.rules.dates.bounded_clauses import is_of_one_day
from gieok.models.rules.dates.bounds import resolve_bounds
from gieok.models.rules.dates.calendar_days import resolve_calendar_days
from gieok.models.rules.dates.counted_days import is_from_today
from gieok.models.rules.dates.vocabulary import (
    KO_COUNTED_DAYS,
    KO_DAYS,
    KO_MONTHS,
    KO_NUMBERS,
    LASTING,
)
from gieok.models.rules.english.tense import READ_ASIDE, Tense, read_tense
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")
_BOUNDS: Final = PatternFile("gieok.models.rules.dates", "bounds.toml")
_KO_NAMED_DAYS: Final = _LISTS.get_numbers("dates.ko_days")
_KO_YEARS: Final = _LISTS.get_numbers("dates.ko_years")
_KO_WEEKS: Final = _LISTS.get_numbers("dates.ko_weeks")
_KO_WEEKDAYS: Final = "월화수목금토일"
_EN_WEEKDAYS: Final = (
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
)  # fmt: skip
_EN_DAYS: Final = _LISTS.get_numbers("dates.en_days")
_EN_STEPS: Final = _LISTS.get_numbers("dates.en_steps")
_ELAPSED: Final = _LISTS.compile_list("dates.en_elapsed")
_WITHIN: Final = _LISTS.compile_list("dates.en_within")
_TRAVELS: Final = _LISTS.compile_list("dates.en_travels")
_SMALL: Final = _LISTS.get_numbers("dates.small")
_KO_APPOINTMENT: Final = _BOUNDS.compile_list("bounds.ko_appointment")
_KO_APPOINTMENT_OVER: Final = _BOUNDS.compile_list("bounds.ko_appointment_over")
_KO_OTHER_WEEKDAY: Final = _BOUNDS.compile_list("bounds.ko_other_weekday")

DateResolver = Callable[[re.Match[str], date], str]


def _format_korean_day(day: date) -> str:
    """Write a day both ways."""
    return f"{day.month}월 {day.day}일, {day.isoformat()}"


def _resolve_ko_day(match: re.Match[str], today: date) -> str:
    return _format_korean_day(today + timedelta(days=_KO_NAMED_DAYS[match[1]]))


def _resolve_ko_count(match: re.Match[str], today: date) -> str:
    """'사흘 뒤', '3일 전', '2주 뒤', '한 달 뒤', '3년 전'."""
    sign = -1 if match["sign"] == "전" else 1
    if not is_from_today(match, ago=sign < 0):
        return ""
    if match["days"]:
        counted = timedelta(days=sign * KO_COUNTED_DAYS[match["days"]])
        return _format_korean_day(today + counted)
    number, unit = match["count"], match["unit"]
    count = sign * (int(number) if number.isdigit() else KO_NUMBERS[number])
    if unit in KO_DAYS:
        return _format_korean_day(today + timedelta(days=count * KO_DAYS[unit]))
    year, month = _compute_month(today, count * KO_MONTHS[unit])
    return f"{year}년" if unit == "년" else f"{year}년 {month}월"


def _resolve_ko_named_weekday(match: re.Match[str], today: date) -> str:
    """'금요일에 면접이 있다'; of what may come every week nothing."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    if _KO_OTHER_WEEKDAY.search(before):
        return ""
    ahead = (_KO_WEEKDAYS.index(match[1]) - today.weekday()) % 7
    if _KO_APPOINTMENT.search(after):
        return _format_korean_day(today + timedelta(days=ahead or 7))
    if _KO_APPOINTMENT_OVER.search(after):
        return _format_korean_day(today + timedelta(days=ahead - 7))
    return ""


def _resolve_ko_weekday(match: re.Match[str], today: date) -> str:
    """'다음 주 화요일'."""
    monday = today - timedelta(days=today.weekday())
    weeks, weekday = _KO_WEEKS[match[1]], _KO_WEEKDAYS.index(match[2])
    return _format_korean_day(monday + timedelta(days=7 * weeks + weekday))


def _resolve_ko_year(match: re.Match[str], today: date) -> str:
    return f"{today.year + _KO_YEARS[match[1]]}년"


def _compute_month(today: date, step: int) -> tuple[int, int]:
    """Return (year, month) some months away."""
    months = today.year * 12 + today.month - 1 + step
    return months // 12, months % 12 + 1


def _resolve_ko_month(match: re.Match[str], today: date) -> str:
    year, month = _compute_month(today, _KO_WEEKS[match[1]])
    return f"{year}년 {month}월"


def _resolve_en_day(match: re.Match[str], today: date) -> str:
    """'tomorrow', 'the day after tomorrow', 'a week today', 'tomorrow week'."""
    days, weeks = _EN_DAYS[match["day"].lower()], _count_weeks(match)
    if weeks and days >= 0 and _is_elapsed(match, _read_tense(match)):
        return ""
    sign = -1 if days < 0 else 1
    return (today + timedelta(days=days + sign * weeks * 7)).isoformat()


def _count_weeks(match: re.Match[str]) -> int:
    """Return how many weeks are said to lie between a day and the one that is meant."""
    number = (match["count"] or "").lower()
    count = _SMALL.get(number) or int(number or 0)
    return count * (2 if match["fortnight"] else 1) + bool(match["later"])


def _read_tense(match: re.Match[str]) -> Tense:
    """Return of what time the clause of a day tells."""
    return read_tense(match.string[: match.start()], match.string[match.end() :])


def _is_elapsed(match: re.Match[str], tense: Tense) -> bool:
    """Tell whether weeks before a day to come are rather those gone by then."""
    over = tense in {Tense.PAST, Tense.UNSURE}
    text = match.string[max(0, match.start() - READ_ASIDE) : match.end() + READ_ASIDE]
    since = _ELAPSED.search(text) or LASTING.search(text)
    return over or since is not None


def _resolve_en_count(match: re.Match[str], today: date) -> str:
    """'in three days', 'two weeks ago'."""
    number, unit = (match[1] or match[3]).lower(), (match[2] or match[4]).lower()
    count = _SMALL.get(number) or int(number)
    if match[1] and not _is_ahead(match, count):
        return ""
    sign = 1 if match[1] else -1
    days = sign * count * (7 if unit.startswith("week") else 1)
    return (today + timedelta(days=days)).isoformat()


def _is_ahead(match: re.Match[str], count: int) -> bool:
    """Tell whether "in two weeks" is when, not within what time, nor how often."""
    opened = max(0, match.start() - READ_ASIDE)
    before, tense = match.string[opened : match.start()], _read_tense(match)
    if tense in {Tense.PAST, Tense.UNSURE} or _WITHIN.search(before):
        return False
    return count > 1 or is_of_one_day(match, tense) or bool(_TRAVELS.search(before))


def _resolve_en_weekday(match: re.Match[str], today: date) -> str:
    """'next Tuesday', 'last Friday', 'this Monday', 'on Sunday', 'on Friday week'."""
    said, weeks = match["step"].lower(), _count_weeks(match)
    tense = _read_tense(match)
    elapsed = said != "last" and weeks and _is_elapsed(match, tense)
    if elapsed or (said == "on" and not is_of_one_day(match, tense)):
        return ""
    weekday = _EN_WEEKDAYS.index(match["weekday"].lower())
    days = _COUNTERS[said](weekday, today.weekday(), tense)
    if days is None:
        return ""
    days += 7 * weeks * (-1 if days < 0 else 1)
    return (today + timedelta(days=days)).isoformat()


def _count_to_last(weekday: int, today: int, _tense: Tense) -> int:
    return (weekday - today) % 7 - 7


def _count_to_next(weekday: int, today: int, _tense: Tense) -> int:
    """Return how far the day of the week after is, or the coming one if that is it."""
    ahead = (weekday - today) % 7
    return ahead + 7 if weekday > today else ahead or 7


def _count_to_this(weekday: int, today: int, tense: Tense) -> int | None:
    """Return how far the nearest such day is that the verb allows, perhaps today."""
    ahead, ago = (weekday - today) % 7, (today - weekday) % 7
    if tense is Tense.PAST:
        return -ago
    is_open = tense in {Tense.UNTOLD, Tense.UNSURE}
    return None if is_open and 0 < ago <= ahead else ahead


def _count_to_named(weekday: int, today: int, tense: Tense) -> int | None:
    """Return how far the coming or the last such day is, as the verb has it."""
    if tense is Tense.UNSURE:
        return None
    ahead = (weekday - today) % 7
    return ahead - 7 if tense is Tense.PAST else ahead or 7


_COUNTERS: Final[dict[str, Callable[[int, int, Tense], int | None]]] = {
    "last": _count_to_last,
    "next": _count_to_next,
    "this": _count_to_this,
    "on": _count_to_named,
}


def _resolve_en_span(match: re.Match[str], today: date) -> str:
    """'next month', 'last year'."""
    step = _EN_STEPS[match[1].lower()]
    if match[2].lower() == "year":
        return str(today.year + step)
    year, month = _compute_month(today, step)
    return f"{year}-{month:02d}"


def _compute_week(today: date, step: int) -> tuple[date, date]:
    """Return the Monday and the Sunday of a week some weeks away."""
    monday = today + timedelta(days=7 * step - today.weekday())
    return monday, monday + timedelta(days=6)


def _resolve_ko_week(match: re.Match[str], today: date) -> str:
    """'다음 주에', '이번 주말'."""
    monday, sunday = _compute_week(today, _KO_WEEKS[match[1]])
    first = sunday - timedelta(days=1) if match[2] else monday
    return f"{first.isoformat()}~{sunday.isoformat()}"


def _resolve_en_week(match: re.Match[str], today: date) -> str:
    """'next week'."""
    monday, sunday = _compute_week(today, _EN_STEPS[match[1].lower()])
    return f"{monday.isoformat()} to {sunday.isoformat()}"


def _join(words: dict[str, int]) -> str:
    """Return words as alternatives, the longest first."""
    return "|".join(sorted(words, key=len, reverse=True))


_COUNTED_KO: Final = (
    r"(?<![가-힣\d월.,~～-])(?<!월 )(?<!\d, )(?!이 ?[주달년일])"
    rf"(?:(?P<days>{_join(KO_COUNTED_DAYS)})"
    rf"|(?P<count>\d{{1,3}}|{_join(KO_NUMBERS)}) ?"
    rf"(?P<unit>{_join(KO_DAYS | KO_MONTHS)})(?<![한세네열] 일)(?<![한세네열]일))"
)
_COUNTED: Final = rf"({'|'.join(_SMALL)}|\d{{1,2}}) (days?|weeks?)"
_UNOWNED: Final = "".join(
    rf"(?<!\b{word} )"
    for word in (
        "the", "my", "our", "your", "his", "her", "its", "their", "every",
        "user's", "user’s",
    )
)  # fmt: skip
"""Not after these: "their last year of school", "for the last month"."""
_WEEKS: Final = (
    rf"(?:(?<!for )(?P<count>{'|'.join(_SMALL)}|\d{{1,2}}) "
    r"(?:weeks?|(?P<fortnight>fortnights?)) (?:from )?)?"
)
_ENDED: Final = (
    rf"(?=(?:{_LISTS.lists['dates.ko_endings'].expression}){{0,3}}(?![가-힣]))"
)
"""Where a Korean word of time ends, be it with particles: not in "그제야"."""
_WHICH_KO: Final = rf"(?<![가-힣])({_join(_KO_WEEKS)})"
_WEEK_KO: Final = rf"{_WHICH_KO} ?주(말)?(?! ?[월화수목금토일]요일){_ENDED}"
_RULES: Final[tuple[tuple[str, DateResolver], ...]] = (
    (rf"{_WHICH_KO} ?주 ?([월화수목금토일])요일(?!마다)", _resolve_ko_weekday),
    (rf"(?<![가-힣])([{_KO_WEEKDAYS}])요일(?=에 )", _resolve_ko_named_weekday),
    (rf"(?<![가-힣])({_join(_KO_NAMED_DAYS)}){_ENDED}", _resolve_ko_day),
    (
        rf"{_COUNTED_KO} ?(?P<sign>뒤|후|전){_ENDED}",
        _resolve_ko_count,
    ),
    (rf"(?<![가-힣])({_join(_KO_YEARS)}){_ENDED}", _resolve_ko_year),
    (rf"{_WHICH_KO} ?달{_ENDED}", _resolve_ko_month),
    (
        _WEEK_KO,
        _resolve_ko_week,
    ),
    (
        (
            rf"(?<!month )(?<!months )\b{_WEEKS}"
            rf"(?P<day>{_join(_EN_DAYS)})"
            r"(?P<later> week)?\b"
        ),
        _resolve_en_day,
    ),
    (rf"\bin {_COUNTED}(?:(?:['’]s?)? time)?\b|\b{_COUNTED} ago\b", _resolve_en_count),
    (
        (
            rf"(?<!month )(?<!months )\b{_WEEKS}{_UNOWNED}(?P<step>last|next|this|on) "
            rf"(?P<weekday>{'|'.join(_EN_WEEKDAYS)})(?P<later> week)?\b"
            r"(?! of\b| (?:nights|mornings|evenings|afternoons)\b|,? (?:the )?\d)"
        ),
        _resolve_en_weekday,
    ),
    (rf"\b{_UNOWNED}(last|this|next) week\b(?! of\b)", _resolve_en_week),
    (rf"\b{_UNOWNED}(last|this|next) (month|year)\b(?! of\b)", _resolve_en_span),
)


def resolve_dates(text: str, today: date) -> str:
    """Return the text with each relative date followed by the date it means.

    So is the day of an appointment that is told without its year, and what bounds a
    state that holds from now on, by its last day.
    """
    text = resolve_calendar_days(text, today)
    for pattern, resolver in _RULES:
        text = re.sub(
            pattern,
            lambda match, say=resolver: _append_date(
                match[0], _resolve_safely(say, match, today)
            ),
            text,
            flags=re.IGNORECASE,
        )
    return resolve_bounds(text, today)


def _append_date(said: str, meant: str) -> str:
    """Return the words and the date they mean, spaced as the language has it."""
    if not meant:
        return said
    return f"{said}({meant})" if has_hangul(said) else f"{said} ({meant})"


def _resolve_safely(say: DateResolver, match: re.Match[str], today: date) -> str:
    """Return nothing for days beyond the calendar."""
    try:
        return say(match, today)
    except (OverflowError, ValueError):
        return ""
