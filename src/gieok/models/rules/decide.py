"""From measured clauses to findings: judge, relate to what is known, word."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np

from gieok.kernel.language import Basis, Category, Finding, Known, Operation
from gieok.models.rules.candidates import Candidate
from gieok.models.rules.category import categories
from gieok.models.rules.evidence import Evidence
from gieok.models.rules.grouping import groups, joints
from gieok.models.rules.intent import TELL, clause_features
from gieok.models.rules.kinds import plain_kind
from gieok.models.rules.linear import Linear, Numbers, probability
from gieok.models.rules.moves import moves
from gieok.models.rules.plain import SURE, WISHED, is_plain, wished
from gieok.models.rules.reference import Nearness, References, nothing_known, refer
from gieok.models.rules.relation import Relation, relations
from gieok.models.rules.session import Opinions, probe, surrounding_features
from gieok.models.rules.weights import Weights
from gieok.models.rules.wording import word

LEAST_CONFIDENCE: Final = 0.8
"""Of what is found at all: it was said, and only whether it lasts is uncertain."""
UNSURE: Final = 0.4
"""Confidence of a wish to forget that may mean something else."""


@dataclass(frozen=True, slots=True)
class Material:
    """A conversation with everything that was measured of it."""

    evidence: Evidence
    known: tuple[Known, ...]
    near: Nearness | None
    today: date


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the classifiers say; each row is a clause."""

    worth: Numbers
    """Log-odds that the clause says something lasting."""
    intents: Numbers
    """Probability of each intent."""
    references: References
    same: dict[int, float]
    """By the first clause's place: that it and the next say the same fact."""
    kinds: tuple[Category, ...]


def references_of(material: Material, weights: Weights) -> References:
    """Return which known item each clause is about."""
    if material.near is None:
        return nothing_known(len(material.evidence.candidates))
    return refer(material.near, weights.reference)


def assess(
    material: Material, references: References, read: Numbers, weights: Weights
) -> Assessment:
    """Apply every classifier; thresholds come later.

    `read` is what the reader says of every clause beside what it is about.
    """
    evidence, known = material.evidence, len(material.known)
    seen = clause_features(evidence, references, weights.runs)
    meant = weights.intent.logits(seen)
    talk = weights.talk.logits(seen)[:, 0]
    opinions = Opinions(meant[:, TELL], talk, np.delete(meant, TELL, axis=1))
    session = probe(evidence, known, weights.session)
    around = surrounding_features(evidence, opinions, session, known)
    settled = weights.settle.logits(around)
    blended = weights.blend.logits(np.hstack([settled, meant, read]))
    plain = [is_plain(candidate) for candidate in evidence.candidates]
    least = [_least(c, p) for c, p in zip(evidence.candidates, plain, strict=True)]
    worth = np.maximum(blended[:, TELL], np.array(least))
    same = _same(evidence, worth, weights.joint)
    return Assessment(
        worth=worth,
        intents=probability(blended),
        references=references,
        same={n: 0.0 if plain[n] and plain[n + 1] else v for n, v in same.items()},
        kinds=_kinds(evidence, plain, weights.category),
    )


def _least(candidate: Candidate, plain: bool) -> float:  # noqa: FBT001
    """Return the log-odds a clause has at least, by what it plainly is."""
    if plain:
        return SURE
    return WISHED if wished(candidate) else -np.inf


def _kinds(
    evidence: Evidence, plain: Sequence[bool], model: Linear
) -> tuple[Category, ...]:
    """Return the kind of each clause, by its marks where it is plain."""
    judged = categories(evidence, model)
    marked = [
        plain_kind(c.flags) if p else None
        for c, p in zip(evidence.candidates, plain, strict=True)
    ]
    return tuple(m or j for m, j in zip(marked, judged, strict=True))


def _same(evidence: Evidence, worth: Numbers, model: Linear) -> dict[int, float]:
    """Return for each joint the probability that it lies inside one fact."""
    found = joints(evidence, worth)
    if not found.firsts:
        return {}
    values = probability(model.logits(found.features))[:, 0]
    return {first: float(v) for first, v in zip(found.firsts, values, strict=True)}


def findings(
    material: Material, assessed: Assessment, thresholds: Mapping[str, float]
) -> tuple[Finding, ...]:
    """Return what is known to change, then what is new, in the order it was said."""
    candidates = material.evidence.candidates
    related = [*relations(assessed.intents, assessed.references, thresholds)]
    related += moves(candidates, material.known, related)
    limits = (thresholds["add"], thresholds["join"], thresholds["extend"])
    grouped = [tuple(g) for g in groups(assessed.worth, assessed.same, limits)]
    found: list[Finding] = []
    taken: set[int] = set()
    for one in related:
        group = _around(material, grouped, one)
        taken.update(group)
        found.append(_related(material, one, group))
    found += _added(material, assessed, [g for g in grouped if taken.isdisjoint(g)])
    return tuple(sorted(found, key=lambda finding: finding.evidence))


def _around(
    material: Material, grouped: Iterable[tuple[int, ...]], one: Relation
) -> tuple[int, ...]:
    """Return the clauses that say what a clause does to a known item.

    A new value often stands in the clause beside the one that tells of the change
    ("I've moved. It's Leeds now").
    """
    if one.operation is Operation.DELETE:
        return (one.clause,)
    candidates = material.evidence.candidates
    message = candidates[one.clause].clause.message
    told = {n for group in grouped for n in group}
    own = next((group for group in grouped if one.clause in group), (one.clause,))
    if one.operation is Operation.REINFORCE:
        return own
    beside = {
        n
        for n in (own[0] - 1, own[-1] + 1)
        if n in told and candidates[n].clause.message == message
    }
    return tuple(sorted({*own, *beside}))


def _said_in(group: Sequence[Candidate]) -> tuple[int, ...]:
    """Return the messages a group of clauses comes from."""
    return tuple(sorted({candidate.clause.message for candidate in group}))


def _related(material: Material, one: Relation, group: Sequence[int]) -> Finding:
    """Return what a clause does to a known item, or asks to be forgotten."""
    said = [material.evidence.candidates[n] for n in group]
    item = None if one.known is None else material.known[one.known]
    return Finding(
        operation=one.operation,
        content=_content(material, one, said),
        category=Category.CONTEXT if item is None else item.category,
        confidence=_confidence(one.probability) if one.is_sure else UNSURE,
        basis=Basis.REQUESTED if one.is_wish else Basis.STATED,
        evidence=_said_in(said),
        target=None if item is None else item.id,
    )


def _content(material: Material, one: Relation, said: Sequence[Candidate]) -> str:
    """Return the new value, the known item, or the words of a wish as they are."""
    if one.operation is Operation.UPDATE:
        return word(said, material.today)
    if one.known is None:
        return " ".join(candidate.clause.text for candidate in said)
    return material.known[one.known].content


def _confidence(share: float) -> float:
    """Return the confidence of something said, from how likely it is meant."""
    return round(LEAST_CONFIDENCE + (1 - LEAST_CONFIDENCE) * share, 3)


def _asked(candidate: Candidate) -> bool:
    """Tell whether the user asked to remember it, or asked for it once and for all."""
    flags = candidate.flags
    ordered = flags["request_korean"] or flags["request_english"]
    return bool(flags["remember_beside"] or (flags["standing"] and ordered))


def _added(
    material: Material, assessed: Assessment, grouped: Sequence[Sequence[int]]
) -> Iterator[Finding]:
    """Yield what is new, once each."""
    told: set[str] = set()
    for group in grouped:
        best = max(group, key=lambda n: assessed.worth[n])
        said = [material.evidence.candidates[n] for n in group]
        content = word(said, material.today)
        if content in told:
            continue
        told.add(content)
        requested = any(_asked(c) for c in said)
        yield Finding(
            operation=Operation.ADD,
            content=content,
            category=assessed.kinds[best],
            confidence=_confidence(float(probability(assessed.worth[best]))),
            basis=Basis.REQUESTED if requested else Basis.STATED,
            evidence=_said_in(said),
        )
