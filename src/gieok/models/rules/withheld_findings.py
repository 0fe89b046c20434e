"""What is not told because its own message asks to keep it to itself.

"im on methadone. dont store it" erases nothing that is known: what is to be forgotten
is said beside the wish, and would be remembered from it. What only might be a wish
erases nothing either, and yet what it is about is not told.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from gieok.kernel.language import Finding, KnownMemory
from gieok.models.rules.added_findings import AddedFinding
from gieok.models.rules.assessment import FORGET, ClauseAssessment
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.linear import Numbers
from gieok.models.rules.wishes.pointing import SURELY_POINTS
from gieok.models.rules.wishes.subjects import (
    WishSubject,
    has_same_subject,
    read_subject,
)
from gieok.models.rules.wishes.targets import has_everything
from gieok.text.kiwi import Morphology
from gieok.text.pattern_file import PatternFile

_UNTOLD: Final = PatternFile("gieok.models.rules.wishes", "patterns.toml").compile_list(
    "wishes.untold"
)
"""Says that nobody knows yet, and nothing of what."""
LIKELY: Final = 0.4
"""How likely a clause at least is a wish for what it is about not to be told."""
NAMING_POINTS: Final = 0.7
"""Chance from which a wish means what is beside it, though it names what is known."""
HEARD_POINTS: Final = 0.1
"""The same of one that is heard as a wish and names nothing known."""
HEARD: Final = 0.5
"""How likely a clause is a wish that is heard as one."""
TELLING: Final = -2.0
"""Log-odds from which a sentence may tell something that lasts."""
MAX_SENTENCES: Final = 1_000


class PossibleWish(NamedTuple):
    """A clause that may ask to forget something."""

    clause: ClauseCandidate
    named: WishSubject
    points: bool
    """Whether it names nothing that anybody spoke of, and means what is beside it."""
    beside: range
    """The sentences of its message that it then means."""
    is_heard: bool
    """Whether it is likely enough to be heard as a wish."""


def find_possible_wishes(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    assessed: ClauseAssessment,
    pointing: Numbers,
    morphology: Morphology,
) -> list[PossibleWish]:
    """Return the clauses that may be a wish to forget.

    `pointing` says how likely each clause, if one, names nothing itself.
    """
    chances = assessed.intents[:, FORGET]
    wishing = [
        n
        for n, each in enumerate(candidates)
        if chances[n] >= LIKELY and not each.flags["is_device_order"]
    ]
    if not wishing:
        return []
    said = [read_subject(each.clause.text, morphology) for each in candidates]
    said += [read_subject(each.content, morphology) for each in known]
    found: list[PossibleWish] = []
    for wish in wishing:
        named = said[wish]
        is_known = any(
            has_same_subject(named, other)
            for n, other in enumerate(said)
            if n not in wishing
        )
        points = named.is_empty or pointing[wish] >= _get_least_pointing(
            float(chances[wish]), is_known=is_known
        )
        beside = _find_beside(candidates, assessed, wishing, wish)
        heard = bool(chances[wish] >= HEARD)
        found.append(PossibleWish(candidates[wish], named, points, beside, heard))
    return found


def _get_least_pointing(chance: float, *, is_known: bool) -> float:
    """Return from which chance of pointing a wish means what is beside it."""
    if is_known:
        return NAMING_POINTS
    return HEARD_POINTS if chance >= HEARD else SURELY_POINTS


def _find_beside(
    candidates: Sequence[ClauseCandidate],
    assessed: ClauseAssessment,
    wishing: Sequence[int],
    wish: int,
) -> range:
    """Return the sentences of its message that a wish means which names nothing.

    It is the one next before it that tells something, or else, of what is heard as a
    wish, the one next behind it; every one if it has a word for everything.
    """
    own = candidates[wish].clause
    worth, chances = assessed.worth, assessed.intents[:, FORGET]
    if has_everything(own.text):
        return range(MAX_SENTENCES)
    telling = {
        each.clause.sentence
        for n, each in enumerate(candidates)
        if each.clause.message == own.message
        and n not in wishing
        and worth[n] >= TELLING
        and not _UNTOLD.search(each.clause.text)
    }
    before = [sentence for sentence in telling if sentence <= own.sentence]
    if not before and chances[wish] < HEARD:
        return range(0)
    if not telling:
        return range(MAX_SENTENCES)
    nearest = max(before) if before else min(telling)
    return range(nearest, nearest + 1)


def locate_findings(
    findings: Iterable[Finding],
    candidates: Sequence[ClauseCandidate],
    morphology: Morphology,
) -> list[AddedFinding]:
    """Return what a language model found, with the clauses that name the same."""
    said = [read_subject(each.clause.text, morphology) for each in candidates]
    located: list[AddedFinding] = []
    for finding in findings:
        named = read_subject(finding.content, morphology)
        clauses = tuple(
            each
            for each, subject in zip(candidates, said, strict=True)
            if each.clause.message in finding.evidence
            and has_same_subject(named, subject)
        )
        located.append(AddedFinding(finding, clauses))
    return located


def drop_withheld(
    added: Sequence[AddedFinding],
    wishes: Sequence[PossibleWish],
    kept: Collection[WishSubject],
    morphology: Morphology,
) -> list[AddedFinding]:
    """Return what is new without what a wish in its own message means.

    A wish means what names the same as it does, or else what is said next to it. What
    it leaves out, `kept`, stays.
    """
    subjects = [read_subject(one.finding.content, morphology) for one in added]
    gone: set[int] = set()
    for wish in wishes:
        message = wish.clause.clause.message
        for n, one in enumerate(added):
            if message not in one.finding.evidence:
                continue
            if wish.points:
                meant = any(c.clause.sentence in wish.beside for c in one.clauses)
            else:
                meant = has_same_subject(wish.named, subjects[n])
            if wish.is_heard if _has_clause(one, wish.clause) else meant:
                gone.add(n)
    spared = {
        n for n in gone if any(has_same_subject(each, subjects[n]) for each in kept)
    }
    return [one for n, one in enumerate(added) if n not in gone - spared]


def _has_clause(one: AddedFinding, wish: ClauseCandidate) -> bool:
    return any(each.clause == wish.clause for each in one.clauses)
