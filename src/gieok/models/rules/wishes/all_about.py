"""Whom a wish to forget means everything about, and which items name them.

"Forget everything about Maya" means whatever has her name, so it is certain by its
words of as many items as there are. Of anything but names and relatives it is not: an
item that mentions the car may be about its driver. Nor where a part of them is named
("about Maya moving out"), or what is not about them: that is left to what weighs it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gieok.models.rules.english.names import GIVEN_NAMES
from gieok.models.rules.english.words import is_known
from gieok.models.rules.lexicon import find_wish
from gieok.models.rules.wishes.subjects import (
    FILLER,
    KIN,
    PERSON,
    ItemSubject,
    normalize_spelling,
    read_subject,
)
from gieok.text.english import stem_word
from gieok.text.kiwi import Morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.wishes", "patterns.toml")
_ALL_ABOUT: Final = _LISTS.compile_list("wishes.all_about")
_NOT_ALL: Final = _LISTS.compile_list("wishes.not_all")
_CLOSERS: Final = _LISTS.get_words("wishes.closers")
_AMBIGUOUS: Final = _LISTS.get_words("wishes.ambiguous_names")
_NO_NAMES: Final = _LISTS.get_words("wishes.no_names")
_AND: Final = compile_lazily(r"&|\b(?:and|or|n)\b", re.IGNORECASE)
_OWN: Final = compile_lazily(r"^(?:my|our)\s+", re.IGNORECASE)
_WORD: Final = compile_lazily(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_KOREAN_OWN: Final = compile_lazily(r"^(?:(?:우리|저희)\s*|(?:울|내|제)\s+)+")
_KOREAN_AND: Final = compile_lazily(r"(?:(?<=[가-힣])(?:랑|하고|와|과)|,)\s+")
_COUPLES: Final = _LISTS.get_words("wishes.couples")
_KOREAN_TAIL: Final = compile_lazily(r"(?:이|네|씨|님|들)$")
_PARTICLES: Final = (
    r"이?(?:님|네|씨)?"
    r"(?:이|가|은|는|을|를|의|와|과|랑|이랑|하고|도|만|에게|한테|께|께서|에|야|아)?"
)
_OTHERS: Final = compile_lazily(
    rf"(?:(?<!사용자)(?<!나)(?<!저)의|[가-힣](?:씨|님|네)"
    rf"|{'|'.join(word for word in PERSON if has_hangul(word))}"
    r"|친구|동료|이웃|전|옛|작은|큰)\s*$"
)
_OF_USER: Final = compile_lazily(
    rf"\b(?:user['’]s|my|our)\s+(?:(?!ex\b|late\b|former\b)\w+\s+)?(?:{KIN})s?\b"
    rf"|^(?:The )?user (?!.*\b(?:his|her)\b).*\btheir (?:{KIN})s?\b",
    re.IGNORECASE,
)
_PLACING: Final = frozenset({"in", "at", "from", "now", "out", "off", "get", "gone"})
_OWNING: Final = frozenset({"your", "the", "my", "this", "our"})
_SELF: Final = frozenset({"me", "us", "myself"})
SHORTEST_NAME: Final = 2
"""Letters of a name."""
MAX_BEFORE: Final = 4
"""Words that may stand before what is wished gone, if it stands first."""
MAX_BETWEEN: Final = 2
"""Words that may stand between the wish and what is wished gone."""


class WholeSubject(NamedTuple):
    """Somebody, or what has a name, of whom everything is meant."""

    terms: frozenset[str]
    people: frozenset[int]
    words: tuple[str, ...] = ()
    """The words for them, where they are Korean."""

    def is_named_in(self, item: ItemSubject) -> bool:
        """Tell whether an item has the whole name, or names that relative of theirs."""
        if self.words:
            return not (self.people and item.is_of_another) and any(
                _has_korean(word, self, item.content) for word in self.words
            )
        own = _OF_USER.search(item.content) and not item.is_of_another
        if self.people and not (own and self.people <= item.people):
            return False
        return all(_has_name(term, item) for term in self.terms)


def find_whole_subjects(text: str, morphology: Morphology) -> list[WholeSubject]:
    """Return of whom a wish to forget means everything; mostly of nobody."""
    wished = _ALL_ABOUT.search(text)
    if wished is None or _NOT_ALL.search(text[wished.start() :]):
        return []
    if not _is_wished(text, wished.start()):
        return []
    matter = next(part for part in wished.groups() if part)
    if has_hangul(matter):
        return [*_read_korean(matter.strip(), morphology)]
    return [*_read_english(matter)]


def _is_wished(text: str, start: int) -> bool:
    """Tell whether what starts somewhere is what a wish asks to forget.

    "Forget it, my boss is all about money" is about nobody.
    """
    wish = find_wish(text[:start])
    if wish is None:
        return len(text[:start].split()) <= MAX_BEFORE
    return len(text[wish.end() : start].split()) <= MAX_BETWEEN


def _read_english(matter: str) -> Iterator[WholeSubject]:
    """Yield the names and relatives that a text opens with: "Ann and my brother"."""
    for part in _AND.split(normalize_spelling(matter)):
        own = _OWN.match(part.strip())
        words = _WORD.findall(part)[1 if own else 0 :]
        if words and words[0].lower() in _SELF:
            continue  # "me and Mark"
        found = _read_name(words, is_own=own is not None)
        if found is None:
            return
        yield found


def _read_name(words: Sequence[str], *, is_own: bool) -> WholeSubject | None:
    """Return whom words name before anything else is said, None where nobody.

    Nor is anybody where more is said of them: "Maya moving out", "Colettes father".
    """
    people, terms = set[int](), set[str]()
    for place, word in enumerate(words):
        low = word.lower().replace("’", "'")
        if low in PERSON and not terms:
            people.add(PERSON[low])
        elif _is_name(word) and (people or not is_own):
            terms.add(stem_word(low))
        elif low in _CLOSERS and (people or terms):
            if low in _PLACING and not _is_closing(words[place + 1 :]):
                return None  # "my sister at work"
            break
        elif stem_word(low) not in FILLER or low in PERSON:
            return None
    if not (people or terms) or (people and not is_own):
        return None
    return WholeSubject(frozenset(terms), frozenset(people))


def _is_closing(words: Sequence[str]) -> bool:
    """Tell whether nothing is said behind "now" or "from": "from your memory"."""
    return all(
        low in _CLOSERS | _OWNING or stem_word(low) in FILLER
        for low in map(str.lower, words)
    )


def _is_name(word: str) -> bool:
    """Tell whether a word is a name: written or known as one, or in no dictionary."""
    low = word.lower()
    if not word.isalpha() or len(word) < SHORTEST_NAME or low in _NO_NAMES:
        return False
    if low in _CLOSERS or stem_word(low) in FILLER:
        return False
    return word[0].isupper() or low in GIVEN_NAMES or not is_known(low)


def _has_name(term: str, item: ItemSubject) -> bool:
    """Tell whether an item has a name; one that is a word, too, with its capital."""
    if term in _AMBIGUOUS:
        return re.search(rf"\b{term.capitalize()}", item.content) is not None
    return item.has_term(term)


def _read_korean(matter: str, morphology: Morphology) -> Iterator[WholeSubject]:
    """Yield the names and relatives that are all a text names: "우리 미경이"."""
    own = _KOREAN_OWN.sub("", matter)
    parts = own.split() if own in _COUPLES else _KOREAN_AND.split(own)
    found = [_read_korean_name(part, morphology) for part in parts]
    if None not in found:
        yield from filter(None, found)


def _read_korean_name(own: str, morphology: Morphology) -> WholeSubject | None:
    """Return whom a text names if it names nothing else, None where nobody."""
    bare = _KOREAN_TAIL.sub("", own)
    for word in (own, bare):
        if word in PERSON:
            number = PERSON[word]
            alike = (other for other, n in PERSON.items() if n == number)
            words = (each for each in alike if each != word)
            korean = (word, *filter(has_hangul, words))
            return WholeSubject(frozenset(), frozenset({number}), korean)
    named = read_subject(own, morphology)
    pieces = all(len(term) == 1 for term in named.terms)  # an unknown name, cut up
    is_name = named.terms == named.names or (len(named.terms) > 1 and pieces)
    if " " in own or named.kinds or named.people or not named.terms or not is_name:
        return None
    if len(bare) < SHORTEST_NAME:
        return None
    return WholeSubject(frozenset({bare}), frozenset(), (bare,))


def _has_korean(word: str, subject: WholeSubject, content: str) -> bool:
    """Tell whether a text has a Korean word for somebody, and not of another's."""
    for found in re.finditer(
        rf"(?<![가-힣A-Za-z\d]){word}{_PARTICLES}(?![가-힣])", content
    ):
        if not subject.people or not _OTHERS.search(content[: found.start()]):
            return True
    return False


def find_items_about(
    subjects: Sequence[WholeSubject], items: Sequence[ItemSubject]
) -> frozenset[int]:
    """Return the places of the items that name any of these."""
    return frozenset(
        place
        for place, item in enumerate(items)
        if any(subject.is_named_in(item) for subject in subjects)
    )
