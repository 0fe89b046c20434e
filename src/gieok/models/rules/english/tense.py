"""Of what time an English clause tells, by the finite verb that goes with some day."""

import re
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.grammar import is_finite
from gieok.models.rules.english.tokens import Token, split_tokens
from gieok.models.rules.english.vocabulary import DETERMINERS
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

READ_ASIDE: Final = 200
"""Characters that are read before and behind a day, however long the text."""
_ARRANGING: Final = _LISTS.get_words("dates.en_arranging")
"""Verbs whose past still speaks of what is ahead: "booked a haircut"."""
_DIRECTING: Final = _LISTS.get_words("dates.en_directing")
"""Verbs whose past leaves open when what they lead to is: "told me to come back"."""
_AHEAD: Final = _LISTS.get_words("dates.en_ahead")
_PAST: Final = _LISTS.get_words("dates.en_past")
_BE: Final = frozenset({"is", "are", "am", "isn't", "aren't", "ain't"})
_HAVE: Final = frozenset({"have", "has", "haven't", "hasn't"})
_CONTRACTED: Final = {"'s": "is", "'re": "are", "'m": "am", "'ve": "have"}
_CONDITIONAL: Final = "'d"
_WILL: Final = "'ll"
_COMPOUND_REACH: Final = 2
"""Words before a participle among which "is" makes it a state: "is always closed"."""
_INDEFINITE: Final = frozenset({"a", "an", "another"})
_JOINTS: Final = frozenset({"and", "but", "then", ","})
_CLAUSE_END: Final = compile_lazily(
    r"(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bmrs)(?<!\bst)(?<!\.m)\.(?=\s|$)|[!?;:\n“”\"—–]",
    re.IGNORECASE,
)
_BREAK: Final = compile_lazily(r", |\b(?:and|but|so|because|who|which)\b")
_ADVERBIAL: Final = frozenset({"not", "just", "only", "all", "both"})


class Tense(Enum):
    """Of what time a clause tells."""

    PAST = auto()
    PRESENT = auto()
    """What is so, perhaps again and again: "goes", "has", "is on Friday"."""
    AHEAD = auto()
    """What will be, is to be or is being done: "is flying", "has to go"."""
    UNTOLD = auto()
    """No verb tells it."""
    UNSURE = auto()
    """The verb leaves it open."""


def read_tense(before: str, after: str) -> Tense:
    """Return of what time the clause tells that has a day between some words.

    It is the last finite verb before the day which tells it, or the first one behind a
    day that stands before its verb.
    """
    before, after = (text.replace("’", "'") for text in _find_sentence(before, after))
    own = split_tokens(before)
    for place in range(len(own) - 1, -1, -1):
        if _is_verb(own, place):
            return _read_verb(own[place:])
    fronted = not any(each.is_word and each.low not in _JOINTS for each in own)
    opening = after.lstrip(" ,") if fronted else after
    rest = (*own, Token("day"), *split_tokens(_BREAK.split(opening)[0]))
    for place in range(len(own) + 1, len(rest)):
        if _is_verb(rest, place):
            return _read_verb(rest[place:])
    return Tense.UNTOLD


def _find_sentence(before: str, after: str) -> tuple[str, str]:
    """Return what the sentence of some words says before and behind them."""
    near, behind = before[-READ_ASIDE:], after[:READ_ASIDE]
    return _CLAUSE_END.split(near)[-1], _CLAUSE_END.split(behind)[0]


def _is_verb(tokens: Sequence[Token], place: int) -> bool:
    """Tell whether a word is a finite verb, be it without its subject.

    "Lost my job", "and broke her hip" have none; "the user put" is of the past.
    """
    before = tokens[place - 1].low if place else ""
    parts = words.get_parts(tokens[place].low)
    if _can_be_state(parts) and _is_compound(tokens, place):
        return False
    if is_finite(tokens, place):
        return True
    if before in _JOINTS:
        return parts[0] in (words.PAST, words.THIRD)
    if before == "user":
        return words.THIRD in parts or words.PAST in parts
    return (
        words.PAST in parts
        and not before
        and parts[0] in (words.PAST, words.PARTICIPLE)
    )


def _can_be_state(parts: str) -> bool:
    """Tell whether a word may be a participle: "is closed"."""
    return words.PARTICIPLE in parts or words.ADJECTIVE in parts


def _is_compound(tokens: Sequence[Token], participle: int) -> bool:
    """Tell whether "is" or "has" stands just before a participle, or "getting"."""
    return any(
        tokens[place].low == "getting"
        or (_get_auxiliary(tokens[place].low) and is_finite(tokens, place))
        for place in range(max(0, participle - _COMPOUND_REACH), participle)
    )


def _get_auxiliary(low: str) -> str:
    """Return "is", "has" or the like for what may be one, be it contracted."""
    stem, sign, ending = low.rpartition("'")
    verb = _CONTRACTED.get(sign + ending, low) if stem else low
    return verb if verb in _BE | _HAVE else ""


def _read_verb(tokens: Sequence[Token]) -> Tense:
    """Return of what time a finite verb tells, with what follows it up to the day."""
    low, rest = tokens[0].low, tokens[1:]
    verb = _get_auxiliary(low) or low
    while rest and _is_adverb(rest[0].low):
        rest = rest[1:]
    after = rest[0].low if rest else ""
    if verb in _BE:
        return _read_being(rest, contracted=verb != low)
    if verb in _HAVE:
        return _read_having(rest)
    if low.endswith(_CONDITIONAL):
        is_over = words.get_parts(after)[0] in (words.PAST, words.PARTICIPLE)
        return Tense.PAST if is_over else Tense.AHEAD
    if verb in _AHEAD or verb.endswith(_WILL):
        is_over = after == "have" or (verb == "could" and _is_denied(tokens))
        return Tense.PAST if is_over else Tense.AHEAD
    if verb == "wouldn't" or (verb == "would" and _is_denied(tokens)):
        return Tense.UNSURE
    return _read_full_verb(verb, rest)


def _is_adverb(low: str) -> bool:
    return low in _ADVERBIAL or words.get_parts(low)[0] == words.ADVERB


def _is_denied(tokens: Sequence[Token]) -> bool:
    return any(each.low == "not" for each in tokens[1:2])


def _read_being(rest: Sequence[Token], *, contracted: bool) -> Tense:
    """Return it of "is"; "mum's had a fall" and "mum's broken her hip" are over."""
    after = rest[0].low if rest else ""
    if after in ("got", "to"):
        return _read_having(rest)
    parts = words.get_parts(after)
    if contracted and parts[0] in (words.PAST, words.PARTICIPLE):
        objective = any(each.low in DETERMINERS for each in rest[1:2])
        if objective or not _can_be_state(parts):
            return _read_past(rest)
    if after == "been":
        return Tense.PAST
    return Tense.PRESENT if _is_time(rest) else Tense.AHEAD


def _is_time(rest: Sequence[Token]) -> bool:
    """Tell whether only an hour stands between "is" and the day, if anything."""
    return not rest or (
        rest[0].low in ("at", "from") and any(each.text[0].isdigit() for each in rest)
    )


def _read_having(rest: Sequence[Token]) -> Tense:
    """Return it of "has": "has to go", "has gone", "has a scan", "has physio"."""
    got = bool(rest) and rest[0].low == "got"
    rest = rest[1:] if got else rest
    after = rest[0].low if rest else ""
    if after == "to" or after in _INDEFINITE:
        return Tense.AHEAD
    if not got and _is_participle(after):
        return _read_past(rest)
    return Tense.PRESENT


def _is_participle(low: str) -> bool:
    parts = words.get_parts(low)
    can_be = words.PARTICIPLE in parts or words.PAST in parts
    return can_be and parts[0] not in (words.NOUN, words.ADJECTIVE)


def _read_full_verb(verb: str, rest: Sequence[Token]) -> Tense:
    """Return it of any other verb; "put" is one of the past, where it may be one."""
    if verb in _PAST or words.PAST in words.get_parts(verb):
        return _read_past((Token(verb), *rest))
    return Tense.PRESENT


def _read_past(tokens: Sequence[Token]) -> Tense:
    """Return it of a verb of the past with what follows it."""
    spoken = [each.low for each in tokens]
    if any(word in _ARRANGING for word in spoken):
        return Tense.AHEAD
    leading = any(word in _DIRECTING for word in spoken) and "to" in spoken
    return Tense.UNSURE if leading else Tense.PAST
