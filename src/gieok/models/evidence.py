"""Whether a finding may be believed: the checks every model's answer goes through.

Pure: a finding and the conversation it came from go in, what is wrong comes out. No
model is trusted to have kept to its instructions (design rules 7 and 11, D05).
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum

from gieok.kernel.language import (
    Category,
    Conversation,
    Finding,
    Known,
    Operation,
    Role,
    Utterance,
)
from gieok.models.grounding import ENOUGH, Language, Sources, dominant, grounded, share

LONGEST = 300
"""Characters a finding may have."""
_COMPARED = 10_000
"""Characters at either end of a message that are compared."""
_SPOKEN = 0.15
"""Share of the user's letters from which on a language may be answered in."""
_ANY = 0.01
"""A reinforcement repeats what is known: some connection is enough."""


class Fault(StrEnum):
    """Why a finding is not believed."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    CATEGORY = "category"
    CONFIDENCE = "confidence"
    NO_EVIDENCE = "no_evidence"
    NOT_THE_USER = "not_the_user"
    TARGET = "target"
    SECRET = "secret"  # noqa: S105 - the name of a fault
    LANGUAGE = "language"
    UNGROUNDED = "ungrounded"


def admissible(
    findings: Iterable[Finding], conversation: Conversation
) -> tuple[Finding, ...]:
    """Return the findings that may be believed, tidied.

    Evidence is narrowed to the user's messages where there are any, a fact that is
    known word for word becomes a reinforcement (D05), and repeats are left out.
    """
    kept: dict[tuple[Operation, str, str | None], Finding] = {}
    for finding in findings:
        tidy = _tidy(finding, conversation)
        if fault_of(tidy, conversation) is None:
            key = (tidy.operation, _folded(tidy.content), tidy.target)
            _ = kept.setdefault(key, tidy)
    return tuple(kept.values())


def fault_of(finding: Finding, conversation: Conversation) -> Fault | None:
    """Return the first thing that is wrong with a finding, or None."""
    return next(_faults(finding, conversation), None)


def languages_of(conversation: Conversation) -> frozenset[Language]:
    """Return the languages a finding may be in: those the user really uses."""
    shares = share(_user_text(conversation))
    spoken = frozenset(lang for lang, part in shares.items() if part >= _SPOKEN)
    return spoken or frozenset([dominant_language(conversation)])


def dominant_language(conversation: Conversation) -> Language:
    """Return the language the user mostly speaks, or else the whole conversation."""
    everything = " ".join(message.content for message in conversation.messages)
    return dominant(_user_text(conversation) or everything)


def holds_secret(text: str) -> bool:
    """Say whether a text gives away an id number, card, account, key or password."""
    folded = unicodedata.normalize("NFKC", text)
    if any(pattern.search(folded) for pattern in _SECRETS):
        return True
    return any(_is_card(match[0]) for match in _CARD.finditer(folded))


def _faults(finding: Finding, conversation: Conversation) -> Iterator[Fault]:
    """Yield what is wrong, the cheapest checks first."""
    content = finding.content
    checks = (
        (Fault.EMPTY, not content.strip()),
        (Fault.TOO_LONG, len(content) > LONGEST),
        (Fault.CATEGORY, finding.category not in set(Category)),
        (Fault.CONFIDENCE, not 0 <= finding.confidence <= 1),
    )
    yield from (fault for fault, wrong in checks if wrong)
    evidence = _evidence(finding, conversation)
    if not evidence or len(evidence) < len(set(finding.evidence)):
        yield Fault.NO_EVIDENCE
    if any(message.role is not Role.USER for message in evidence):
        yield Fault.NOT_THE_USER
    if not _target_fits(finding, conversation):
        yield Fault.TARGET
    if holds_secret(content):
        yield Fault.SECRET
    if not _in_language(content, conversation):
        yield Fault.LANGUAGE
    sources = _sources(finding, evidence, conversation)
    if not grounded(content, sources, conversation.at.year):
        yield Fault.UNGROUNDED


def _tidy(finding: Finding, conversation: Conversation) -> Finding:
    content = " ".join(unicodedata.normalize("NFC", finding.content).split())
    target = _known(finding.target, conversation)
    if not content and target and finding.operation is not Operation.ADD:
        content = target.content
    spoken = {m.index for m in conversation.messages if m.role is Role.USER}
    evidence = tuple(sorted(set(finding.evidence)))
    if all(_message(index, conversation) for index in evidence):
        evidence = tuple(index for index in evidence if index in spoken) or evidence
    tidy = replace(finding, content=content, evidence=evidence)
    same = _same_as_known(content, conversation)
    if finding.operation is Operation.ADD and same:
        tidy = replace(tidy, operation=Operation.REINFORCE, target=same.id)
    return tidy


def _message(index: int, conversation: Conversation) -> Utterance | None:
    return next((m for m in conversation.messages if m.index == index), None)


def _known(target: str | None, conversation: Conversation) -> Known | None:
    return next((k for k in conversation.known if k.id == target), None)


def _folded(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _same_as_known(content: str, conversation: Conversation) -> Known | None:
    folded = _folded(content)
    return next((k for k in conversation.known if _folded(k.content) == folded), None)


def _evidence(finding: Finding, conversation: Conversation) -> tuple[Utterance, ...]:
    wanted = set(finding.evidence)
    return tuple(m for m in conversation.messages if m.index in wanted)


def _target_fits(finding: Finding, conversation: Conversation) -> bool:
    """An addition has no target; everything else is about something known."""
    if finding.operation is Operation.ADD:
        return finding.target is None
    return _known(finding.target, conversation) is not None


def _user_text(conversation: Conversation) -> str:
    said = (_clipped(m.content) for m in conversation.messages if m.role is Role.USER)
    text = " ".join(said)
    return text if any(letter.isalpha() for letter in text) else ""


def _clipped(text: str) -> str:
    """The start and the end of a text too long to be compared word by word."""
    if len(text) <= 2 * _COMPARED:
        return text
    return f"{text[:_COMPARED]}\n{text[-_COMPARED:]}"


def _in_language(content: str, conversation: Conversation) -> bool:
    """Mixed conversations may be answered in either language; names do not count much.

    What has no letters of its own ("07:30") is in every language.
    """
    if not any(letter.isalpha() for letter in content):
        return True
    return dominant(content) in languages_of(conversation)


def _sources(
    finding: Finding, evidence: tuple[Utterance, ...], conversation: Conversation
) -> Sources:
    """What the user said, what they were asked just before, and what is changed by it.

    Names may also come from elsewhere in what the user said: "She starts in May" is
    about the sister named two messages earlier.
    """
    near: list[str] = []
    before: dict[int, Utterance] = {}
    for previous, message in zip(
        conversation.messages, conversation.messages[1:], strict=False
    ):
        before[message.index] = previous
    for message in evidence:
        asked = before.get(message.index)
        if asked and asked.role is Role.ASSISTANT:
            near.append(_clipped(asked.content))
        near.append(_clipped(message.content))
    target = _known(finding.target, conversation)
    if target and finding.operation in {Operation.UPDATE, Operation.DELETE}:
        near.append(target.content)
    far = (
        _user_text(conversation),
        *(known.content for known in conversation.known),
    )
    return Sources(tuple(near), far, _enough(finding.operation))


def _enough(operation: Operation) -> float:
    """What is deleted need not be named: "forget what I just said" is enough."""
    shares = {Operation.REINFORCE: _ANY, Operation.DELETE: 0.0}
    return shares.get(operation, ENOUGH)


_DIGIT_SYLLABLE = "[공영일이삼사오육륙칠팔구]"
_DIGIT_WORD = "(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)"
_LOCKED = (
    "비밀\\s?번호|비번|패스워드|암호|인증\\s?번호|보안\\s?코드|pass\\s?word|passcode|passwd"
    "|pass\\s?phrase|pin(?:\\s?code|\\s?number)?|cvc|cvv|otp|secret|api\\s?key"
)
_SECRETS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # resident and foreigner registration numbers; checksums ended in 2020
        r"(?<!\d)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[-–\s]?[0-9]\d{6}(?!\d)",
        r"(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)",  # US social security number
        r"(?<!\d)\d{2}-\d{2}-\d{6}-\d{2}(?!\d)",  # Korean driving licence
        r"(?:여권|passport)\D{0,20}(?<![A-Za-z])[A-Z]\d{3}[A-Z0-9]\d{4}(?!\d)",
        r"(?:계좌|통장|account)[^\d]{0,20}\d[\d-]{7,}",
        r"(?<![\d-])[1-9]\d{2,5}-\d{2,6}-\d{4,8}(?:-\d{2})?(?![\d-])",  # bank account
        rf"(?:{_DIGIT_SYLLABLE}[\s에의-]{{0,2}}){{10,}}",  # read out digit by digit
        rf"(?:\b{_DIGIT_WORD}\b[\s,-]*){{9,}}",
        rf"(?<![a-z])(?:{_LOCKED})(?![a-z])\s?(?:은|는|이|가|:|=|is|was|to|으?로)\s?\S*",
        rf"(?<![a-z])(?:{_LOCKED})(?![a-z])\D{{0,12}}\S*\d\S*",
        # a password by its looks: letters, digits and a sign in one word, no address
        r"(?<!\S)(?=\S*[A-Za-z])(?=\S*\d)(?=\S*[!#$%^&*_@])(?!\S{,64}@\S{,64}\.\w)\S{6}",
        r"\b(?:sk|pk|ghp|gho|xox[abp])[-_][A-Za-z0-9_-]{16,}|\bAKIA[A-Z0-9]{16}\b",
        r"-----BEGIN [A-Z ]*PRIVATE KEY",
    )
)
_CARD = re.compile(r"(?<![\d-])(?:\d[ -]?){12,18}\d(?![\d-])")


def _is_card(text: str) -> bool:
    """The Luhn checksum, which order and booking numbers fail nine times in ten."""
    digits = [int(letter) for letter in text if letter.isdigit()]
    doubled = [2 * digit for digit in digits[-2::-2]]
    total = sum(digits[-1::-2]) + sum(d - 9 if d > 9 else d for d in doubled)  # noqa: PLR2004 - a decimal digit
    return total % 10 == 0
