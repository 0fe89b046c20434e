"""What "it", "they", "him" or "there" means, where the words before leave no doubt.

A pronoun is explained by its own clause ("the dog finds its bed"), or put down as what
the nearest text before it mentions, if that mentions one thing only that fits.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.grammar import PREPOSITIONS, PRONOUNS, TIMES, is_finite
from gieok.models.rules.english.people import find_person
from gieok.models.rules.english.tokens import Token, join_tokens, split_tokens
from gieok.models.rules.english.vocabulary import (
    AUXILIARIES,
    DETERMINERS,
    PASSIVE,
    PERFECT,
    PERSONS,
    SEVERAL_PERSONS,
)
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

_PERSONAL: Final = {
    "he": "he", "him": "he", "his": "he", "himself": "he",
    "she": "she", "her": "she", "hers": "she", "herself": "she",
    "they": "they", "them": "they", "their": "they", "theirs": "they",
    "it": "it", "its": "it",
}  # fmt: skip
_OWNING: Final = frozenset({"his", "her", "their", "its"})
_REFLEXIVE: Final = frozenset({"himself", "herself"})
_POINTING: Final = frozenset({"this", "that", "these", "those"})
_MARKED: Final = _LISTS.get_words("reference.marked")
_NO_THING: Final = _LISTS.get_words("reference.no_thing")
_ANYBODY: Final = _LISTS.get_words("reference.anybody")
_PLACES: Final = _LISTS.get_words("reference.places")
_DUMMY: Final = _LISTS.compile_list("reference.dummy")
_OUTSIDE: Final = _LISTS.compile_list("reference.outside")
_FRESH: Final = frozenset({"my", "our", "your"})
_COUNTED: Final = frozenset({"two", "three", "four", "five", "six", "some", "these"})
_PLACED: Final = frozenset({"in", "at", "to", "from", "into", "near"})
_LAST: Final = compile_lazily(r"(?<=[.!?])\s+")
MAX_NOUN: Final = 5
"""Words of what a pronoun may stand for."""
MAX_TEXTS: Final = 3
"""Texts before in which a thing is looked for, the nearest."""
MAX_SENTENCES: Final = 2
"""Sentences of a text before in which a thing is looked for, its last ones."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A thing or things that a text mentions, in the words of the user."""

    place: int
    told: str
    is_many: bool
    is_person: bool
    is_fresh: bool
    """Whether it is whose it is said to be, or is mentioned for the first time."""


def resolve_references(
    tokens: Sequence[Token], before: Sequence[str]
) -> tuple[Token, ...] | None:
    """Return a clause with its pronouns put down as what they mean.

    `before` are the texts before it, the nearest first. Nothing if any stays open.
    """
    if _OUTSIDE.search(join_tokens(tokens)):
        return None
    known = frozenset(_find_explained(tokens))
    told: list[Token] = []
    resolved: set[str] = set()
    for number, token in enumerate(tokens):
        stem, mark, rest = token.low.partition("'")
        pronoun = _PERSONAL.get(stem)
        if pronoun is None or number in known or pronoun in resolved:
            if _is_open(tokens, number):
                return None
            told.append(token)
            continue
        found = None if _is_named(tokens) else _find_meant(pronoun, before)
        if found is None:
            return None
        resolved.add(pronoun)
        ending = _convert_ending(tokens, number, stem, mark + rest)
        told += _render_meant(found, ending, token, opens=not number)
    return tuple(told)


def _render_meant(
    found: str, ending: str, token: Token, *, opens: bool
) -> Iterator[Token]:
    """Yield the words for a pronoun, with what was contracted to it."""
    parts = split_tokens(found)
    for number, part in enumerate(parts):
        last = number + 1 == len(parts)
        own = ending if last and ending.startswith("'") else ""
        text = part.text + own
        if opens and not number and token.text[:1].isupper():
            text = text[:1].upper() + text[1:]
        yield Token(text, token.spaced if not number else part.spaced)
    if ending and not ending.startswith("'"):
        yield Token(ending)


def _convert_ending(tokens: Sequence[Token], number: int, stem: str, rest: str) -> str:
    """Return what stands behind the noun: "'s" of what is owned, or a verb."""
    after = tokens[number + 1].low if number + 1 < len(tokens) else ""
    if rest == "'s" and stem not in _OWNING:
        return "has" if is_perfect(after) else "is"
    if rest:
        return {"'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}.get(
            rest, rest
        )
    if stem == "her" and not is_owned(after):
        return ""
    return "'s" if stem in _OWNING else ""


def is_perfect(after: str) -> bool:
    """Tell whether "'s" before a word stands for "has"."""
    parts = words.get_parts(after)
    past = parts[0] in (words.PARTICIPLE, words.PAST) and words.VERB not in parts
    return after in PERFECT or (past and after not in PASSIVE)


def is_owned(after: str) -> bool:
    """Tell whether "her" before a word is whose it is."""
    if not after or after in PREPOSITIONS | DETERMINERS | TIMES | {"and", "to"}:
        return False
    return words.get_parts(after)[0] in (words.NOUN, words.ADJECTIVE)


def _find_explained(tokens: Sequence[Token]) -> Iterator[int]:
    """Yield the places of pronouns that the clause itself explains."""
    for number, token in enumerate(tokens):
        pronoun = _PERSONAL.get(token.low.partition("'")[0])
        if pronoun is not None and _is_explained(tokens, number, pronoun):
            yield number


def _is_explained(tokens: Sequence[Token], number: int, pronoun: str) -> bool:
    """Tell whether the words before a pronoun, or its clause, say what it means."""
    left, low = tokens[:number], tokens[number].low
    if _is_counted(left):
        return True
    if pronoun == "they":
        return any(t.low in _ANYBODY for t in left) or _has_many(left, low)
    if pronoun != "it":
        return _has_person(left, pronoun)
    dummy = _DUMMY.match(join_tokens(tokens[number:]))
    things = (m for m in find_things(left) if not m.is_many)
    return dummy is not None or any(not m.is_person for m in things)


def _has_person(left: Sequence[Token], pronoun: str) -> bool:
    """Tell whether words before a pronoun name somebody whom it may mean."""
    people = (token.low.removesuffix("'s") in PERSONS for token in left)
    return find_person(pronoun, [join_tokens(left)]) is not None or any(people)


def _is_counted(left: Sequence[Token]) -> bool:
    """Tell whether "six of", before "them", counts what is named already."""
    if [token.low for token in left[-1:]] != ["of"] or not left[:-1]:
        return False
    low = left[-2].low.partition("-")[0]
    return low in DETERMINERS or low[:1].isdigit() or low in ("none", "lots", "plenty")


def _has_many(left: Sequence[Token], pronoun: str) -> bool:
    """Tell whether words mention several, or somebody whose "their" may be."""
    if any(m.is_many for m in find_things(left)):
        return True
    return pronoun != "them" and any(t.low in PERSONS for t in left)


def _is_open(tokens: Sequence[Token], number: int) -> bool:
    """Tell whether a word points at what only the words before name."""
    low = tokens[number].low
    stem = low.partition("'")[0]
    before = tokens[number - 1].low if number else ""
    after = tokens[number + 1].low if number + 1 < len(tokens) else ""
    if stem in _POINTING:
        return _is_pointing(stem, before, after, low)
    if stem == "there":
        placed = any(t.low in _PLACED for t in tokens[: max(0, number - 1)])
        existing = "'" in low or after in AUXILIARIES
        return not placed and not existing
    if low in ("one", "ones"):
        owned = before in _MARKED or words.get_parts(before)[0] == words.ADJECTIVE
        closed = after in ("of", "who", "that", "thing", "day", "with", "in")
        named = any(not m.is_many for m in find_things(tokens[: max(0, number - 2)]))
        return (owned or low == "ones") and not (closed or named)
    return False


def _is_pointing(stem: str, before: str, after: str, low: str) -> bool:
    """Tell whether "that" points, and is neither a joint nor of a time or place."""
    if stem == "that" and not before:
        return True
    if after in TIMES | _PLACES or words.get_parts(after) == words.ADVERB:
        return False
    if stem != "that":
        return after not in ("who", "of")
    noun = words.get_parts(before)[0] == words.NOUN or before[:1].isdigit()
    if "'" in low or not before or not after or not after[:1].isalnum():
        return not (noun and before and after)
    if before in PREPOSITIONS:
        return True
    verbal = words.get_parts(before)[0] in (words.VERB, words.THIRD, words.PAST)
    return verbal and words.get_parts(after)[0] == words.NOUN and words.is_known(after)


def _is_named(tokens: Sequence[Token]) -> bool:
    """Tell whether a clause only says what "it" is: "it's a woman", "it was cheap"."""
    stem, _, rest = tokens[0].low.partition("'")
    after = tokens[1].low if len(tokens) > 1 else ""
    return stem == "it" and (rest == "s" or after in ("is", "was", "will"))


def _find_meant(pronoun: str, before: Sequence[str]) -> str | None:
    """Return the words for the one thing or person that a pronoun may mean."""
    if pronoun in ("he", "she"):
        return find_person(pronoun, before, alone=True)
    near = before[:MAX_TEXTS]
    if pronoun == "they" and (people := find_person(pronoun, near, alone=True)):
        return people
    for text in near:
        ending = " ".join(_LAST.split(text)[-MAX_SENTENCES:])
        found = {
            m.told: m
            for m in find_things(split_tokens(ending))
            if _can_mean(pronoun, m)
        }
        if found:
            only = next(iter(found.values()))
            sure = len(found) == 1 and only.is_fresh
            return only.told if sure else None
    return None


def _can_mean(pronoun: str, mention: Mention) -> bool:
    """Tell whether "it" or "they" may stand for what was mentioned."""
    if pronoun == "they":
        return mention.is_many
    return not (mention.is_many or mention.is_person)


def find_things(tokens: Sequence[Token]) -> Iterable[Mention]:
    """Yield every thing that a text mentions with an article or an owner."""
    number = 0
    while number < len(tokens):
        opening = tokens[number].low
        if opening not in DETERMINERS or opening in ("no", "any"):
            number += 1
            continue
        end = _find_noun_end(tokens, number)
        if end is None:
            number += 1
            continue
        head = tokens[end - 1].low
        if head not in _NO_THING and head not in TIMES:
            yield _build_mention(tokens[number:end], number)
        number = end


def _find_noun_end(tokens: Sequence[Token], start: int) -> int | None:
    """Return where the noun that an article opens ends."""
    end = None
    for number in range(start + 1, min(len(tokens), start + MAX_NOUN)):
        low = tokens[number].low
        if not tokens[number].is_word or low in PREPOSITIONS | AUXILIARIES | PRONOUNS:
            break
        parts = words.get_parts(low.removesuffix("'s"))
        if number > start + 1 and is_finite(tokens, number):
            break
        if words.NOUN in parts and low.removesuffix("'s") not in DETERMINERS:
            end = number + 1
        elif not {words.ADJECTIVE, words.GERUND, words.PARTICIPLE} & {*parts}:
            break
    return end


def _build_mention(tokens: Sequence[Token], place: int) -> Mention:
    """Return what is mentioned, as one says it again."""
    opening, *rest = (token.text for token in tokens)
    head = rest[-1].lower()
    whose = "my" if opening.lower() in ("my", "our", "your") else "the"
    if opening.lower() in ("his", "her", "their"):
        whose = opening.lower()
    many = head in SEVERAL_PERSONS or (
        head.endswith("s") and not head.endswith(("ss", "us", "is", "'s"))
    )
    told = " ".join([whose, *rest]).removesuffix("'s")
    person = head.removesuffix("'s") in PERSONS | SEVERAL_PERSONS
    fresh = opening.lower() in _FRESH or (many and opening.lower() in _COUNTED)
    return Mention(place, told, many, person, is_fresh=fresh)


def find_owned(noun: str, before: Sequence[str]) -> str | None:
    """Return "my turtle" for "turtle", where the words before say whose it is."""
    for text in before:
        for mention in find_things(split_tokens(text)):
            head = mention.told.rpartition(" ")[2].lower()
            if mention.is_fresh and head == noun:
                return mention.told
    return None
