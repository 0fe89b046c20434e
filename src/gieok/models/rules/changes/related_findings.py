"""Findings of what clauses do to known items: change, end, say again, forget."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from gieok.kernel.language import Basis, Category, Finding, FindingOperation
from gieok.models.rules.assessment import (
    OUTDATING,
    REPEAT,
    ClauseAssessment,
    MeasuredConversation,
    compute_confidence,
)
from gieok.models.rules.candidates import ClauseCandidate, list_messages
from gieok.models.rules.changes.named_endings import find_named_endings
from gieok.models.rules.changes.relation import ItemRelation
from gieok.models.rules.changes.stated_ends import is_stated_end
from gieok.models.rules.changes.stated_instead import is_other_stated
from gieok.models.rules.clause_texts import is_english
from gieok.models.rules.english_facts import render_contents
from gieok.models.rules.lexicon import ADDED, CHANGED_TO, RESUMED
from gieok.models.rules.linear import Numbers
from gieok.models.rules.plain_statements import is_fleeting, is_repetition
from gieok.models.rules.topics import extract_clause_nouns
from gieok.models.rules.wording import render_fact, render_memories, render_report
from gieok.text.same_wording import is_negated

TELLING: Final = 0.0
"""Log-odds from which a clause that ends something may say what is true instead."""
SURELY_TELLING: Final = 1.0
"""The same of a clause without a word for an end, which then says what is true now."""
NEW_VALUE: Final = 2
"""Nouns, which the item has not, that say so."""
NEW_FACT: Final = 3
"""Nouns, which the item has not, of what is another fact, though it sounds like it."""
SURELY_AGAIN: Final = 0.6
"""How likely at least a clause that says more than its item only says it again."""
UNSURE: Final = 0.45
"""Confidence at most of a wish to forget that may mean something else."""


def limit_changes(candidates: Sequence[ClauseCandidate], intents: Numbers) -> Numbers:
    """Return the intents, without changes by what is said for once, or said again.

    What is said for once does not say again what lasts, either.
    """
    restrained = intents.copy()
    for number, candidate in enumerate(candidates):
        if is_fleeting(candidate):
            restrained[number, [REPEAT, *OUTDATING]] = 0.0
        elif is_repetition(candidate):
            said = restrained[number, [REPEAT, *OUTDATING]].max()
            restrained[number, OUTDATING] = 0.0
            restrained[number, REPEAT] = said
    return restrained


def resolve_new_values(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    related: Iterable[ItemRelation],
) -> Iterator[ItemRelation]:
    """Yield what clauses do, as far as they say nothing else that is new.

    An end that says what is true instead is a change. What is not surely said again,
    and says more than the item, stands on its own; so does what denies it, and what is
    said of somebody else than whom the item is about.
    """
    for found in related:
        one = _resolve_resumed(material, found)
        ends = one.operation is FindingOperation.DELETE and not one.is_wish
        doubted = one.operation is FindingOperation.REINFORCE
        doubted = doubted and one.probability < SURELY_AGAIN
        if not one.is_wish and is_of_another(material, one):
            continue
        if ends and _is_addition(material, one):
            continue
        if one.operation is FindingOperation.REINFORCE and (
            _is_unrelated(material, assessed, one) or _is_denied(material, one)
        ):
            continue
        new = _count_new_nouns(material, assessed, one) if ends or doubted else 0
        if ends and (
            new >= NEW_VALUE
            or _is_telling_news(material, assessed, one)
            or _has_stated_instead(material, one)
            or CHANGED_TO.search(material.evidence.candidates[one.clause].clause.text)
        ):
            yield replace(one, operation=FindingOperation.UPDATE)
        elif not doubted or new < NEW_FACT:
            yield one


def _is_addition(material: MeasuredConversation, one: ItemRelation) -> bool:
    """Tell whether a clause tells what one has besides: "한 마리 더 데려왔어"."""
    candidate = material.evidence.candidates[one.clause]
    said = candidate.clause.text
    return (
        ADDED.search(said) is not None
        and not is_negated(said)
        and not is_stated_end(candidate, None)
    )


def _is_telling_news(
    material: MeasuredConversation, assessed: ClauseAssessment, one: ItemRelation
) -> bool:
    """Tell whether a clause ends something by what is true now: "딸을 낳았어요"."""
    candidate = material.evidence.candidates[one.clause]
    return (
        assessed.worth[one.clause] >= SURELY_TELLING
        and not is_negated(candidate.clause.text)
        and not is_stated_end(candidate, None)
        and not find_named_endings(candidate)
    )


def _has_stated_instead(material: MeasuredConversation, one: ItemRelation) -> bool:
    """Tell whether a Korean clause denies its item and states another thing instead."""
    if one.known is None:
        return False
    item = material.known[one.known].content
    morphemes = material.evidence.candidates[one.clause].clause.morphemes
    return is_other_stated(morphemes, item)


def _is_unrelated(
    material: MeasuredConversation, assessed: ClauseAssessment, one: ItemRelation
) -> bool:
    """Tell whether a clause that tells something lasting names nothing of its item."""
    if one.known is None or assessed.worth[one.clause] < TELLING:
        return False
    item = material.known[one.known].content.lower()
    said = collect_nouns([material.evidence.candidates[one.clause]])
    return bool(said) and not any(noun in item for noun in said)


def _resolve_resumed(material: MeasuredConversation, one: ItemRelation) -> ItemRelation:
    """Return what a clause does that takes something up again.

    It ends nothing that goes on, and what had ended is so no more.
    """
    if one.is_wish or one.known is None:
        return one
    candidate = material.evidence.candidates[one.clause]
    item = material.known[one.known].content
    said = candidate.clause.text
    if is_negated(said) or not RESUMED.search(said):
        return one
    if not any(noun in item.lower() for noun in collect_nouns([candidate])):
        return one
    had_ended = is_negated(item)
    if not had_ended and one.operation is not FindingOperation.DELETE:
        return one
    return replace(
        one,
        operation=FindingOperation.UPDATE if had_ended else FindingOperation.REINFORCE,
    )


def is_of_another(material: MeasuredConversation, one: ItemRelation) -> bool:
    """Tell whether a clause's item is of somebody of whom it does not speak."""
    if one.known is None:
        return False
    said = material.evidence.candidates[one.clause]
    item = material.known[one.known]
    return material.owners.is_of_another(said, one.known, item)


def _is_denied(material: MeasuredConversation, one: ItemRelation) -> bool:
    """Tell whether a clause says that something is not so of which its item is."""
    if one.known is None:
        return False
    said = material.evidence.candidates[one.clause].clause.text
    return is_negated(said) and not is_negated(material.known[one.known].content)


def _count_new_nouns(
    material: MeasuredConversation, assessed: ClauseAssessment, one: ItemRelation
) -> int:
    """Count what a clause that tells something lasting names and its item does not."""
    if one.known is None or assessed.worth[one.clause] < TELLING:
        return 0
    item = material.known[one.known].content.lower()
    said = collect_nouns([material.evidence.candidates[one.clause]])
    return sum(noun not in item for noun in said)


def collect_related(
    material: MeasuredConversation,
    grouped: Iterable[tuple[int, ...]],
    one: ItemRelation,
) -> tuple[int, ...]:
    """Return the clauses that say what a clause does to a known item.

    A new value often stands in the clause beside the one that tells of the change
    ("I've moved. It's Leeds now").
    """
    if one.operation is FindingOperation.DELETE or one.remaining:
        return (one.clause,)
    candidates = material.evidence.candidates
    message = candidates[one.clause].clause.message
    told = {n for group in grouped for n in group}
    own = next((group for group in grouped if one.clause in group), (one.clause,))
    if one.operation is FindingOperation.REINFORCE:
        rest = [g for g in grouped if candidates[g[0]].clause.message == message]
        item = "" if one.known is None else material.known[one.known].content
        return tuple(sorted({*own, *_collect_leaning(candidates, own, rest, item)}))
    beside = {
        n
        for n in (own[0] - 1, own[-1] + 1)
        if n in told and candidates[n].clause.message == message
    }
    return tuple(sorted({*own, *beside}))


def _collect_leaning(
    candidates: Sequence[ClauseCandidate],
    own: tuple[int, ...],
    grouped: Iterable[tuple[int, ...]],
    item: str,
) -> Iterator[int]:
    """Yield the clauses of a message that name nothing beside what is said again.

    "난 콜드브루가 좋아. 그게 제일이더라" says one thing twice, and so does "I can't
    stand mushrooms, they're awful". What the known item names was said again as well.
    """
    named, known = collect_nouns(candidates[n] for n in own), item.lower()
    for group in grouped:
        others = collect_nouns(candidates[n] for n in group) - named
        if all(noun in known for noun in others):
            yield from group


def collect_nouns(said: Iterable[ClauseCandidate]) -> frozenset[str]:
    """Return the nouns of some clauses in small letters."""
    return frozenset(
        noun.lower() for one in said for noun, _ in extract_clause_nouns(one)
    )


def build_related_finding(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    one: ItemRelation,
    group: Sequence[int],
) -> Finding:
    """Return what a clause does to a known item, or asks to be forgotten."""
    said = [material.evidence.candidates[n] for n in group]
    item = None if one.known is None else material.known[one.known]
    return Finding(
        operation=one.operation,
        content=_render_content(material, assessed, one, group),
        category=Category.CONTEXT if item is None else item.category,
        confidence=compute_confidence(one.probability)
        if one.is_sure
        else round(UNSURE * one.about, 3),
        basis=Basis.REQUESTED if one.is_wish else Basis.STATED,
        evidence=list_messages(said),
        target=None if item is None else item.id,
    )


def _render_content(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    one: ItemRelation,
    group: Sequence[int],
) -> str:
    """Return the new value, what goes on, the known item, or a wish as it is."""
    said = [material.evidence.candidates[n] for n in group]
    if one.remaining:
        return one.remaining
    if one.operation is FindingOperation.UPDATE:
        return _render_change(material, assessed, group)
    if one.known is None:
        return " ".join(candidate.clause.text for candidate in said)
    return material.known[one.known].content


def _render_change(
    material: MeasuredConversation, assessed: ClauseAssessment, group: Sequence[int]
) -> str:
    """Return the new value of something known, in any words if need be."""
    candidates, today = material.evidence.candidates, material.today
    said = [candidates[n] for n in group]
    reported: str | None = None
    if all(is_english(one.clause.text) for one in said):
        own = render_contents(candidates, group, assessed.worth, today, -np.inf)
        told = tuple(content for _, contents in own for content in contents)
    else:
        told = render_memories(said, today)
        reported = render_report(said, today) if told is None else None
    whole = ". ".join(told or ())
    return reported or whole or render_fact(said, today, candidates[: min(group)])
