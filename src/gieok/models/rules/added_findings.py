"""New facts, each worded so that it stands by itself or reported as it was said."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from gieok.kernel.language import Basis, Finding, FindingOperation
from gieok.models.rules.assessment import (
    ClauseAssessment,
    MeasuredConversation,
    compute_confidence,
)
from gieok.models.rules.candidates import ClauseCandidate, list_messages
from gieok.models.rules.contents import is_wish, render_contents
from gieok.models.rules.english_wording import ASKED
from gieok.models.rules.linear import compute_probability
from gieok.models.rules.wording import (
    is_english,
    render_fact,
    render_memories,
    render_report,
)

LIKELY: Final = 0.0
"""Log-odds from which a fact is told in any words: of such statements nearly nine in
ten last, and what is lost is lost for good."""
REPORTED: Final = -0.8
"""Log-odds at least of what is reported because it cannot be told by itself. Of
those from -0.5 half were wanted in training's later talk in Korean, fewer below."""


def build_added_findings(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    grouped: Sequence[Sequence[int]],
    least: float,
) -> Iterator[Finding]:
    """Yield what is new, once each; in English of worth `least` at least.

    What cannot be told by itself in Korean is reported, once for each message.
    """
    told: set[str] = set()
    left: dict[int, list[int]] = {}
    spoken: set[int] = set()
    for group in _split_languages(material, grouped):
        said = [material.evidence.candidates[n] for n in group]
        if is_english(said[0].clause.text):
            alone = said[0].clause.message not in spoken
            contents = _render_english(material, assessed, group, least, alone=alone)
            spoken.update(said[0].clause.message for _ in contents)
        else:
            contents = render_memories(said, material.today)
        if contents is None:
            left.setdefault(said[0].clause.message, []).extend(group)
            continue
        for content in contents:
            if content not in told and not content.startswith(ASKED):
                told.add(content)
                yield _build_added_finding(material, assessed, group, content)
    for group in left.values():
        content = _render_group_report(material, assessed, group)
        if content is not None:
            yield _build_added_finding(material, assessed, group, content)


def _render_english(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    group: Sequence[int],
    least: float,
    *,
    alone: bool,
) -> tuple[str, ...]:
    """Return what English clauses say.

    What is likely to last is told in any words; so is what was to be remembered or is
    wanted for good, where it stands `alone` in its message.
    """
    candidates = material.evidence.candidates
    told = render_contents(candidates, group, assessed.worth, material.today, least)
    if told:
        return told
    said = [candidates[n] for n in group]
    whole = render_fact(said, material.today, candidates[: min(group)])
    likely = max(assessed.worth[n] for n in group) >= LIKELY
    wanted = any(map(_is_requested, said)) or is_wish(said, whole)
    if not (likely or (alone and wanted)):
        return ()
    clumsy = render_contents(
        candidates, group, assessed.worth, material.today, least, strict=False
    )
    return clumsy or (whole,)


def _split_languages(
    material: MeasuredConversation, grouped: Iterable[Sequence[int]]
) -> Iterator[list[int]]:
    """Yield the groups, clauses of another language apart from their neighbours."""
    candidates = material.evidence.candidates
    for group in grouped:
        for _, run in groupby(group, lambda n: is_english(candidates[n].clause.text)):
            yield list(run)


def _render_group_report(
    material: MeasuredConversation, assessed: ClauseAssessment, group: Sequence[int]
) -> str | None:
    """Return what the user said, if it may be reported; a request always may."""
    said = [material.evidence.candidates[n] for n in group]
    requested = any(map(_is_requested, said))
    worth = max(assessed.worth[n] for n in group)
    if worth < REPORTED and not requested:
        return None
    content = render_report(said, material.today)
    if content is None and (requested or worth >= LIKELY):
        return render_fact(said, material.today)
    return content


def _build_added_finding(
    material: MeasuredConversation,
    assessed: ClauseAssessment,
    group: Sequence[int],
    content: str,
) -> Finding:
    """Return what is new, in the words given."""
    best = max(group, key=lambda n: assessed.worth[n])
    said = [material.evidence.candidates[n] for n in group]
    requested = any(_is_requested(c) for c in said)
    return Finding(
        operation=FindingOperation.ADD,
        content=content,
        category=assessed.kinds[best],
        confidence=compute_confidence(float(compute_probability(assessed.worth[best]))),
        basis=Basis.REQUESTED if requested else Basis.STATED,
        evidence=list_messages(said),
    )


def _is_requested(candidate: ClauseCandidate) -> bool:
    """Tell whether the user asked to remember it, or asked for it once and for all."""
    flags = candidate.flags
    ordered = flags["request_korean"] or flags["request_english"]
    return bool(flags["remember_beside"] or (flags["standing"] and ordered))
