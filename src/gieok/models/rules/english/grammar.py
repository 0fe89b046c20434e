"""Where the verb of an English clause stands, and where one clause ends in run-on talk.

Only closed classes and a table of parts of speech are known; what they leave open is
not decided: a clause without a verb that is certain has none.
"""

from collections.abc import Sequence
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.tokens import Token
from gieok.models.rules.english.vocabulary import (
    ADJECTIVES,
    AUXILIARIES,
    DETERMINERS,
    LIVED,
    NOMINATIVES,
    PERSONS,
    STATES,
)
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

PREPOSITIONS: Final = _LISTS.get_words("noun.prepositions")
TIMES: Final = _LISTS.get_words("noun.times")
PRONOUNS: Final = frozenset(
    {"i", "you", "he", "she", "it", "we", "they", "who", "that", "which", "there"}
)
OBJECTS: Final = frozenset(
    {"me", "you", "him", "her", "it", "us", "them", "myself", "himself", "herself"}
)
_STATED: Final = frozenset(f"{verb}s" for verb in STATES)
_CONTRACTED: Final = ("'s", "'re", "'ve", "'ll", "'d", "'m")
_RELATIVE: Final = frozenset({"who", "which", "whose", "that"})
_BREAKING: Final = frozenset(
    {"while", "when", "whenever", "if", "because", "unless", "until", "till", "whether"}
)
ARTICLES: Final = frozenset(
    {"a", "an", "the", "my", "our", "his", "its", "their", "your", "every", "no"}
)
_AGREEING: Final = PERSONS | {
    "people",
    "children",
    "nobody",
    "everybody",
    "everyone",
    "somebody",
    "someone",
}
SEVERAL: Final = frozenset(f"{person}s" for person in PERSONS) | {
    *("children", "grandchildren", "parents", "grandparents", "twins", "neighbours"),
    *("neighbors", "people", "folks"),
}
_STATIVE: Final = STATES | LIVED


def find_verb(tokens: Sequence[Token], start: int = 0) -> int | None:
    """Return the place of the first word that is surely a finite verb, or nothing."""
    passed = 0
    for number in range(start, len(tokens)):
        low = tokens[number].low
        if number and low in _BREAKING:
            return None
        if number and (low in _RELATIVE or low in NOMINATIVES):
            passed += 1
            continue
        if is_finite(tokens, number):
            if not passed:
                return number
            passed -= 1
    return None


def has_verb(tokens: Sequence[Token]) -> bool:
    """Tell whether any word is surely a finite verb."""
    return any(is_finite(tokens, number) for number in range(len(tokens)))


def has_third_person(tokens: Sequence[Token]) -> bool:
    """Tell whether any word is surely what somebody else does: "he cooks"."""
    return any(
        is_finite(tokens, number) and words.can_be(token.low, words.THIRD)
        for number, token in enumerate(tokens)
    )


def is_finite(tokens: Sequence[Token], number: int) -> bool:
    """Tell whether a word is a finite verb, by itself and by its neighbours."""
    low = tokens[number].low
    before = tokens[number - 1].low if number else ""
    after = tokens[number + 1].low if number + 1 < len(tokens) else ""
    owned = before in ARTICLES and not low.endswith("'s")
    if not tokens[number].is_word or owned:
        return False
    if before and tokens[number].text[:1].isupper() and "'" not in low:
        return False  # a name: "in May", "my husband Peter and I"
    if low == "right" and after in ("now", "here", "away"):
        return False
    if low in AUXILIARIES:
        return before != "to"
    if "'" in low and low.endswith(_CONTRACTED):
        closed = not any(token.is_word for token in tokens[number + 2 : number + 3])
        return _is_contracted_verb(low, after, closed=closed)
    if before in PREPOSITIONS and number > 1 and tokens[number - 2].low in ARTICLES:
        before = "noun"
    left = [token.low for token in tokens[:number]]
    if before == "," and (_RELATIVE & {*left} or left.count(",") > 1):
        before = "it"
    return bool(before) and _is_full_verb(low, before, after)


def _is_contracted_verb(low: str, after: str, *, closed: bool) -> bool:
    """Tell whether "Gethin's" is "Gethin is", not what is Gethin's.

    The word after it may be `closed`, so that no noun can follow it.
    """
    stem = low.partition("'")[0]
    if low == "user's" or after in ("last", "next", "this", "every"):
        return False
    if not low.endswith("'s") or stem in PRONOUNS | {"here", "what", "name"}:
        return True
    parts = words.get_parts(after)
    if closed and parts[0] == words.ADJECTIVE:
        return True
    return (
        after in DETERMINERS
        or after in PREPOSITIONS
        or after in TIMES
        or (stem in PERSONS and after in ADJECTIVES)
        or after[:1].isdigit()
        or after
        in ("not", "got", "been", "gone", "so", "very", "too", "really", "just")
        or (parts[0] in (words.GERUND, words.PARTICIPLE, words.PAST) and after != "")
    )


def _is_full_verb(low: str, before: str, after: str) -> bool:
    """Tell whether a word that is no auxiliary is a finite verb behind another."""
    parts = words.get_parts(low)
    if before[:1].isdigit() or (before in PREPOSITIONS and before not in TIMES):
        return False
    subject = before in PRONOUNS or not _is_grammar(before)
    if not subject or before in ("be", "been", "being", "get", "gets", "got"):
        return False
    pronoun = before in PRONOUNS
    objective = (
        after in DETERMINERS
        or after in PREPOSITIONS
        or after in OBJECTS
        or after in AUXILIARIES
        or after in TIMES
    )
    if words.THIRD in parts and words.VERB not in parts:
        noun = words.get_parts(before)[0] == words.NOUN or before in PERSONS
        named = before in _AGREEING or not words.is_known(before)
        sure = low in _STATED and before in PERSONS  # "brother works offshore"
        closed = objective or (named and not after) or (sure and after != "")
        return parts[0] == words.THIRD or pronoun or (closed and noun)
    if words.PAST in parts and parts[0] in (words.PAST, words.PARTICIPLE):
        return True
    if words.PAST in parts and (pronoun or objective):
        return parts[0] not in (words.ADJECTIVE, words.ADVERB)
    stative = before in SEVERAL and low in _STATIVE  # "my kids love football"
    many = before.endswith("s") and words.get_parts(before)[0] == words.NOUN
    plural = many or pronoun or before in _AGREEING
    usual = parts[0] == words.VERB or objective or stative
    return words.VERB in parts and plural and usual


def _is_grammar(low: str) -> bool:
    """Tell whether a word is a mere sign or word of grammar, no subject's last."""
    return (
        not low[:1].isalnum()
        or low in DETERMINERS
        or low in AUXILIARIES
        or low in ("to", "not", "and", "or", "but", "so", "very", "too")
    )
