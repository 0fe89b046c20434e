"""From measured clauses to findings: judge, relate to what is known, word."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby
from typing import Final

import numpy as np

from gieok.kernel.language import (
    Basis,
    Category,
    Finding,
    FindingOperation,
    KnownMemory,
    Vectors,
)
from gieok.models.rules.answers import weigh_answers
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.category import predict_categories
from gieok.models.rules.contents import is_wish, render_contents
from gieok.models.rules.english_wording import ASKED
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.grouping import find_joints, group_clauses
from gieok.models.rules.intent import INTENTS, TELL, Intent, build_clause_features
from gieok.models.rules.kinds import select_plain_kind
from gieok.models.rules.linear import LinearModel, Numbers, compute_probability
from gieok.models.rules.moves import find_moves
from gieok.models.rules.plain import (
    is_fleeting,
    is_plain,
    is_plain_wish,
    is_remember_request,
    is_repetition,
)
from gieok.models.rules.reference import (
    ItemReferences,
    Nearness,
    create_empty_references,
    predict_references,
)
from gieok.models.rules.relation import (
    ClauseContext,
    ItemRelation,
    find_relations,
)
from gieok.models.rules.session import (
    JudgeOpinions,
    build_surrounding_features,
    score_session,
)
from gieok.models.rules.topics import extract_clause_nouns
from gieok.models.rules.weights import JudgeWeights
from gieok.models.rules.wording import (
    is_english,
    render_fact,
    render_memories,
    render_report,
)
from gieok.models.rules.worth import (
    ClauseOpinions,
    build_statement_rows,
    build_worth_features,
)

REPEAT: Final = INTENTS.index(Intent.REPEAT)
FORGET: Final = INTENTS.index(Intent.FORGET)
OUTDATING: Final = [INTENTS.index(Intent.CHANGE), INTENTS.index(Intent.END)]
LEAST_CONFIDENCE: Final = 0.45
"""What a probability of nothing would be; .05 below what a prompt asks for."""
MOST_ADDED: Final = 0.5
"""What certainty adds. With D06's decay, what is as likely as not to last leaves the
prompts after six and a half months in which nobody needs or repeats it, what is nearly
certain after a year, and what is told at the bar after two months."""
FLEETING: Final = -4.0
"""Log-odds at most of what is said for once, or taken back."""
LIKELY: Final = 0.0
"""Log-odds from which a fact is told in any words: of such statements nearly nine in
ten last, and what is lost is lost for good."""
REQUESTED: Final = 0.5
"""Log-odds at least of what the user asked to remember."""
SURE: Final = 2.4
"""Log-odds at least of a plain statement: a confidence of .91. One clause in sixty is
one; where all judges doubt it one in eight is right, but whoever says no more than "I'm
allergic to bees" means it."""
REPORTED: Final = -0.8
"""Log-odds at least of what is reported because it cannot be told by itself. Of
those from -0.5 half were wanted in training's later talk in Korean, fewer below."""
TELLING: Final = 0.0
"""Log-odds from which a clause that ends something may say what is true instead."""
NEW_VALUE: Final = 2
"""Nouns, which the item has not, that say so."""
NEW_FACT: Final = 3
"""Nouns, which the item has not, of what is another fact, though it sounds like it."""
SURELY_AGAIN: Final = 0.6
"""How likely at least a clause that says more than its item only says it again."""
NEVER: Final = -30.0
"""Log-odds at least with which neighbours are joined."""
PLAIN_WISH: Final = 0.7
"""How likely at least what plainly asks to forget is a wish to forget."""
UNSURE: Final = 0.45
"""Confidence at most of a wish to forget that may mean something else."""


@dataclass(frozen=True, slots=True)
class MeasuredConversation:
    """A conversation with everything that was measured of it."""

    evidence: ClauseEvidence
    known: tuple[KnownMemory, ...]
    near: Nearness | None
    today: date
    named: Mapping[int, int] = field(default_factory=dict[int, int])
    """By clause, the one known item that a wish to forget names (`wish_targets`)."""


@dataclass(frozen=True, slots=True)
class ClauseAssessment:
    """What the classifiers say; each row is a clause."""

    worth: Numbers
    """Log-odds that the clause says something lasting."""
    intents: Numbers
    """Probability of each intent."""
    references: ItemReferences
    same: dict[int, float]
    """By the first clause's place: that it and the next say the same fact."""
    kinds: tuple[Category, ...]


def resolve_references(
    material: MeasuredConversation, weights: JudgeWeights
) -> ItemReferences:
    """Return which known item each clause is about."""
    if material.near is None:
        return create_empty_references(len(material.evidence.candidates))
    return predict_references(material.near, weights.reference)


def collect_opinions(
    material: MeasuredConversation,
    references: ItemReferences,
    read: Vectors,
    weights: JudgeWeights,
) -> ClauseOpinions:
    """Return what every judge says of the clauses, before they are weighed.

    `read` are the reader's vectors of every clause beside what it is about.
    """
    evidence, known = material.evidence, len(material.known)
    seen = build_clause_features(evidence, references, weights.runs)
    meant = weights.intent.compute_logits(seen)
    talk = weights.talk.compute_logits(seen)[:, 0]
    opinions = JudgeOpinions(meant[:, TELL], talk, np.delete(meant, TELL, axis=1))
    session = score_session(evidence, known, weights.session)
    around = build_surrounding_features(evidence, opinions, session, known)
    settled = weights.settle.compute_logits(around)
    about = weights.reader.compute_logits(read.astype(np.float64))
    blended = weights.blend.compute_logits(np.hstack([settled, meant, about]))
    stated = weights.statement.compute_margins(build_statement_rows(evidence, read))
    return ClauseOpinions(
        meant, talk, settled[:, 0], about, blended, stated.astype(np.float64), session
    )


def classify_clauses(
    material: MeasuredConversation,
    references: ItemReferences,
    read: Vectors,
    weights: JudgeWeights,
) -> ClauseAssessment:
    """Apply every classifier; thresholds come later.

    `read` are the reader's vectors of every clause beside what it is about.
    """
    evidence = material.evidence
    opinions = collect_opinions(material, references, read, weights)
    rows = build_worth_features(evidence, opinions, len(material.known))
    worth = weights.worth.compute_logits(rows)[:, 0]
    plain = [is_plain(candidate) for candidate in evidence.candidates]
    least = [
        _get_least_worth(c, sure=p)
        for c, p in zip(evidence.candidates, plain, strict=True)
    ]
    worth = np.maximum(worth, least)
    fleeting = [is_fleeting(candidate) for candidate in evidence.candidates]
    worth[fleeting] = np.minimum(worth[fleeting], FLEETING)
    worth = weigh_answers(evidence, worth, weights.answer)
    same = _predict_joins(evidence, np.maximum(worth, NEVER), weights.joint)
    return ClauseAssessment(
        worth=worth,
        intents=_weigh_wishes(
            evidence,
            _correct_answers(evidence, compute_probability(opinions.blended), worth),
        ),
        references=references,
        same={n: 0.0 if plain[n] and plain[n + 1] else v for n, v in same.items()},
        kinds=_predict_kinds(evidence, plain, weights.category),
    )


def _correct_answers(
    evidence: ClauseEvidence, intents: Numbers, worth: Numbers
) -> Numbers:
    """Return the intents, those of answers by what a question and an answer can do.

    One in a quiz, to an offer or of the moment does nothing to what is known, unless it
    says that something has changed ("이제는 괜찮아요"); "still" changes nothing.
    """
    intents = intents.copy()
    for number, candidate in enumerate(evidence.candidates):
        if not candidate.is_answer:
            continue
        flags, frame = candidate.flags, candidate.turn.frame
        framed = frame.roleplay or frame.drill
        if np.isneginf(worth[number]) and (framed or not flags["change"]):
            intents[number] = 0.0
        elif flags["same"] and not flags["negation"]:
            lasting = intents[number, [REPEAT, *OUTDATING]].max()
            intents[number, OUTDATING] = 0.0
            intents[number, REPEAT] = lasting
    return intents


def _limit_changes(candidates: Sequence[ClauseCandidate], intents: Numbers) -> Numbers:
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


def _weigh_wishes(evidence: ClauseEvidence, intents: Numbers) -> Numbers:
    """Return the intents, with what plainly asks to forget as such a wish at least."""
    asking = [is_plain_wish(candidate) for candidate in evidence.candidates]
    raised = intents.copy()
    raised[asking, FORGET] = np.maximum(raised[asking, FORGET], PLAIN_WISH)
    return raised


def _get_least_worth(candidate: ClauseCandidate, *, sure: bool) -> float:
    """Return the log-odds a clause has at least, by what it plainly is."""
    if sure:
        return SURE
    return REQUESTED if is_remember_request(candidate) else -np.inf


def _predict_kinds(
    evidence: ClauseEvidence, plain: Sequence[bool], model: LinearModel
) -> tuple[Category, ...]:
    """Return the kind of each clause, by its marks where it is plain."""
    judged = predict_categories(evidence, model)
    marked = [
        select_plain_kind(c.flags) if p else None
        for c, p in zip(evidence.candidates, plain, strict=True)
    ]
    return tuple(m or j for m, j in zip(marked, judged, strict=True))


def _predict_joins(
    evidence: ClauseEvidence, worth: Numbers, model: LinearModel
) -> dict[int, float]:
    """Return for each joint the probability that it lies inside one fact."""
    found = find_joints(evidence, worth)
    if not found.firsts:
        return {}
    values = compute_probability(model.compute_logits(found.features))[:, 0]
    return {first: float(v) for first, v in zip(found.firsts, values, strict=True)}


def build_findings(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    thresholds: Mapping[str, float],
) -> tuple[Finding, ...]:
    """Return what is known to change, then what is new, in the order it was said."""
    candidates = material.evidence.candidates
    intents = _limit_changes(candidates, assessed.intents)
    context = ClauseContext([c.clause.message for c in candidates], material.named)
    found = find_relations(intents, assessed.references, thresholds, context)
    related = [*_resolve_new_values(material, assessed, found)]
    related += find_moves(candidates, material.known, related)
    limits = (thresholds["add"], thresholds["join"], thresholds["extend"])
    grouped = [tuple(g) for g in group_clauses(assessed.worth, assessed.same, limits)]
    findings: list[Finding] = []
    taken: set[int] = set()
    for one in related:
        group = _collect_related(material, grouped, one)
        taken.update(group)
        findings.append(_build_related_finding(material, assessed, one, group))
    added = _build_added_findings(
        material, assessed, [g for g in grouped if taken.isdisjoint(g)], limits[0]
    )
    findings += _drop_shorter([*added])
    return tuple(sorted(findings, key=lambda finding: finding.evidence))


def _resolve_new_values(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    related: Iterable[ItemRelation],
) -> Iterator[ItemRelation]:
    """Yield what clauses do, as far as they say nothing else that is new.

    An end that says what is true instead is a change. What is not surely said again,
    and says more than the item, stands on its own.
    """
    for one in related:
        ends = one.operation is FindingOperation.DELETE and not one.is_wish
        doubted = one.operation is FindingOperation.REINFORCE
        doubted = doubted and one.probability < SURELY_AGAIN
        if one.operation is FindingOperation.REINFORCE and _is_unrelated(
            material, assessed, one
        ):
            continue
        new = _count_new_nouns(material, assessed, one) if ends or doubted else 0
        if ends and new >= NEW_VALUE:
            yield replace(one, operation=FindingOperation.UPDATE)
        elif not doubted or new < NEW_FACT:
            yield one


def _is_unrelated(
    material: MeasuredConversation, assessed: ClauseAssessment, one: ItemRelation
) -> bool:
    """Tell whether a clause that tells something lasting names nothing of its item."""
    if one.known is None or assessed.worth[one.clause] < TELLING:
        return False
    item = material.known[one.known].content.lower()
    said = _collect_nouns([material.evidence.candidates[one.clause]])
    return bool(said) and not any(noun in item for noun in said)


def _count_new_nouns(
    material: MeasuredConversation, assessed: ClauseAssessment, one: ItemRelation
) -> int:
    """Count what a clause that tells something lasting names and its item does not."""
    if one.known is None or assessed.worth[one.clause] < TELLING:
        return 0
    item = material.known[one.known].content.lower()
    said = _collect_nouns([material.evidence.candidates[one.clause]])
    return sum(noun not in item for noun in said)


def _drop_shorter(found: Sequence[Finding]) -> Iterator[Finding]:
    """Yield what was found but what another goes on to say with more."""
    for one in found:
        if not any(
            other.content.startswith((f"{one.content}, ", f"{one.content}. "))
            for other in found
        ):
            yield one


def _collect_related(
    material: MeasuredConversation,
    grouped: Iterable[tuple[int, ...]],
    one: ItemRelation,
) -> tuple[int, ...]:
    """Return the clauses that say what a clause does to a known item.

    A new value often stands in the clause beside the one that tells of the change
    ("I've moved. It's Leeds now").
    """
    if one.operation is FindingOperation.DELETE:
        return (one.clause,)
    candidates = material.evidence.candidates
    message = candidates[one.clause].clause.message
    told = {n for group in grouped for n in group}
    own = next((group for group in grouped if one.clause in group), (one.clause,))
    if one.operation is FindingOperation.REINFORCE:
        rest = [g for g in grouped if candidates[g[0]].clause.message == message]
        return tuple(sorted({*own, *_collect_leaning(candidates, own, rest)}))
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
) -> Iterator[int]:
    """Yield the clauses of a message that name nothing beside what is said again.

    "난 콜드브루가 좋아. 그게 제일이더라" says one thing twice, and so does "I can't
    stand mushrooms, they're awful".
    """
    named = _collect_nouns(candidates[n] for n in own)
    for group in grouped:
        if _collect_nouns(candidates[n] for n in group) <= named:
            yield from group


def _collect_nouns(said: Iterable[ClauseCandidate]) -> frozenset[str]:
    return frozenset(
        noun.lower() for one in said for noun, _ in extract_clause_nouns(one)
    )


def _collect_messages(group: Sequence[ClauseCandidate]) -> tuple[int, ...]:
    """Return the messages a group of clauses comes from."""
    return tuple(sorted({candidate.clause.message for candidate in group}))


def _build_related_finding(
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
        confidence=_compute_confidence(one.probability)
        if one.is_sure
        else round(UNSURE * one.about, 3),
        basis=Basis.REQUESTED if one.is_wish else Basis.STATED,
        evidence=_collect_messages(said),
        target=None if item is None else item.id,
    )


def _render_content(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    one: ItemRelation,
    group: Sequence[int],
) -> str:
    """Return the new value, the known item, or the words of a wish as they are."""
    said = [material.evidence.candidates[n] for n in group]
    if one.operation is FindingOperation.UPDATE:
        return _render_change(material, assessed, group)
    if one.known is None:
        return " ".join(candidate.clause.text for candidate in said)
    return material.known[one.known].content


def _compute_confidence(share: float) -> float:
    """Return the confidence of something said, from how likely it is to last."""
    return round(LEAST_CONFIDENCE + MOST_ADDED * share, 3)


def _is_requested(candidate: ClauseCandidate) -> bool:
    """Tell whether the user asked to remember it, or asked for it once and for all."""
    flags = candidate.flags
    ordered = flags["request_korean"] or flags["request_english"]
    return bool(flags["remember_beside"] or (flags["standing"] and ordered))


def _render_change(
    material: MeasuredConversation, assessed: ClauseAssessment, group: Sequence[int]
) -> str:
    """Return the new value of something known, in any words if need be."""
    candidates, today = material.evidence.candidates, material.today
    said = [candidates[n] for n in group]
    reported: str | None = None
    if all(is_english(one.clause.text) for one in said):
        told = render_contents(candidates, group, assessed.worth, today, -np.inf)
    else:
        told = render_memories(said, today)
        reported = render_report(said, today) if told is None else None
    whole = ". ".join(told or ())
    return reported or whole or render_fact(said, today, candidates[: min(group)])


def _build_added_findings(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    grouped: Sequence[Sequence[int]],
    least: float,
) -> Iterator[Finding]:
    """Yield what is new, once each; in English of worth `least` at least.

    What cannot be told by itself in Korean is reported, once for each message.
    """
    told: set[str] = set()
    left: dict[int, list[int]] = {}
    spoken: set[int] = set()
    for group in _split_languages(material, grouped):
        said = [material.evidence.candidates[n] for n in group]
        if is_english(said[0].clause.text):
            alone = said[0].clause.message not in spoken
            contents = _render_english(material, assessed, group, least, alone=alone)
            spoken.update(said[0].clause.message for _ in contents)
        else:
            contents = render_memories(said, material.today)
        if contents is None:
            left.setdefault(said[0].clause.message, []).extend(group)
            continue
        for content in contents:
            if content not in told and not content.startswith(ASKED):
                told.add(content)
                yield _build_added_finding(material, assessed, group, content)
    for group in left.values():
        content = _render_group_report(material, assessed, group)
        if content is not None:
            yield _build_added_finding(material, assessed, group, content)


def _render_english(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    group: Sequence[int],
    least: float,
    *,
    alone: bool,
) -> tuple[str, ...]:
    """Return what English clauses say.

    What is likely to last is told in any words; so is what was to be remembered or is
    wanted for good, where it stands `alone` in its message.
    """
    candidates = material.evidence.candidates
    told = render_contents(candidates, group, assessed.worth, material.today, least)
    if told:
        return told
    said = [candidates[n] for n in group]
    whole = render_fact(said, material.today, candidates[: min(group)])
    likely = max(assessed.worth[n] for n in group) >= LIKELY
    wanted = any(map(_is_requested, said)) or is_wish(said, whole)
    return (whole,) if likely or (alone and wanted) else ()


def _split_languages(
    material: MeasuredConversation, grouped: Iterable[Sequence[int]]
) -> Iterator[list[int]]:
    """Yield the groups, clauses of another language apart from their neighbours."""
    candidates = material.evidence.candidates
    for group in grouped:
        for _, run in groupby(group, lambda n: is_english(candidates[n].clause.text)):
            yield list(run)


def _render_group_report(
    material: MeasuredConversation, assessed: ClauseAssessment, group: Sequence[int]
) -> str | None:
    """Return what the user said, if it may be reported; a request always may."""
    said = [material.evidence.candidates[n] for n in group]
    requested = any(map(_is_requested, said))
    worth = max(assessed.worth[n] for n in group)
    if worth < REPORTED and not requested:
        return None
    content = render_report(said, material.today)
    if content is None and (requested or worth >= LIKELY):
        return render_fact(said, material.today)
    return content


def _build_added_finding(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    group: Sequence[int],
    content: str,
) -> Finding:
    """Return what is new, in the words given."""
    best = max(group, key=lambda n: assessed.worth[n])
    said = [material.evidence.candidates[n] for n in group]
    requested = any(_is_requested(c) for c in said)
    return Finding(
        operation=FindingOperation.ADD,
        content=content,
        category=assessed.kinds[best],
        confidence=_compute_confidence(
            float(compute_probability(assessed.worth[best]))
        ),
        basis=Basis.REQUESTED if requested else Basis.STATED,
        evidence=_collect_messages(said),
    )
