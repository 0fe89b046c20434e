"""From judged clauses to findings: what becomes of what is known, then what is new."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from gieok.kernel.language import Finding
from gieok.models.rules.added_findings import (
    LIKELY,
    TOLD,
    AddedFinding,
    build_added_findings,
)
from gieok.models.rules.assessment import ClauseAssessment, MeasuredConversation
from gieok.models.rules.changes.breakups import resolve_breakups
from gieok.models.rules.changes.completed_states import find_completed_states
from gieok.models.rules.changes.deaths import find_deaths
from gieok.models.rules.changes.doses import find_dose_changes
from gieok.models.rules.changes.ended_activities import (
    drop_unended,
    find_ended_activities,
)
from gieok.models.rules.changes.moved_events import find_moved_events, merge_stated
from gieok.models.rules.changes.moves import find_moves
from gieok.models.rules.changes.partial_ends import (
    find_partial_ends,
    split_partial_ends,
)
from gieok.models.rules.changes.related_findings import (
    build_related_finding,
    collect_nouns,
    collect_related,
    is_of_another,
    limit_changes,
    resolve_new_values,
)
from gieok.models.rules.changes.relation import (
    ClauseContext,
    ItemRelation,
    find_relations,
)
from gieok.models.rules.changes.replaced_values import (
    drop_unnamed_replacements,
    find_replaced_values,
)
from gieok.models.rules.changes.terse_moves import drop_unmoved_homes, find_terse_moves
from gieok.models.rules.grouping import group_clauses
from gieok.models.rules.terse import MIN_WORDED, is_terse
from gieok.text.patterns import compile_lazily

_QUOTED: Final = compile_lazily(r"(?<=“)[^”]+(?=”)")


def build_findings(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    thresholds: Mapping[str, float],
) -> tuple[tuple[Finding, ...], tuple[AddedFinding, ...]]:
    """Return what becomes of what is known, and what is new, which may not last."""
    candidates = material.evidence.candidates
    related = _find_changes(material, assessed, thresholds)
    join, extend = thresholds["join"], thresholds["extend"]
    least = thresholds["add"]
    if is_terse(candidates):
        least = min(least, MIN_WORDED)
    told, grouped = (
        [tuple(g) for g in group_clauses(assessed.worth, assessed.same, limits)]
        for limits in ((TOLD, join, extend), (least, join, extend))
    )
    findings: list[Finding] = []
    taken: set[int] = set()
    wished: set[int] = set()
    for one in related:
        group = collect_related(material, told, one)
        taken.update(() if one.stands else group)
        wished.update(group if one.is_wish else ())
        findings.append(build_related_finding(material, assessed, one, group))
    new = [
        group
        if taken.isdisjoint(group)
        else _select_untaken(material, assessed, [*set(group) - taken], related)
        for group in grouped
        if wished.isdisjoint(group)
    ]
    added = build_added_findings(material, assessed, [g for g in new if g], least)
    return tuple(findings), tuple(added)


def _select_untaken(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    clauses: Iterable[int],
    related: Sequence[ItemRelation],
) -> list[int]:
    """Return which clauses beside one that ends something tell what is new.

    "I don't work at Samsung, I work at LG" ends one thing and tells another; "I've been
    doing yoga for years but I quit" tells nothing besides.
    """
    items = {one.known for one in related if one.known is not None}
    known = " ".join(material.known[item].content.lower() for item in items)
    candidates = material.evidence.candidates
    return [
        n
        for n in sorted(clauses)
        if assessed.worth[n] >= LIKELY
        and not any(noun in known for noun in collect_nouns([candidates[n]]))
    ]


def _find_changes(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    thresholds: Mapping[str, float],
) -> list[ItemRelation]:
    """Return what the clauses do to what is known, as judged and as stated."""
    candidates = material.evidence.candidates
    related = _find_judged_changes(material, assessed, thresholds)
    related += find_moves(candidates, material.known, related)
    moved = find_moved_events(candidates, material.known)
    moved += find_terse_moves(candidates, material.known)
    related = _merge_own(material, related, moved)
    related = drop_unnamed_replacements(candidates, material.known, related)
    replaced = find_replaced_values(candidates, material.known, related)
    dosed = find_dose_changes(candidates, material.known)
    related = _merge_own(material, related, [*replaced, *dosed])
    related = drop_unended(candidates, material.known, related)
    ended = find_ended_activities(candidates, material.known, related)
    over = {one.clause for one in ended}
    related = [one for one in related if not (one.is_wish and one.clause in over)]
    related = _merge_own(material, related, ended)
    completed = find_completed_states(candidates, material.known, related)
    related = _merge_own(material, related, completed)
    died = find_deaths(candidates, material.known, material.today)
    related = merge_stated(related, died)
    return resolve_breakups(candidates, material.known, related)


def _find_judged_changes(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    thresholds: Mapping[str, float],
) -> list[ItemRelation]:
    """Return what the clauses do to what is known, as the models judge it."""
    candidates = material.evidence.candidates
    intents = limit_changes(candidates, assessed.intents)
    context = ClauseContext([c.clause.message for c in candidates], assessed.wishes)
    found = find_relations(intents, assessed.references, thresholds, context)
    related = [
        *split_partial_ends(
            candidates, material.known, resolve_new_values(material, assessed, found)
        )
    ]
    related = drop_unmoved_homes(candidates, material.known, related)
    partial = find_partial_ends(candidates, material.known, related)
    own = [one for one in partial if not is_of_another(material, one)]
    return [*related, *own]


def _merge_own(
    material: MeasuredConversation,
    related: Sequence[ItemRelation],
    stated: Sequence[ItemRelation],
) -> list[ItemRelation]:
    """Return what clauses do, with what is stated of nobody else's items instead."""
    own = [one for one in stated if not is_of_another(material, one)]
    return merge_stated(related, own)


def merge_findings(
    related: Iterable[Finding], added: Iterable[Finding]
) -> tuple[Finding, ...]:
    """Return all findings in the order of what they rest on, none told twice."""
    kept = _drop_shorter([*_drop_repeated(added)])
    return tuple(sorted([*related, *kept], key=lambda finding: finding.evidence))


def _drop_repeated(found: Iterable[Finding]) -> Iterable[Finding]:
    """Return what was found, of the same words what is surest."""
    surest: dict[str, Finding] = {}
    for one in found:
        if one.content not in surest or (
            one.confidence > surest[one.content].confidence
        ):
            surest[one.content] = one
    return surest.values()


def _drop_shorter(found: Sequence[Finding]) -> Iterator[Finding]:
    """Yield what was found but what another goes on to say with more, or quotes."""
    for one in found:
        if not any(_is_repeated_by(one, other) for other in found):
            yield one


def _is_repeated_by(one: Finding, other: Finding) -> bool:
    """Tell whether one finding says the same as another in the same words and more."""
    if other.content.startswith((f"{one.content}, ", f"{one.content}. ")):
        return True
    quoted, more = _QUOTED.search(one.content), _QUOTED.search(other.content)
    if quoted is None or more is None or one.evidence != other.evidence:
        return False
    return quoted[0] != more[0] and quoted[0] in more[0]
