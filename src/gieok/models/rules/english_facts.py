"""Words what English clauses say, each fact as a text of its own."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.clause_texts import (
    drop_korean_conjunction,
    drop_request,
    remove_laughter,
)
from gieok.models.rules.clauses import Clause
from gieok.models.rules.dates.relative_dates import resolve_dates
from gieok.models.rules.english.elided import restore_subject
from gieok.models.rules.english.fragments import convert_colon
from gieok.models.rules.english.soundness import select_statements
from gieok.models.rules.english.wording import WISHED, EnglishMemory, render_english
from gieok.models.rules.linear import Numbers
from gieok.text.patterns import compile_lazily

LONGEST: Final = 400
MAX_HEARD: Final = 6
"""Earlier messages of the user in which somebody is looked for."""
_THIRD_PERSON: Final = compile_lazily(r"^(?:he|she|they|it)\b", re.IGNORECASE)
_RESUMED: Final = compile_lazily(
    r"^\s*((?:my|our|the)(?: [\w'-]+){1,3}?)(?=[,.!?]|$)", re.IGNORECASE
)


def drop_order(candidate: ClauseCandidate) -> Clause:
    """Return a clause without an order for the moment; how to answer is for good."""
    clause, flags = candidate.clause, candidate.flags
    if flags["korean"] or flags["is_answers"] or flags["is_device"]:
        return clause
    return replace(clause, text=drop_request(clause.text))


def render_own_facts(
    candidate: ClauseCandidate,
    today: date,
    earlier: Sequence[ClauseCandidate],
    *,
    strict: bool = True,
) -> tuple[str, ...]:
    """Return what an English clause says, each fact as a text of its own.

    Only what a stranger understands without the talk is told, which may be nothing;
    what is not `strict` may be clumsy, or an order.
    """
    day = candidate.turn.day or today
    said, beside, before = _collect_english([candidate], earlier)
    if subject := _get_resumed_subject(candidate):
        said[0] = f"{said[0].rstrip(' ,')}, {subject}"
    own = convert_colon(said[0]) if candidate.is_answer else said[0]
    told = select_statements(own, beside, before, candidate.turn.asked, strict=strict)
    return tuple(resolve_dates(text, day)[:LONGEST] for text in told)


def _get_resumed_subject(candidate: ClauseCandidate) -> str:
    """Return "my aunt" where "she is ill" is followed by whom it tells of."""
    rest = candidate.turn.text[candidate.clause.end :]
    opens = _THIRD_PERSON.match(candidate.clause.text)
    found = (
        _RESUMED.match(rest) if opens and "," in candidate.clause.written[-2:] else None
    )
    return found[1] if found else ""


def render_english_fact(
    group: Sequence[ClauseCandidate], earlier: Sequence[ClauseCandidate]
) -> EnglishMemory:
    """Return English clauses told by what was said before them."""
    return render_english(*_collect_english(group, earlier), group[0].turn.asked)


def _is_for_assistant(candidate: ClauseCandidate) -> bool:
    """Tell whether a clause is about a device or how to answer, whatever was asked."""
    return bool(candidate.flags["is_device"] or candidate.flags["is_answers"])


def _collect_english(
    group: Sequence[ClauseCandidate], earlier: Sequence[ClauseCandidate]
) -> tuple[list[str], list[str], list[str]]:
    """Return what is told, clauses beside it and texts before, nearest first."""
    turn = group[0].turn
    back = list(reversed(earlier))
    beside = [c.clause.text for c in back if c.turn.index == turn.index]
    messages = {c.turn.index: c.turn.text for c in back if c.turn.index != turn.index}
    before = [turn.asked, *list(messages.values())[:MAX_HEARD]]
    spoken = [remove_laughter(drop_order(candidate).text) for candidate in group]
    said = [drop_korean_conjunction(text) for text in spoken]
    if not beside and not (group[0].is_answer or _is_for_assistant(group[0])):
        said[0] = restore_subject(said[0], turn.asked)
    return said, beside, [text for text in before if text]


def render_contents(
    candidates: Sequence[ClauseCandidate],
    group: Sequence[int],
    worth: Numbers,
    today: date,
    least: float,
    *,
    strict: bool = True,
) -> list[tuple[Sequence[int], tuple[str, ...]]]:
    """Return which of a group of English clauses say what, which may be nothing.

    Each is told by itself, and only what a stranger understands is; what is not
    `strict` may be clumsy. What is of less worth than `least` is told where nothing
    else is, and for the group.
    """
    best = max(group, key=lambda n: worth[n])
    worthy = [n for n in group if n == best or worth[n] >= least]
    for chosen in (worthy, [n for n in group if n not in worthy]):
        told = [
            (
                [n] if chosen is worthy else group,
                render_own_facts(candidates[n], today, candidates[:n], strict=strict),
            )
            for n in chosen
        ]
        if any(contents for _, contents in told):
            return [(clauses, contents) for clauses, contents in told if contents]
    return []


def is_wish(said: Sequence[ClauseCandidate], told: str) -> bool:
    """Tell whether something is wanted for good, which is kept in any words."""
    standing = any(candidate.flags["standing"] for candidate in said)
    return standing and told.startswith(WISHED)
