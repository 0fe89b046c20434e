"""What a wish to forget names, and what a known item is about."""

import re
from dataclasses import dataclass
from typing import Final

from gieok.kernel.language import KnownMemory
from gieok.models.rules.item_owners import is_of_user
from gieok.models.rules.terms import extract_subjects, extract_terms
from gieok.text.english import stem_word
from gieok.text.kiwi import Morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.wishes", "patterns.toml")
_KINDS: Final = {
    slot: _LISTS.compile_list(f"wishes.kinds.{slot}")
    for slot in ("name", "age", "home", "origin", "work", "belief")
}
FILLER: Final = _LISTS.get_words("wishes.filler")
PERSON: Final = {
    word: number
    for number, words in enumerate(_LISTS.get_word_list("wishes.people"))
    for word in words.split()
}
_LONG_NAMES: Final = tuple(
    sorted((w for w in PERSON if has_hangul(w) and len(w) > 1), key=len, reverse=True)
)
_WORD: Final = compile_lazily(r"[a-zé]+(?:-[a-zé]+)*")
_NAME: Final = compile_lazily(r"\b[A-Z][a-zé]+\b")
KIN: Final = "|".join(word for word in PERSON if word.isascii())
_OF_NAMED: Final = compile_lazily(
    rf"\b(?!users?['’]?s?\b)(?:\w+['’]s|(?-i:[A-Z])\w+s) (?:\w+ )?(?:{KIN})\b",
    re.IGNORECASE,
)
_OF_SOMEBODY: Final = compile_lazily(
    rf"\b(?:her|his|their) (?:\w+ )?(?:{KIN})\b", re.IGNORECASE
)
_KOREAN_OF_NAMED: Final = compile_lazily(
    rf"(?:[가-힣](?:씨|님|네)|(?<!사용자)의) (?:{'|'.join(_LONG_NAMES)})"
)
_POSSESSIVE: Final = compile_lazily(r"['’]s\b")
ALIKE: Final = 5
"""Letters that words of one family open with."""


@dataclass(frozen=True, slots=True)
class ItemSubject:
    """What a known item is about."""

    content: str
    terms: frozenset[str]
    people: frozenset[int]
    slots: frozenset[str]
    others: frozenset[int] = frozenset()
    """Whom it names beside its user: relatives, pets and acquaintances."""

    @property
    def is_of_user_alone(self) -> bool:
        """Whether its subject is its user, and it names nobody else."""
        return is_of_user(self.content) and not (self.people or self.others)

    @property
    def is_of_another(self) -> bool:
        """Whether a relative in it is somebody else's: "Tom's sister", "과장님 남편".

        Theirs of whom it is about is the user's where that is the user.
        """
        if _OF_NAMED.search(self.content) or _KOREAN_OF_NAMED.search(self.content):
            return True
        other = _OF_SOMEBODY.search(self.content) is not None
        return other and not is_of_user(self.content)

    def has_term(self, term: str) -> bool:
        """Tell whether a word stands in it; a Korean one may be part of a longer."""
        if term in self.terms:
            return True
        return len(term) > 1 and has_hangul(term) and term in self.content

    def has_kindred(self, term: str) -> bool:
        """Tell whether a word of its family stands in it: "allergy", "allergic"."""
        return self.has_term(term) or any(_is_same_word(term, t) for t in self.terms)


@dataclass(frozen=True, slots=True)
class WishSubject:
    """What a wish to forget names."""

    terms: frozenset[str]
    """Its words that say something, without those of kinds and people."""
    people: frozenset[int]
    kinds: frozenset[str]
    names: frozenset[str] = frozenset()
    """Those of its words that are names."""
    is_said: bool = False
    """Whether it was told in the same session, and may mean nothing that is known."""
    message: str = ""
    """The message before it, where it only points to that."""

    @property
    def is_empty(self) -> bool:
        """Whether it names nothing."""
        return not (self.terms or self.people or self.kinds)


NOTHING: Final = WishSubject(frozenset(), frozenset(), frozenset())


def build_item_subject(
    item: KnownMemory, slots: frozenset[str], morphology: Morphology
) -> ItemSubject:
    """Return what a known item is about; `slots` are its parts of a person's life."""
    terms, people = extract_terms_and_people(item.content, morphology)
    others = extract_subjects(_POSSESSIVE.sub("", item.content), morphology)
    return ItemSubject(item.content, terms, people, slots, others)


def has_same_subject(one: WishSubject, other: WishSubject) -> bool:
    """Tell whether two texts name any one thing, person or part of life."""
    named = any(_is_same_word(own, its) for own in one.terms for its in other.terms)
    return bool(named or one.people & other.people or one.kinds & other.kinds)


def _is_same_word(one: str, other: str) -> bool:
    """Tell whether two words are one, or of one family: "allergy", "allergic"."""
    return one == other or (one[:ALIKE] == other[:ALIKE] and len(one) >= ALIKE)


def read_subject(text: str, morphology: Morphology) -> WishSubject:
    """Return what a text names as a wish to forget would name it."""
    kinds = frozenset(slot for slot, named in _KINDS.items() if named.search(text))
    _, people = extract_terms_and_people(text, morphology)
    for slot in kinds:
        text = _KINDS[slot].sub(" ", text)
    terms, _ = extract_terms_and_people(text, morphology)
    names = terms & _find_names(text, morphology)
    return WishSubject(terms, people, kinds, names)


def _find_names(text: str, morphology: Morphology) -> frozenset[str]:
    """Return the words of a text that are written or known as names."""
    names = {stem_word(word.lower()) for word in _NAME.findall(text)}
    if has_hangul(text):
        names |= {m.form for m in morphology.analyze(text) if m.tag == "NNP"}
    return frozenset(names)


def extract_terms_and_people(
    text: str, morphology: Morphology
) -> tuple[frozenset[str], frozenset[int]]:
    """Return the words of a text that say something, and whom it names."""
    low = _POSSESSIVE.sub("", text.lower())
    people: set[int] = set()
    for name in _LONG_NAMES:
        if name in low:
            people.add(PERSON[name])
            low = low.replace(name, " ")
    words = _WORD.findall(low)
    words += [m.form for m in morphology.analyze(low)] if has_hangul(low) else []
    for word in words:
        singular = word if word in PERSON else word.removesuffix("s")
        if singular in PERSON:
            people.add(PERSON[singular])
            low = re.sub(rf"\b{re.escape(word)}\b", " ", low)
    named = {stem_word(word) for word in PERSON}
    return extract_terms(low, morphology) - FILLER - named, frozenset(people)
