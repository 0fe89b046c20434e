"""Counts of what an evaluation measured."""

from dataclasses import dataclass, field
from typing import Final

MEASURED: Final = (
    "new_plain",
    "new_other",
    "changes",
    "ends",
    "no_longer_shown",
    "wishes",
    "wishes_answered",
    "said",
    "unsure",
    "repeats",
    "unrelated",
    "unrelated_shown",
    "unrelated_answered",
    "nothing",
    "claims",
    "remembered",
    "remembered_months",
    "answered_months",
    "answered_300",
    "answered_1500",
    "answered_day_7",
    "answered_day_30",
    "answered_day_90",
    "answered_day_180",
    "answered_day_330",
    "sensible",
    "passing",
    "supersessions",
    "answered",
    "recalled",
    "current",
    "forgotten",
    "forgotten_asked",
    "answered_later",
    "recalled_later",
    "current_later",
    "card_right",
    "card_wrong",
    "card_missing",
    "card_gone",
    "card_founded",
    "card_placed",
)


@dataclass(slots=True)
class Tally:
    """Counts (hits, cases) by what was measured (`MEASURED`), and what went wrong."""

    counts: dict[str, tuple[int, int]] = field(
        default_factory=dict[str, tuple[int, int]]
    )
    wrong: list[tuple[str, str, str]] = field(
        default_factory=list[tuple[str, str, str]]
    )
    """Session, what was measured, and what was expected."""

    def record(self, measured: str, case: str, *, hit: bool, detail: str = "") -> None:
        """Count one case, and keep what it was if it went wrong."""
        self.count(measured, hit=hit)
        if not hit:
            self.wrong.append((case, measured, detail))

    def count(self, measured: str, *, hit: bool) -> None:
        """Count one case."""
        before, cases = self.counts.get(measured, (0, 0))
        self.counts[measured] = before + hit, cases + 1
