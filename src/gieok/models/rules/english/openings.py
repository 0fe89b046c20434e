"""Drops what talk opens and closes with: "oh well, … you know"."""

from collections.abc import Sequence
from typing import Final

from gieok.models.rules.english.clause import FIRST, THIRD, get_stem
from gieok.models.rules.english.tokens import Token, split_tokens
from gieok.models.rules.english.vocabulary import INTERJECTIONS, PERSONS
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

_FILLERS: Final = _LISTS.get_words("opening.fillers")
_PHRASES: Final = _LISTS.compile_list("opening.phrases")
_CLOSERS: Final = _LISTS.compile_list("opening.closers")
_OPENERS: Final = FIRST | THIRD | _LISTS.get_words("opening.before_clause")
LONGEST_CLOSER: Final = 80
"""Characters at the end of a text in which a closer is looked for."""
_SIGNS: Final = " ,;:-–—"


def trim_fillers(text: str) -> str:
    """Return a text without the small words that it opens and closes with."""
    before = None
    while before != text:
        before = text
        text = _PHRASES.sub("", text.strip(_SIGNS + "."))
        head, _, rest = text.partition(" ")
        if rest and _is_filler(head, rest):
            text = rest.strip(_SIGNS + ".!")
    return trim_closers(text).strip(_SIGNS)


def trim_closers(text: str) -> str:
    """Return a text without the small words that it closes with: ", as you know"."""
    before = None
    while before != text:
        before = text
        start = max(0, len(text) - LONGEST_CLOSER)
        text = text[:start] + _CLOSERS.sub("", text[start:]) or text
    return text


def _is_filler(head: str, rest: str) -> bool:
    """Tell whether a text's first word says nothing."""
    word = head.strip(".,!…-–—;:").lower()
    if word in INTERJECTIONS:
        return True
    following = split_tokens(rest)[:1]
    opens = bool(following) and get_stem(following[0]) in _OPENERS
    return word in _FILLERS and (opens or head[-1:] in ".,!…-;:")


def drop_vocative(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return "daddy I'm a leprechaun" without whom it is said to."""
    place = 1 if tokens[0].low == "dear" else 0
    if len(tokens) < place + 3 or tokens[place].low not in PERSONS:
        return tokens
    place += 2 if tokens[place + 1].text == "," else 1
    return tokens[place:] if get_stem(tokens[place]) in FIRST | {"my"} else tokens
