"""Tells chosen clauses as one or two sentences about the user.

Clauses that stand together are told together; a Korean predicate before another ends
in 고. What cannot be turned into the third person stays as it was said, with the
persons named.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import pairwise
from typing import Final

from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.clause_texts import (
    convert_clause,
    remove_noise,
    trim_interjections,
)
from gieok.models.rules.clauses import Clause
from gieok.models.rules.dates.relative_dates import resolve_dates
from gieok.models.rules.english import retelling as english
from gieok.models.rules.korean import retelling as korean
from gieok.models.rules.korean.edits import USER
from gieok.models.rules.secrets import is_private
from gieok.text.english import STOPWORDS
from gieok.text.korean import has_hangul
from gieok.text.patterns import compile_lazily

ClauseUnit = Sequence[ClauseCandidate]

_WE: Final = {
    "we": "they", "we're": "they're", "we've": "they've", "we'll": "they'll",
    "we'd": "they'd", "us": "them", "our": "their", "ours": "theirs",
    "let's": "let them", "i'd": "the user would",
}  # fmt: skip
_WE_WORD: Final = compile_lazily(
    r"\b(?:we(?:'(?:re|ve|ll|d))?|us|ours?|let's|i'd)\b", re.IGNORECASE
)
_SIGNS: Final = " .!?~,;:-—"


def group_units(chosen: Iterable[ClauseCandidate]) -> list[list[ClauseCandidate]]:
    """Return the clauses, in order, with those of one sentence together."""
    found: list[list[ClauseCandidate]] = []
    for candidate in chosen:
        clause = candidate.clause
        before = found[-1][-1].clause if found else None
        if before is not None and _is_same_sentence(before, clause):
            found[-1].append(candidate)
        else:
            found.append([candidate])
    return found


def _is_same_sentence(one: Clause, other: Clause) -> bool:
    """Tell whether a clause goes on with the sentence of the one before."""
    return (
        one.message == other.message
        and one.sentence == other.sentence
        and one.end == other.start
    )


def render_sentences(chosen: Sequence[ClauseCandidate], today: date) -> str:
    """Return the clauses, given in order, as at most two sentences."""
    grouped = group_units(chosen)
    middle = (len(grouped) + 1) // 2
    halves = (grouped[:middle], grouped[middle:])
    return " ".join(_render_sentence(half, today) for half in halves if half)


def _render_sentence(grouped: Sequence[ClauseUnit], today: date) -> str:
    """Return some units as one sentence."""
    told = [
        resolve_dates(
            _render_unit(unit, first=number == 0, linked=number + 1 < len(grouped)),
            unit[0].turn.day or today,
        )
        for number, unit in enumerate(grouped)
    ]
    said = told[0].strip(_SIGNS)
    for before, after in pairwise(told):
        joint = ", " if has_hangul(before[-1:]) else "; "
        said += joint + after.strip(_SIGNS)
    return said[:1].upper() + said[1:] + "."


def _render_unit(unit: ClauseUnit, *, first: bool, linked: bool) -> str:
    """Return one unit, and what its question was about where it leans on that."""
    parts = [
        _render_clause(
            candidate.clause,
            first=first and number == 0,
            last=number + 1 == len(unit),
            linked=linked,
        )
        for number, candidate in enumerate(unit)
    ]
    said = (" " if has_hangul(parts[0]) else ", ").join(parts)
    topic = unit[0].topic if len(unit) == 1 else ""
    return f"{said} ({topic})" if topic and not is_private(topic) else said


def _render_clause(clause: Clause, *, first: bool, last: bool, linked: bool) -> str:
    """Return one clause in the third person, or with the persons named at least."""
    told = convert_clause(clause, first=first, last=last, linked=linked)
    if told is not None:
        return re.sub(r"^User\b", "The user", told)
    if has_hangul(clause.text):
        said = remove_noise(korean.replace_first_person(*trim_interjections(clause)))
        return f"{USER}: {said}" if first else said
    return _render_english(remove_noise(clause.text), first=first)


def _render_english(text: str, *, first: bool) -> str:
    """Return an English clause of any subject as what the user says."""
    straight = _WE_WORD.sub(_replace_we, text.replace("’", "'"))
    said = english.to_third_person(straight, first=False) or straight
    if not first:
        return said
    word = said.split(maxsplit=1)[0] if said else ""
    small = word.lower() in STOPWORDS
    return f"The user says {said[:1].lower() if small else said[:1]}{said[1:]}"


def _replace_we(match: re.Match[str]) -> str:
    return _WE[match[0].lower()]
