"""What a conversation was about, in a few nouns in their own form."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.english.nouns import find_non_nouns
from gieok.models.rules.nouns import BEFORE_NOUNS, extract_nouns
from gieok.text.time_expressions import is_time

MOST: Final = 5
_EVENT: Final = 1.5  # what a noun counts in a clause about today or tomorrow


def rank_topics(chosen: Sequence[tuple[ClauseCandidate, float]]) -> tuple[str, ...]:
    """Return up to five nouns of weighted clauses, those of the most weight first."""
    weights: defaultdict[str, float] = defaultdict(float)
    written: dict[str, str] = {}
    for candidate, weight in chosen:
        replies = candidate.turn.answered.lower()
        happens = _EVENT if candidate.flags["passing"] else 1.0
        for noun, share in _extract_topic_nouns(candidate):
            low = noun.lower()
            written.setdefault(low, noun)
            weights[low] += weight * share * happens * (2 if low in replies else 1)
    best = sorted(weights, key=lambda noun: -weights[noun])
    return tuple(written[noun] for noun in _deduplicate_nouns(best))[:MOST]


def _deduplicate_nouns(best: Iterable[str]) -> Iterator[str]:
    """Yield the nouns that are no part of one before."""
    told: list[str] = []
    for noun in best:
        if not any(noun in other or other in noun for other in told):
            told.append(noun)
            yield noun


def _extract_topic_nouns(candidate: ClauseCandidate) -> Iterator[tuple[str, float]]:
    """Yield the nouns of a clause that something can be about: no times, no verbs."""
    verbs = find_non_nouns(candidate.clause.text)
    for noun, share in extract_clause_nouns(candidate):
        topic = _remove_time(noun)
        if topic and topic.lower() not in verbs | BEFORE_NOUNS:
            yield topic, share


def _remove_time(noun: str) -> str:
    """Return a noun without the time written before it: "수술" of "다음주수술"."""
    if noun.isascii():
        return "" if is_time(noun) else noun
    for end in range(len(noun), 1, -1):
        if is_time(noun[:end]):
            rest = noun[end:]
            return rest if len(rest) > 1 else ""
    return noun


def extract_clause_nouns(candidate: ClauseCandidate) -> Iterator[tuple[str, float]]:
    """Yield the nouns of a clause with the share of certainty that they are some."""
    return extract_nouns(candidate.clause.text, candidate.clause.morphemes)
