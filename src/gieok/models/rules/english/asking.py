"""Tells which English clauses ask, with or without a sign."""

from collections.abc import Sequence
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.clause import FIRST, THIRD, get_stem
from gieok.models.rules.english.grammar import ARTICLES, PREPOSITIONS, find_verb
from gieok.models.rules.english.tokens import Token
from gieok.models.rules.english.vocabulary import (
    ASKING,
    AUXILIARIES,
    DETERMINERS,
    PERSONS,
)

_PRONOUNS: Final = FIRST | THIRD | {"you", "there"}
_SUBJECTS: Final = ARTICLES - {"every", "no"}
_INDEFINITE: Final = frozenset({"a", "an"})
_OWNING: Final = _SUBJECTS - _INDEFINITE - {"the"}
_DOING: Final = frozenset({"do", "did", "don't", "didn't"})
_BEEN: Final = frozenset({"was", "were", "wasn't", "weren't"})
_OWN: Final = _DOING | _BEEN | {"have", "had", "used", "am", "ain't", "may"}
"""What may as well open a statement without its subject: "had the flu"."""
_INVERTING: Final = AUXILIARIES - _OWN
_DONE: Final = (words.PARTICIPLE, words.PAST)
MAX_SUBJECT: Final = 5
"""Words of a question up to its verb."""


def is_question(tokens: Sequence[Token]) -> bool:
    """Tell whether a clause asks."""
    second = get_stem(tokens[1]) if len(tokens) > 1 else ""
    stated = second in FIRST and find_verb(tokens, 1) is not None
    if tokens[-1].text == "?" or (tokens[0].low in ASKING and not stated):
        return True
    return is_inverted(tokens)


def is_inverted(tokens: Sequence[Token]) -> bool:
    """Tell whether a clause opens with an auxiliary before its subject.

    "Can my dog …" does; "did my nails", "was the cook" leave out who did.
    """
    if len(tokens) < 2 or tokens[0].low not in AUXILIARIES:  # noqa: PLR2004
        return False
    low, second = tokens[0].low, get_stem(tokens[1])
    if second in _PRONOUNS:
        return True
    if second not in _SUBJECTS:
        return False
    if low in _INVERTING:
        return not (low in ("has", "is") and second in _INDEFINITE) and not (
            _is_elided(tokens, low)
        )
    return _has_subject(tokens, low)


def _is_elided(tokens: Sequence[Token], low: str) -> bool:
    """Tell whether "has the flu", "is the head of a school" leave out who."""
    if tokens[-1].text == "?":
        return False
    last = words.get_parts(tokens[-1].low)[0]
    if low == "has":
        return not any(_is_done(token.low) for token in tokens[3:])
    headed = low == "is" and tokens[1].low == "the" and last != words.ADJECTIVE
    return headed and [token.low for token in tokens[3:4]] == ["of"]


def _is_done(low: str) -> bool:
    """Tell whether a word is what somebody has done: "come", "been"."""
    parts = words.get_parts(low)
    return parts[0] in (words.VERB, *_DONE) and not {*_DONE}.isdisjoint(parts)


def _has_subject(tokens: Sequence[Token], low: str) -> bool:
    """Tell whether what stands behind "did" or "was" is their subject."""
    for number in range(2, min(len(tokens), MAX_SUBJECT + 1)):
        before, said = tokens[number - 1].low, tokens[number]
        parts = words.get_parts(said.low)
        if before in PERSONS and low in _BEEN:
            return tokens[1].low in _OWNING and said.low not in PREPOSITIONS
        if before in PERSONS:
            return low in _DOING and words.VERB in parts
        if not said.is_word or said.low in DETERMINERS:
            return False
        closing = number == len(tokens) - 1 and words.NOUN in parts
        if low in _DOING and parts[0] == words.VERB and not closing:
            return True
    return False
