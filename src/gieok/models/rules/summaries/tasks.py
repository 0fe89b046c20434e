"""What the user still has to do, and what they were seen to like."""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import islice, pairwise
from typing import Final

from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.clauses import Clause
from gieok.models.rules.statements import render_sentences
from gieok.text.pattern_file import PatternFile
from gieok.text.vocabulary import parse_word_list

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

MOST: Final = 5

_TASK_EN: Final = _LISTS.compile_list("tasks.task_en")
_REMIND_KO: Final = _LISTS.compile_list("tasks.remind_ko")
_PLAN_KO: Final = _LISTS.compile_list("tasks.plan_ko")
_OBLIGED: Final = _LISTS.get_words("tasks.obliged")
_INTENDED: Final = _LISTS.get_words("tasks.intended")
_NOT_EARNEST: Final = parse_word_list(
    "question_mark condition hearsay roleplay fiction planted echo taken_back past "
    "denial forget very_short acquaintance others"
)


def extract_open_tasks(
    candidates: Iterable[ClauseCandidate], today: date
) -> tuple[str, ...]:
    """Return what the user says they will or have to do, the first five."""
    return _render_lines(filter(_is_task, candidates), today)


def extract_preferences(
    candidates: Iterable[ClauseCandidate], today: date
) -> tuple[str, ...]:
    """Return what the user says they like or dislike, the first five."""
    return _render_lines(filter(_is_preference, candidates), today)


def _render_lines(
    candidates: Iterable[ClauseCandidate], today: date
) -> tuple[str, ...]:
    told = dict.fromkeys(
        render_sentences([c], today).rstrip(".") for c in islice(candidates, MOST)
    )
    return tuple(told)


def _is_earnest(candidate: ClauseCandidate) -> bool:
    """Tell whether it is the user's own, said in earnest of themselves."""
    return not candidate.has_flag(*_NOT_EARNEST)


def _is_task(candidate: ClauseCandidate) -> bool:
    clause, text = candidate.clause, candidate.clause.text.replace("’", "'")
    said = _TASK_EN.search(text) or _PLAN_KO.search(text)
    reminds = _REMIND_KO.search(text) and candidate.flags["time"]
    planned = _is_obligation(clause) or _is_intention(clause)
    return _is_earnest(candidate) and bool(said or reminds or planned)


def _is_obligation(clause: Clause) -> bool:
    """Tell whether a Korean clause says what has to be done ("가야 해")."""
    return any(
        one.tag == "EC" and one.form in _OBLIGED and other.form in ("하", "되", "돼")
        for one, other in pairwise(clause.morphemes)
    )


def _is_intention(clause: Clause) -> bool:
    """Tell whether a Korean clause ends in what the user means to do."""
    endings: Sequence[str] = [m.form for m in clause.morphemes if m.tag in ("EF", "EC")]
    return bool(endings) and endings[-1] in _INTENDED


def _is_preference(candidate: ClauseCandidate) -> bool:
    return bool(candidate.flags["is_liking"]) and _is_earnest(candidate)
