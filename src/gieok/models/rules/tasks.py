"""What the user still has to do, and what they were seen to like."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import islice, pairwise
from typing import Final

from gieok.models.rules.candidates import Candidate
from gieok.models.rules.clauses import Clause
from gieok.models.rules.telling import tell
from gieok.models.rules.vocabulary import listed, words_of

MOST: Final = 5

_TASK_EN: Final = re.compile(
    r"\b(?:(?:i|we)(?:'ll| will| have| need|'ve got|'m| am|'re| are)? ?(?:still )?"
    r"(?:have to|need to|got to|gotta|must|supposed to|planning to|going to|gonna|"
    r"should)|i'?ve got to|i'll|i will|we'll|remind me|don'?t let me forget)\b",
    re.IGNORECASE,
)
_REMIND_KO: Final = re.compile(
    r"(?:알려|상기시켜|챙겨|깨워|리마인드|알림) ?(?:줘|주|좀|해)|까먹지 ?(?:않|말|마)"
)
_PLAN_KO: Final = re.compile(r"(?:기로 ?했|기로 ?함|[을ㄹ할갈볼될] ?예정|계획[이인])")
_OBLIGED: Final = words_of("어야 아야 여야 야")
_INTENDED: Final = words_of("ᆯ게 을게 ᆯ게요 을게요 려고 으려고 려구 ᆯ라고 ᆯ거 을거")
_NEVER: Final = listed(
    "question_mark condition hearsay roleplay fiction planted echo taken_back past "
    "denial forget very_short"
)


def open_tasks(candidates: Iterable[Candidate], today: date) -> tuple[str, ...]:
    """Return what the user says they will or have to do, the first five."""
    return _lines(filter(_is_task, candidates), today)


def preferences(candidates: Iterable[Candidate], today: date) -> tuple[str, ...]:
    """Return what the user says they like or dislike, the first five."""
    return _lines(filter(_is_preference, candidates), today)


def _lines(candidates: Iterable[Candidate], today: date) -> tuple[str, ...]:
    told = dict.fromkeys(tell([c], today).rstrip(".") for c in islice(candidates, MOST))
    return tuple(told)


def _earnest(candidate: Candidate) -> bool:
    """Tell whether it is the user's own, said in earnest of themselves."""
    flags = candidate.flags
    about_others = flags["acquaintance"] or flags["others"]
    return not (about_others or any(flags[name] for name in _NEVER))


def _is_task(candidate: Candidate) -> bool:
    clause, text = candidate.clause, candidate.clause.text.replace("’", "'")
    said = _TASK_EN.search(text) or _PLAN_KO.search(text)
    reminds = _REMIND_KO.search(text) and candidate.flags["time"]
    planned = _obliged(clause) or _intended(clause)
    return _earnest(candidate) and bool(said or reminds or planned)


def _obliged(clause: Clause) -> bool:
    """Tell whether a Korean clause says what has to be done ("가야 해")."""
    return any(
        one.tag == "EC" and one.form in _OBLIGED and other.form in ("하", "되", "돼")
        for one, other in pairwise(clause.morphemes)
    )


def _intended(clause: Clause) -> bool:
    """Tell whether a Korean clause ends in what the user means to do."""
    endings: Sequence[str] = [m.form for m in clause.morphemes if m.tag in ("EF", "EC")]
    return bool(endings) and endings[-1] in _INTENDED


def _is_preference(candidate: Candidate) -> bool:
    return bool(candidate.flags["is_liking"]) and _earnest(candidate)
