"""Counts how findings compare with the labelled facts of sessions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache

from corpus import Dialogue, Row, hit

from gieok.kernel.language import Basis, Finding, FindingOperation
from gieok.models.rules.content_words import extract_terms
from gieok.text.kiwi import get_shared_morphology

NEW = (FindingOperation.ADD, FindingOperation.UPDATE)
ENOUGH = 0.6  # of the words of a quote that a finding must hold


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over some sessions; two scores add up."""

    gold: int = 0
    told: int = 0
    right: int = 0
    typed: int = 0
    category: int = 0
    adds: int = 0
    adds_right: int = 0
    updates: int = 0
    updates_right: int = 0
    ends: int = 0
    ends_right: int = 0
    forgets: int = 0
    forgets_right: int = 0
    reinforces: int = 0
    reinforces_right: int = 0
    empty: int = 0
    spoiled: int = 0
    lost: int = 0
    """Known items changed, ended or forgotten that should not have been."""
    sessions: int = 0

    def __add__(self, other: "Score") -> "Score":
        """Return both counted together."""
        names = [field.name for field in fields(self)]
        return Score(*(getattr(self, n) + getattr(other, n) for n in names))

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / max(1, self.told + self.gold)

    def share(self, name: str) -> float:
        """Return how many facts of one kind were found."""
        return getattr(self, f"{name}_right") / max(1, getattr(self, name))

    def __str__(self) -> str:
        """Return the figures in one line."""
        shares = {
            "precision": (self.right, self.told),
            "recall": (self.right, self.gold),
            "category": (self.category, self.typed),
            "spoiled": (self.spoiled, self.empty),
        }
        kinds = ("adds", "updates", "ends", "forgets", "reinforces")
        told = " ".join(f"{n} {a / max(1, b):.3f}" for n, (a, b) in shares.items())
        hits = " ".join(f"{n} {self.share(n):.3f}" for n in kinds)
        return f"F1 {self.f1:.3f} {told} {hits} lost {self.lost}/{self.sessions}"


def _answers(fact: Row, finding: Finding) -> bool:
    """Tell whether a finding is the fact."""
    match fact["op"]:
        case "add" | "update":
            return finding.operation in NEW and _says(fact, finding.content)
        case "reinforce":
            operation, basis = FindingOperation.REINFORCE, None
        case "forget":
            operation, basis = FindingOperation.DELETE, Basis.REQUESTED
        case _:
            operation, basis = FindingOperation.DELETE, None
    fits = finding.operation is operation and basis in (None, finding.basis)
    return fits and finding.target == fact.get("target")


def _says(fact: Row, content: str) -> bool:
    if fact.get("must"):
        return hit(fact["must"], content)
    wanted = _terms(" ".join(fact["quote"]))
    return len(wanted & _terms(content)) >= ENOUGH * len(wanted)


@cache
def _terms(text: str) -> frozenset[str]:
    return extract_terms(text, get_shared_morphology())


def score(dialogues: Iterable[Dialogue], found: Iterable[tuple[Finding, ...]]) -> Score:
    """Return the counts; each finding can answer one fact."""
    total = Score()
    for dialogue, told in zip(dialogues, found, strict=True):
        total += _one(dialogue.facts, told)
    return total


def _lost(wanted: Sequence[Row], told: Sequence[Finding]) -> int:
    """Count the known items taken out of use that no fact takes out."""
    gone = {f["target"] for f in wanted if f["op"] in ("update", "end", "forget")}
    out = {
        f.target
        for f in told
        if f.operation in (FindingOperation.UPDATE, FindingOperation.DELETE)
    }
    return len(out - gone - {None})


def _repeats(found: Finding, known: Sequence[Row], wanted: Sequence[Row]) -> bool:
    """Tell whether a finding says only what was known, or does something to it."""
    if found.operation not in NEW:
        return bool(known)
    new = any(_answers(fact, found) for fact in wanted)
    return not new and any(_says(fact, found.content) for fact in known)


def _one(wanted: Sequence[Row], told: tuple[Finding, ...]) -> Score:
    """Return the counts of one session; wishes about what is not known aside."""
    told = tuple(f for f in told if f.target or f.operation in NEW)
    known = [f for f in wanted if f["op"] == "touch"]
    wanted = [f for f in wanted if f["op"] != "touch"]
    told = tuple(f for f in told if not _repeats(f, known, wanted))
    wanted = [f for f in wanted if f["op"] != "forget" or f.get("target")]
    used: set[int] = set()
    counts = dict.fromkeys((field.name for field in fields(Score)), 0)
    counts |= {"gold": len(wanted), "told": len(told), "sessions": 1}
    new = any(f.operation in NEW for f in told)
    counts |= {"empty": not wanted, "spoiled": not wanted and new}
    counts["lost"] = _lost(wanted, told)
    for fact in wanted:
        plural = fact["op"] + "s"
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
        updates = told[best].operation is FindingOperation.UPDATE
        right = fact["op"] != "update" or updates
        if right and (fact["op"] == "add" or told[best].target == fact.get("target")):
            counts[f"{plural}_right"] += 1
    return Score(**counts)
