"""New facts, each worded so that it stands by itself or reported as it was said."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final, NamedTuple

from gieok.kernel.language import Basis, Finding, FindingOperation
from gieok.models.rules.assessment import (
    ClauseAssessment,
    MeasuredConversation,
    compute_confidence,
)
from gieok.models.rules.candidates import ClauseCandidate, list_messages
from gieok.models.rules.changes.moves import select_part_category
from gieok.models.rules.clause_texts import is_english
from gieok.models.rules.english.orders import is_asking_for_good
from gieok.models.rules.english.wording import ASKED
from gieok.models.rules.english_facts import is_wish, render_contents
from gieok.models.rules.linear import compute_probability
from gieok.models.rules.terse import is_terse
from gieok.models.rules.wording import render_fact, render_memories, render_report

TOLD: Final = -0.4
"""Log-odds from which a clause counts as told. What is less likely is worded as well,
and read once more (see `memory_check`), but nothing gives way to it."""
LIKELY: Final = 0.0
"""Log-odds from which a fact is told in any words: of such statements nearly nine in
ten last, and what is lost is lost for good."""
REPORTED: Final = -0.8
"""Log-odds at least of what is reported because it cannot be told by itself. Of
those from -0.5 half were wanted in training's later talk in Korean, fewer below."""


class WordingBars(NamedTuple):
    """Log-odds from which what a clause says is worded at all, in any words, quoted."""

    least: float
    likely: float = LIKELY
    reported: float = REPORTED


class AddedFinding(NamedTuple):
    """Something new, and the clauses that say it."""

    finding: Finding
    clauses: tuple[ClauseCandidate, ...]


def build_added_findings(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    grouped: Sequence[Sequence[int]],
    least: float,
) -> Iterator[AddedFinding]:
    """Yield what is new; in English of worth `least` at least.

    What cannot be told by itself is reported, once for each message. Of a terse talk
    everything that is worded at all is told in any words.
    """
    terse = is_terse(material.evidence.candidates)
    bars = WordingBars(least, least, least) if terse else WordingBars(least)
    left: dict[int, list[int]] = {}
    spoken: set[int] = set()
    for group in _split_languages(material, grouped):
        first = material.evidence.candidates[group[0]]
        message = first.clause.message
        if is_english(first.clause.text):
            alone = message not in spoken
            parts = _render_english(material, assessed, group, bars, alone=alone)
        else:
            parts = _render_korean(material, assessed, group, bars)
        for part, contents in parts:
            if contents is None:
                left.setdefault(message, []).extend(part)
                continue
            own = [each for each in contents if not each.startswith(ASKED)]
            if own and max(assessed.worth[n] for n in part) >= TOLD:
                spoken.add(message)
            for content in own:
                added = _build_added_finding(material, assessed, part, content, group)
                yield added if len(own) == 1 else _select_category(added)
    for message, group in left.items():
        alone = message not in spoken
        yield from _report_group(material, assessed, group, bars, alone=alone)


def _render_korean(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    group: Sequence[int],
    bars: WordingBars,
) -> list[tuple[Sequence[int], tuple[str, ...] | None]]:
    """Return what Korean clauses say, sentence by sentence if not all can be told.

    Only for what might be reported the rest of the message is looked at.
    """
    candidates, today = material.evidence.candidates, material.today
    number = candidates[group[0]].clause.message
    message = [c for c in candidates if c.clause.message == number]

    def render(part: Sequence[int]) -> tuple[str, ...] | None:
        said = [candidates[n] for n in part]
        likely = max(assessed.worth[n] for n in part) >= bars.reported
        return render_memories(said, today, message if likely else None)

    whole = render(group)
    if whole is not None:
        return [(group, whole)]
    parts = groupby(
        group, lambda n: (candidates[n].clause.sentence, candidates[n].is_answer)
    )
    return [(part, render(part)) for _, own in parts for part in [list(own)]]


def _render_english(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    group: Sequence[int],
    bars: WordingBars,
    *,
    alone: bool,
) -> Sequence[tuple[Sequence[int], tuple[str, ...] | None]]:
    """Return what English clauses say, each by itself where that can be.

    What is likely to last is told in any words; so is what was to be remembered or is
    wanted for good, where it stands `alone` in its message. All else may be reported.
    """
    candidates, least = material.evidence.candidates, bars.least
    told = render_contents(candidates, group, assessed.worth, material.today, least)
    if told:
        return told
    said = [candidates[n] for n in group]
    whole = render_fact(said, material.today, candidates[: min(group)])
    likely = max(assessed.worth[n] for n in group) >= bars.likely
    wanted = any(map(_is_requested, said)) or is_wish(said, whole)
    if not (likely or (alone and wanted)):
        return [(group, None)]
    clumsy = render_contents(
        candidates, group, assessed.worth, material.today, least, strict=False
    )
    return clumsy or [(group, (whole,))]


def _split_languages(
    material: MeasuredConversation, grouped: Iterable[Sequence[int]]
) -> Iterator[list[int]]:
    """Yield the groups, clauses of another language apart from their neighbours."""
    candidates = material.evidence.candidates
    for group in grouped:
        for _, run in groupby(group, lambda n: is_english(candidates[n].clause.text)):
            yield list(run)


def _report_group(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    group: Sequence[int],
    bars: WordingBars,
    *,
    alone: bool,
) -> Iterator[AddedFinding]:
    """Yield what cannot be told by itself as what the user said, if it may be."""
    content = _render_group_report(material, assessed, group, bars, alone=alone)
    if content is not None:
        yield _build_added_finding(material, assessed, group, content, group)


def _render_group_report(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    group: Sequence[int],
    bars: WordingBars,
    *,
    alone: bool,
) -> str | None:
    """Return what the user said, if it may be reported; a request always may.

    Beside what is told of the same message nothing else of it is reported with it.
    """
    said = [material.evidence.candidates[n] for n in group]
    requested = any(map(_is_requested, said))
    worth = max(assessed.worth[n] for n in group)
    if worth < bars.reported and not requested:
        return None
    content = render_report(said, material.today, whole=alone)
    if content is None and (requested or worth >= bars.likely):
        return render_fact(said, material.today)
    return content


def _build_added_finding(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    part: Sequence[int],
    content: str,
    group: Sequence[int],
) -> AddedFinding:
    """Return what `part` of a group of clauses says, in the words given.

    To be remembered is what was asked for in any clause of the group.
    """
    candidates = material.evidence.candidates
    best = max(part, key=lambda n: assessed.worth[n])
    requested = any(_is_requested(candidates[n]) for n in group)
    said = tuple(candidates[n] for n in part)
    finding = Finding(
        operation=FindingOperation.ADD,
        content=content,
        category=assessed.kinds[best],
        confidence=compute_confidence(float(compute_probability(assessed.worth[best]))),
        basis=Basis.REQUESTED if requested else Basis.STATED,
        evidence=list_messages(said),
    )
    return AddedFinding(finding, said)


def _select_category(added: AddedFinding) -> AddedFinding:
    """Return one of several facts of the same clauses with its own category."""
    finding = added.finding
    category = select_part_category(finding.content, finding.category)
    return added._replace(finding=replace(finding, category=category))


def _is_requested(candidate: ClauseCandidate) -> bool:
    """Tell whether the user asked to remember it, or asked for it once and for all."""
    flags = candidate.flags
    ordered = flags["request_korean"] or flags["request_english"]
    for_good = flags["standing"] and ordered
    wanted = for_good or is_asking_for_good(candidate.clause.text)
    return bool(flags["remember_beside"] or wanted)
