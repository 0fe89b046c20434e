"""What is told of English clauses chosen together: each fact as a text of its own."""

from collections.abc import Sequence
from datetime import date

from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.english.wording import WISHED
from gieok.models.rules.english_facts import render_own_facts
from gieok.models.rules.linear import Numbers


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
