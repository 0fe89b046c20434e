"""Whether a finding may be believed: the checks every finding goes through.

Pure: a finding and the conversation it came from go in, what is wrong comes out. No
model is trusted to have kept to its instructions (design rules 7 and 11, D05).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.models.faults import (
    Fault,
    GroundingContext,
    find_text_faults,
    normalize_line,
)
from gieok.models.grounding import (
    ENOUGH,
    NEGATED,
    GroundingSources,
    ScriptLanguage,
    compute_language_shares,
    detect_language,
    has_shared_words,
)
from gieok.pii import is_special
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models", "patterns.toml")
_AFFIRMED: Final = _LISTS.compile_list("grounding.affirmed")
_DENIED: Final = _LISTS.compile_list("grounding.denied")

LONGEST = 300
"""Characters a finding may have."""
_COMPARED = 10_000
"""Characters at either end of a message that are compared."""
_SPOKEN = 0.15
"""Share of the user's letters from which on a language may be answered in."""
_ANY = 0.01
"""A reinforcement repeats what is known: some connection is enough."""
MAX_PER_EVIDENCE: Final = 8
"""Findings that rest on the same messages; so much nobody says at once. Somebody may
well ask to forget more."""


def filter_findings(
    findings: Iterable[Finding], conversation: Conversation
) -> tuple[Finding, ...]:
    """Return the findings that may be believed, tidied.

    Evidence is narrowed to the user's messages where there are any, a fact that is
    known word for word becomes a reinforcement (D05), and repeats are left out, as is
    what goes beyond `MAX_PER_EVIDENCE`.
    """
    kept: dict[tuple[FindingOperation, str, str | None], Finding] = {}
    resting = Counter[tuple[int, ...]]()
    for finding in findings:
        tidy = _normalize_finding(finding, conversation)
        key = (tidy.operation, _normalize_text(tidy.content), tidy.target)
        deletes = _is_deletion(tidy)
        if (
            key not in kept
            and (deletes or resting[tidy.evidence] < MAX_PER_EVIDENCE)
            and find_fault(tidy, conversation) is None
        ):
            resting[tidy.evidence] += not deletes
            kept[key] = tidy
    return tuple(kept.values())


def find_fault(finding: Finding, conversation: Conversation) -> Fault | None:
    """Return the first thing that is wrong with a finding, or None."""
    return next(_find_faults(finding, conversation), None)


def detect_spoken_languages(conversation: Conversation) -> frozenset[ScriptLanguage]:
    """Return the languages a finding may be in: those the user really uses."""
    shares = compute_language_shares(_join_user_text(conversation))
    spoken = frozenset(lang for lang, part in shares.items() if part >= _SPOKEN)
    return spoken or frozenset([detect_dominant_language(conversation)])


def detect_dominant_language(conversation: Conversation) -> ScriptLanguage:
    """Return the language the user mostly speaks, or else the whole conversation."""
    everything = " ".join(message.content for message in conversation.messages)
    return detect_language(_join_user_text(conversation) or everything)


def collect_statements(
    messages: Iterable[Utterance], conversation: Conversation
) -> tuple[str, ...]:
    """Return what messages say, each after what the assistant had asked before it."""
    asked = {
        message.index: before.content
        for before, message in pairwise(conversation.messages)
        if before.role is Role.ASSISTANT
    }
    return tuple(
        _clip_text(text)
        for message in messages
        for text in (asked.get(message.index, ""), message.content)
        if text
    )


def _find_faults(finding: Finding, conversation: Conversation) -> Iterator[Fault]:
    """Yield what is wrong, the cheapest checks first."""
    if finding.category not in set(Category):
        yield Fault.CATEGORY
    if not 0 <= finding.confidence <= 1:
        yield Fault.CONFIDENCE
    evidence = _collect_evidence(finding, conversation)
    if not evidence or len(evidence) < len(set(finding.evidence)):
        yield Fault.NO_EVIDENCE
    if any(message.role is not Role.USER for message in evidence):
        yield Fault.NOT_THE_USER
    if not _has_valid_target(finding, conversation):
        yield Fault.TARGET
    if not _is_about_target(finding, evidence, conversation):
        yield Fault.TARGET
    if not _has_known_words(finding, conversation):
        yield from _find_content_faults(finding, evidence, conversation)


def _find_content_faults(
    finding: Finding, evidence: tuple[Utterance, ...], conversation: Conversation
) -> Iterator[Fault]:
    """Yield what is wrong with what a finding says."""
    sources = _collect_sources(finding, evidence, conversation)
    said = (*sources.near, _join_user_text(conversation))
    if is_special(finding.content) and not is_special(*said):
        yield Fault.UNGROUNDED
    context = GroundingContext(
        sources, detect_spoken_languages(conversation), conversation.at.year
    )
    yield from find_text_faults(finding.content, LONGEST, context)


def _has_known_words(finding: Finding, conversation: Conversation) -> bool:
    """Tell whether it is told in the words of what it takes out of use."""
    return _is_deletion(finding) and bool(_get_known(finding.target, conversation))


def _normalize_finding(finding: Finding, conversation: Conversation) -> Finding:
    content = normalize_line(finding.content)
    target = _get_known(finding.target, conversation)
    adds = finding.operation is FindingOperation.ADD
    if target and not adds and (not content or _is_deletion(finding)):
        content = target.content
    spoken = {m.index for m in conversation.messages if m.role is Role.USER}
    evidence = tuple(sorted(set(finding.evidence)))
    if all(_get_message(index, conversation) for index in evidence):
        evidence = tuple(index for index in evidence if index in spoken) or evidence
    tidy = replace(finding, content=content, evidence=evidence)
    same = _find_same_known(content, conversation)
    if finding.operation is FindingOperation.ADD and same:
        tidy = replace(tidy, operation=FindingOperation.REINFORCE, target=same.id)
    return tidy


def _get_message(index: int, conversation: Conversation) -> Utterance | None:
    return next((m for m in conversation.messages if m.index == index), None)


def _get_known(target: str | None, conversation: Conversation) -> KnownMemory | None:
    return next((k for k in conversation.known if k.id == target), None)


def _normalize_text(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _find_same_known(content: str, conversation: Conversation) -> KnownMemory | None:
    folded = _normalize_text(content)
    return next(
        (k for k in conversation.known if _normalize_text(k.content) == folded), None
    )


def _collect_evidence(
    finding: Finding, conversation: Conversation
) -> tuple[Utterance, ...]:
    wanted = set(finding.evidence)
    return tuple(m for m in conversation.messages if m.index in wanted)


def _has_valid_target(finding: Finding, conversation: Conversation) -> bool:
    """An addition has no target; everything else is about something known.

    Only a wish to forget may be about what was said and is not known.
    """
    if finding.operation is FindingOperation.ADD:
        return finding.target is None
    if _is_deletion(finding) and finding.target is None:
        return finding.basis is Basis.REQUESTED
    return _get_known(finding.target, conversation) is not None


def _is_about_target(
    finding: Finding, evidence: tuple[Utterance, ...], conversation: Conversation
) -> bool:
    """Tell whether what was said names something of what it would take out of use.

    "Forget what I just said" names nothing, and need not.
    """
    target = _get_known(finding.target, conversation)
    if target is None or not _is_deletion(finding) or finding.basis is Basis.REQUESTED:
        return True
    said = "\n".join(collect_statements(evidence, conversation))
    return has_shared_words(target.content, said)


def _is_deletion(finding: Finding) -> bool:
    return finding.operation is FindingOperation.DELETE


def _join_user_text(conversation: Conversation) -> str:
    said = (_clip_text(m.content) for m in conversation.messages if m.role is Role.USER)
    text = " ".join(said)
    return text if any(letter.isalpha() for letter in text) else ""


def _clip_text(text: str) -> str:
    """The start and the end of a text too long to be compared word by word."""
    if len(text) <= 2 * _COMPARED:
        return text
    return f"{text[:_COMPARED]}\n{text[-_COMPARED:]}"


def _collect_sources(
    finding: Finding, evidence: tuple[Utterance, ...], conversation: Conversation
) -> GroundingSources:
    """What the user said, what they were asked just before, and what is changed by it.

    Names may also come from elsewhere in what the user said: "She starts in May" is
    about the sister named two messages earlier.
    """
    near = collect_statements(evidence, conversation)
    target = _get_known(finding.target, conversation)
    if target and finding.operation is FindingOperation.UPDATE:
        near = (*near, target.content)
    far = (
        _join_user_text(conversation),
        *(known.content for known in conversation.known),
    )
    own = _collect_own_words(finding.content, evidence, conversation)
    repeats = finding.operation is FindingOperation.REINFORCE
    return GroundingSources(
        near,
        far,
        _get_required_share(finding.operation),
        None if _is_deletion(finding) else own,
        target.content if target and not repeats else "",
    )


def _collect_own_words(
    content: str, evidence: tuple[Utterance, ...], conversation: Conversation
) -> tuple[str, ...]:
    """Return what the user said themselves, and what they said yes to.

    What they said no to counts for what denies it.
    """
    negated = NEGATED.search(content) is not None
    own: list[str] = []
    for message in evidence:
        *asked, said = collect_statements([message], conversation) or ("",)
        own.append(said)
        denied = _DENIED.search(said)
        if (denied and negated) or (not denied and _AFFIRMED.search(said)):
            own += asked
    return tuple(own)


def _get_required_share(operation: FindingOperation) -> float:
    """What is deleted need not be named: "forget what I just said" is enough.

    What changes may be told by one word: "커피는 끊었어요".
    """
    shares = {
        FindingOperation.REINFORCE: _ANY,
        FindingOperation.UPDATE: ENOUGH / 2,
        FindingOperation.DELETE: 0.0,
    }
    return shares.get(operation, ENOUGH)
