"""The time a question speaks of: "지난주 화요일", "작년 5월", "two weeks ago".

`when(text, now)` returns the stretch of days meant, seen from `now` in the asker's own
zone, or None. It is a hint for a boost (`rank.Weights.during`): nothing is dropped for
lying outside it. Rules are tried from the most to the least exact and the first that
fits wins. A month without a year is the latest one that has begun. Words that name a
habit are no time: "every spring", "매주 화요일", a bare "Tuesday".

`is_time(text)` tells whether a text is nothing but such a time, or a name of the
calendar or a part of the day: what a conversation can not have been about.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.text", "patterns.toml")

_LONGEST = 2_000
"""Characters read: a question, not the document pasted below it."""

DayRange = tuple[date, date]


class TimeSpan(NamedTuple):
    """From `start` up to but not including `end`, both aware."""

    start: datetime
    end: datetime


def extract_time_span(text: str, now: datetime) -> TimeSpan | None:
    """Return the days that the text speaks of, or None.

    Raises:
        ValueError: `now` has no time zone.
    """
    if now.tzinfo is None:
        message = "now: a time zone is required"
        raise ValueError(message)
    lower = text[:_LONGEST].lower()
    for pattern, read in _RULES:
        for match in pattern.finditer(lower):
            days = _apply_rule(read, match, now.date())
            if days is not None and days[0] < days[1]:
                return TimeSpan(_to_midnight(days[0], now), _to_midnight(days[1], now))
    return None


def is_time(text: str) -> bool:
    """Tell whether a text names nothing but a time: "다음주", "last Tuesday", "May"."""
    lower = text[:_LONGEST].strip().lower()
    patterns = (*(pattern for pattern, _ in _RULES), *_NAMES)
    return any(pattern.fullmatch(lower) for pattern in patterns)


def _to_midnight(day: date, now: datetime) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=now.tzinfo)


TimeReader = Callable[["re.Match[str]", date], DayRange]


def _apply_rule(
    read: TimeReader, match: "re.Match[str]", today: date
) -> DayRange | None:
    """Return what the rule reads, or None for a day that no calendar has."""
    try:
        return read(match, today)
    except (ValueError, OverflowError):
        return None


_MONTHS: tuple[str, ...] = (
    "jan", "feb", "mar", "apr", "may", "jun",
    "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?"
    r"|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_WEEKDAYS: tuple[str, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = r"(?P<weekday>mon|tues?|wednes|thurs?|fri|satur|sun)day"
_YOIL = "월화수목금토일"
_SEASONS = _LISTS.get_numbers("time_expressions.seasons")
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)\b"
_YEARS = _LISTS.get_numbers("time_expressions.years")
_HAE = r"(?P<relative>재작년|작년|지난해|올해|금년|내년)"
_WHICH = _LISTS.get_numbers("time_expressions.which")
_WHICH_EN = r"\b(?P<which>last|past|this|next)\s+"
_WHICH_KO = r"(?P<which>지지난|저저번|지난|저번|이번|다음)\s*"
_NUMBERS = _LISTS.get_numbers("time_expressions.numbers")
_DAYS = _LISTS.get_numbers("time_expressions.days")
_ROUND = 10
"""Days from which a Korean count of days is a round number, a week wide."""
_NAMED_DAYS = _LISTS.get_numbers("time_expressions.named_days")
_UNIT = _LISTS.get_numbers("time_expressions.unit")


def _parse_month(name: str) -> int:
    return _MONTHS.index(name[:3]) + 1


def _build_day(year: int, month: int, day: int) -> DayRange:
    start = date(year, month, day)
    return start, start + timedelta(days=1)


def _build_months(year: int, month: int, count: int = 1) -> DayRange:
    last = year * 12 + month - 1 + count
    return date(year, month, 1), date(last // 12, last % 12 + 1, 1)


def _find_latest_year(month: int, day: int, today: date) -> int:
    """Return the year in which that day was last seen."""
    return today.year - ((month, day) > (today.month, today.day))


def _resolve_year(match: "re.Match[str]", month: int, day: int, today: date) -> int:
    """Return the year a match names or implies for its month and day."""
    groups = match.groupdict()
    if groups.get("year"):
        return int(groups["year"])
    if groups.get("relative"):
        return today.year + _YEARS[groups["relative"]]
    year = _find_latest_year(month, day, today)
    which = groups.get("which")
    if which in {"next", "다음"}:
        return year + 1
    if which in {"this", "이번"}:
        return today.year
    begun = (year, month) == (today.year, today.month)
    return year - (begun and which in {"last", "지난", "저번"})


def _read_exact_day(match: "re.Match[str]", today: date) -> DayRange:
    """Return one day: "2023-05-07", "7 May", "작년 5월 7일"."""
    name = match["month"]
    month = int(name) if name.isdigit() else _parse_month(name)
    day = int(match["day"])
    return _build_day(_resolve_year(match, month, day, today), month, day)


def _read_month(match: "re.Match[str]", today: date) -> DayRange:
    """Return one month: "in March", "last May", "작년 5월"."""
    name = match["month"]
    month = int(name) if name.isdigit() else _parse_month(name)
    return _build_months(_resolve_year(match, month, 1, today), month)


def _read_season(match: "re.Match[str]", today: date) -> DayRange:
    """Return three months: "last summer", "작년 여름".

    A season that is running is this one, though it may have begun last year.
    """
    month, which = _SEASONS[match["season"]], match.groupdict().get("which")
    latest = _find_latest_year(month, 1, today)
    start, end = _build_months(latest, month, 3)
    if start <= today < end and which in {"this", "이번"}:
        return start, end
    if start <= today < end and which in {"last", "past", "지난", "저번"}:
        return _build_months(latest - 1, month, 3)
    return _build_months(_resolve_year(match, month, 1, today), month, 3)


def _read_year(match: "re.Match[str]", today: date) -> DayRange:
    """Return one year: "in 2022", "작년"."""
    groups = match.groupdict()
    named = groups.get("year")
    year = int(named) if named else today.year + _YEARS[match["relative"]]
    return _build_months(year, 1, 12)


def _read_named_day(match: "re.Match[str]", today: date) -> DayRange:
    """Return one day: "yesterday", "그저께"."""
    start = today + timedelta(days=_NAMED_DAYS[match["name"]])
    return start, start + timedelta(days=1)


def _read_week(match: "re.Match[str]", today: date) -> DayRange:
    """Return a week from Monday, one of its days, or its weekend."""
    monday = today - timedelta(days=today.weekday())
    start = monday + timedelta(weeks=_WHICH[match["which"]])
    groups = match.groupdict()
    if groups.get("yoil"):
        start += timedelta(days=_YOIL.index(groups["yoil"]))
        return start, start + timedelta(days=1)
    if groups.get("weekend"):
        return start + timedelta(days=5), start + timedelta(days=7)
    return start, start + timedelta(days=7)


def _read_weekday(match: "re.Match[str]", today: date) -> DayRange:
    """Return the nearest such day before today, or after it for "this" and "next"."""
    groups = match.groupdict()
    name = groups.get("yoil")
    number = _YOIL.index(name) if name else _WEEKDAYS.index(match["weekday"][:3])
    if _WHICH[match["which"]] < 0:
        start = today - timedelta(days=(today.weekday() - number - 1) % 7 + 1)
    else:
        start = today + timedelta(days=(number - today.weekday()) % 7)
    return start, start + timedelta(days=1)


def _read_relative_month(match: "re.Match[str]", today: date) -> DayRange:
    """Return one month: "last month", "지난달"."""
    number = today.year * 12 + today.month - 1 + _WHICH[match["which"]]
    return _build_months(number // 12, number % 12 + 1)


def _parse_count(match: "re.Match[str]") -> int:
    text = match["count"].strip()
    return int(text) if text.isdigit() else _NUMBERS[text]


def _read_ago(match: "re.Match[str]", today: date) -> DayRange:
    """Return the day meant, with as much room around it as its unit is vague."""
    unit = _UNIT[match["unit"]]
    return _build_around(today - timedelta(days=_parse_count(match) * unit), unit)


def _read_days_ago(match: "re.Match[str]", today: date) -> DayRange:
    """Return the day meant by "사흘 전" or "보름 전"."""
    days = _DAYS[match["name"]]
    return _build_around(today - timedelta(days=days), 7 if days >= _ROUND else 1)


def _build_around(day: date, unit: int) -> DayRange:
    room = timedelta(days=unit // 2)
    return day - room, day + room + timedelta(days=1)


def _read_recent_days(match: "re.Match[str]", today: date) -> DayRange:
    """Return the time up to today: "the last three days", "최근 2주"."""
    days = _parse_count(match) * _UNIT[match["unit"]]
    return today - timedelta(days=days), today + timedelta(days=1)


_NAMED_EN = "|".join(name for name in _NAMED_DAYS if name.isascii())
_NAMED_KO = "|".join(name for name in _NAMED_DAYS if not name.isascii())
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_COUNT_EN = (
    r"(?P<count>\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve|(?<=a )couple|(?<=a )few)(?:\s+of)?\s+"
)
_DOT = r"[-./]\s?"
_ISO_DATE = rf"(?<!\d){_YEAR}{_DOT}(?P<month>\d\d?){_DOT}(?P<day>\d\d?)(?!\d)"
_UNIT_EN = r"(?P<unit>day|week|fortnight|month|year)s?"
_COUNT_KO = (
    r"(?<![가-힣\d])(?P<count>\d{1,4}|한|두|세|석|네|넉|다섯|여섯|일곱|여덟|아홉|열한"
    r"|열두|열|일|이|삼|사|오|육|칠|팔|구|십)\s*"
)
_UNIT_KO = r"(?P<unit>주일|주|개월|달|년|해|(?<=\d)일)\s*"
_WOL = r"(?<!\d)(?P<month>1[0-2]|0?[1-9])월"

_RULES: tuple[tuple[re.Pattern[str], TimeReader], ...] = tuple(
    (compile_lazily(pattern), read)
    for pattern, read in (
        (_ISO_DATE, _read_exact_day),
        (rf"{_YEAR}년\s*{_WOL}\s*(?P<day>\d\d?)일", _read_exact_day),
        (rf"{_HAE}\s*{_WOL}\s*(?P<day>\d\d?)일", _read_exact_day),
        (rf"(?:{_WHICH_KO})?{_WOL}\s*(?P<day>\d\d?)일", _read_exact_day),
        (rf"(?<!\d){_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?", _read_exact_day),
        (rf"\b{_MONTH}\s+(?:the\s+)?{_DAY}(?!\d)(?:,?\s+{_YEAR})?", _read_exact_day),
        (rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}", _read_month),
        (rf"{_YEAR}년\s*{_WOL}", _read_month),
        (rf"{_HAE}\s*{_WOL}", _read_month),
        (rf"(?:{_WHICH_KO})?{_WOL}(?!\s*달)", _read_month),
        (rf"\b{_MONTH}\s+(?P<relative>(?:last|this|next) year)\b", _read_month),
        (rf"{_WHICH_EN}{_MONTH}", _read_month),
        (rf"\b(?:in|during|since|by|of|late|early|mid)[\s-]+{_MONTH}", _read_month),
        (rf"{_WHICH_KO}주\s*(?P<yoil>[{_YOIL}])요일", _read_week),
        (rf"{_WHICH_KO}(?P<yoil>[{_YOIL}])요일", _read_weekday),
        (rf"{_WHICH_EN}{_WEEKDAY}", _read_weekday),
        (rf"{_WHICH_KO}(?P<weekend>주말)", _read_week),
        (rf"{_WHICH_EN}(?P<weekend>weekend)", _read_week),
        (rf"\b(?P<name>{_NAMED_EN})\b", _read_named_day),
        (rf"(?P<name>{_NAMED_KO})(?!날)", _read_named_day),
        (rf"{_COUNT_EN}{_UNIT_EN}\s+(?:ago|back|earlier)\b", _read_ago),
        (rf"{_COUNT_KO}{_UNIT_KO}전", _read_ago),
        (rf"(?P<name>{'|'.join(_DAYS)})\s*전", _read_days_ago),
        (rf"\b(?:last|past)\s+{_COUNT_EN}{_UNIT_EN}\b", _read_recent_days),
        (rf"(?:최근|지난)\s*{_COUNT_KO}{_UNIT_KO}", _read_recent_days),
        (rf"{_WHICH_EN}week\b", _read_week),
        (rf"{_WHICH_KO}주(?![가-힣])", _read_week),
        (rf"{_WHICH_KO}주(?=에|의|엔|는|부터|까지)", _read_week),
        (rf"{_WHICH_EN}month\b", _read_relative_month),
        (rf"{_WHICH_KO}달", _read_relative_month),
        (rf"{_HAE}\s*(?P<season>봄|여름|가을|겨울)", _read_season),
        (rf"{_WHICH_KO}(?P<season>봄|여름|가을|겨울)", _read_season),
        (rf"{_WHICH_EN}{_SEASON}", _read_season),
        (rf"\b{_SEASON}\s+(?:of\s+)?{_YEAR}", _read_season),
        (rf"{_YEAR}년", _read_year),
        (rf"\b(?:in|during|of|since)\s+{_YEAR}\b", _read_year),
        (_HAE, _read_year),
        (r"\b(?P<relative>(?:last|this|next) year)\b", _read_year),
    )
)  # fmt: skip
_NAMES: tuple[re.Pattern[str], ...] = tuple(
    compile_lazily(pattern)
    for pattern in (
        rf"{_WEEKDAY}s?",
        rf"{_MONTH}",
        rf"(?:{_SEASON})s?",
        rf"[{_YOIL}]요일|봄|여름|가을|겨울|\d{{1,2}}월",
        r"(?:(?:this|last|next|every) )?(?:week|month|year|day)s?",
        r"(?:(?:this|last|next|every) )?(?:weekend|morning|afternoon|evening|night)s?",
        r"noon|midnight",
        r"(?:이번|지난|다음|다다음|매)?\s*(?:주말?|달|해|년|월|날|평일|학기|분기)",
        r"(?:오늘|내일|어제|매일)?\s*(?:새벽|아침|오전|정오|점심|낮|오후|저녁|밤|자정)",
        r"(?:연|월|주)(?:초|중|말)|요즘|요새|최근|매일|평일",
    )
)
"""Names of the calendar and of the parts of a day: languages add no more of them."""
