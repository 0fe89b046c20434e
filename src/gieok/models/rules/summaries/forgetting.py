"""Which clauses of a conversation speak of what its user wants forgotten.

Whoever asks to forget names the thing, or the assistant does when it agrees; the whole
message is left out, every clause that names the thing too, and the message before one
that only points ("forget that"). Saying too little is the safe side here.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from gieok.kernel.language import KnownMemory
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.lexicon import ASSISTANT_FORGETS
from gieok.models.rules.nouns import extract_nouns
from gieok.models.rules.topics import extract_clause_nouns
from gieok.text.kiwi import Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_MEMORY: Final = _LISTS.compile_list("forgetting.memory")
_MIXED: Final = _LISTS.compile_list("forgetting.mixed")
_DELETED: Final = _LISTS.compile_list("forgetting.deleted")
_SENTENCE: Final = compile_lazily(r"(?<=[.!?。])\s+")


def find_forgotten(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    morphology: Morphology,
) -> frozenset[int]:
    """Return the places of the clauses that must not be told."""
    asked = {c.clause.message for c in candidates if _is_forget_request(c)}
    if not asked:
        return frozenset()
    asking = [c for c in candidates if c.clause.message in asked]
    named = _collect_forgotten_nouns(asking, known, morphology)
    messages = asked | {message - 2 for message in _find_pointing_messages(asking)}
    return frozenset(
        number
        for number, candidate in enumerate(candidates)
        if candidate.clause.message in messages
        or not named.isdisjoint(_normalize_nouns(extract_clause_nouns(candidate)))
    )


def _is_forget_request(candidate: ClauseCandidate) -> bool:
    """Tell whether a clause asks to forget, or is answered as if it did."""
    flags, answered = candidate.flags, candidate.turn.answered
    if _DELETED.search(answered) or _MIXED.search(candidate.clause.text):
        return True
    agreed = ASSISTANT_FORGETS.search(answered) is not None
    asks = flags["forget"] and (agreed or _MEMORY.search(candidate.clause.text))
    return bool(asks or (flags["denial"] and agreed))


def _find_pointing_messages(asking: Sequence[ClauseCandidate]) -> set[int]:
    """Return the messages that name nothing, only point to the one before."""
    naming = {
        c.clause.message for c in asking if _normalize_nouns(extract_clause_nouns(c))
    }
    return {c.clause.message for c in asking} - naming


def _collect_forgotten_nouns(
    asking: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    morphology: Morphology,
) -> frozenset[str]:
    """Return the nouns of what is to be forgotten, also as it is known."""
    speaking = [c for c in asking if _has_forget_flag(c)] or asking
    found = frozenset(
        noun for c in speaking for noun in _normalize_nouns(extract_clause_nouns(c))
    )
    for reply in {candidate.turn.answered for candidate in asking}:
        sentences = _SENTENCE.split(reply)
        agreed = " ".join(s for s in sentences if ASSISTANT_FORGETS.search(s))
        found |= _normalize_nouns(extract_nouns(agreed, morphology.analyze(agreed)))
    items = [
        _normalize_nouns(extract_nouns(k.content, morphology.analyze(k.content)))
        for k in known
    ]
    return found.union(*(item for item in items if not found.isdisjoint(item)))


def _has_forget_flag(candidate: ClauseCandidate) -> bool:
    """Tell whether a clause itself asks to forget or denies."""
    return bool(candidate.flags["forget"] or candidate.flags["denial"])


def _normalize_nouns(found: Iterable[tuple[str, float]]) -> frozenset[str]:
    return frozenset(noun.lower() for noun, _ in found)
