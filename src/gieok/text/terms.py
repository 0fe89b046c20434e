"""The tokenizer of recall: Korean morphemes and English stems, also in one text."""

from dataclasses import dataclass, field

from gieok.text.cleaning import normalize_unicode
from gieok.text.english import stem_word
from gieok.text.korean import KiwiTokenizer, has_hangul
from gieok.text.patterns import compile_lazily

_LONGEST = 20_000
"""Characters read at most; a longer message is found by its beginning."""
_LONGEST_TERM = 64
"""Characters of one term; longer runs are noise such as base64."""
_HANGUL = compile_lazily("[가-힣ㄱ-ㅣ]+")
_NUMBER = compile_lazily(r"\d+(?:[.,]\d+)*")
_WORD = compile_lazily(r"[^\W\d_]+(?:['’][^\W\d_]+)?|" + _NUMBER.pattern)


@dataclass(frozen=True, slots=True)
class MixedTokenizer:
    """Kernel `Tokenizer` of any text; Kiwi is loaded only once Hangul arrives."""

    korean: KiwiTokenizer = field(default_factory=KiwiTokenizer)

    def terms(self, text: str) -> tuple[str, ...]:
        """Return Korean morphemes, English stems and numbers in order of the text."""
        clean = normalize_unicode(text[:_LONGEST])
        found = [
            (match.start(), term)
            for match in _WORD.finditer(clean)
            if (term := _derive_term(match.group()))
        ]
        if has_hangul(clean):
            found = sorted(found + self.korean.locate_terms(clean), key=_get_place)
        return tuple(term[:_LONGEST_TERM] for _, term in found)


def _get_place(found: tuple[int, str]) -> int:
    return found[0]


def _derive_term(word: str) -> str:
    """Return the term of a word without Hangul: a number or a stem."""
    if _NUMBER.fullmatch(word):
        return word.replace(",", "").lstrip("0") or "0"
    letters = _HANGUL.sub("", word.lower())
    if letters.endswith(("n't", "n’t")):  # never content, and "won" would be
        return ""
    bare = letters.partition("'")[0].partition("’")[0]
    return stem_word(bare) if bare else ""
