"""What "we" do that nobody does alone: "we don't speak", "we live together"."""

import re
from collections.abc import Sequence
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.grammar import PREPOSITIONS, TIMES
from gieok.models.rules.english.people import list_people
from gieok.models.rules.english.tokens import Token, split_tokens
from gieok.models.rules.english.vocabulary import ADVERBS, AUXILIARIES
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

_TOGETHER: Final = _LISTS.get_words("clause.together")
_RECIPROCAL: Final = _LISTS.get_words("clause.reciprocal")
_NUMBERS: Final = frozenset({"two", "three", "four", "five", "six", "seven", "maybe"})
_VERBS: Final = {"we're": "are", "we've": "have", "we'll": "will", "we'd": "would"}
_HAD: Final = compile_lazily(
    r"^(?:i|we)(?:'ve| have| had)(?: got)? (?:an?|one) ", re.IGNORECASE
)
_WITH_PARTICLE: Final = frozenset(
    {each.split()[0] for each in _RECIPROCAL if " " in each}
)
_PARTNERS: Final = frozenset(
    {
        "wife", "husband", "partner", "girlfriend", "boyfriend", "fiancé", "fiancée",
        "fiance", "fiancee", "spouse", "ex",
    }
)  # fmt: skip
_FRIENDS: Final = frozenset({"friend", "mate", "bestie"})
_OF_PARTNERS: Final = compile_lazily(
    r"\b(?:(?:split|broke|break|breaking|broken) up|date[ds]?|dating|(?P<met>met))\b"
)
"""What "we" do with a partner; where two have met they may be friends, too."""
_SOMEBODY: Final = frozenset({"to", "with", "at"})
_OPEN: Final = frozenset({"a", "any", "every", "once", "all", "and", "but"})


def needs_company(tokens: Sequence[Token]) -> bool:
    """Tell whether "we" are said to be, or do, what one alone cannot."""
    lows = [token.low for token in tokens]
    if lows[0] not in _VERBS.keys() | {"we"}:
        return False
    place = 2 if lows[1] == "are" else 1
    being = place > 1 or lows[0] == "we're"
    numbered = being and bool(_NUMBERS & set(lows[place : place + 1]))
    return numbered or _is_shared(lows)


def name_company(tokens: Sequence[Token], said: Sequence[str]) -> Sequence[Token]:
    """Return "we don't speak" as "my brother and I …", if one was just spoken of.

    `said` are the texts before it, the nearest first.
    """
    lows = [token.low for token in tokens]
    if not said or lows[:1] not in ([one] for one in ("we", *_VERBS)):
        return tokens
    people = {*list_people(said[0])}
    had = _HAD.search(said[0]) is not None
    told = [f"my {one[4:]}" if had and one[:4] == "the " else one for one in people]
    own = [one for one in told if one.startswith("my ")]
    if not _is_shared(lows) or len(own) != 1 or len(people) > 1:
        return tokens
    verb = _VERBS.get(lows[0], "")
    if not _is_company(own[0], lows):
        return tokens
    return [*split_tokens(f"{own[0]} and I {verb}".strip()), *tokens[1:]]


def _is_company(told: str, lows: Sequence[str]) -> bool:
    """Tell whether a person, "my wife", is one with whom "we" do this."""
    done = _OF_PARTNERS.search(" ".join(lows))
    if done is None:
        return True
    nouns = {word.lower() for word in told.split()}
    kinds = _PARTNERS | _FRIENDS if done["met"] else _PARTNERS
    return "'s" not in told and not kinds.isdisjoint(nouns)


def _is_shared(lows: Sequence[str]) -> bool:
    """Tell whether what "we" do or are is said to be between them."""
    near = _TOGETHER & {*lows[: 3 + ("been" in lows)]}
    mutual = "each other" in " ".join(lows) or "together" in lows
    return bool(near) or mutual or _is_reciprocal(lows)


def _is_reciprocal(lows: Sequence[str]) -> bool:
    """Tell whether the verb of "we" is one that goes to and fro: "we argue a lot"."""
    place = 1
    while place < len(lows) and (lows[place] in AUXILIARIES | ADVERBS | {"not"}):
        place += 1
    verb = lows[place] if place < len(lows) else ""
    after = lows[place + 1] if place + 1 < len(lows) else ""
    if verb in _WITH_PARTICLE:
        return f"{verb} {after}" in _RECIPROCAL
    loose = after in (PREPOSITIONS - _SOMEBODY) | TIMES | _OPEN or not after.isalnum()
    adverb = words.get_parts(after)[0] == words.ADVERB
    return verb in _RECIPROCAL and (loose or adverb)
