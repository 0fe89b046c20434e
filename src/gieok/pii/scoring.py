"""How sure a rule is of one place, with the words around it."""

import re
from dataclasses import dataclass, field
from typing import Final

from gieok.pii.model import PiiFinding, PiiKind
from gieok.pii.rules import TOLL_FREE, NumberRule
from gieok.pii.words import HARMLESS

BEFORE: Final = 36
AFTER: Final = 12
OPENING: Final = 16
"""A number that stands so near the start is also announced by the message before."""
SURE: Final = 0.5
DOUBT: Final = 0.6
"""What remains of form and digits when a harmless word is right there."""
MILD: Final = 0.8
"""What remains when it is nearest, but further away than `THERE` characters."""
THERE: Final = 8
LATER: Final = 6
"""Characters by which a word that follows counts as further away."""
PER_CHARACTER: Final = 0.002
"""How much less a word says the further away it is."""
FAR: Final = 0.8
"""How much a word in the last messages says, beside one next to the number."""

_WHOLE: Final = 9
"""Digits of a number that may show how one is written: "000000-0000000"."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ScannedText:
    """A plain text, in lower case too, and the ends of what was said before it.

    `last` is from the message right before, `recent` from the last few, in lower case.
    """

    text: str
    low: str
    last: str = ""
    recent: str = ""
    _gaps: dict[tuple[Span, int], int | None] = field(
        default_factory=dict[tuple[Span, int], int | None]
    )

    def measure_gap(self, span: Span, words: re.Pattern[str]) -> int | None:
        """Return how many characters lie between a place and the nearest word."""
        key = span, id(words)  # hashing an expression would hash all of it
        if key not in self._gaps:
            self._gaps[key] = self._compute_gap(span, words)
        return self._gaps[key]

    def get_context(self, span: Span) -> tuple[str, str]:
        """Return what is said before and after a place, in lower case."""
        before = self.low[max(0, span[0] - BEFORE) : span[0]]
        if span[0] <= OPENING and self.last:
            before = f"{self.last}\n{before}"
        return before, self.low[span[1] : span[1] + AFTER].partition("\n")[0]

    def _compute_gap(self, span: Span, words: re.Pattern[str]) -> int | None:
        before, after = self.get_context(span)
        follows = words.search(after)
        gaps = [len(before) - match.end() for match in words.finditer(before)]
        gaps += [follows.start() + LATER] if follows else []
        return min(gaps, default=None)


def score_match(
    rule: NumberRule, said: ScannedText, span: Span, written: str, digits: str
) -> PiiFinding | None:
    """Return what a rule makes of a place, or nothing if it is not sure enough."""
    if _is_impersonal(rule, digits):
        return None
    form = _score_digits(rule, digits)
    told = (
        rule.announced
        if rule.announced_test is None or rule.announced_test(written)
        else 0.0
    )
    if max(form, told) < SURE:
        return None
    named = said.measure_gap(span, rule.words)
    harmless = said.measure_gap(span, HARMLESS) if form or named is not None else None
    if named is not None and (harmless is None or named <= harmless):
        sure = max(form, told - PER_CHARACTER * named)
    elif rule.far and _is_named_recently(rule, said, span):
        sure = max(form, told * FAR)
    else:
        sure = form * _weigh_doubt(harmless)
    return PiiFinding(*span, rule.kind, round(sure, 3)) if sure >= SURE else None


def _is_impersonal(rule: NumberRule, digits: str) -> bool:
    """Tell whether digits only show a form, or reach a service that pays the call."""
    if rule.kind is PiiKind.PHONE and TOLL_FREE.fullmatch(digits):
        return True
    alike = len(set(digits)) == 1 or len(digits.replace("0", "")) <= 1
    return alike and len(digits) >= _WHOLE


def _weigh_doubt(harmless: int | None) -> float:
    """Return what a harmless word leaves of a form."""
    if harmless is None:
        return 1.0
    return DOUBT if harmless <= THERE else MILD


def _is_named_recently(rule: NumberRule, said: ScannedText, span: Span) -> bool:
    """Tell whether the last messages named the kind, and nothing near denies it."""
    if not rule.words.search(said.recent):
        return False
    return said.measure_gap(span, HARMLESS) is None


def _score_digits(rule: NumberRule, digits: str) -> float:
    """Return how sure the number itself makes."""
    sure = 0.0
    if rule.alone and (rule.alone_test is None or rule.alone_test(digits)):
        sure = rule.alone
    if rule.proven_test is not None and rule.proven > sure and rule.proven_test(digits):
        sure = rule.proven
    return sure
