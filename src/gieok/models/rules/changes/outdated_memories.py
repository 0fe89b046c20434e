"""What a message makes untrue of what is known, whatever else it is about.

"need a text for my new boss at Arla, nothing soppy" ends a job elsewhere: nobody says
that anything has changed, and what tells of it is half a sentence amid an errand. So
every message is read beside what is known near it (`memory_pairs`), by an encoder that
learned from such talk (`training/changes`). What has surely ended leaves use; what a
new memory of the same message says instead takes its place.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np

from gieok.kernel.language import (
    Basis,
    Finding,
    FindingOperation,
    KnownMemory,
    Utterance,
)
from gieok.models.rules.assessment import (
    OUTDATING,
    ClauseAssessment,
    MeasuredConversation,
    compute_confidence,
)
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.changes.ended_activities import is_lasting_intolerance
from gieok.models.rules.changes.terse_moves import is_unmoved_home
from gieok.models.rules.content_words import extract_terms
from gieok.models.rules.linear import Numbers, compute_probability
from gieok.models.rules.memory_pairs import render_message_pair, render_pair
from gieok.models.rules.message_context import find_message_context
from gieok.models.rules.passages import is_quotable, quote_passage
from gieok.models.rules.plain_statements import is_repetition
from gieok.text.kiwi import Morphology, get_shared_morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_QUOTED: Final = compile_lazily(r"“[^”]+”")
_ASKED_ONE_DAY: Final = compile_lazily(
    r"\b(?:when(?:ever)?|if|every ?time|each time) (?:i|we)(?: am|['’]m)? "
    r"(?:ask|want|need|look|order|talk|plan|search)\w*\b[^.,;!?]*",
    re.IGNORECASE,
)
_SUPPOSED: Final = PatternFile(
    "gieok.models.rules.changes", "outdated_memories.toml"
).compile_list("outdated_memories.supposed")
NEAREST: Final = 3
"""Known memories that are read beside a message: the nearest by its vector."""
NEAREST_TO_CLAUSES: Final = 1
"""And how many more by those of its clauses."""
MIN_WORTH: Final = -2.0
"""Log-odds that any clause of a message says something lasting from which it is read.

All 38 messages of `tests/corpora/second/changes_*` of which a change is found by what
is read here lie above it, and 157 of the 215 that would be read."""
MIN_CHANGING: Final = 0.1
"""Or how likely one changes or ends something: "my sister no longer works there"."""
MIN_ODDS: Final = 0.5
"""Log-odds from which a message makes a known memory untrue.

Of the two hands of `training/outdated` held out, .35 and .48 of what was read and is
untrue is found so, at a precision of .88 and .84; of `tests/corpora/second/changes_*`
.40 and .38 at .82 and .86. With .25 it is .43 and .58, at .87 and .76."""
MIN_DOUBT: Final = -1.0
"""Log-odds from which a message may make a known memory untrue.

Its words are remembered then, and what is known stays: "mr k left btw we have ms osei
now". Of what is read of `tests/corpora/second/changes_*`, most of whose messages
only sound like changes, .39 is untrue between this and `MIN_ODDS` (27 of 69)."""
MAX_BESIDE: Final = 1
"""Words that a quotation may hold beside a change and what it changed, to tell no more
than these do."""
DOUBTED: Final = 0.6
"""Confidence of the words of such a message."""
MIN_INSTEAD: Final = 0.0
"""Log-odds from which a new memory says what is true instead."""


class MessagePair(NamedTuple):
    """A message beside something known, and what is read of them."""

    message: Utterance
    asked: str
    known: int
    text: str


class OutdatedMemory(NamedTuple):
    """Something known that a message makes untrue."""

    pair: MessagePair
    probability: float


def list_message_pairs(
    messages: Sequence[Utterance],
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    wished: Collection[int],
    related: Sequence[Finding],
) -> list[MessagePair]:
    """Return the pairs to read.

    `wished` are the messages with a wish to forget, `related` what is found already to
    become of what is known: messages that change or end something are not read again,
    nor those that only say what was said before.
    """
    settled = {each.target for each in related}
    read = {
        index
        for each in related
        if each.operation is not FindingOperation.REINFORCE
        for index in each.evidence
    }
    found: list[MessagePair] = []
    by_message = groupby(
        enumerate(material.evidence.candidates), lambda each: each[1].clause.message
    )
    for index, own in by_message:
        clauses = [*own]
        if index in wished or index in read or not clauses[0][1].turn.frame.is_meant:
            continue
        again = all(is_repetition(each) for _, each in clauses)
        if again or not _has_possible_change(assessed, [n for n, _ in clauses]):
            continue
        message, asked, _ = find_message_context(messages, index)
        for place in _select_nearest(material, [n for n, _ in clauses]):
            item = material.known[place]
            others = all(
                material.owners.is_of_another(each, place, item) for _, each in clauses
            )
            lasting = is_lasting_intolerance(item.content, message.content)
            said = message.content, " ".join(c.clause.text for _, c in clauses)
            rest = _ASKED_ONE_DAY.sub("", said[0]), _remove_supposed(clauses)
            aside = any(map(partial(_is_named_aside, item.content), said, rest))
            aside = aside or is_unmoved_home(item.content, message.content)
            if item.id not in settled and not (others or lasting or aside):
                text = render_message_pair(item.content, message.content, asked)
                found.append(MessagePair(message, asked, place, text))
    return found


def _is_named_aside(item: str, message: str, rest: str) -> bool:
    """Tell whether a message names something only as what is asked for some day.

    "I don't want it popping up when I ask for a pasta recipe" ends no love of pasta,
    "원룸 계약 끝나면 어디로 가지" no lease. `rest` is the message without that.
    """
    if rest == message:
        return False
    morphology = get_shared_morphology()
    terms = extract_terms(item, morphology)
    named, said = (terms & extract_terms(each, morphology) for each in (message, rest))
    return bool(named) and not said


def _remove_supposed(clauses: Iterable[tuple[int, ClauseCandidate]]) -> str:
    """Return Korean clauses without those that only suppose or ask about an end."""
    return " ".join(
        one.clause.text
        for _, one in clauses
        if not (one.flags["condition"] and _SUPPOSED.search(one.clause.text))
    )


def _has_possible_change(assessed: ClauseAssessment, own: Sequence[int]) -> bool:
    """Tell whether any clause of a message may last, or change or end something."""
    lasts = assessed.worth[own].max() >= MIN_WORTH
    return bool(lasts or assessed.intents[own][:, OUTDATING].max() >= MIN_CHANGING)


def _select_nearest(material: MeasuredConversation, own: Sequence[int]) -> list[int]:
    """Return the known memories that are nearest to a message, or to its clauses."""
    evidence, items = material.evidence, material.items
    whole = evidence.contexts[own[0]] @ items.T
    parts = (evidence.clauses[own] @ items.T).max(axis=0)
    chosen: list[int] = np.argsort(-whole, kind="stable")[:NEAREST].tolist()
    order: list[int] = np.argsort(-parts, kind="stable").tolist()
    rest = [place for place in order if place not in chosen]
    return [*chosen, *rest[:NEAREST_TO_CLAUSES]]


def select_outdated(
    pairs: Sequence[MessagePair], odds: Numbers
) -> list[OutdatedMemory]:
    """Return what is no longer true: of each message the surest memory, each once.

    A message seldom ends more than one, and what is near that one seems to end with it:
    her flatmate's gym beside her own.
    """
    found: list[OutdatedMemory] = []
    surest_first: list[int] = np.argsort(-odds, kind="stable").tolist()
    for place in surest_first:
        pair, own = pairs[place], float(odds[place])
        taken = any(
            pair.message.index == one.pair.message.index or pair.known == one.pair.known
            for one in found
        )
        if own >= MIN_ODDS and not taken:
            chance = float(compute_probability(np.array(own)))
            found.append(OutdatedMemory(pair, chance))
    return found


def list_doubted(
    pairs: Sequence[MessagePair], odds: Numbers, told: Collection[int]
) -> Iterator[MessagePair]:
    """Yield what messages may make untrue that say nothing else: of each the likeliest.

    `told` are the messages that something is remembered of.
    """
    surest_first: list[int] = np.argsort(-odds, kind="stable").tolist()
    seen = {*told}
    for place in surest_first:
        index = pairs[place].message.index
        if odds[place] < MIN_DOUBT:
            return
        if index not in seen:
            seen.add(index)
            yield pairs[place]


def quote_doubt(pair: MessagePair, known: KnownMemory, day: date) -> Finding | None:
    """Return what was said that may make something known untrue, as a quotation."""
    message = pair.message
    said = message.content
    if not is_quotable(said):
        return None
    day = day if message.at is None else message.at.date()
    told = quote_passage(said, (0, len(said)), pair.asked, day)
    if not told:
        return None
    return Finding(
        operation=FindingOperation.ADD,
        content=told[-1],
        category=known.category,
        confidence=DOUBTED,
        basis=Basis.STATED,
        evidence=(message.index,),
    )


def render_instead(one: OutdatedMemory, new: Finding, known: KnownMemory) -> str:
    """Return what is read to tell whether a new memory says what is true instead."""
    return render_pair(
        known.content, new.content, one.pair.message.content, one.pair.asked
    )


def list_new_beside(
    one: OutdatedMemory, findings: Iterable[Finding]
) -> Iterator[Finding]:
    """Yield what is new of the message that makes something known untrue."""
    for each in findings:
        adds = each.operation is FindingOperation.ADD
        if adds and one.pair.message.index in each.evidence:
            yield each


def select_instead(new: Sequence[Finding], odds: Numbers) -> Finding | None:
    """Return what says best what is true instead, None where nothing does."""
    if not new or odds.max() < MIN_INSTEAD:
        return None
    return new[int(odds.argmax())]


def drop_quoted_changes(
    new: Sequence[Finding],
    changes: Sequence[Finding],
    known: Sequence[KnownMemory],
    morphology: Morphology,
) -> list[Finding]:
    """Return what is new without what a change says, and quotations of no more."""
    contents = {item.id: item.content for item in known}
    told = {each.content for each in changes}
    terms = [
        (
            each.evidence,
            extract_terms(each.content, morphology),
            extract_terms(contents.get(each.target or "", ""), morphology),
        )
        for each in changes
        if each.operation is FindingOperation.UPDATE
    ]

    def is_told(one: Finding) -> bool:
        if one.content in told:
            return True
        quoted = _QUOTED.search(one.content)
        own = extract_terms(quoted[0], morphology) if quoted else frozenset[str]()
        return any(
            one.evidence == evidence
            and said <= own
            and len(own - said - before) <= MAX_BESIDE
            for evidence, said, before in terms
        )

    return [one for one in new if not is_told(one)]


def build_outdated_finding(
    one: OutdatedMemory, known: KnownMemory, instead: Finding | None
) -> Finding:
    """Return the change of a known memory to what is true instead, or its end."""
    confidence = compute_confidence(one.probability)
    if instead is None:
        return Finding(
            operation=FindingOperation.DELETE,
            content=known.content,
            category=known.category,
            confidence=confidence,
            basis=Basis.STATED,
            evidence=(one.pair.message.index,),
            target=known.id,
        )
    return Finding(
        operation=FindingOperation.UPDATE,
        content=instead.content,
        category=known.category,
        confidence=max(confidence, instead.confidence),
        basis=Basis.STATED,
        evidence=instead.evidence,
        target=known.id,
    )
