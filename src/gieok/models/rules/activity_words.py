"""Lists by which activities, ailments and intolerances are known in both languages."""

from typing import Final

from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.changes", "ended_activities.toml")

AILED_ONCE: Final = _LISTS.compile_list("ended_activities.ailed_once")
AILING: Final = _LISTS.compile_list("ended_activities.ailing")
CONDITIONS: Final = _LISTS.get_spellings("ended_activities.conditions")
INTOLERANCE: Final = _LISTS.compile_list("ended_activities.intolerance")
NOT_ONGOING: Final = _LISTS.compile_list("ended_activities.not_ongoing")
TREATMENTS: Final = _LISTS.get_words("ended_activities.treatments")
