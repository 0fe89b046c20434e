"""The content words of a text."""

from typing import Final

from gieok.text.english import stem_word
from gieok.text.kiwi import Morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_CONTENT: Final = ("NNG", "NNP", "VV", "VA", "XR", "SN", "NR", "MAG")
_WORD: Final = compile_lazily(r"[a-z]+(?:-[a-z]+)*(?:'[a-z]+)?|\d+")
_EMPTY: Final = _LISTS.get_words("terms.empty") | {""}


def extract_terms(text: str, morphology: Morphology) -> frozenset[str]:
    """Return the content words of a text: Korean morphemes and English stems."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    english = (stem_word(word) for word in words)
    if not has_hangul(text):
        return frozenset(english) - _EMPTY
    korean = (m.form for m in morphology.analyze(text) if m.tag in _CONTENT)
    return frozenset([*korean, *english]) - _EMPTY
