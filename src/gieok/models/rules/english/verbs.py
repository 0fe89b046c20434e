"""Puts English verbs in the third person: "live" is "lives", "went" stays."""

from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.vocabulary import AUXILIARIES, FIXED_VERBS
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")
PRESENT: Final = _LISTS.get_spellings("verb.present")
NEGATED: Final = _LISTS.get_spellings("verb.negated")
_IRREGULAR: Final = {
    "am": "is", "have": "has", "haven't": "hasn't", "do": "does", "don't": "doesn't",
    "dont": "doesn't", "were": "was", "are": "is", "ain't": "isn't", "havent": "hasn't",
    "cant": "can't", "didnt": "didn't", "gonna": "is going to", "wanna": "wants to",
}  # fmt: skip
_SIBILANT: Final = ("s", "sh", "ch", "x", "z", "o")
_PRESENT_TOO: Final = frozenset(
    {"read", "come", "run", "become", "rent", "feed", "weed", "fit", "plead"}
)
"""What looks like the past of a verb and mostly is none: "I rent a room"."""


def conjugate_verb(verb: str) -> str:
    """Return the third person of a verb in the first: live → lives, went → went."""
    low = verb.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    past = low.endswith("ed") and not low.endswith("eed")
    if low in FIXED_VERBS or past:
        return verb
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if low.endswith(_SIBILANT) else "s")


def conjugate_word(verb: str, after: str = "") -> str:
    """Return the third person of a verb in the first."""
    low = verb.lower()
    if low == "were" and after:
        return "was"
    if low in PRESENT:
        return PRESENT[low]
    if low in NEGATED:
        return NEGATED[low]
    parts = words.get_parts(low)
    past = words.PAST in parts and low not in _PRESENT_TOO
    if low in FIXED_VERBS or past or low in AUXILIARIES:
        return verb
    if words.VERB not in parts and words.THIRD in parts:
        return verb
    return conjugate_verb(verb)


def resolve_aint(after: str) -> str:
    """Return what "ain't" stands for before a word: "has not seen", "is not sure"."""
    parts = words.get_parts(after)
    perfect = after in ("got", "been", "ate", "had") or words.PARTICIPLE in parts[:2]
    return "has not" if perfect else "is not"
