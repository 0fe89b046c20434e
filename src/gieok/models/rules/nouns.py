"""The nouns of a text, in their own form."""

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.models.rules import lexicon as lx
from gieok.text.english import STOPWORDS
from gieok.text.kiwi import Morph
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_WORD: Final = compile_lazily(r"[A-Za-z]+(?:[-'’][A-Za-z]+)*")
_SHORTEST: Final = 3  # letters of an English topic
_BARE: Final = 0.3  # what a word counts that no article or preposition announces
BEFORE_NOUNS: Final = _LISTS.get_words("nouns.before_nouns")
_EMPTY_KO: Final = _LISTS.get_words("nouns.empty_ko")
_EMPTY_EN: Final = (
    STOPWORDS
    | lx.PASSING_EN
    | lx.FUTURE_EN
    | lx.TASTE_EN
    | lx.CHANGE_EN
    | lx.SAME_EN
    | lx.HABIT_EN
    | lx.HEARSAY_EN
    | lx.NEGATION_EN
    | lx.IMPERATIVE_EN
    | lx.AUXILIARY_EN
    | lx.ME_EN
    | _LISTS.get_words("nouns.empty_en")
)


def extract_nouns(text: str, morphemes: Sequence[Morph]) -> Iterator[tuple[str, float]]:
    """Yield the nouns of a text with the share of certainty that they are some."""
    yield from ((noun, 1.0) for noun in _extract_korean_nouns(morphemes))
    before = ""
    for number, match in enumerate(_WORD.finditer(text)):
        word = match[0].replace("’", "'")
        if _is_topic(word):
            named = word[0].isupper() and number > 0
            yield word, 1.0 if named or before in BEFORE_NOUNS else _BARE
        before = _select_announcer(before, word.lower())


def _select_announcer(before: str, word: str) -> str:
    """Return what announces the next word: "a" still does in "a big interview"."""
    describes = word in _EMPTY_EN and word not in STOPWORDS
    return before if describes and before in BEFORE_NOUNS else word


def _is_topic(word: str) -> bool:
    low = word.lower()
    return len(word) >= _SHORTEST and "'" not in word and low not in _EMPTY_EN


def _extract_korean_nouns(morphemes: Sequence[Morph]) -> Iterator[str]:
    """Yield the nouns; those written in one word are one.

    What makes an adjective ("중요한") is none.
    """
    noun, end = "", -1
    for morph in (*morphemes, Morph("", "", -1, 0)):
        if noun and morph.tag in _NOUN_TAGS and morph.start == end:
            noun, end = noun + morph.form, morph.end
            continue
        describes = morph.tag.startswith("XSA") and morph.start == end
        if len(noun) > 1 and noun not in _EMPTY_KO and not describes:
            yield noun
        noun = morph.form if morph.tag in _NOUN_TAGS[:2] else ""
        end = morph.end


_NOUN_TAGS: Final = ("NNG", "NNP", "XSN")
