"""When what was planned or bounded is over, and how plans and ages are told later.

Facts carry their dates ("내일(11월 25일, 2026-11-25) 면접이 있다", "is on crutches for
six weeks (until 2026-04-21)"), so whether a day that lay ahead has passed can be read
off a fact itself, whoever wrote it: nothing is stored, and what was learned before is
told rightly as well. Ages move with the years.
"""

import re
from datetime import date, timedelta
from typing import Final, NamedTuple

from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.memories", "patterns.toml")
_WORDINGS: Final = PatternFile("gieok.memories", "lapse.toml")

AFTERWARDS: Final = timedelta(days=14)
"""How long a plan whose day has passed is still told, as past: somebody may ask how it
went. Then it leaves use."""
YEAR: Final = timedelta(days=365)

_MILLENNIUM: Final = "20"
"""Without these digits no date stands in a fact; asked of everything that is known."""
_DATE: Final = compile_lazily(
    r"(?P<from>\b(?:from|since|starting|until|till|ends) (?:\w+ ){0,5}\(?)?"
    r"(?<!\d)(?P<year>20\d\d)(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?"
    r"|년(?: (?P<ko_month>\d{1,2})월(?: (?P<ko_day>\d{1,2})일)?)?)?(?![\d-])"
    r"\)?(?P<after>부터|까지)?(?P<closing>\))?"
)
_UNTIL: Final = compile_lazily(r"\b(?:until|till|ends)\b", re.IGNORECASE)
_SPANNING: Final = frozenset({"~", "～", "-", "–", "to", "through"})
"""What stands between the first and the last date of a span."""
_RELATIVE: Final = _LISTS.compile_list("lapse.relative")
_RELATIVE_EN: Final = _LISTS.compile_list("lapse.relative_en")
_LASTING: Final = _LISTS.compile_list("lapse.lasting")
_HABIT: Final = _LISTS.compile_list("lapse.habit")
_CLAUSE_END: Final = _LISTS.compile_list("lapse.clause_end")
_YEAR_BEFORE: Final = _LISTS.compile_list("lapse.year_before")
_YEAR_AFTER: Final = _LISTS.compile_list("lapse.year_after")
_CLOSING_YEAR_BEFORE: Final = _LISTS.compile_list("lapse.closing_year_before")
_CLAUSE_CLOSED: Final = _LISTS.compile_list("lapse.clause_closed")
_AGE: Final = _LISTS.compile_list("lapse.age")
_AGE_EN: Final = compile_lazily(r"\b(\d{1,3})(?: years?[- ]old|-year-old)\b")
_NATIVE: Final = _LISTS.get_numbers("lapse.native_numbers")


def can_lapse(content: str) -> bool:
    """Tell whether a fact may have a date, without looking for it: asked of many."""
    return _MILLENNIUM in content


class PlanEnd(NamedTuple):
    """The last day of what a fact lays ahead."""

    day: date
    is_bound: bool
    """Whether it holds until then, rather than happens then."""


def find_plan_end(content: str, said: date) -> date | None:
    """Return the last day that a fact lays ahead of the day it was said, if any.

    What begins then ("내일부터"), a habit and a fact without dates have no such day.
    """
    end = _find_end(content, said)
    return end and end.day


def _find_end(content: str, said: date) -> PlanEnd | None:
    """Return the last of the ends that a fact lays ahead."""
    if not can_lapse(content):
        return None
    ends = [
        end
        for span in _find_spans(content)
        if not _is_of_habit(*span) and (end := _read_end(*span, said))
    ]
    return max(ends, default=None)


def _is_of_habit(first: re.Match[str], last: re.Match[str]) -> bool:
    """Tell whether a span stands in a clause that tells a habit, or after one.

    "Every Monday, next on …" speaks of a habit, "on …, always nervous" of a day.
    """
    content, begin = first.string, first.string.rfind(". ", 0, first.start()) + 1
    end = _CLAUSE_END.search(content[last.end() :])
    clause = content[begin : last.end() + end.start() if end else None]
    return _HABIT.search(clause) is not None


def _find_spans(content: str) -> list[tuple[re.Match[str], re.Match[str]]]:
    """Return the first and the last date of each span; one date alone is both."""
    spans: list[tuple[re.Match[str], re.Match[str]]] = []
    for match in _DATE.finditer(content):
        before = spans[-1] if spans else None
        if before and content[before[1].end() : match.start()].strip() in _SPANNING:
            spans[-1] = before[0], match
        elif _is_date(match):
            spans.append((match, match))
    return spans


def _is_date(match: re.Match[str]) -> bool:
    """Tell whether a year says when something is; "2027" alone may name a car."""
    if match["from"] or match["month"] or match["ko_month"]:
        return True
    before, after = match.string[: match.start()], match.string[match.end("year") :]
    if _YEAR_BEFORE.search(before) or _YEAR_AFTER.match(after):
        return True
    return bool(_CLAUSE_CLOSED.search(after) and _CLOSING_YEAR_BEFORE.search(before))


def _read_end(first: re.Match[str], last: re.Match[str], said: date) -> PlanEnd | None:
    """Return the last day of a span that is ahead, if it begins nothing.

    "From next week (A to B)" something begins; "from A to B" it is over with B, be it
    that A has passed. What lasts until a day may have been said on that day.
    """
    begin, end = _read_days(first), _read_days(last)
    if begin is None or end is None:
        return None
    opening, before = first["from"] or "", first.string[: first.start("year")]
    is_until = bool(_UNTIL.search(opening)) or last["after"] == "까지"
    is_written_out = first is not last and not before.endswith("(")
    begins = last["after"] == "부터" or (opening and not (is_until or is_written_out))
    is_ahead = begin[0] > said or (is_written_out and end[0] > said)
    is_last_day = _is_bound_of_state(first, last) and end[1] == said
    if begins or not (is_ahead or is_last_day):
        return None
    return PlanEnd(end[1], is_until or begin[0] <= said)


def _is_bound_of_state(first: re.Match[str], last: re.Match[str]) -> bool:
    """Tell whether a day in brackets says how long it goes: "(until …)", "(…까지)"."""
    opened = first.string[: first.start()].endswith("(") and first["from"]
    closed = last["after"] == "까지" and last["closing"]
    return bool(closed or (opened and _UNTIL.match(opened)))


def _read_days(match: re.Match[str]) -> tuple[date, date] | None:
    """Return the first and the last day of a date, which may be a month or a year."""
    month = match["month"] or match["ko_month"]
    day = match["day"] or match["ko_day"]
    try:
        first = date(int(match["year"]), int(month or 1), int(day or 1))
    except ValueError:
        return None
    return first, first if day else _find_last_day(first, yearly=month is None)


def _find_last_day(first: date, *, yearly: bool) -> date:
    """Return the last day of the month or year that begins on a day."""
    if yearly:
        return date(first.year, 12, 31)
    following = first.replace(day=28) + timedelta(days=4)
    return following.replace(day=1) - timedelta(days=1)


def find_ages(content: str) -> frozenset[int]:
    """Return the ages that a fact tells and that move with the years."""
    ages = (_read_age(match) for match in _AGE.finditer(content))
    english = (int(match[1]) for match in _AGE_EN.finditer(content))
    return frozenset([*(age for age in ages if age is not None), *english])


def is_date_dependent(content: str, said: date) -> bool:
    """Tell whether what a fact says later goes by the day on which it was said."""
    return find_plan_end(content, said) is not None or bool(find_ages(content))


def is_over(content: str, said: date, today: date) -> bool:
    """Tell whether a fact was of a time that has passed and left nothing behind.

    A move, a wedding or a new job changes what is true; it stays, told as past.
    """
    end = find_plan_end(content, said)
    return end is not None and today > end and _LASTING.search(content) is None


def is_lapsed(content: str, said: date, today: date) -> bool:
    """Tell whether a fact has been over for so long that it leaves use."""
    return is_over(content, said, today - AFTERWARDS)


def render_as_of(content: str, said: date, today: date) -> str:
    """Return a fact as it is to be told on a day: plans past, ages with their year."""
    end = _find_end(content, said)
    if end is not None and today > end.day:
        return _render_past(content, is_bound=end.is_bound)
    return _render_ages(content, said, today)


def _render_past(content: str, *, is_bound: bool) -> str:
    """Return what was to come on a day, or to last until a day, that has passed."""
    content = _WORDINGS.rewrite("lapse.bound", content)
    if has_hangul(content):
        dated = _RELATIVE.sub(r"\1", content).rstrip(" .")
        return f"{_WORDINGS.rewrite('lapse.quoted', dated)} (지난 일)"
    dated = _RELATIVE_EN.sub(r"on \1", content).rstrip(" .")
    if is_bound:
        return f"{dated} (that time is over)"
    return f"{dated} (that was the plan; the day has passed)"


def _render_ages(content: str, said: date, today: date) -> str:
    """Return a fact with the years since it was said added to an age in it."""
    years = (today - said) // YEAR
    if years < 1:
        return content
    content = _AGE.sub(lambda match: _add_years(match, said, years), content)
    return _AGE_EN.sub(
        lambda m: f"{m[0]} (in {said.year}; about {int(m[1]) + years} now)", content
    )


def _add_years(match: re.Match[str], said: date, years: int) -> str:
    """'5살' → '5살(2025년에; 지금은 6살쯤)'."""
    age = _read_age(match)
    if age is None:
        return match[0]
    unit = match["unit"]
    return f"{match[0]}({said.year}년에; 지금은 {age + years}{unit}쯤)"


def _read_age(match: re.Match[str]) -> int | None:
    spoken = match["age"]
    return int(spoken) if spoken.isdigit() else _read_native(spoken)


def _read_native(spoken: str) -> int | None:
    """Return the number that "열두" or "스물다섯" says."""
    rest, total = spoken, 0
    for word, value in _NATIVE.items():
        if rest.startswith(word):
            rest, total = rest[len(word) :], total + value
    return total if total and not rest else None
