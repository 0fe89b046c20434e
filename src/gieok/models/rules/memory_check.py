"""Whether a new memory is worth keeping: it is read with what it came from.

The judges weigh a clause before anything is worded. An encoder reads each new memory
with the message it came from, what that answers and what was said before: the upper
half of the one that reads clauses amid their talk (`statement_encoder`), trained
on memories that readers judged (`training/tune_memory_check.py`). Its log-odds and
those of the judges of the clause are averaged; what is plainly stated nothing
outweighs, and it keeps its words. What is worth it but clumsily worded is quoted
instead, where the encoder finds that fitter: the sentences that it was told of, or more
of their message.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from gieok.kernel.language import Basis, Finding, Utterance, Vectors
from gieok.models import tuned_e5
from gieok.models.rules.activity_words import INTOLERANCE
from gieok.models.rules.added_findings import AddedFinding
from gieok.models.rules.assessment import compute_confidence, compute_share
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.flags import ABOUT_OTHERS
from gieok.models.rules.linear import Numbers, compute_log_odds, compute_probability
from gieok.models.rules.message_context import (
    MessageContext,
    clip_text,
    find_message_context,
)
from gieok.models.rules.passages import is_quotable, quote_passage
from gieok.models.rules.terse import is_terse
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

LONGEST_MEMORY: Final = 200  # characters
LONGEST_SAID: Final = 240
LONGEST_ASKED: Final = 100
LONGEST_BEFORE: Final = 100
FIT: Final = 0
"""The column that says whether a memory is fit to keep as it is worded."""
WORTH: Final = 1
"""The column that says whether what was said is worth remembering in any words."""
CLAUSE_SHARE: Final = 0.5
"""How far the judges of the clause count for its worth, the encoder for the rest."""
MIN_WORTH: Final = 0.3
"""Log-odds of both together from which what is new is kept.

Of 130 casual talks of a hand from whom nothing was learned .79 of the facts are worth
it so, at a precision of .73; with 0.6 .75 and .78."""
MIN_WORTH_TERSE: Final = -0.15
"""The same in a talk of a few short messages, of which both doubt too much."""
PLAIN: Final = 2.3
"""Log-odds of a plain statement (`assessment.SURE`), which nothing outweighs.

The encoder is at times sure of the contrary: "I'm allergic to peanuts" after "I live in
Brooklyn" gets -3.5, and nobody would forgive that."""
VITAL: Final = -0.7
"""The same where it says what the user must not have, which it harms most to lose.

After "You deserve a peanut butter cup" the encoder takes an allergy for a joke."""
MIN_STATED: Final = 3
"""Words of a message that states something by itself: "No, none" does not."""
MIN_FIT: Final = 0.0
"""Log-odds from which a memory is fit as it is worded or quoted."""
MUCH_FITTER: Final = 1.0
"""By how much a quotation has to be fitter to stand in its place.

Of 878 casual messages with something worth it (`memory_checks/*_casual`) readers found
.32 of what is kept unfit with this, .29 with 0.5, which also quotes "I like hiking and
I love travel"; .40 without quotations."""
MORE_SENTENCES: Final = 1.0
"""By how much a quotation has to be fitter than the next shorter one."""
MAX_BEFORE: Final = 2
"""Sentences before those that a memory was told of which are quoted with them."""
_ENDED: Final = compile_lazily(
    r"(?:(?<![.…])[.!?。！？]|[가-힣ㄱ-ㅎㅏ-ㅣ~])[\"'”’)]*\s*$"
)
"""What a sentence ends in; clauses of Korean without signs end at its last ending."""
_REPORTING: Final = PatternFile("gieok.models.rules", "patterns.toml").compile_list(
    "wording.reporting"
)
"""What opens a clause that reports the sentence before it."""
_USER: Final = compile_lazily(r"\buser\b|사용자", re.IGNORECASE)
_NAME: Final = compile_lazily(r"\b(?!The\b)[A-Z][\w'-]+")


def render_memory_check(memory: str, context: MessageContext) -> str:
    """Return what the encoder reads of a memory beside the message it came from."""
    asked, before = context.previous_reply, context.previous_message
    said = clip_text(context.message.content, LONGEST_SAID)
    parts = [clip_text(memory, LONGEST_MEMORY), said]
    if asked:
        parts.append(f"? {clip_text(asked[-LONGEST_ASKED:], LONGEST_ASKED)}")
    if before:
        parts.append(f"< {clip_text(before, LONGEST_BEFORE)}")
    return " | ".join(parts)


class CheckedMemory(NamedTuple):
    """A new memory that is read before it is kept."""

    added: AddedFinding
    context: MessageContext

    @property
    def text(self) -> str:
        """What the encoder reads of it."""
        return render_memory_check(self.added.finding.content, self.context)


class WorthyMemory(NamedTuple):
    """A new memory that is worth keeping, in its words or in a quotation."""

    finding: Finding
    quotations: tuple[str, ...] = ()
    """What it may be quoted as instead, from the fewest sentences to the most."""
    texts: tuple[str, ...] = ()
    """What the encoder reads of these."""
    min_fit: float = MIN_FIT
    """Log-odds from which a quotation is fit to stand in its place."""


def collect_checked(
    added: Iterable[AddedFinding], messages: Sequence[Utterance]
) -> list[CheckedMemory]:
    """Return what is read of what is new: all that was not to be remembered."""
    return [
        CheckedMemory(each, find_message_context(messages, each.finding.evidence[-1]))
        for each in added
        if each.finding.basis is not Basis.REQUESTED
    ]


def weigh_checks(rows: Vectors) -> Numbers:
    """Return log-odds in two columns, a row for each vector of the encoder."""
    return tuned_e5.weigh_vectors(tuned_e5.MEMORY_CHECK_WEIGHTS, rows)


def select_worthwhile(
    checked: Sequence[CheckedMemory],
    odds: Numbers,
    candidates: Sequence[ClauseCandidate],
    today: date,
) -> Iterator[WorthyMemory]:
    """Yield what is worth keeping, and as what it may be quoted if it is clumsy.

    `odds` has a row for each memory. What clause and encoder say together becomes its
    confidence. What is said of somebody else alone keeps its words: it may have to wait
    for a person's consent (see `memories.quarantine`). So does one of several memories
    of the same clauses if another is fit: a quotation would tell that again.
    """
    least = MIN_WORTH_TERSE if is_terse(candidates) else MIN_WORTH
    worded = {
        _locate_clauses(memory)
        for memory, row in zip(checked, odds, strict=True)
        if row[FIT] >= MIN_FIT
    }
    for memory, row in zip(checked, odds, strict=True):
        finding, context = memory.added.finding, memory.context
        clause = float(compute_log_odds(np.array(compute_share(finding.confidence))))
        words = context.message.content.split()
        few = clause >= PLAIN and len(words) < MIN_STATED  # plain by its question
        share = 0.0 if few else CLAUSE_SHARE
        worth = share * clause + (1 - share) * float(row[WORTH])
        sure_from = VITAL if INTOLERANCE.search(finding.content) else PLAIN
        stated = len(words) >= MIN_STATED and clause >= sure_from
        if worth < least and not stated:
            continue
        lasting = float(compute_probability(np.array(max(worth, least))))
        sure = replace(finding, confidence=compute_confidence(lasting))
        fit = clause >= PLAIN or _locate_clauses(memory) in worded
        if fit or not _USER.search(finding.content):
            yield WorthyMemory(sure)
            continue
        quotations = _quote_passages(memory, candidates, today)
        yield WorthyMemory(
            sure,
            quotations,
            tuple(render_memory_check(each, context) for each in quotations),
            max(MIN_FIT, float(row[FIT]) + MUCH_FITTER),
        )


def _locate_clauses(memory: CheckedMemory) -> tuple[tuple[int, int], ...]:
    """Return the message of each clause of a memory, and where in it the clause is."""
    return tuple((c.clause.message, c.clause.start) for c in memory.added.clauses)


def select_wordings(worthy: Iterable[WorthyMemory], odds: Numbers) -> Iterator[Finding]:
    """Yield what is kept, what is clumsy as the fittest quotation if one is fit.

    `odds` has a row for each quotation of each memory, in their order.
    """
    start = 0
    for memory in worthy:
        fit = odds[start : start + len(memory.quotations), FIT]
        start += len(memory.quotations)
        content = memory.finding.content
        if fit.size and fit.max() >= memory.min_fit:
            rank = np.where(fit >= memory.min_fit, fit, -np.inf)
            best = int((rank - MORE_SENTENCES * np.arange(fit.size)).argmax())
            content = memory.quotations[best]
        yield replace(memory.finding, content=content)


def _quote_passages(
    memory: CheckedMemory, candidates: Sequence[ClauseCandidate], today: date
) -> tuple[str, ...]:
    """Return what a memory was told of as quotations, where that may be quoted."""
    said, asked, _ = memory.context
    message = memory.added.clauses[-1].turn.text
    if not is_quotable(message):
        return ()
    day = today if said.at is None else said.at.date()
    quotations = (
        each
        for span in list_passages(memory.added.clauses, candidates)
        for each in quote_passage(message, span, asked, day)
    )
    wording = memory.added.finding.content
    return tuple(
        dict.fromkeys(each for each in quotations if _has_names(each, wording))
    )


def _has_names(quotation: str, wording: str) -> bool:
    """Tell whether a quotation has the names of a wording, which may be resolved."""
    said = quotation.casefold()
    names = (name.removesuffix("'s").casefold() for name in _NAME.findall(wording))
    return all(name in said for name in names)


def list_passages(
    clauses: Sequence[ClauseCandidate], candidates: Sequence[ClauseCandidate]
) -> list[tuple[int, int]]:
    """Return where what may be quoted of the message of clauses starts and ends.

    First the sentences of the clauses, then with one and two sentences before them,
    then the message; none with a figure of somebody else, which may have to wait for a
    person's consent (a dose, a debt). Of an answer that was told with its question the
    message as a whole.
    """
    message, text = clauses[-1].clause.message, clauses[-1].turn.text
    if any(each.is_answer for each in clauses):
        return [(0, len(text))]
    beside = [each for each in candidates if each.clause.message == message]
    own = {each.clause.start for each in clauses if each.clause.message == message}
    others = [
        each.clause.start
        for each in beside
        if each.clause.start not in own
        and each.flags["number"]
        and each.has_flag(*ABOUT_OTHERS)
    ]
    sentences = _split_sentences(text, beside)
    first, *_, last = (
        place
        for start in (min(own), max(own))
        for place, span in enumerate(sentences)
        if span[0] <= start < span[1]
    )
    end = sentences[last][1]
    starts = [span[0] for span in sentences[max(0, first - MAX_BEFORE) : first + 1]]
    passages = [*((start, end) for start in reversed(starts)), (0, len(text))]
    return [
        (start, end)
        for start, end in dict.fromkeys(passages)
        if not any(start <= each < end for each in others)
    ]


def _split_sentences(
    text: str, clauses: Sequence[ClauseCandidate]
) -> list[tuple[int, int]]:
    """Return where each sentence of a message starts and ends, all of the text.

    Clauses also end at dashes, dots and lines; what is said behind those may mean
    nothing without what stands before ("I don't think… I have diabetes").
    """
    opening: dict[int, int] = {}
    for each in clauses:
        opening.setdefault(each.clause.sentence, each.clause.start)
    starts = [
        start
        for start in opening.values()
        if _ENDED.search(text[:start]) and not _REPORTING.match(text[start:].lstrip())
    ]
    return list(pairwise([*sorted({0, *starts}), len(text)]))
