"""Counts how findings compare with the labelled facts of dialogues."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from corpus import hit

from gieok.kernel.language import Finding, Operation

NEW = (Operation.ADD, Operation.UPDATE)
LEAST_PRECISION = 0.59
MOST_SPOILED = 0.17  # of the sessions in which nothing may be remembered


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over some dialogues; two scores add up."""

    gold: int = 0
    told: int = 0
    right: int = 0
    typed: int = 0
    category: int = 0
    updates: int = 0
    updates_right: int = 0
    deletes: int = 0
    deletes_right: int = 0
    reinforces: int = 0
    reinforces_right: int = 0
    empty: int = 0
    spoiled: int = 0

    def __add__(self, other: "Score") -> "Score":
        """Return both counted together."""
        names = [field.name for field in fields(self)]
        return Score(*(getattr(self, n) + getattr(other, n) for n in names))

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / max(1, self.told + self.gold)

    @property
    def merit(self) -> float:
        """What thresholds are chosen by: F1 and links, few sessions being spoiled."""
        linked = (
            2 * self.updates_right / max(1, self.updates)
            + self.deletes_right / max(1, self.deletes)
            + self.reinforces_right / max(1, self.reinforces)
        )
        spoiled = self.spoiled / max(1, self.empty)
        precision = self.right / max(1, self.told)
        excess = max(0, spoiled - MOST_SPOILED) * 2 + max(
            0, LEAST_PRECISION - precision
        )
        return self.f1 + 0.1 * linked - excess

    def __str__(self) -> str:
        """Return the figures in one line."""
        shares = {
            "precision": (self.right, self.told),
            "recall": (self.right, self.gold),
            "category": (self.category, self.typed),
            "updates": (self.updates_right, self.updates),
            "deletes": (self.deletes_right, self.deletes),
            "reinforces": (self.reinforces_right, self.reinforces),
            "spoiled": (self.spoiled, self.empty),
        }
        told = " ".join(f"{n} {a / max(1, b):.3f}" for n, (a, b) in shares.items())
        return f"F1 {self.f1:.3f} {told}"


def _answers(fact: dict[str, Any], finding: Finding) -> bool:
    """Tell whether a finding is the fact."""
    if fact["op"] in ("delete", "reinforce"):
        return finding.operation == fact["op"] and finding.target == fact["target"]
    return finding.operation in NEW and hit(fact["must"], finding.content)


def score(
    facts: Iterable[Sequence[dict[str, Any]]], found: Iterable[tuple[Finding, ...]]
) -> Score:
    """Return the counts; each finding can answer one fact."""
    total = Score()
    for wanted, told in zip(facts, found, strict=True):
        total += _one(wanted, told)
    return total


def _one(wanted: Sequence[dict[str, Any]], told: tuple[Finding, ...]) -> Score:
    """Return the counts of one dialogue."""
    used: set[int] = set()
    counts = dict.fromkeys((field.name for field in fields(Score)), 0)
    counts |= {"gold": len(wanted), "told": len(told)}
    counts |= {"empty": not wanted, "spoiled": not wanted and bool(told)}
    for fact in wanted:
        plural = fact["op"] + "s"
        if plural in counts:
            counts[plural] += 1
        fits = [i for i, f in enumerate(told) if i not in used and _answers(fact, f)]
        if not fits:
            continue
        best = next((i for i in fits if told[i].category in fact["category"]), fits[0])
        used.add(best)
        counts["right"] += 1
        if told[best].operation in NEW:
            counts["typed"] += 1
            counts["category"] += told[best].category in fact["category"]
        same = told[best].operation == fact["op"]
        if plural in counts and same and told[best].target == fact["target"]:
            counts[f"{plural}_right"] += 1
    return Score(**counts)
