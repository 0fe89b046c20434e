"""Says until when a state goes on that is told to hold for some time from now.

"The user is on crutches for six weeks" becomes "… for six weeks (until 2026-04-21)",
"이번 달은 재택근무이다" "이번 달(2026-03-31까지)은 재택근무이다", so that it can be
read off a fact that it is over (see `memories.lapse`). How long something went on, goes
on again and again or will go on from some other day bounds nothing.
"""

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final, NamedTuple

from gieok.models.rules.dates.bounded_clauses import BoundKind, is_of_state
from gieok.models.rules.dates.calendar_days import find_coming_day
from gieok.models.rules.dates.vocabulary import (
    KO_COUNTED_DAYS,
    KO_DAYS,
    KO_MONTHS,
    KO_NUMBERS,
    MONTH_NAMES,
    WEEKDAYS,
)
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.dates", "bounds.toml")

_NUMBERS: Final = _LISTS.get_numbers("bounds.en_numbers") | KO_NUMBERS
_DAYS: Final = _LISTS.get_numbers("bounds.en_days") | KO_DAYS
_MONTHS: Final = _LISTS.get_numbers("bounds.en_months") | KO_MONTHS
_KO_WEEKDAYS: Final = "월화수목금토일"
_SEASONS: Final = _LISTS.get_numbers("bounds.seasons")

YEAR: Final = 12
MAX_MONTHS: Final = 60
"""What is said to go on longer is taken to last."""

BoundReader = Callable[[re.Match[str], date], date | None]


class BoundForm(NamedTuple):
    """One way to say how long something goes on."""

    pattern: re.Pattern[str]
    kind: BoundKind
    reader: BoundReader
    written: str
    """What is written for it, of the words before (`{said}`) and the day (`{day}`)."""


def resolve_bounds(text: str, today: date) -> str:
    """Return the text with the last day of each state that it bounds in time.

    Other dates in it are resolved before (see `dates.relative_dates`).
    """
    for form in _KOREAN if has_hangul(text) else _ENGLISH:
        text = form.pattern.sub(
            lambda match, form=form: _write_bound(form, match, today), text
        )
    return text


def _write_bound(form: BoundForm, match: re.Match[str], today: date) -> str:
    """Return how long something goes on with its last day, if it is a state's."""
    try:
        day = form.reader(match, today)
    except (OverflowError, ValueError):
        return match[0]
    if day is None or day < today or not is_of_state(match, form.kind):
        return match[0]
    return form.written.format(
        said=match["said"], day=day.isoformat(), korean=f"{day.month}월 {day.day}일"
    )


def _join(words: dict[str, int]) -> str:
    """Return words as alternatives, the longest first."""
    return "|".join(sorted(words, key=len, reverse=True))


def _read_count(match: re.Match[str], today: date) -> date | None:
    """Return the day some days, weeks or months from now: "six weeks", "열흘"."""
    said = {name: text for name, text in match.groupdict().items() if text}
    if days := said.get("days"):
        return today + timedelta(days=KO_COUNTED_DAYS[days])
    if said.get("half"):
        return _add_months(today, YEAR // 2)
    number, unit = said.get("count", "a").lower(), said["unit"].lower()
    count = int(number) if number.isdigit() else _NUMBERS[number]
    if unit in _DAYS:
        return today + timedelta(days=count * _DAYS[unit])
    months = count * _MONTHS[unit]
    return _add_months(today, months) if months <= MAX_MONTHS else None


def _add_months(day: date, months: int) -> date:
    """Return the same day some months later, or the last that this month has."""
    total = day.year * YEAR + day.month - 1 + months
    year, month = total // YEAR, total % YEAR + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def _find_month_end(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1])


def _read_span(match: re.Match[str], today: date) -> date | None:
    """Return the last day of this week, weekend, month, season or year."""
    unit = match["span"].lower()
    if unit in _SEASONS:
        end = _find_month_end(today.year, _SEASONS[unit])
        return end if end >= today else _find_month_end(end.year + 1, end.month)
    if unit in {"month", "달"}:
        return _find_month_end(today.year, today.month)
    if unit in {"year", "해", "연"}:
        return date(today.year, YEAR, 31)
    return today + timedelta(days=6 - today.weekday())


def _read_month_end(_match: re.Match[str], today: date) -> date:
    return _find_month_end(today.year, today.month)


def _read_year_end(_match: re.Match[str], today: date) -> date:
    return date(today.year, YEAR, 31)


def _read_weekday(match: re.Match[str], today: date) -> date | None:
    """Return the coming day of that name."""
    name = match["weekday"].lower()
    number = WEEKDAYS[name] if name in WEEKDAYS else _KO_WEEKDAYS.index(name)
    return today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)


def _read_date(match: re.Match[str], today: date) -> date | None:
    """Return the coming day of a month, or the last of a month alone."""
    said = match.groupdict()
    name = said.get("month")
    month = _read_month(name) if name else None
    number = said.get("day") or said.get("day_after")
    year = int(said["year"]) if said.get("year") else None
    if year and month:
        return (
            date(year, month, int(number)) if number else _find_month_end(year, month)
        )
    if number:
        return find_coming_day(month, int(number), today)
    if month is None:
        return None
    end = _find_month_end(today.year, month)
    return end if end >= today else _find_month_end(today.year + 1, month)


def _read_month(name: str) -> int:
    return int(name) if name.isdigit() else MONTH_NAMES[name.lower()]


def _compile_english(expression: str) -> re.Pattern[str]:
    """Return an expression with "COUNT", "WEEKDAY", … for the words of their lists."""
    return compile_lazily(
        lambda: (
            expression.replace("COUNT", rf"(?P<count>{_join(_NUMBERS)}|\d{{1,3}})")
            .replace("UNIT", rf"(?P<unit>{_join(_DAYS | _MONTHS)})s?")
            .replace("WEEKDAY", f"(?P<weekday>{_join(WEEKDAYS)})")
            .replace("SEASON", f"{_join(_SEASONS)}")
            .replace("MONTH", f"(?:{_join(MONTH_NAMES)})")
        ),
        re.IGNORECASE,
    )


_GLOSS: Final = r"(?: \([^()]*\))?+"
_ENGLISH: Final = (
    BoundForm(
        _compile_english(
            r"(?P<said>\b(?:for|over|during) (?:the|these) (?:next|coming) "
            r"(?:COUNT )?UNIT)\b(?! \()"
        ),
        BoundKind.NAMED,
        _read_count,
        "{said} (until {day})",
    ),
    BoundForm(
        _compile_english(r"(?P<said>\bfor another (?:COUNT )?UNIT)\b(?! \()"),
        BoundKind.NAMED,
        _read_count,
        "{said} (until {day})",
    ),
    BoundForm(
        _compile_english(
            r"(?P<said>\bfor (?!an? day\b)COUNT (?:more )?(?:whole |full )?"
            r"(?!year)UNIT)\b(?! \()"
        ),
        BoundKind.COUNTED,
        _read_count,
        "{said} (until {day})",
    ),
    BoundForm(
        _compile_english(
            r"(?P<said>\bfor the rest of (?:the|this) "
            r"(?P<span>week|month|year|SEASON))\b" + _GLOSS
        ),
        BoundKind.NAMED,
        _read_span,
        "{said} (until {day})",
    ),
    BoundForm(
        _compile_english(
            r"(?P<said>\b(?:until|till) the end of (?:the|this) "
            r"(?P<span>week|month|year|SEASON))\b" + _GLOSS
        ),
        BoundKind.NAMED,
        _read_span,
        "{said} ({day})",
    ),
    BoundForm(
        _compile_english(r"(?P<said>\b(?:until|till) (?:the )?(?P<span>weekend))\b"),
        BoundKind.NAMED,
        _read_span,
        "{said} ({day})",
    ),
    BoundForm(
        _compile_english(
            r"(?P<said>\b(?:until|till) (?:the coming )?WEEKDAY)\b(?! \()"
        ),
        BoundKind.NAMED,
        _read_weekday,
        "{said} ({day})",
    ),
    BoundForm(
        _compile_english(
            r"(?P<said>\b(?:until|till))(?: the end of)? (?P<month>MONTH)"
            r"(?: (?P<day>\d{1,2})(?:st|nd|rd|th)?)?,? (?P<year>20\d\d)\b(?!-)"
        ),
        BoundKind.NAMED,
        _read_date,
        "{said} {day}",
    ),
    BoundForm(
        _compile_english(
            r"(?P<said>\b(?:until|till)(?: the end of)? (?P<month>MONTH)"
            r"(?: (?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?)?)\b(?! \(|,? 20\d\d)"
        ),
        BoundKind.NAMED,
        _read_date,
        "{said} ({day})",
    ),
    BoundForm(
        _compile_english(
            r"(?P<said>\b(?:until|till) (?:the )?(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?"
            r"(?: of)? (?P<month>MONTH)(?:,? (?P<year>20\d\d))?"
            r"|(?P<day_after>\d{1,2})(?:st|nd|rd|th)(?!(?: of)? (?:MONTH)\b)))"
            r"\b(?! \(|,? 20\d\d)"
        ),
        BoundKind.NAMED,
        _read_date,
        "{said} ({day})",
    ),
    BoundForm(
        _compile_english(
            r"(?<!end of )(?<!rest of )(?P<said>\b(?:all )?this "
            r"(?P<span>week(?:end)?|month|SEASON))\b" + _GLOSS + "(?!['’])"
        ),
        BoundKind.SPAN,
        _read_span,
        "{said} (ends {day})",
    ),
)

_KO_NUMBERS: Final = _join(KO_NUMBERS)
_KO_UNITS: Final = _join(KO_DAYS | KO_MONTHS)
_NUMBER_KO: Final = (
    rf"(?:(?:(?P<count>\d{{1,3}}|{_KO_NUMBERS}) ?(?P<unit>{_KO_UNITS}))"
    rf"|(?P<days>{_join(KO_COUNTED_DAYS)})|(?P<half>반년))"
)
_LASTS: Final = r" ?(?:동안|간|내내)"
_KOREAN: Final = (
    BoundForm(
        compile_lazily(
            rf"(?P<said>앞으로 ?{_NUMBER_KO}(?: ?정도| ?쯤)?(?:{_LASTS}|(?=[은만 ])))"
            r"(?=[은는만도 ,.]|$)"
        ),
        BoundKind.NAMED,
        _read_count,
        "{said}({day}까지)",
    ),
    BoundForm(
        compile_lazily(
            r"(?<![가-힣\d])(?<!앞으로 )(?P<said>"
            r"(?!하루|이달|이 ?주 |이 |[가-힣] ?년|\d+ ?년)"
            rf"{_NUMBER_KO}(?: ?정도)?{_LASTS})"
            r"(?=[은는만도 ,.]|$)"
        ),
        BoundKind.COUNTED,
        _read_count,
        "{said}({day}까지)",
    ),
    BoundForm(
        compile_lazily(r"(?<![가-힣])(?P<said>(?P<weekday>[월화수목금토일])요일)까지"),
        BoundKind.NAMED,
        _read_weekday,
        "{said}({korean}, {day})까지",
    ),
    BoundForm(
        compile_lazily(
            r"(?P<said>(?:이번 ?|이|월)(?P<span>달)?(?:\([^()]*\))? ?말)까지"
        ),
        BoundKind.NAMED,
        _read_month_end,
        "{said}({day})까지",
    ),
    BoundForm(
        compile_lazily(r"(?P<said>(?:올(?P<span>해)(?:\([^()]*\))? ?|연)말)까지"),
        BoundKind.NAMED,
        _read_year_end,
        "{said}({day})까지",
    ),
    BoundForm(
        compile_lazily(
            r"내년\((?P<year>20\d\d)년\) ?(?P<said>)(?P<month>\d{1,2})월"
            r"(?: ?(?P<day>\d{1,2})일)?(?: ?말)?까지"
        ),
        BoundKind.NAMED,
        _read_date,
        "{day}까지",
    ),
    BoundForm(
        compile_lazily(
            r"(?<![년\d])(?<!년 )(?<!\) )(?P<said>(?P<month>\d{1,2})월"
            r"(?: ?(?P<day>\d{1,2})일)?(?: ?말)?)까지"
        ),
        BoundKind.NAMED,
        _read_date,
        "{said}({day})까지",
    ),
    BoundForm(
        compile_lazily(r"(?<![\d월])(?<!월 )(?P<said>(?P<day>\d{1,2})일)까지"),
        BoundKind.NAMED,
        _read_date,
        "{said}({day})까지",
    ),
    BoundForm(
        compile_lazily(r"(?P<said>이번 ?(?P<span>주|달)말?)(?:\([^()]*\))?까지"),
        BoundKind.NAMED,
        _read_span,
        "{said}({day})까지",
    ),
    BoundForm(
        compile_lazily(r"(?<![가-힣])(?<![가-힣] )(?P<said>(?P<span>주)말)까지"),
        BoundKind.NAMED,
        _read_span,
        "{said}({day})까지",
    ),
    BoundForm(
        compile_lazily(
            rf"(?P<said>이번 ?(?P<span>주|달|{_join(_SEASONS)})말?)(?:\([^()]*\))?"
            r"(?=(?:에는|엔|에|은|는| ?내내| ?동안)?(?:[ ,.]|$))"
            r"(?! ?(?:\d|초|말|중순|[월화수목금토일]요일))"
        ),
        BoundKind.SPAN,
        _read_span,
        "{said}({day}까지)",
    ),
)
