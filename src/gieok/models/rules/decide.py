"""From measured clauses to findings: judge, relate to what is known, word."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from gieok.kernel.language import Basis, Category, Finding, Known, Operation
from gieok.models.rules.candidates import Candidate
from gieok.models.rules.category import categories
from gieok.models.rules.grouping import groups, joints
from gieok.models.rules.judge import Evidence, judge
from gieok.models.rules.kinds import plain_kind
from gieok.models.rules.linear import Linear, Numbers, Weights, probability
from gieok.models.rules.link import (
    OPERATIONS,
    Link,
    Nearness,
    link,
    pair_features,
)
from gieok.models.rules.plain import SURE, WISHED, is_plain, wished
from gieok.models.rules.session import probe, surrounding_features
from gieok.models.rules.wording import word


@dataclass(frozen=True, slots=True)
class Material:
    """A conversation with everything that was measured of it."""

    evidence: Evidence
    known: tuple[Known, ...]
    near: Nearness | None
    today: date


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the classifiers say: worth, joints, kinds and links."""

    logits: Numbers
    same: dict[int, float]
    kinds: tuple[Category, ...]
    links: Numbers


def assess(material: Material, weights: Weights) -> Assessment:
    """Apply every classifier; thresholds come later."""
    evidence, known = material.evidence, len(material.known)
    first = judge(evidence, weights.judge)
    session = probe(evidence, known, weights.session)
    around = surrounding_features(evidence, first, session, known)
    logits = weights.settle.logits(around)[:, 0]
    plain = [is_plain(candidate) for candidate in evidence.candidates]
    least = [_least(c, p) for c, p in zip(evidence.candidates, plain, strict=True)]
    logits = np.maximum(logits, np.array(least))
    same = _same(evidence, logits, weights.joint)
    return Assessment(
        logits=logits,
        same={n: 0.0 if plain[n] and plain[n + 1] else v for n, v in same.items()},
        kinds=_kinds(evidence, plain, weights.category),
        links=_links(material, logits, weights.link),
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


def _same(evidence: Evidence, logits: Numbers, model: Linear) -> dict[int, float]:
    """Return for each joint the probability that it lies inside one fact."""
    found = joints(evidence, logits)
    if not found.firsts:
        return {}
    values = probability(model.logits(found.features))[:, 0]
    return {first: float(v) for first, v in zip(found.firsts, values, strict=True)}


def _links(material: Material, logits: Numbers, model: Linear) -> Numbers:
    """Return the probability of each operation for each clause and known item."""
    shape = (len(logits), len(material.known), len(OPERATIONS))
    if material.near is None:
        return np.zeros(shape)
    pairs = pair_features(material.evidence, material.near, logits)
    return probability(model.logits(pairs)).reshape(shape)


def findings(
    material: Material, assessed: Assessment, thresholds: Mapping[str, float]
) -> tuple[Finding, ...]:
    """Return what is known to change, then what is new, in the order it was said."""
    links = link(assessed.links, thresholds) if material.known else ()
    limits = (thresholds["add"], thresholds["join"], thresholds["extend"])
    grouped = [tuple(g) for g in groups(assessed.logits, assessed.same, limits)]
    found = [_linked(material, one, _around(grouped, one)) for one in links]
    taken = {n for one in links for n in _around(grouped, one)}
    found += _added(material, assessed, [g for g in grouped if taken.isdisjoint(g)])
    return tuple(sorted(found, key=lambda finding: finding.evidence))


def _around(grouped: Iterable[tuple[int, ...]], one: Link) -> tuple[int, ...]:
    """Return the group a linked clause belongs to, or the clause alone."""
    alone = (one.candidate,)
    if one.operation is Operation.DELETE:
        return alone
    return next((group for group in grouped if one.candidate in group), alone)


def _said_in(group: Sequence[Candidate]) -> tuple[int, ...]:
    """Return the messages a group of clauses comes from."""
    return tuple(sorted({candidate.clause.message for candidate in group}))


def _linked(material: Material, one: Link, group: Sequence[int]) -> Finding:
    """Return the finding of a link."""
    item = material.known[one.known]
    said = [material.evidence.candidates[n] for n in group]
    asked = any(c.flags["forget"] or c.flags["denial"] for c in said)
    changes = one.operation is Operation.UPDATE
    return Finding(
        operation=one.operation,
        content=word(said, material.today) if changes else item.content,
        category=item.category,
        confidence=round(one.probability, 3),
        basis=Basis.REQUESTED if asked else Basis.STATED,
        evidence=_said_in(said),
        target=item.id,
    )


def _asked(candidate: Candidate) -> bool:
    """Tell whether the user asked to remember it, or asked for it once and for all."""
    flags = candidate.flags
    ordered = flags["request_korean"] or flags["request_english"]
    return bool(flags["remember_beside"] or (flags["standing"] and ordered))


def _added(
    material: Material, assessed: Assessment, grouped: Sequence[Sequence[int]]
) -> Iterable[Finding]:
    """Yield what is new, once each."""
    told: set[str] = set()
    for group in grouped:
        best = max(group, key=lambda n: assessed.logits[n])
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
            confidence=round(float(probability(assessed.logits[best])), 3),
            basis=Basis.REQUESTED if requested else Basis.STATED,
            evidence=_said_in(said),
        )
