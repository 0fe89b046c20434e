"""Reads English in capitals as if it were said in a usual voice.

"PASSED MY DRIVING TEST!!!! 4th time lucky" says what "passed my driving test" does, and
the encoders, which learned from talk in small letters, doubt it.
"""

import re
from typing import Final

from gieok.models.rules.english import words
from gieok.text.patterns import compile_lazily

MIN_IN_ROW: Final = 3
"""Words in capitals, one after another, from which all of them are shouted."""
SHORTEST_NOUN: Final = 5
"""Letters of a noun that is not an abbreviation: "AIDS" is one, "BIRTHDAY" is not."""
SHORTEST: Final = 3
"""Letters of another word that is none: "NOT", while "US" and "IT" are."""
_SHOUTED: Final = compile_lazily(r"\b[A-Z][A-Z'’]+\b")
_ROW: Final = compile_lazily(
    r"\b[A-Z][A-Z'’]*(?:[ ,]+(?:[A-Z][A-Z'’]*|\d+)\b)+(?![A-Z'’]*[a-z])"
)
_IT: Final = compile_lazily(r"\b([A-Z]{3,}) IT\b(?! (?:AT|FOR|IN)\b)")
_TRADED: Final = frozenset(
    {"teach", "learn", "study", "manage", "lead", "run", "support"}
)
"""Verbs behind which IT is the trade."""
_LOWERED: Final = compile_lazily(r"\b(?:A|(?=[A-Z'’]*[AEIOUY])[A-Z][A-Z'’]+)\b")
"""In a row: all but "I" and what has no vowel, as "NHS"."""


def restore_small_letters(text: str) -> str:
    """Return the text with what is shouted in small letters, but for abbreviations."""
    if text.islower():
        return text
    told = _IT.sub(_convert_it, _ROW.sub(_convert_row, text))
    return _SHOUTED.sub(_convert_word, told)


def _convert_it(said: re.Match[str]) -> str:
    """Return "GOT IT" in small letters: behind a verb it is no trade."""
    low = said[1].lower()
    acts = words.get_parts(low)[0] in (words.VERB, words.PAST) and low not in _TRADED
    return said[0].lower() if acts and words.is_known(low) else said[0]


def _convert_row(row: re.Match[str]) -> str:
    found = _SHOUTED.findall(row[0])
    if len(row[0].split()) < MIN_IN_ROW or not any(map(_is_plain_word, found)):
        return row[0]
    return _LOWERED.sub(lambda word: word[0].lower(), row[0])


def _convert_word(word: re.Match[str]) -> str:
    return word[0].lower() if _is_plain_word(word[0]) else word[0]


def _is_plain_word(word: str) -> bool:
    """Tell whether a word in capitals is a word of English and no abbreviation."""
    low = word.lower().replace("’", "'")
    if not words.is_known(low):
        return False
    is_noun = words.get_parts(low)[0] == words.NOUN
    return len(low) >= (SHORTEST_NOUN if is_noun else SHORTEST)
