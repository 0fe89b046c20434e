"""Whether a summary may be believed: pure checks, as `evidence` has for findings (E04).

What a summary says rests on all that was said; what it lists of the user, tasks and
preferences, on the user's words and on what they answer (design rules 7 and 11).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from gieok.kernel.language import Conversation, Gist, Note, Role
from gieok.kernel.when import is_time
from gieok.models.evidence import heard, languages_of
from gieok.models.faults import Fault, Ground, UnusableError, text_faults, tidied
from gieok.models.grounding import Language, Sources

LONGEST_SUMMARY = 400
LONGEST_TOPIC = 40
LONGEST_LISTED = 200
LONGEST_CONDENSED = 600
MOST_LISTED = 5
"""Topics, open tasks and preferences that are kept, each."""
_LISTED_ENOUGH = 0.5
"""Twice `ENOUGH`: a quarter of a short sentence is met by "좋아함" alone."""


def believed(gist: Gist, conversation: Conversation) -> Gist:
    """Return a gist as far as it may be believed, tidied.

    Without a summary nothing is left of it. Topics, tasks and preferences that do not
    hold are dropped.

    Raises:
        UnusableError: the summary itself may not be believed.
    """
    summary = tidied(gist.summary)
    if not summary:
        return Gist("")
    said = tuple(message.content for message in conversation.messages)
    users = (m for m in conversation.messages if m.role is Role.USER)
    everything = Ground(Sources(said), languages_of(conversation), conversation.at.year)
    of_user = replace(
        everything, sources=Sources(heard(users, conversation), enough=_LISTED_ENOUGH)
    )
    _refuse(_evidence_faults(gist.evidence, conversation))
    _refuse(text_faults(summary, LONGEST_SUMMARY, everything))
    return replace(
        gist,
        summary=summary,
        topics=_first(t for t in _distinct(gist.topics) if _names(t, everything)),
        open_tasks=_listed(gist.open_tasks, of_user),
        preferences=_listed(gist.preferences, of_user),
        evidence=tuple(sorted(set(gist.evidence))),
    )


def condensed(text: str, notes: Sequence[Note], language: Language) -> str:
    """Return a text made of notes, tidied.

    Raises:
        UnusableError: it may not be believed.
    """
    tidy = tidied(text)
    sources = Sources(tuple(part for note in notes for part in _parts(note)))
    ground = Ground(sources, frozenset([language]), notes[-1].at.year)
    _refuse(text_faults(tidy, LONGEST_CONDENSED, ground))
    return tidy


def _refuse(faults: Iterator[Fault]) -> None:
    for fault in faults:
        raise UnusableError(fault)


def _evidence_faults(
    evidence: Iterable[int], conversation: Conversation
) -> Iterator[Fault]:
    roles = {message.index: message.role for message in conversation.messages}
    cited = set(evidence)
    if not cited or not cited <= roles.keys():
        yield Fault.NO_EVIDENCE
    if Role.USER not in {roles[index] for index in cited}:
        yield Fault.NOT_THE_USER


def _names(topic: str, ground: Ground) -> bool:
    """Say whether a topic fits: "건강" need not have been said, numbers and names must.

    A time is no topic.

    A word in a language nobody speaks ("Netflix") fits if it was said.
    """
    if is_time(topic):
        return False
    sources = ground.sources
    loosely = replace(ground, sources=replace(sources, enough=0))
    fault = next(text_faults(topic, LONGEST_TOPIC, loosely), None)
    if fault is Fault.LANGUAGE:
        return any(topic.casefold() in text.casefold() for text in sources.near)
    return fault is None


def _listed(texts: Iterable[str], ground: Ground) -> tuple[str, ...]:
    return _first(
        text
        for text in _distinct(texts)
        if next(text_faults(text, LONGEST_LISTED, ground), None) is None
    )


def _distinct(texts: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(map(tidied, texts))


def _first(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(islice(texts, MOST_LISTED))


def _parts(note: Note) -> tuple[str, ...]:
    return (note.at.isoformat(" ", "minutes"), *note.topics, note.text)
