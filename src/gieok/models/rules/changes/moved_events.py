"""An event that is stated to be on another day, or not to be, replaces the known one.

"수술이 4월 22일로 밀렸대요" says nothing of the day that it was, and "eye op is the 3rd
of June now" not even that it was another. So the event is looked for by its name among
what is known with a date; it has to be the only one, for a vet is no dentist.
"""

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from gieok.kernel.language import FindingOperation, KnownMemory
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.changes.relation import PLAINLY_STATED, ItemRelation
from gieok.models.rules.clause_texts import is_english
from gieok.models.rules.clauses import Clause
from gieok.models.rules.flags import NOT_ASSERTED
from gieok.text.english import stem_word
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily
from gieok.text.time_expressions import is_time

_LISTS: Final = PatternFile("gieok.models.rules.changes", "moved_events.toml")

_DATE: Final = _LISTS.compile_list("moved_events.date")
_RECURRING: Final = _LISTS.compile_list("moved_events.recurring")
_MOVED_EN: Final = _LISTS.compile_list("moved_events.moved_en")
_MOVED_KO: Final = _LISTS.compile_list("moved_events.moved_ko")
_CANCELLED: Final = _LISTS.compile_list("moved_events.cancelled")
_NOT_MOVED: Final = _LISTS.compile_list("moved_events.not_moved")
_GENERIC: Final = _LISTS.get_words("moved_events.generic")
_BESIDE: Final = _LISTS.get_words("moved_events.beside")
_SAME: Final = _LISTS.get_spellings("moved_events.same")
_WORD: Final = compile_lazily(r"[a-z]+")
_TARGET: Final = compile_lazily(r"\b(?:to|until|till|for|by|back|because|due)\b")
_PARTICLES: Final = "은|는|이|가|을|를|의|도|만|에"
_NOUNS: Final = ("NNG", "NNP")
_NOT_REPORTED: Final = tuple(name for name in NOT_ASSERTED if name != "hearsay")
"""A clinic's news are hearsay, and still so."""


class MovedEvent(NamedTuple):
    """That an event is on another day, or is not to be."""

    words: frozenset[str]
    """The words that name it."""
    is_cancelled: bool


def find_moved_events(
    candidates: Sequence[ClauseCandidate], known: Sequence[KnownMemory]
) -> list[ItemRelation]:
    """Return what the clauses say of events of which the days are known."""
    dated = {
        place: _collect_words(item.content)
        for place, item in enumerate(known)
        if _DATE.search(item.content) and not _RECURRING.search(item.content)
    }
    if not dated:
        return []
    found: list[ItemRelation] = []
    for place, candidate in enumerate(candidates):
        event = find_moved_event(candidate)
        if event is None:
            continue
        meant = [
            item
            for item, words in dated.items()
            if _is_event_named(event.words, words, known[item].content)
        ]
        if len(meant) == 1:
            ends = FindingOperation.DELETE
            done = ends if event.is_cancelled else FindingOperation.UPDATE
            stands = event.is_cancelled
            found.append(
                ItemRelation(place, meant[0], done, PLAINLY_STATED, stands=stands)
            )
    return found


def merge_stated(
    related: Sequence[ItemRelation], stated: Sequence[ItemRelation]
) -> list[ItemRelation]:
    """Return what clauses do, with what is stated instead of what was judged of it."""
    clauses = {one.clause for one in stated}
    items = {one.known for one in stated}
    kept = [
        one
        for one in related
        if one.is_wish or (one.clause not in clauses and one.known not in items)
    ]
    taken = {one.known for one in kept}
    last = {one.known: one for one in stated if one.known not in taken}
    return [*kept, *last.values()]


def find_moved_event(candidate: ClauseCandidate) -> MovedEvent | None:
    """Return which event a clause says is on another day, or is not to be."""
    text = candidate.clause.text.replace("’", "'")
    if candidate.has_flag(*_NOT_REPORTED) or _NOT_MOVED.search(text):
        return None
    english = is_english(text)
    cancelled = _CANCELLED.search(text)
    found = cancelled or (_MOVED_EN if english else _MOVED_KO).search(text)
    if found is None:
        return None
    new = text[found.start() :] if english else candidate.turn.text
    if not (cancelled or _DATE.search(new)):
        return None
    words = (
        _collect_english(text[: found.start()], text[found.end() :])
        if english
        else _collect_korean(candidate.clause)
    )
    return MovedEvent(words, cancelled is not None) if words else None


def _collect_english(before: str, after: str) -> frozenset[str]:
    """Return the words that name an event: before what is said of it, or just after."""
    for part in (before, _TARGET.split(after)[0]):
        words = _collect_words(_DATE.sub(" ", part))
        if words:
            return words
    return frozenset()


def _collect_words(text: str) -> frozenset[str]:
    """Return the words of an English text, those for one event as one."""
    words = (w for w in _WORD.findall(text.lower()) if w not in _BESIDE)
    return frozenset(stem_word(_SAME.get(word, word)) for word in words)


def _collect_korean(clause: Clause) -> frozenset[str]:
    """Return the nouns of a Korean clause that name an event, not where or why."""
    pairs = zip_longest(clause.morphemes, clause.morphemes[1:])
    return frozenset(
        one.form
        for one, after in pairs
        if one.tag in _NOUNS
        and one.form not in _BESIDE
        and not is_time(one.form)
        and not (after and after.form in ("에서", "때문", "께서"))
    )


def _is_event_named(event: frozenset[str], words: frozenset[str], content: str) -> bool:
    """Tell whether everything that names an event stands in a memory."""
    named = event - _GENERIC or event
    return all(
        word in words or (not word.isascii() and _has_korean(word, content))
        for word in named
    )


def _has_korean(word: str, content: str) -> bool:
    """Tell whether a memory has a Korean word; one of one syllable by itself."""
    if len(word) > 1:
        return word in content
    return (
        re.search(rf"(?<![가-힣\d]){word}(?:{_PARTICLES})?(?![가-힣])", content)
        is not None
    )
