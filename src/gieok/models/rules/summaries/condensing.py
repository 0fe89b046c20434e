"""Makes one readable text of the summaries of sessions or days."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from gieok.kernel.language import SummaryNote
from gieok.models.rules.content_words import extract_terms
from gieok.text.kiwi import Morphology

LONGEST: Final = 600
MAX_NOTES: Final = 100
ALIKE: Final = 0.6  # of the words of the shorter note that stand in the other
A_WEEK: Final = 7  # days within which a weekday names one day

_KO_WEEKDAYS: Final = "월화수목금토일"
_EN_WEEKDAYS: Final = (
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
)  # fmt: skip


def summarize_notes(
    notes: Sequence[SummaryNote], language: str, morphology: Morphology
) -> str:
    """Return the most important of what the notes say, in order of time."""
    kept = list(_select_notes(notes[-MAX_NOTES:], morphology))
    days = {note.at.date() for note in kept}
    week = len(days) > 1 and (max(days) - min(days)).days < A_WEEK
    told: list[str] = []
    before: date | None = None
    for note in kept:
        day = note.at.date()
        fresh = len(days) > 1 and day != before
        text = " ".join(note.text.split())
        told.append(_insert_day(text, day, language, week=week) if fresh else text)
        before = day
    return " ".join(told)


def _select_notes(
    notes: Sequence[SummaryNote], morphology: Morphology
) -> Iterator[SummaryNote]:
    """Return the notes worth their room, in order of time, none told twice."""
    worth = sorted(notes, key=lambda note: (note.importance, note.at), reverse=True)
    kept: list[SummaryNote] = []
    said: list[frozenset[str]] = []
    room = LONGEST
    for note in worth:
        own = extract_terms(note.text, morphology)
        if not own or any(_is_similar(own, other) for other in said):
            continue
        room -= len(note.text) + 1
        if room < 0 and kept:
            break
        kept.append(note)
        said.append(own)
    return iter(sorted(kept, key=lambda note: note.at))


def _is_similar(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether two notes say nearly the same."""
    return len(one & other) >= ALIKE * min(len(one), len(other))


def _insert_day(text: str, day: date, language: str, *, week: bool) -> str:
    """Return the text with the day it is about before it."""
    if language == "ko":
        name = _KO_WEEKDAYS[day.weekday()] + "요일"
        return f"{name if week else f'{day.month}월 {day.day}일'}에는 {text}"
    name = _EN_WEEKDAYS[day.weekday()] if week else f"{day.day} {day:%B}"
    uncapped = "the user" + text[8:] if text.startswith("The user") else text
    return f"On {name}, {uncapped}"
