"""Tells orders, wishes and polite questions as what the user wants of the assistant."""

import re
from collections.abc import Sequence
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.clause import ClauseKind, EnglishClause, rewrite
from gieok.models.rules.english.grammar import OBJECTS, PREPOSITIONS, TIMES
from gieok.models.rules.english.tokens import Token, join_tokens, split_tokens
from gieok.models.rules.english.vocabulary import (
    AUXILIARIES,
    DETERMINERS,
    HABITS,
    LIVED,
    ORDERS,
    STATES,
    SURE_ORDERS,
)
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

_POLITE: Final = _LISTS.get_words("order.polite")
_LEAD: Final = _LISTS.compile_list("order.lead")
_ASKED: Final = compile_lazily(
    r"^(?:can|could|would|will) you (?:please |kindly |just )?(.+)$", re.IGNORECASE
)
_CALLED: Final = compile_lazily(
    r"^(?:\w+ )?(?:you (?:can|may|could)|just) (call me .+)$", re.IGNORECASE
)
_SUGGESTED: Final = compile_lazily(r"^(?:can|could|shall|may) we (.+)$", re.IGNORECASE)
_FROM_NOW: Final = _LISTS.compile_list("order.from_now")
_ASSISTANT: Final = compile_lazily(r"\bthe assistant('s)?(?= )")
_ASKING: Final = frozenset({"please", "kindly"})
_EMPHATIC: Final = frozenset({"ever", "always", "just", "even"})
_FOLLOWING: Final = DETERMINERS | PREPOSITIONS | OBJECTS | TIMES | {"us", "", "to"}
_LOOSE: Final = (words.ADVERB, words.ADJECTIVE, words.GERUND, words.NOUN)
_DENIED_VERBS: Final = frozenset({"do", "trust", "own", "attend", "celebrate"})
AFTER_START: Final = (PREPOSITIONS - {"with"}) | TIMES | {"work", "school", "college"}
"""What follows "start" where the user does it themselves: "start in January"."""
_REPLY_FORMS: Final = _LISTS.get_words("order.shown")
_OF_ONESELF: Final = frozenset(
    {"myself", "living", "badly", "easily", "poorly", "terribly"}
)
_ORDERED_STATES: Final = frozenset({"play", "speak", "keep", "run", "eat", "use"})


def render_request(tokens: Sequence[Token]) -> EnglishClause | None:
    """'Can you speak slower?', 'can we meet at nine?'."""
    bare = join_tokens(tokens).rstrip(" ?!.")
    if match := _ASKED.match(bare):
        return _render_wish(split_tokens(match[1]), denied=False)
    if match := _CALLED.match(bare):
        return _render_wish(split_tokens(match[1]), denied=False)
    if match := _SUGGESTED.match(bare):
        rest = rewrite(split_tokens(match[1]), is_user=True)
        return EnglishClause(f"The user would like to {rest}", is_user=True)
    return None


def is_asking_for_good(text: str) -> bool:
    """Tell whether a polite question orders for good: 'can we … from now on?'."""
    polite = _ASKED.match(text) or _SUGGESTED.match(text)
    return bool(polite and _FROM_NOW.search(text))


def render_order(tokens: Sequence[Token]) -> EnglishClause | None:
    """'call me Al', 'please don't ever suggest mushrooms'."""
    said = list(split_tokens(_LEAD.sub("", join_tokens(tokens))))
    rest = [token for token in said if token.low not in _ASKING]
    polite = len(rest) < len(said)
    while rest and rest[0].low in _POLITE:
        rest = rest[1:]
    denied, always, rest = _split_negation(rest)
    if not rest or not _is_ordered(rest, denied=denied, always=always, polite=polite):
        return None
    return _render_wish([Token("always"), *rest] if always else rest, denied=denied)


def _split_negation(tokens: list[Token]) -> tuple[bool, bool, list[Token]]:
    """Return whether an order forbids, whether it is for always, and the rest."""
    lows = [token.low for token in tokens[:2]]
    denied = lows[:1] in (["don't"], ["never"]) or lows == ["do", "not"]
    always = lows[:1] == ["always"]
    rest = tokens[1 + (lows == ["do", "not"]) :] if denied else tokens
    while rest and rest[0].low in _EMPHATIC:
        rest = rest[1:]
    return denied, always, rest


def _is_ordered(
    rest: Sequence[Token], *, denied: bool, always: bool, polite: bool
) -> bool:
    """Tell whether words that open with a verb order something.

    "Love my job" states something, and so does "swim every day".
    """
    low = rest[0].low
    unknown = denied and not words.is_known(low)
    verbal = unknown or words.can_be(low, words.VERB)
    verbal = verbal and low not in AUXILIARIES - {"do"}
    states = low in STATES and low not in _ORDERED_STATES
    habitual = is_habit(rest) and low not in SURE_ORDERS and not (denied or polite)
    after = rest[1].low if len(rest) > 1 else ""
    if low == "be" and (after in DETERMINERS or after[:1].isdigit()):
        return False  # "be six years in June"
    lived = low in LIVED and not polite
    if not verbal or (states and not always) or habitual or lived:
        return False
    if _is_denied_of_oneself(rest, denied=denied, polite=polite):
        return False
    if denied or always:
        return True
    return polite or _is_order_by_itself(rest)


def _is_denied_of_oneself(rest: Sequence[Token], *, denied: bool, polite: bool) -> bool:
    """Tell whether somebody denies something of themselves: "don't do prawns"."""
    lows = [token.low for token in rest]
    if not denied or polite or lows[0] not in _DENIED_VERBS or "me" in lows:
        return False
    after = lows[1] if len(lows) > 1 else ""
    return words.get_parts(after)[:1] == words.NOUN and after not in _REPLY_FORMS


def _is_order_by_itself(rest: Sequence[Token]) -> bool:
    """Tell whether a verb orders something by itself: "spell it out", "test me"."""
    low = rest[0].low
    after = rest[1].low if len(rest) > 1 else ""
    if after in ("me", "us", "your") or "your" in {token.low for token in rest}:
        return True
    if is_of_oneself(rest):
        return False
    if low == "start" and after in AFTER_START:
        return False
    loose = after in _FOLLOWING or words.get_parts(after)[0] in _LOOSE
    return low in ORDERS and loose


def is_of_oneself(tokens: Sequence[Token]) -> bool:
    """Tell whether a verb without a subject says what the user is like.

    "Repeat myself a lot", "respond badly to it", "design websites for a living".
    """
    lows = [token.low for token in tokens]
    cares = lows[:2] == ["look", "after"]
    return cares or not _OF_ONESELF.isdisjoint(lows)


def is_habit(tokens: Sequence[Token]) -> bool:
    """Tell whether a verb without a subject says what the user does again and again."""
    lows = {token.low for token in tokens}
    return bool(lows & HABITS) and not lows & {"me", "you", "my"}


def _render_wish(tokens: Sequence[Token], *, denied: bool) -> EnglishClause:
    """Return an order as what the user wants of the assistant."""
    if [token.low for token in tokens[:2]] == ["call", "me"]:
        wants = "does not want" if denied else "wants"
        told = f"The user {wants} to be called {rewrite(tokens[2:], is_user=True)}"
        return EnglishClause(told, is_user=True, kind=ClauseKind.ORDER)
    opening = Token(tokens[0].text.lower(), spaced=False)
    rest = _ASSISTANT.sub(
        _render_pronoun, rewrite([opening, *tokens[1:]], is_user=True)
    )
    negation = "not " if denied else ""
    told = f"The user wants the assistant {negation}to {rest}"
    return EnglishClause(told, is_user=True, kind=ClauseKind.ORDER)


def _render_pronoun(match: re.Match[str]) -> str:
    """Return a pronoun for the assistant, named already."""
    return "its" if match[1] else "it"
