"""States what somebody says of themselves in words that are no sentence.

"Arsenal fan" becomes "I'm an Arsenal fan", "nut allergy" "I have a nut allergy", "from
Leeds originally" "I'm from Leeds originally", "brother in the navy" "my brother is in
the navy". Which nouns say what somebody is or has is data (`patterns.toml`).
"""

from collections.abc import Sequence
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.articles import select_article
from gieok.models.rules.english.grammar import PREPOSITIONS, TIMES
from gieok.models.rules.english.tokens import Token, join_tokens, split_tokens
from gieok.models.rules.english.vocabulary import (
    ADJECTIVES,
    DETERMINERS,
    OCCUPATIONS,
    PERSONS,
    SEVERAL_PERSONS,
)
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

_SELF: Final = _LISTS.get_words("description.self")
_HAD: Final = _LISTS.get_words("description.had")
_COUNTED: Final = _LISTS.get_words("description.counted")
_STATES: Final = _LISTS.compile_list("description.states")
_CLOSING: Final = _LISTS.compile_list("description.closing")
_OCCUPATIONS: Final = tuple(OCCUPATIONS)
_LIMITING: Final = frozenset({"and", "or", "but", "now", "since", "who", "with"})
_PLACING: Final = frozenset({"in", "at", "on", "from", "near", "with"})
MAX_NAMED: Final = 5
"""Words that name what somebody is."""


def render_description(text: str) -> str | None:
    """Return words without a verb as what the user, or one of theirs, is or has."""
    plain = _CLOSING.sub("", text)
    tokens = split_tokens(plain)
    if not tokens:
        return None
    if _STATES.match(plain):
        return f"I'm {_convert_first(plain)}"
    return _render_relative(tokens) or _render_noun(plain, tokens)


def _render_relative(tokens: Sequence[Token]) -> str | None:
    """Return "brother in the navy", or "wife pregnant", with its verb."""
    if len(tokens) == 1 or tokens[0].low not in PERSONS:
        return None
    after = tokens[1].low
    if after not in _PLACING | ADJECTIVES and not after.isdigit():
        return None
    return f"my {tokens[0].low} is {join_tokens(tokens[1:])}"


def _render_noun(text: str, tokens: Sequence[Token]) -> str | None:
    """Return a noun with what stands around it as what the user is or has."""
    named = _find_name(tokens)
    opening = tokens[0].low
    counted = opening in _COUNTED or opening.isdigit()
    inner = {token.low for token in named[1:]}
    if not named or not inner.isdisjoint(DETERMINERS):
        return None
    if opening in DETERMINERS and not counted:
        return None
    noun, said = named[-1].low, _convert_first(text)
    article = "" if counted or opening in ("a", "an") else f"{select_article(said)} "
    if counted and (noun in PERSONS | SEVERAL_PERSONS | _HAD):
        return f"I have {said}"
    if noun in _HAD:
        single = noun.endswith(("y", "phobia", "disorder", "condition", "intolerance"))
        return f"I have {article if single and len(named) > 1 else ''}{said}"
    being = noun in _SELF or (noun.endswith(_OCCUPATIONS) and len(noun) > len("ist"))
    if not being or counted or _is_appointment(tokens[len(named) :]):
        return None
    return f"I'm {article}{said}"


def _is_appointment(rest: Sequence[Token]) -> bool:
    """Tell whether a time stands after somebody's work: "dentist friday at 4"."""
    lows = [token.low for token in rest]
    return not {"since", "for"}.intersection(lows) and not TIMES.isdisjoint(lows)


def _find_name(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the words up to the first that only says more of them."""
    for number, token in enumerate(tokens[: MAX_NAMED + 1]):
        low = token.low
        timed = low in TIMES and number > 0
        if not token.is_word or low in PREPOSITIONS | _LIMITING or timed:
            return tokens[:number]
    return tokens if len(tokens) <= MAX_NAMED else ()


def _convert_first(text: str) -> str:
    """Return words as they stand inside a sentence, names with their capital."""
    head = text.partition(" ")[0].strip(",.").lower()
    small = words.is_known(head) and not text[:2].isupper()
    return text[:1].lower() + text[1:] if small else text
