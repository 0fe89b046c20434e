"""Whether a new memory is worth keeping: it is read with what it came from.

The judges weigh a clause before anything is worded. An encoder reads each new memory
with the message it came from, what that answers and what was said before: the upper
half of the one that reads clauses amid their talk (`statement_encoder`), trained
on memories that readers judged (`training/tune_memory_check.py`). Its log-odds and
those of the judges of the clause are averaged; what is plainly stated nothing
outweighs. What is worth it but clumsily worded is quoted instead, where the encoder
finds that fitter.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final, NamedTuple

import numpy as np

from gieok.kernel.language import (
    Basis,
    Finding,
    FindingOperation,
    Utterance,
    Vectors,
)
from gieok.models import tuned_e5
from gieok.models.rules.assessment import compute_confidence, compute_share
from gieok.models.rules.linear import Numbers, compute_log_odds, compute_probability
from gieok.models.rules.reading import find_talk_before
from gieok.models.rules.wording import quote_message
from gieok.text.patterns import compile_lazily

LONGEST_MEMORY: Final = 200  # characters
LONGEST_SAID: Final = 240
LONGEST_ASKED: Final = 100
LONGEST_BEFORE: Final = 100
FIT: Final = 0
"""The column that says whether a memory is fit to keep as it is worded."""
WORTH: Final = 1
"""The column that says whether what was said is worth remembering in any words."""
CLAUSE_SHARE: Final = 0.6
"""How far the judges of the clause count for its worth, the encoder for the rest."""
LEAST_WORTH: Final = 0.7
"""Log-odds of both together from which what is new is kept."""
PLAIN: Final = 2.3
"""Log-odds of a plain statement (`assessment.SURE`), which nothing outweighs.

The encoder is at times sure of the contrary: "I'm allergic to peanuts" after "I live in
Brooklyn" gets -3.5, and nobody would forgive that."""
FEWEST_STATED: Final = 3
"""Words of a message that states something by itself: "No, none" does not."""
LEAST_FIT: Final = 0.0
"""Log-odds from which a memory is fit as it is worded or quoted."""
MUCH_FITTER: Final = 1.0
"""By how much a quotation has to be fitter to stand in its place."""
_USER: Final = compile_lazily(r"\buser\b|사용자", re.IGNORECASE)


class CheckContext(NamedTuple):
    """The talk that a memory came from."""

    said: str
    asked: str = ""
    """What the assistant said just before."""
    before: str = ""
    """What the user said before that."""


def render_memory_check(memory: str, source: CheckContext) -> str:
    """Return what the encoder reads of a memory."""
    parts = [_clip(memory, LONGEST_MEMORY), _clip(source.said, LONGEST_SAID)]
    if source.asked:
        parts.append(f"? {_clip(source.asked[-LONGEST_ASKED:], LONGEST_ASKED)}")
    if source.before:
        parts.append(f"< {_clip(source.before, LONGEST_BEFORE)}")
    return " | ".join(parts)


class CheckedMemory(NamedTuple):
    """A new memory that is read before it is kept."""

    finding: Finding
    source: CheckContext
    quotation: str | None
    """What was said, quoted as a whole, where that may be."""

    @property
    def texts(self) -> tuple[str, ...]:
        """What the encoder reads: the memory as worded, then as quoted."""
        wordings = (self.finding.content, self.quotation or self.finding.content)
        return tuple(render_memory_check(each, self.source) for each in wordings)


def collect_checked(
    findings: Iterable[Finding], messages: Sequence[Utterance], today: date
) -> list[CheckedMemory]:
    """Return what is read of findings: what is new but was not to be remembered."""
    return [
        _build_checked(each, messages, today)
        for each in findings
        if each.operation is FindingOperation.ADD and each.basis is not Basis.REQUESTED
    ]


def weigh_checks(rows: Vectors) -> Numbers:
    """Return log-odds in two columns, a row for each vector of the encoder."""
    return tuned_e5.weigh_vectors(tuned_e5.MEMORY_CHECK_WEIGHTS, rows)


def select_worthwhile(
    findings: Iterable[Finding], checked: Sequence[CheckedMemory], odds: Numbers
) -> Iterator[Finding]:
    """Yield the findings without what is not worth it, once each, in the fitter words.

    `odds` has two rows for each one that was read. What clause and encoder say together
    becomes its confidence.
    """
    settled = {
        each.finding: _weigh_memory(each, worded, quoted)
        for each, worded, quoted in zip(checked, odds[::2], odds[1::2], strict=True)
    }
    told: set[str] = set()
    for one in findings:
        if one not in settled:
            yield one
            continue
        kept = settled[one]
        if kept is not None and kept.content not in told:
            told.add(kept.content)
            yield kept


def _build_checked(
    finding: Finding, messages: Sequence[Utterance], today: date
) -> CheckedMemory:
    """Return what is read of a finding, by the last message of its evidence."""
    talk = find_talk_before(messages, finding.evidence[-1])
    said = talk.message.content
    day = today if talk.message.at is None else talk.message.at.date()
    return CheckedMemory(
        finding,
        CheckContext(said, talk.asked, talk.before),
        quote_message(said, talk.asked, day),
    )


def _weigh_memory(
    memory: CheckedMemory, worded_odds: Numbers, quoted_odds: Numbers
) -> Finding | None:
    """Return a memory as it is kept, if it is.

    What is said of somebody else alone keeps its words: it may have to wait for a
    person's consent (see `memories.quarantine`).
    """
    finding = memory.finding
    clause_odds = float(compute_log_odds(np.array(compute_share(finding.confidence))))
    worth = CLAUSE_SHARE * clause_odds + (1 - CLAUSE_SHARE) * float(worded_odds[WORTH])
    stated = len(memory.source.said.split()) >= FEWEST_STATED and clause_odds >= PLAIN
    if worth < LEAST_WORTH and not stated:
        return None
    share = float(compute_probability(np.array(max(worth, LEAST_WORTH))))
    kept = replace(finding, confidence=compute_confidence(share))
    worded_fit, quoted_fit = float(worded_odds[FIT]), float(quoted_odds[FIT])
    fitter = quoted_fit - worded_fit >= MUCH_FITTER
    fitter = fitter and worded_fit < LEAST_FIT <= quoted_fit
    if memory.quotation is not None and fitter and _USER.search(finding.content):
        return replace(kept, content=memory.quotation)
    return kept


def _clip(text: str, most: int) -> str:
    return " ".join(text[:most].split())
