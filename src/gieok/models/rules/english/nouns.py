"""Which words of an English text stand where a verb or an adjective stands.

No dictionary says what "cried", "ill" or "running" is; the few words that only grammar
is made of do. After a subject, an auxiliary or "to" stands what is done or how one is;
after an article, a possessive or a preposition a noun.
"""

from itertools import pairwise
from typing import Final, NamedTuple

from gieok.models.rules import lexicon as lx
from gieok.text.english import STOPWORDS
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_TOKEN: Final = compile_lazily(r"[a-z]+(?:[-'][a-z]+)*|[.,;:!?]")
_SUBJECTS: Final = _LISTS.get_words("english_nouns.subjects")
_HAVING: Final = _LISTS.get_words("english_nouns.having")
_AUXILIARIES: Final = lx.AUXILIARY_EN - _HAVING | _LISTS.get_words(
    "english_nouns.auxiliaries"
)
_ARTICLES: Final = _LISTS.get_words("english_nouns.articles")
_DETERMINERS: Final = _ARTICLES | _LISTS.get_words("english_nouns.determiners")
_OBJECTS: Final = _LISTS.get_words("english_nouns.objects")
_PREPOSITIONS: Final = _LISTS.get_words("english_nouns.prepositions")
_JOINING: Final = _LISTS.get_words("english_nouns.joining")
_GRAMMAR: Final = STOPWORDS | _SUBJECTS | _AUXILIARIES | _PREPOSITIONS | _JOINING


class _Word(NamedTuple):
    text: str
    after: str
    follows_noun: bool


def find_non_nouns(text: str) -> frozenset[str]:
    """Return the words, in lower case, that stand nowhere in a text as a noun.

    A word that stands once as a noun and once as a verb is a noun.
    """
    nouns: set[str] = set()
    others: set[str] = set()
    words = _TOKEN.findall(text.lower().replace("’", "'"))
    place, before, adjoins = "", "", False
    for written, after in pairwise([*words, ""]):
        if written in _GRAMMAR or not written[0].isalpha():
            place = _derive_place(written, place, before)
            adjoins = False
            continue
        word = _Word(written, after, adjoins and before == "noun")
        is_noun = _is_noun(word, place)
        (nouns if is_noun else others).add(written)
        place = "noun" if is_noun and place == "noun" else "object"
        before, adjoins = "noun" if is_noun else "verb", True
    return frozenset(others - nouns)


def _derive_place(word: str, place: str, before: str) -> str:
    """Return what may stand after a word of grammar: "verb", "noun" or "object"."""
    if word in _JOINING:
        return "verb" if before == "verb" else place
    if word in _OBJECTS and place != "verb" and before == "verb":
        return "object"
    if word in _SUBJECTS or word in _AUXILIARIES:
        return "verb"
    if word in _DETERMINERS or word in _PREPOSITIONS:
        return "noun"
    if word in _HAVING:
        return "object"
    return place if word in STOPWORDS else ""


def _is_noun(word: _Word, place: str) -> bool:
    """Tell whether a word may be a noun where it stands."""
    if place == "verb" or (not place and word.text.endswith("ing")):
        return False
    if place and (word.after in _ARTICLES or word.after in _OBJECTS):
        return False  # "learning the piano", "my boss hates me"
    if word.follows_noun and word.text.endswith("s") and word.after in _PREPOSITIONS:
        return False  # "my sister lives in"
    if place == "noun" and not word.follows_noun:
        return True
    return not word.text.endswith(("ed", "ly"))
