"""What a wish to forget names, and what a known item is about."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from gieok.kernel.language import KnownMemory
from gieok.models.rules.content_words import extract_terms
from gieok.models.rules.english.words import VERB, get_parts
from gieok.models.rules.item_owners import is_of_user
from gieok.models.rules.korean.endings import has_final
from gieok.text.english import stem_word
from gieok.text.kiwi import Morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily
from gieok.text.relatives import extract_relatives

_LISTS: Final = PatternFile("gieok.models.rules.wishes", "patterns.toml")
_KINDS: Final = {
    **{kind: (kind,) for kind in ("name", "age", "home", "origin", "work", "belief")},
    **{kind: (kind,) for kind in ("school", "pet", "hobby", "money", "partner")},
    "health": ("health", "body"),
    "diet": ("diet",),
    "family": ("parents", "siblings", "children", "partner", "relatives"),
}
"""What wishes name by kind, and which slots of a known item are of that kind."""
_NAMED: Final = {kind: _LISTS.compile_list(f"wishes.kinds.{kind}") for kind in _KINDS}
_TOLD: Final = {
    kind: _LISTS.compile_list(f"wishes.items.{kind}")
    for kind in ("work", "school", "health", "money", "partner", "pet")
}
_ALTERNATIVES: Final = _LISTS.get_spellings("wishes.spellings")
FILLER: Final = _LISTS.get_words("wishes.filler")
PERSON: Final = {
    word: number
    for number, words in enumerate(_LISTS.get_word_list("wishes.people"))
    for word in words.split()
}
_LONG_NAMES: Final = tuple(
    sorted((w for w in PERSON if has_hangul(w) and len(w) > 1), key=len, reverse=True)
)
_ELDER: Final = "(?:큰|작은|막내|맏)?"
_SORT: Final = "(?:아이|애|놈)?"
"""What makes one noun of a word for somebody: "큰딸", "외할머니", "딸아이"."""
_SOMEBODY: Final = ("그", "사람")
"""Stand for a word for somebody that ends in a vowel, or not; particles stay behind."""
_WORD: Final = compile_lazily(r"[a-zé]+(?:-[a-zé]+)*")
_NAME: Final = compile_lazily(r"\b[A-Z][a-zé]+\b")
KIN: Final = "|".join(word for word in PERSON if word.isascii())
_OF_NAMED: Final = compile_lazily(
    rf"\b(?!users?['’]?s?\b)(?:\w+['’]s|(?-i:[A-Z])\w+s) (?:\w+ )?(?:{KIN})\b",
    re.IGNORECASE,
)
_OF_SOMEBODY: Final = compile_lazily(
    rf"\b(?:her|his|their|your) (?:\w+ )?(?:{KIN})\b"
    r"|(?<![가-힣])(?:걔|얘|쟤|그분|그 사람|남의|너희|니네|그쪽) ?"
    rf"(?:{'|'.join(_LONG_NAMES)})",
    re.IGNORECASE,
)
_KOREAN_OF_NAMED: Final = compile_lazily(
    rf"(?:[가-힣](?:씨|님|네)|(?<!사용자)의) (?:{'|'.join(_LONG_NAMES)})"
    rf"|(?:{'|'.join(_LONG_NAMES)}|친구|동료|딸|형) "
    r"(?:남편|신랑|아내|와이프|여자친구|여친|남자친구|남친|약혼자|며느리|사위)"
)
_SPELLINGS: Final = (
    (compile_lazily(r"\b(?:ex|former)[ -](?=[a-z])"), "ex-"),
    (compile_lazily(r"(?<=[a-z])[ -]in[ -]law(?:s\b)?"), "-in-law"),
    (
        compile_lazily(r"(?<![가-힣])(?:전|옛) (?=남편|아내|와이프|[남여]친|[남여]자)"),
        "전",
    ),
)
"""How words for one person are written: "mother in law", "ex wife", "전 남편"."""
_ROLE: Final = compile_lazily(
    rf"\b(?:is|was|became|being) (?:now |also )?(?:an?|the) (?:\w+ )?(?:{KIN})\b"
    rf"|(?:{'|'.join(_LONG_NAMES)})(?=(?:이?다|이?고|이면서)(?![가-힣]))",
    re.IGNORECASE,
)
"""What the user is to others: "a mother of two"."""
_TOLD_OF_ANOTHER: Final = compile_lazily(r"^사용자[는가] .*[은는이가] ")
_POSSESSIVE: Final = compile_lazily(r"['’]s\b")
ALIKE: Final = 5
"""Letters that words of one family open with."""


@dataclass(frozen=True, slots=True)
class ItemSubject:
    """What a known item is about."""

    content: str
    terms: frozenset[str]
    people: frozenset[int]
    kinds: frozenset[str]
    others: frozenset[int] = frozenset()
    """Whom it names beside its user: relatives, pets and acquaintances."""
    is_of_named: bool = False
    """Whether a Korean name stands before a relative in it: "민수 엄마"."""

    @property
    def is_of_user_alone(self) -> bool:
        """Whether its subject is its user, and it names nobody else."""
        return is_of_user(self.content) and not (self.people or self.others)

    @property
    def is_of_another(self) -> bool:
        """Whether a relative in it is somebody else's."""
        return self.is_of_named or has_relative_of_another(self.content)

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
    verbs: frozenset[str] = frozenset()
    """Those of its words that mostly say what somebody does."""
    is_of_another: bool = False
    """Whether a relative whom it names is somebody else's."""
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
    own = is_of_user(item.content) and not _TOLD_OF_ANOTHER.search(item.content)
    told = _ROLE.sub(" ", item.content) if own else item.content
    terms, people = extract_terms_and_people(told, morphology)
    others = extract_relatives(_POSSESSIVE.sub("", item.content), morphology)
    named = _has_named_owner(item.content, morphology)
    kinds = frozenset(
        kind
        for kind, own_slots in _KINDS.items()
        if not slots.isdisjoint(own_slots)
        or (kind in _TOLD and _TOLD[kind].search(item.content))
    )
    return ItemSubject(item.content, terms, people, kinds, others, named)


def _has_named_owner(text: str, morphology: Morphology) -> bool:
    """Tell whether a name stands right before a Korean word for a relative."""
    if not has_hangul(text):
        return False
    return any(
        one.tag == "NNP" and other.form in PERSON and one.end + 1 == other.start
        for one, other in pairwise(morphology.analyze(text))
    )


def has_relative_of_another(text: str) -> bool:
    """Tell whether a relative in a text is somebody else's.

    That is "Tom's sister", "언니 남편". Theirs of whom it is about is the user's
    where that is the user.
    """
    if _OF_NAMED.search(text) or _KOREAN_OF_NAMED.search(text):
        return True
    return _OF_SOMEBODY.search(text) is not None and not is_of_user(text)


def has_same_subject(one: WishSubject, other: WishSubject) -> bool:
    """Tell whether two texts name any one thing, person or part of life."""
    named = any(_is_same_word(own, its) for own in one.terms for its in other.terms)
    return bool(named or one.people & other.people or one.kinds & other.kinds)


def _is_same_word(one: str, other: str) -> bool:
    """Tell whether two words are one, or of one family: "allergy", "allergic"."""
    return one == other or (one[:ALIKE] == other[:ALIKE] and len(one) >= ALIKE)


def read_subject(text: str, morphology: Morphology) -> WishSubject:
    """Return what a text names as a wish to forget would name it."""
    said = text
    kinds = frozenset(kind for kind, named in _NAMED.items() if named.search(text))
    _, people = extract_terms_and_people(text, morphology)
    for kind in kinds:
        text = _NAMED[kind].sub(" ", text)
    terms, _ = extract_terms_and_people(text, morphology)
    words = _WORD.findall(text.lower())
    verbs = terms & {stem_word(w) for w in words if get_parts(w)[:1] == VERB}
    names = terms & _find_names(text, morphology)
    other = bool(people) and has_relative_of_another(said)
    return WishSubject(terms, people, kinds, names, verbs, is_of_another=other)


def _find_names(text: str, morphology: Morphology) -> frozenset[str]:
    """Return the words of a text that are written or known as names."""
    names = {stem_word(word.lower()) for word in _NAME.findall(text)}
    if has_hangul(text):
        names |= {m.form for m in morphology.analyze(text) if m.tag == "NNP"}
    return frozenset(names)


def _replace_korean_people(text: str, morphology: Morphology) -> tuple[str, set[int]]:
    """Return a text with nobody in the place of its Korean words for people, and who.

    "받아들인다" and "이모티콘" name nobody.
    """
    names = [name for name in _LONG_NAMES if name in text]
    if not names:
        return text, set()
    people = set[int]()
    morphemes = morphology.analyze(text)
    starts, ends = {m.start for m in morphemes}, {m.end for m in morphemes}
    for name in names:
        for found in re.finditer(rf"{_ELDER}(?P<name>[외친]?{name}{_SORT})", text):
            start, end = found.start("name"), found.end("name")
            if {found.start(), start} & starts and end in ends:
                people.add(PERSON[name])
                somebody = _SOMEBODY[has_final(name)]
                text = text[:start] + somebody.rjust(end - start) + text[end:]
    return text, people


def normalize_spelling(text: str) -> str:
    """Return a text with words for one person, or thing, written in one way."""
    for spelling, written in _SPELLINGS:
        text = spelling.sub(written, text)
    for other, written in _ALTERNATIVES.items():
        text = text.replace(other, written)
    return text


def extract_terms_and_people(
    text: str, morphology: Morphology
) -> tuple[frozenset[str], frozenset[int]]:
    """Return the words of a text that say something, and whom it names."""
    low = _POSSESSIVE.sub("", normalize_spelling(text.lower()))
    low, people = _replace_korean_people(low, morphology)
    words = _WORD.findall(low)
    words += [m.form for m in morphology.analyze(low)] if has_hangul(low) else []
    for word in words:
        singular = word if word in PERSON else word.removesuffix("s")
        if singular in PERSON:
            people.add(PERSON[singular])
            low = re.sub(rf"\b{re.escape(word)}\b", " ", low)
    named = {stem_word(word) for word in PERSON}
    return extract_terms(low, morphology) - FILLER - named, frozenset(people)
