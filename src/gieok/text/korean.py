"""Korean text as content morphemes: particles, endings and empty words removed."""

from dataclasses import dataclass, field

from gieok.text.kiwi import Morph, Morphology, get_shared_morphology
from gieok.text.pattern_file import PatternFile

CONTENT = frozenset({"NNG", "NNP", "NNB", "NR", "VV", "VA", "XR", "MAG", "MM", "IC"})
"""Nouns, verbs, adjectives, roots, adverbs, determiners (Sejong tags)."""

STOPWORDS = PatternFile("gieok.text", "patterns.toml").get_words("korean.stopwords")
"""Morphemes found in so many messages and questions that they tell nothing apart."""


@dataclass(frozen=True, slots=True)
class KiwiTokenizer:
    """Kernel `Tokenizer` of the Korean in a text; everything else is passed over."""

    morphology: Morphology = field(default_factory=get_shared_morphology)

    def terms(self, text: str) -> tuple[str, ...]:
        """Return the content morphemes in order."""
        return tuple(term for _, term in self.locate_terms(text))

    def locate_terms(self, text: str) -> list[tuple[int, str]]:
        """Return the content morphemes with the character each starts at."""
        found: list[tuple[int, str]] = []
        before: Morph | None = None
        for morph in self.morphology.analyze(text):
            term = _derive_term(morph, before)
            if term:
                found.append((morph.start, term))
            before = morph
        return found


def _derive_term(morph: Morph, before: Morph | None) -> str:
    """Return what the morpheme is found by; a counter keeps its number ("3월")."""
    if not has_hangul(morph.form) or morph.tag not in CONTENT:
        return ""
    if before is not None and before.tag == "SN" and morph.tag.startswith("NN"):
        return before.form.replace(",", "") + morph.form
    return "" if morph.form in STOPWORDS else morph.form


def has_hangul(text: str) -> bool:
    """Say whether the text holds a Korean syllable."""
    return any("가" <= letter <= "힣" for letter in text)
