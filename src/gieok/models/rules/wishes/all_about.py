"""Whom or what a wish to forget means everything about, and which items name that.

"Forget everything about Maya" means whatever has her name, so it is certain by its
words of as many items as there are. Of anything but names and relatives it is not: an
item that mentions the car may be about its driver.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gieok.models.rules.english.words import NOUN, get_parts
from gieok.models.rules.wishes.subjects import (
    FILLER,
    PERSON,
    ItemSubject,
    read_subject,
)
from gieok.text.english import stem_word
from gieok.text.kiwi import Morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.wishes", "patterns.toml")
_ALL_ABOUT: Final = _LISTS.compile_list("wishes.all_about")
_AND: Final = compile_lazily(r"&|\b(?:and|or|n)\b", re.IGNORECASE)
_OWN: Final = compile_lazily(r"^(?:my|our)\s+", re.IGNORECASE)
_WORD: Final = compile_lazily(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_KOREAN_OWN: Final = compile_lazily(r"^(?:(?:우리|울|내|제|저희)\s*)+")
_SELF: Final = frozenset({"me", "us", "myself"})
SHORTEST_NAME: Final = 2
"""Letters of a name."""


class WholeSubject(NamedTuple):
    """Somebody, or what has a name, of whom everything is meant."""

    terms: frozenset[str]
    people: frozenset[int]

    def is_named_in(self, item: ItemSubject) -> bool:
        """Tell whether an item has the whole name, or names that relative of theirs."""
        if self.people and item.is_of_another:
            return False
        return self.people <= item.people and all(map(item.has_term, self.terms))


def find_whole_subjects(text: str, morphology: Morphology) -> list[WholeSubject]:
    """Return of whom a wish to forget means everything; mostly of nobody."""
    wished = _ALL_ABOUT.search(text)
    if wished is None:
        return []
    matter = next(part for part in wished.groups() if part)
    if has_hangul(matter):
        return [*_read_korean(matter.strip(), morphology)]
    return [*_read_english(matter)]


def _read_english(matter: str) -> Iterator[WholeSubject]:
    """Yield the names and relatives that a text opens with: "Ann and my brother"."""
    for part in _AND.split(matter):
        own = _OWN.match(part.strip())
        words = _WORD.findall(part)[1 if own else 0 :]
        if words and words[0].lower() in _SELF:
            continue  # "me and Mark"
        found = _read_name(words, is_own=own is not None)
        if found is None:
            return
        yield found


def _read_name(words: Sequence[str], *, is_own: bool) -> WholeSubject | None:
    """Return whom words name before anything else is said, None where nobody."""
    people, terms = set[int](), set[str]()
    for word in words:
        low = word.lower()
        if low in PERSON and terms:
            return None  # "Colettes father"
        if low in PERSON:
            people.add(PERSON[low])
        elif _is_name(low) and (people or not is_own):
            terms.add(stem_word(low))
        elif stem_word(low) not in FILLER or not (people or terms):
            break
    if not (people or terms) or (people and not is_own):
        return None
    return WholeSubject(frozenset(terms), frozenset(people))


def _is_name(word: str) -> bool:
    """Tell whether a word may be a name: no other kind of word is written so."""
    bare = word.isalpha() and len(word) >= SHORTEST_NAME
    return bare and get_parts(word) == NOUN and stem_word(word) not in FILLER


def _read_korean(matter: str, morphology: Morphology) -> Iterator[WholeSubject]:
    """Yield the name or relative that is all a text names: "우리 미경이"."""
    own = _KOREAN_OWN.sub("", matter)
    named = read_subject(own, morphology)
    terms = named.terms
    if len(terms) > 1 and all(len(term) == 1 for term in terms) and " " not in own:
        terms = frozenset({own.removesuffix("이")})  # an unknown name, cut to pieces
    elif terms != named.names:
        return
    if named.kinds or any(len(term) < SHORTEST_NAME for term in terms):
        return
    relatives = [word for word in PERSON if own.startswith(word)]
    if named.people and not {PERSON[word] for word in relatives} & named.people:
        return  # "전남친"
    if terms or named.people:
        yield WholeSubject(terms, named.people)


def find_items_about(
    subjects: Sequence[WholeSubject], items: Sequence[ItemSubject]
) -> frozenset[int]:
    """Return the places of the items that name any of these."""
    return frozenset(
        place
        for place, item in enumerate(items)
        if any(subject.is_named_in(item) for subject in subjects)
    )
