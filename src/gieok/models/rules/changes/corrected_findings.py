"""What is found of a corrected talk rests on what was said, and changes what was known.

A finding of what two messages say together has both as its evidence. Nothing stands in
quotation marks that nobody said: a sentence that is told as it is right now was said
in two.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Final

from gieok.kernel.language import (
    Basis,
    Finding,
    FindingOperation,
    KnownMemory,
    Utterance,
)
from gieok.models.rules.changes.corrections import (
    CorrectedTalk,
    Correction,
    list_sentence_corrections,
)
from gieok.models.rules.changes.relation import PLAINLY_STATED
from gieok.models.rules.correction_parts import CorrectionText
from gieok.text.kiwi import Morphology
from gieok.text.korean import has_hangul
from gieok.text.patterns import compile_lazily

SAME: Final = 0.85
"""How alike the other words of two memories are of which one corrects the other."""
_QUOTED: Final = compile_lazily(r"“([^”]+)”")


def restore_evidence(
    findings: Iterable[Finding],
    talk: CorrectedTalk,
    known: Sequence[KnownMemory],
    said: Sequence[Utterance],
    morphology: Morphology,
) -> tuple[Finding, ...]:
    """Return the findings of a corrected talk with all that they rest on.

    `said` are the messages as they were said. What corrects something known changes it.
    """
    told = [_normalize(message.content) for message in said]
    found = [_restore_finding(one, talk, known, told, morphology) for one in findings]
    changes = [
        Finding(
            FindingOperation.UPDATE,
            one.content,
            one.memory.category,
            PLAINLY_STATED,
            Basis.STATED,
            (one.message,),
            one.memory.id,
        )
        for one in talk.known
    ]
    targets = {one.target for one in changes}
    kept = [one for one in found if one.target is None or one.target not in targets]
    return tuple(sorted([*kept, *changes], key=lambda one: one.evidence))


def _restore_finding(
    finding: Finding,
    talk: CorrectedTalk,
    known: Sequence[KnownMemory],
    told: Sequence[str],
    morphology: Morphology,
) -> Finding:
    """Return a finding with all messages that say it, and what it changes."""
    for one in _list_corrections(finding, talk):
        evidence = tuple(sorted({*finding.evidence, *one.evidence}))
        content = _remove_quotation(finding.content, told)
        finding = replace(finding, content=content, evidence=evidence)
        changed = next(_find_changed(finding, one, known, morphology), None)
        if changed is not None:
            memory, text = changed
            finding = replace(
                finding,
                operation=FindingOperation.UPDATE,
                content=text,
                target=memory.id,
            )
    return finding


def _list_corrections(finding: Finding, talk: CorrectedTalk) -> Iterator[Correction]:
    """Yield the corrections of what a finding says."""
    content = finding.content.lower()
    for one in talk.corrections:
        named = any(word in content for word in one.new.lower().split())
        if one.message in finding.evidence and (
            named or finding.operation is not FindingOperation.ADD
        ):
            yield one


def _remove_quotation(content: str, told: Sequence[str]) -> str:
    """Return what a finding says without quotation marks around what nobody said so."""
    quoted = _QUOTED.search(content)
    if quoted is None or any(_normalize(quoted[1]) in each for each in told):
        return content
    said = quoted[1].strip()
    return f"사용자: {said}" if has_hangul(content) else f"The user said: {said}"


def _find_changed(
    finding: Finding,
    one: Correction,
    known: Sequence[KnownMemory],
    morphology: Morphology,
) -> Iterator[tuple[KnownMemory, str]]:
    """Yield what is known as it was wrong, and how it is told now."""
    if finding.operation is FindingOperation.DELETE:
        return
    said = CorrectionText(one.new, one.old, is_opened=True)
    for memory in known:
        if _QUOTED.search(memory.content):
            if one.said[0] in memory.content and finding.content != memory.content:
                yield memory, finding.content
            continue
        options = list_sentence_corrections(memory.content, said, morphology)
        if options and _is_same_but(finding.content, memory.content, one):
            yield memory, finding.content
        elif options and finding.target == memory.id:
            yield memory, options[0].text


def _is_same_but(content: str, known: str, one: Correction) -> bool:
    """Tell whether two memories say the same, but for what was corrected."""
    rests = [_remove_words(content, one.new), _remove_words(known, one.old)]
    told, had = rests
    if told is None or had is None:
        return False
    return SequenceMatcher(None, told, had).ratio() >= SAME


def _remove_words(text: str, words: str) -> str | None:
    """Return a text without some words, which it has to hold."""
    for word in words.lower().split():
        if word not in text.lower():
            return None
        text = text.lower().replace(word, "", 1)
    return _normalize(text)


def _normalize(text: str) -> str:
    """Return a text by which it can be compared: without signs and spaces."""
    return re.sub(r"[\W_]+", "", text).casefold()
