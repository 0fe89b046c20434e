"""Whom "he", "she" or "they" means: the nearest person or pet mentioned before.

Somebody is mentioned with a word for a person that is the user's ("my mum Ruth") or
by a name that stands before a verb or behind such a word.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.vocabulary import (
    AUXILIARIES,
    BARE_KIN,
    DETERMINERS,
    EITHER,
    FEMALE,
    INTERJECTIONS,
    MALE,
    PERSON_KINDS,
    PERSONS,
    SEVERAL_PERSONS,
)
from gieok.text.patterns import compile_lazily

_PEOPLE: Final = PERSONS | SEVERAL_PERSONS
_KINDS: Final = "|".join(sorted(PERSON_KINDS))
_MENTION: Final = compile_lazily(
    rf"\b(?P<whose>(?i:my|our|your|his|her|their|the|a|an|this|one))\s+(?P<kind>(?:(?:{_KINDS})\s+){{0,2}}?)"
    rf"(?P<noun>{'|'.join(sorted(_PEOPLE, key=len, reverse=True))})\b(?!-)"
    r"(?:,?\s+(?:is\s+)?(?:called|named)?\s*(?P<name>[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)\b(?!'))?",
)
_POSSESSED: Final = compile_lazily(
    rf"['’]s\s+(?P<noun>{'|'.join(sorted(_PEOPLE, key=len, reverse=True))})\b"
)
_BARE: Final = sorted(BARE_KIN, key=len, reverse=True)
_BARE_KIN: Final = compile_lazily(
    rf"(?<![\w'-])(?i:{'|'.join(_BARE)})"
    r"(?=(?:'s)?(?![\w'-]))"
)
_OTHERS: Final = frozenset({"his", "her", "their"})
_COPULAS: Final = frozenset({"am", "is", "are", "was", "be", "become", "became"})
_CALLING: Final = frozenset({"called", "named", "told", "met"})
_NAME: Final = compile_lazily(r"(?<![\w'])[A-Z][a-z]{2,}(?![\w'-])(?='s\b)?")


def find_person(
    pronoun: str, said: Iterable[str], *, alone: bool = False
) -> str | None:
    """Return what to say for a pronoun, in the words of the user, or nothing.

    `said` are the texts before it, the nearest first. With `alone` nothing is said
    where a text mentions several who fit, or one who is not the user's and has no name.
    """
    for text in said:
        found = [
            told for kind, told in _find_mentions(text) if _is_fitting(pronoun, kind)
        ]
        if found:
            unknown = len({*found}) > 1 or found[-1].startswith("the ")
            open_ended = (alone and unknown) or any(map(_is_others, found))
            return None if open_ended else found[-1]
    return None


def claim_kin(text: str) -> str:
    """Return "Mum rang dad" as "My mum rang my dad"; nobody who is spoken to."""

    def claim(match: re.Match[str]) -> str:
        left, rest = text[: match.start()], text[match.end() :]
        if not _is_own_kin(left.split()[-1:], match[0], rest):
            return match[0]
        return f"{'my' if left.strip() else 'My'} {match[0].lower()}"

    return _BARE_KIN.sub(claim, text)


def _is_own_kin(left: Sequence[str], said: str, rest: str) -> bool:
    """Tell whether a bare word for somebody of the family means the user's own."""
    spoken_to = rest.lstrip()[:1] in ("", ",", ".", "!", "?")
    if not left:
        return not spoken_to
    before = left[0].lower().strip(',.!?;:"(')
    if left[0][-1:] in ",.!?" and spoken_to:
        return False
    owned = before in DETERMINERS or before in _COPULAS or "'" in before
    parts = words.get_parts(before)
    described = before.isalpha() and parts[0] == words.ADJECTIVE
    compound = said.islower() and parts[0] == words.NOUN and words.is_known(before)
    return not (owned or described or compound or before in INTERJECTIONS)


def find_own_person(pronoun: str, said: Iterable[str]) -> str | None:
    """Return the one person or pet of the user's that a pronoun may mean, or nothing.

    `said` are the texts before it, the nearest first; the nearest that speaks of any
    says who. What is the user's comes before everybody else ("the vet").
    """
    for text in said:
        fit = {
            told for kind, told in _find_mentions(text) if _is_fitting(pronoun, kind)
        }
        own = {told for told in fit if told.startswith("my ")}
        if fit:
            sure = len(own) == 1 and not any(map(_is_others, fit))
            return own.pop() if sure else None
    return None


def _is_others(told: str) -> bool:
    """Tell whether somebody is only known as somebody else's: "her daughter"."""
    return told.partition(" ")[0] in _OTHERS


def list_people(text: str) -> list[str]:
    """Return everybody mentioned in a text, in the words of the user."""
    return [told for _, told in _find_mentions(text)]


def _find_mentions(text: str) -> Iterable[tuple[str, str]]:
    """Yield everybody mentioned in a text: the noun, and the words for it."""
    mentions: list[tuple[int, str, str]] = []
    named: set[int] = set()
    for match in _MENTION.finditer(text):
        name = match["name"]
        if name and words.is_known(name.lower()):
            name = None
        noun = match["noun"].lower()
        owner = match["whose"].lower()
        whose = "my" if owner in ("my", "our", "your") else "the"
        whose = owner if owner in _OTHERS else whose
        told = f"{whose} {match['kind']}{noun}" + (f" {name}" if name else "")
        if owned := _POSSESSED.match(text, match.end("noun")):
            noun, told = owned["noun"], f"{told}'s {owned['noun']}"
        mentions.append((match.start(), noun, told))
        named.update(range(match.start(), match.end()))
    for match in _NAME.finditer(text):
        if match.start() in named or words.is_known(match[0].lower()):
            continue
        if _is_person_name(text, match):
            mentions.append((match.start(), "", match[0]))
    return [(noun, told) for _, noun, told in sorted(mentions)]


def _is_person_name(text: str, match: re.Match[str]) -> bool:
    """Tell whether a name does or has something, as people do."""
    if re.search(rf"\b(?:in|at|from|to|near|into) (?:the )?{match[0]}\b", text):
        return False
    after = text[match.end() :].split()[:1]
    before = text[: match.start()].split()[-1:]
    if before and before[0].lower() in _CALLING:
        return True
    low = after[0].lower().strip(",.!?") if after else ""
    doing = words.get_parts(low)[0] in (words.THIRD, words.PAST)
    return bool(low) and (low in AUXILIARIES or doing)


def _is_fitting(pronoun: str, noun: str) -> bool:
    """Tell whether a pronoun can stand for somebody."""
    if pronoun == "they":
        return noun in SEVERAL_PERSONS
    if noun in SEVERAL_PERSONS:
        return False
    if pronoun == "she":
        return noun in FEMALE or noun in EITHER or not noun
    return noun in MALE or noun in EITHER or not noun
