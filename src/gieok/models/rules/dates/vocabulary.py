"""Lists of days, numbers and times that several modules read."""

from typing import Final

from gieok.text.pattern_file import PatternFile

_BOUNDS: Final = PatternFile("gieok.models.rules.dates", "bounds.toml")
_CALENDAR_DAYS: Final = PatternFile("gieok.models.rules.dates", "calendar_days.toml")

APPOINTMENT: Final = _CALENDAR_DAYS.compile_list("calendar_days.appointment")
KO_COUNTED_DAYS: Final = _BOUNDS.get_numbers("bounds.ko_counted_days")
KO_DAYS: Final = _BOUNDS.get_numbers("bounds.ko_days")
KO_MONTHS: Final = _BOUNDS.get_numbers("bounds.ko_months")
KO_NUMBERS: Final = _BOUNDS.get_numbers("bounds.ko_numbers")
LASTING: Final = _BOUNDS.compile_list("bounds.en_lasting")
MONTH_NAMES: Final = _BOUNDS.get_numbers("bounds.en_month_names")
WEEKDAYS: Final = _BOUNDS.get_numbers("bounds.en_weekdays")
