"""Whether a summary may be believed: pure checks, as `evidence` has for findings (E04).

What a summary says rests on all that was said; what it lists of the user, tasks and
preferences, on the user's words and on what they answer (design rules 7 and 11).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from gieok.kernel.language import Conversation, Gist, Role, SummaryNote
from gieok.models.evidence import collect_statements, detect_spoken_languages
from gieok.models.faults import (
    Fault,
    GroundingContext,
    UnusableAnswerError,
    find_text_faults,
    normalize_line,
)
from gieok.models.grounding import GroundingSources, ScriptLanguage
from gieok.text.time_expressions import is_time

LONGEST_SUMMARY = 400
LONGEST_TOPIC = 40
LONGEST_LISTED = 200
LONGEST_CONDENSED = 600
MAX_LISTED = 5
"""Topics, open tasks and preferences that are kept, each."""
_LISTED_ENOUGH = 0.5
"""Twice `ENOUGH`: a quarter of a short sentence is met by "좋아함" alone."""


def validate_gist(gist: Gist, conversation: Conversation) -> Gist:
    """Return a gist as far as it may be believed, tidied.

    Without a summary nothing is left of it. Topics, tasks and preferences that do not
    hold are dropped.

    Raises:
        UnusableError: the summary itself may not be believed.
    """
    summary = normalize_line(gist.summary)
    if not summary:
        return Gist("")
    said = tuple(message.content for message in conversation.messages)
    users = (m for m in conversation.messages if m.role is Role.USER)
    everything = GroundingContext(
        GroundingSources(said),
        detect_spoken_languages(conversation),
        conversation.at.year,
    )
    of_user = replace(
        everything,
        sources=GroundingSources(
            collect_statements(users, conversation), enough=_LISTED_ENOUGH
        ),
    )
    _reject_faults(_find_evidence_faults(gist.evidence, conversation))
    _reject_faults(find_text_faults(summary, LONGEST_SUMMARY, everything))
    return replace(
        gist,
        summary=summary,
        topics=_select_first(
            t for t in _deduplicate_texts(gist.topics) if _is_valid_topic(t, everything)
        ),
        open_tasks=_filter_texts(gist.open_tasks, of_user),
        preferences=_filter_texts(gist.preferences, of_user),
        evidence=tuple(sorted(set(gist.evidence))),
    )


def validate_condensed(
    text: str, notes: Sequence[SummaryNote], language: ScriptLanguage
) -> str:
    """Return a text made of notes, tidied.

    Raises:
        UnusableError: it may not be believed.
    """
    tidy = normalize_line(text)
    sources = GroundingSources(
        tuple(part for note in notes for part in _collect_parts(note))
    )
    context = GroundingContext(sources, frozenset([language]), notes[-1].at.year)
    _reject_faults(find_text_faults(tidy, LONGEST_CONDENSED, context))
    return tidy


def _reject_faults(faults: Iterator[Fault]) -> None:
    for fault in faults:
        raise UnusableAnswerError(fault)


def _find_evidence_faults(
    evidence: Iterable[int], conversation: Conversation
) -> Iterator[Fault]:
    roles = {message.index: message.role for message in conversation.messages}
    cited = set(evidence)
    if not cited or not cited <= roles.keys():
        yield Fault.NO_EVIDENCE
    if Role.USER not in {roles[index] for index in cited}:
        yield Fault.NOT_THE_USER


def _is_valid_topic(topic: str, context: GroundingContext) -> bool:
    """Say whether a topic fits: "건강" need not have been said, numbers and names must.

    A time is no topic.

    A word in a language nobody speaks ("Netflix") fits if it was said.
    """
    if is_time(topic):
        return False
    sources = context.sources
    loosely = replace(context, sources=replace(sources, enough=0))
    fault = next(find_text_faults(topic, LONGEST_TOPIC, loosely), None)
    if fault is Fault.LANGUAGE:
        return any(topic.casefold() in text.casefold() for text in sources.near)
    return fault is None


def _filter_texts(texts: Iterable[str], context: GroundingContext) -> tuple[str, ...]:
    return _select_first(
        text
        for text in _deduplicate_texts(texts)
        if next(find_text_faults(text, LONGEST_LISTED, context), None) is None
    )


def _deduplicate_texts(texts: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(map(normalize_line, texts))


def _select_first(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(islice(texts, MAX_LISTED))


def _collect_parts(note: SummaryNote) -> tuple[str, ...]:
    return (note.at.isoformat(" ", "minutes"), *note.topics, note.text)
