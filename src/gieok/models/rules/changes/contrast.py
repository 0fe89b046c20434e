"""Whether two near sentences differ in a word that matters, however close they are.

Vectors of a swim on Mondays and one on Tuesdays, or of a son and a daughter of seven,
are closer than those of many paraphrases. What tells them apart are the content words
that only one of two sentences has. A detail (a noun, an adjective, an adverb) that
stands against another detail, or against nothing, makes another fact of it. A verb may
stand against a verb or a noun ("live", "home"), if the sentences are about the same
part of a person's life. Nor is it one fact what is so of the user and of their wife,
of one name and of another, of ten and of eleven.

Of `tests/corpora/same`, near vectors alone make one of 46 of 90 pairs of other facts
and of 86 of 90 wordings of one fact; with this it is 10 and 77 (of the 30 and 30 held
out 19 and 30, and 6 and 27).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from gieok.kernel.language import Vectors
from gieok.models.figures import extract_claimed_numbers
from gieok.models.rules.slots import SlotModels
from gieok.text.english import stem_word
from gieok.text.kiwi import Morph, Morphology
from gieok.text.korean import STOPWORDS, has_hangul
from gieok.text.patterns import compile_lazily
from gieok.text.relatives import extract_relatives

MIN_AGREEMENT: Final = 0.4
"""How far two sentences are about the same slot if their verbs say the same."""
NEAR_VERBS: Final = 0.975
"""Cosine from which different verbs may say the same."""
_DETAILS: Final = frozenset({"NNG", "NNP", "NR", "XR", "SL", "VA", "MM", "MAG"})
_VERBS: Final = frozenset({"VV"})
_SHORTEST_STEM: Final = 2
_WORD: Final = compile_lazily(r"[a-z]+")
_NAME: Final = compile_lazily(r"(?<=[a-z,;] )[A-Z][a-z]+")


class ContentWords(NamedTuple):
    """The content words of a sentence; all English ones count as verbs."""

    details: frozenset[str]
    verbs: frozenset[str]

    def subtract(self, other: "ContentWords") -> "ContentWords":
        """Return those that the other sentence does not have in any form."""
        have = other.details | other.verbs
        return ContentWords(
            frozenset(word for word in self.details if not _has(have, word)),
            frozenset(word for word in self.verbs if not _has(have, word)),
        )

    def __bool__(self) -> bool:
        """Tell whether there are any."""
        return bool(self.details or self.verbs)


@dataclass(frozen=True, slots=True)
class Contrast:
    """Tells other facts from other wordings of one."""

    morphology: Morphology
    slots: SlotModels

    def __call__(self, texts: tuple[str, str], vectors: Vectors) -> bool:
        """Tell whether two near sentences state different facts.

        `vectors` are theirs by the bundled embedder, one row each.
        """
        people, others = (extract_relatives(each, self.morphology) for each in texts)
        if people != others or _has_other_names(*texts) or _has_other_numbers(*texts):
            return True
        one, other = (self._extract_words(text) for text in texts)
        only_one, only_other = one.subtract(other), other.subtract(one)
        if not (only_one or only_other):
            return False
        if _is_distinct(only_one, only_other) or _is_distinct(only_other, only_one):
            return True
        if only_one.verbs and only_other.verbs and vectors[0] @ vectors[1] < NEAR_VERBS:
            return True
        return self.slots.measure_likeness(vectors) < MIN_AGREEMENT

    def _extract_words(self, text: str) -> ContentWords:
        if has_hangul(text):
            return _extract_korean(self.morphology.analyze(text))
        stems = {stem_word(word) for word in _WORD.findall(text.lower())}
        return ContentWords(frozenset(), frozenset(stems - {""}))


def _has_other_names(one: str, other: str) -> bool:
    """Tell whether either of two English sentences names what the other does not."""
    names, others = (frozenset(_NAME.findall(each)) for each in (one, other))
    return bool(names - others) and bool(others - names)


def _has_other_numbers(one: str, other: str) -> bool:
    """Tell whether each of two sentences says a number that the other does not.

    In digits or words: "열 살", "열한 살".
    """
    numbers, others = (extract_claimed_numbers(each) for each in (one, other))
    return bool(numbers - others) and bool(others - numbers)


def _is_distinct(only: ContentWords, against: ContentWords) -> bool:
    """Tell whether a detail stands against another, or against nothing."""
    return bool(only.details) and (bool(against.details) or not against.verbs)


def _extract_korean(morphs: Sequence[Morph]) -> ContentWords:
    details: set[str] = set()
    verbs: set[str] = set()
    for morph, after in zip(morphs, [*morphs[1:], None], strict=True):
        if morph.form in STOPWORDS:
            continue
        if morph.tag in _VERBS or (after and after.tag.startswith(("XSV", "XSA"))):
            verbs.add(morph.form)
        elif morph.tag in _DETAILS:
            details.add(morph.form)
    return ContentWords(frozenset(details), frozenset(verbs))


def _has(words: Collection[str], word: str) -> bool:
    """Tell whether a word is there, or one of which the other is the beginning."""
    if word in words:
        return True
    return any(
        min(len(word), len(each)) >= _SHORTEST_STEM
        and (each.startswith(word) or word.startswith(each))
        for each in words
    )
