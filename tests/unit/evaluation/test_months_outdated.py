"""Which lines of a block count as outdated in `eval months`."""

from datetime import UTC, datetime
from uuid import uuid4

from gieok.context import Line
from gieok.evaluation.dialogues import DialogueSession
from gieok.evaluation.months import (
    LifeFact,
    MonthsPerson,
    MonthsQuestion,
    find_outdated,
)

FIRST, CHANGED, LATER = (datetime(2026, month, 8, tzinfo=UTC) for month in (1, 3, 5))
SALON = LifeFact("She works at Snips", (("snips",),), since=0, until=1)
WHERE = MonthsQuestion(90, "where do i work", (("marlows",),), ("snips", "armley"))


def make_person(*facts: LifeFact) -> MonthsPerson:
    talks = tuple(DialogueSession(at, ()) for at in (FIRST, CHANGED))
    return MonthsPerson("a", "en", talks, facts, (), (), (WHERE,))


def make_line(text: str, at: datetime) -> Line:
    return Line(text, uuid4(), at)


def test_what_was_said_before_it_ended_is_outdated() -> None:
    shown = [make_line("The user works at Snips", FIRST)]
    assert find_outdated(make_person(SALON), WHERE, shown) == ["snips"]


def test_a_line_that_says_the_change_is_not() -> None:
    shown = [
        make_line("The user gave their notice in at Snips", CHANGED),
        make_line("The user left Snips in March", LATER),
    ]
    assert find_outdated(make_person(SALON), WHERE, shown) == []


def test_a_line_of_either_kind_is_counted_for_itself() -> None:
    shown = [
        make_line("The user works at Snips", FIRST),
        make_line("The user gave their notice in at Snips", CHANGED),
    ]
    assert find_outdated(make_person(SALON), WHERE, shown) == ["snips"]


def test_a_word_of_no_fact_that_ended_is_outdated_whenever_it_was_said() -> None:
    lasting = LifeFact("She lives in Armley", (("armley",),), since=0, until=None)
    shown = [make_line("The user lives in Armley", LATER)]
    assert find_outdated(make_person(SALON, lasting), WHERE, shown) == ["armley"]
