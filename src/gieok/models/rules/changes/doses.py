"""A dose that was raised or lowered stands for the old one in what is taken.

"doc bumped me up to 20 mg" names neither the old dose nor what is taken: it is that
of the only thing known to be taken by such a measure. Where several are, it has to be
named.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gieok.kernel.language import FindingOperation, KnownMemory
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.changes.relation import PLAINLY_STATED, ItemRelation
from gieok.models.rules.changes.replaced_values import remove_quotation
from gieok.models.rules.content_words import extract_terms
from gieok.models.rules.flags import NOT_ASSERTED
from gieok.text.kiwi import get_shared_morphology
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.changes", "doses.toml")

_DOSE: Final = _LISTS.compile_list("doses.dose")
_CHANGED: Final = tuple(
    _LISTS.compile_list(f"doses.{name}")
    for name in ("changed_en", "taken_now_en", "changed_ko")
)
_PRESCRIBING: Final = _LISTS.get_words("doses.prescribing")
_NOT_CHANGED: Final = _LISTS.compile_list("doses.not_changed")


class StatedDose(NamedTuple):
    """How much is to be taken now."""

    number: str
    unit: str
    """Empty where only the number was said."""
    terms: frozenset[str]
    """What the clause names."""
    is_of_another: bool
    """Whether it speaks of somebody else."""

    @property
    def may_be_unnamed(self) -> bool:
        """Whether it can be of whatever is known to be taken.

        A number alone may be of anything else that the clause names.
        """
        if self.is_of_another:
            return False
        return bool(self.unit) or not self.terms - _PRESCRIBING


def find_dose_changes(
    candidates: Sequence[ClauseCandidate], known: Sequence[KnownMemory]
) -> list[ItemRelation]:
    """Return the known items whose dose clauses say is another now."""
    doses: dict[int, re.Match[str]] = {}
    for place, item in enumerate(known):
        measures = [*_DOSE.finditer(item.content)]
        if len(measures) == 1:
            doses[place] = measures[0]
    found: list[ItemRelation] = []
    for place, candidate in enumerate(candidates if doses else ()):
        said = read_dose(candidate)
        item = None if said is None else _find_item(said, doses, known)
        if said is None or item is None:
            continue
        told = _replace_dose(known[item].content, doses[item], said)
        update = FindingOperation.UPDATE
        found.append(ItemRelation(place, item, update, PLAINLY_STATED, remaining=told))
    return found


def read_dose(candidate: ClauseCandidate) -> StatedDose | None:
    """Return the dose that a clause says is taken now, if it says that it changed."""
    text = candidate.clause.text
    if candidate.has_flag(*NOT_ASSERTED) or _NOT_CHANGED.search(text):
        return None
    found = next((m for p in _CHANGED if (m := p.search(text))), None)
    if found is None:
        return None
    measure = found["number"], (found["unit"] or "").lower()
    terms = extract_terms(text, get_shared_morphology()) - {*measure}
    others = candidate.has_flag("kin", "acquaintance")
    return StatedDose(found["number"], found["unit"] or "", terms, others)


def _find_item(
    said: StatedDose,
    doses: Mapping[int, re.Match[str]],
    known: Sequence[KnownMemory],
) -> int | None:
    """Return the one item whose dose is meant, None where it may be another."""
    same = [
        place
        for place, dose in doses.items()
        if dose["number"] != said.number
        and (not said.unit or _is_same_unit(dose["unit"], said.unit))
    ]
    morphology = get_shared_morphology()
    named = [
        place
        for place in same
        if said.terms & extract_terms(known[place].content, morphology)
    ]
    meant = named or (same if said.may_be_unnamed else [])
    return meant[0] if len(meant) == 1 else None


def _is_same_unit(one: str, other: str) -> bool:
    return one.lower().rstrip("s") == other.lower().rstrip("s")


def _replace_dose(content: str, dose: re.Match[str], said: StatedDose) -> str:
    """Return a memory with the new dose, which nobody said in these words."""
    start, end = dose.span("number")
    return remove_quotation(f"{content[:start]}{said.number}{content[end:]}")
