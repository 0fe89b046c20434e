"""Whether a part of an English memory says that the user does, or has, what ended."""

from collections.abc import Sequence
from typing import Final

from gieok.models.rules.activity_words import (
    AILED_ONCE,
    AILING,
    CONDITIONS,
    NOT_ONGOING,
    TREATMENTS,
)
from gieok.models.rules.changes.named_endings import EndingKind, NamedEnding
from gieok.models.rules.lexicon import ACQUAINTANCES_EN, KIN_EN
from gieok.text.english import stem_word
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.changes", "ended_activities.toml")

_DOING: Final = _LISTS.get_words("ended_activities.doing_en")
_TAKING: Final = _LISTS.get_words("ended_activities.taking_en")
_BEFORE: Final = _LISTS.get_words("ended_activities.before_doing_en")
_BETWEEN: Final = _LISTS.get_words("ended_activities.between_en")
_AFTER: Final = _LISTS.get_words("ended_activities.after_en")
_OFTEN: Final = _LISTS.get_words("ended_activities.often_en")
_OTHERS: Final = KIN_EN | ACQUAINTANCES_EN
_WORD: Final = compile_lazily(r"[a-z]+(?:[-'][a-z]+)*|\d+")
_PLACING: Final = ("in", "at", "to", "on", "with")
_FURTHEST: Final = 5  # words between what is done and what it is done with


def is_ended_english(part: str, ending: NamedEnding) -> bool:
    """Tell whether a part of a memory, its subject left out, says what is over."""
    text = part.lower().replace("’", "'")
    words = _WORD.findall(text)
    healed = ending.kind is EndingKind.HEALED
    past = (AILED_ONCE if healed else NOT_ONGOING).search(text)
    if not words or not ending.words or past:
        return False
    if healed:
        return _OTHERS.isdisjoint(words) and _is_ailing(text, words, ending.words)
    if ending.kind is EndingKind.FINISHED and TREATMENTS.isdisjoint(ending.words):
        return False
    return _is_done(words, ending)


def _is_done(words: Sequence[str], ending: NamedEnding) -> bool:
    """Tell whether words say that the user does something."""
    *others, head = ending.words
    if not all(_is_in(word, words) for word in others):
        return False
    first = next((n for n, word in enumerate(words) if word not in _BEFORE), -1)
    if first < 0:
        return False
    if head.endswith("ing") and stem_word(words[first]) == stem_word(head):
        return True
    verbs = _TAKING if ending.kind is EndingKind.TAKEN_OFF else _DOING
    for place, word in enumerate(words):
        if not _is_form(word, head) or not _is_whole(words, place):
            continue
        if first < place <= first + _FURTHEST and words[first] in verbs:
            between = words[first + 1 : place]
            return _is_plain(between)
        regular = not _OFTEN.isdisjoint(words[place + 1 :])
        return place <= first + 1 and regular and words[first] not in _OTHERS
    return False


def _is_plain(between: Sequence[str]) -> bool:
    """Tell whether what stands before a noun only says which it is."""
    where = next((n for n, word in enumerate(between) if word in _PLACING), 0)
    if where > 1:
        return False
    return not any(w in _BETWEEN or w in _OTHERS or "'" in w for w in between)


def _is_whole(words: Sequence[str], place: int) -> bool:
    """Tell whether a noun names the thing itself, and not what has to do with it."""
    after = words[place + 1] if place + 1 < len(words) else ""
    return not after or after in _AFTER or after.isdigit()


def _is_ailing(text: str, words: Sequence[str], named: Sequence[str]) -> bool:
    """Tell whether words say that a part of the body, or what is named, ails."""
    name = " ".join(named)
    for condition, parts in CONDITIONS.items():
        if condition in text and (
            condition in name or any(_is_form(p, named[-1]) for p in parts.split())
        ):
            return True
    return _is_in(named[-1], words) and AILING.search(text) is not None


def _is_in(word: str, words: Sequence[str]) -> bool:
    return any(_is_form(one, word) for one in words)


def _is_form(one: str, other: str) -> bool:
    """Tell whether two words are one noun, in either number."""
    return one == other or stem_word(one.removesuffix("'s")) == (
        stem_word(other.removesuffix("'s")) or other
    )
