"""What a state of life gives way to: who has given birth is no longer pregnant.

The event shares no word with the state it ends, and it is told once and in passing,
while the state may have been known for months. The pairs stand in
`completed_states.toml`.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from gieok.kernel.language import FindingOperation, KnownMemory
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.changes.relation import PLAINLY_STATED, ItemRelation
from gieok.models.rules.content_words import extract_terms
from gieok.models.rules.flags import NOT_ASSERTED
from gieok.text.kiwi import get_shared_morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.same_wording import is_negated

_LISTS: Final = PatternFile("gieok.models.rules.changes", "completed_states.toml")
_STATES: Final = (
    ("pregnant", "birth"),
    ("job_hunt", "hired"),
    ("studying", "graduated"),
    ("studying", "dropped_out"),
    ("course", "dropped_out"),
    ("hospital", "discharged"),
    ("service", "service_over"),
    ("engaged", "married"),
    ("exam_ahead", "passed"),
    ("house_hunt", "house_found"),
    ("night_shift", "on_days"),
    ("day_shift", "on_nights"),
    ("age", "older"),
    ("vegetarian", "eating_meat"),
    ("work_leave", "back_at_work"),
    ("school_leave", "back_at_school"),
    ("single", "paired"),
    ("role", "promoted"),
    ("with_parents", "own_place"),
    ("house_savings", "house_bought"),
    ("remote_work", "in_office"),
    ("lives_alone", "living_together"),
    ("occupied", "stopped_working"),
    ("cast", "cast_off"),
    ("weight", "weighed"),
    ("drinks", "sober"),
    ("smokes", "smoke_free"),
    ("driven_car", "other_car"),
)
"""States with the events that end them."""
_NAMED_STATES: Final = (("kept_animal", "given_away"), ("planned", "called_off"))
"""Those of which there may be several, so that the event has to name the one."""


class EndingPair(NamedTuple):
    """A state, and the event that ends it."""

    state: re.Pattern[str]
    event: re.Pattern[str]
    is_named: bool


_PAIRS: Final = tuple(
    EndingPair(
        _LISTS.compile_list(f"completed_states.{state}"),
        _LISTS.compile_list(f"completed_states.{event}"),
        is_named=(state, event) in _NAMED_STATES,
    )
    for state, event in _STATES + _NAMED_STATES
)
_NOT_STATED: Final = tuple(flag for flag in NOT_ASSERTED if flag != "question_english")
"""Questions have their mark: "had the baby on Sunday" only opens like one."""
_NOT_YET: Final = _LISTS.compile_list("completed_states.not_yet")


def find_completed_states(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    related: Sequence[ItemRelation],
) -> list[ItemRelation]:
    """Return which known states give way to what clauses tell as having happened.

    Whose state it is, is not looked at here. What is changed already stays changed.
    """
    ends = FindingOperation.DELETE
    settled = {r.known for r in related if r.is_wish or r.operation is not ends}
    found: list[ItemRelation] = []
    for place, candidate in enumerate(candidates):
        text = candidate.clause.text
        if candidate.has_flag(*_NOT_STATED):
            continue
        over = [pair for pair in _PAIRS if _has_happened(pair, text)]
        for item, memory in enumerate(known if over else ()):
            if item in settled or is_negated(memory.content):
                continue
            if any(_is_over(pair, memory.content, text) for pair in over):
                settled.add(item)
                found.append(
                    ItemRelation(place, item, FindingOperation.UPDATE, PLAINLY_STATED)
                )
    return found


def _has_happened(pair: EndingPair, said: str) -> bool:
    """Tell whether a clause tells an event as one that has come to pass.

    The event may itself be that something is not done: "haven't smoked in a month".
    """
    told = pair.event.search(said)
    return told is not None and not _NOT_YET.search(
        said[: told.start()] + said[told.end() :]
    )


def _is_over(pair: EndingPair, content: str, said: str) -> bool:
    """Tell whether a memory is of the state that an event ends."""
    if pair.state.search(content) is None:
        return False
    if not pair.is_named:
        return True
    morphology = get_shared_morphology()
    terms = extract_terms(content, morphology) & extract_terms(said, morphology)
    return bool(terms)
