"""Puts clauses told in the third person together as one memory.

What is no sentence by itself goes with the sentence beside it; where there is none it
is told as what the user mentioned, in the words that were said.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.clause import (
    ClauseKind,
    EnglishClause,
    convert_opening,
    rewrite,
)
from gieok.models.rules.english.clause_wording import render_clauses
from gieok.models.rules.english.elided import render_elided
from gieok.models.rules.english.grammar import PREPOSITIONS, has_verb
from gieok.models.rules.english.tokens import split_tokens
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

USER: Final = "The user"
WISHED: Final = (f"{USER} wants ", f"{USER} does not want ", f"{USER} would like ")
"""How what is wanted of the assistant is told."""
ASKED: Final = f'{USER} asked: "'
"""How what only asks is told; nothing is learned from it."""
_SMALL: Final = frozenset(
    {
        "the",
        "it",
        "there",
        "that",
        "this",
        "he",
        "she",
        "they",
        "a",
        "an",
        "his",
        "her",
        "their",
        "these",
        "those",
    }
)
_KEPT_JOINTS: Final = frozenset({"so", "because", "but", "and"})
_UNFINISHED: Final = compile_lazily(
    r"The user (?:is|was|are|were|has|had|does|did|can|could|will|would)(?: not)?\W*$"
)
"""What is left of words that were turned round: "fifty years married we were"."""
_WANTED: Final = _LISTS.compile_list("order.noun")
MAX_BESIDE: Final = 14
"""Words of a fragment that goes with the sentence before it."""


@dataclass(frozen=True, slots=True)
class EnglishMemory:
    """A memory, and whether everything in it is a sentence about the user."""

    text: str
    is_whole: bool


def render_english(
    said: Sequence[str], beside: Sequence[str], before: Sequence[str], asked: str = ""
) -> EnglishMemory:
    """Return clauses as said of the user.

    `beside` are the clauses of the same message before them and `before` what was said
    earlier, both the nearest first; `asked` is that of them which the assistant said.
    """
    composed = _Composer(beside, before, asked)
    for text in said:
        composed.add(text)
    return composed.render()


class _Composer:
    """Takes clauses in their order and puts what they say together."""

    def __init__(
        self, beside: Sequence[str], before: Sequence[str], asked: str
    ) -> None:
        self._beside = beside
        self._asked_before = asked
        self._heard = [*beside, *before]
        self._told: list[str] = []
        self._orders: list[EnglishClause] = []
        self._asked: list[str] = []
        self._loose: list[str] = []
        self._last: EnglishClause | None = None
        self._is_patched = False

    def add(self, text: str) -> None:
        """Take what was said in one clause."""
        for one in render_clauses(text, self._heard, self._asked_before):
            self._take(one)
        self._heard.insert(0, text)

    def _take(self, one: EnglishClause) -> None:
        alone = not one.joint and (self._told or self._loose)
        if alone and _UNFINISHED.match(one.text):
            return
        if one.kind is ClauseKind.QUESTION:
            self._asked.append(one.text)
        elif one.kind is ClauseKind.ORDER:
            self._orders.append(one)
        elif one.kind is ClauseKind.FRAGMENT:
            self._take_fragment(one.text)
        else:
            self._take_sentence(one)

    def _take_fragment(self, text: str) -> None:
        self._is_patched = True
        if self._told and len(text.split()) <= MAX_BESIDE:
            self._told[-1] = _join_fragment(self._told[-1], text)
        else:
            self._loose.append(text)

    def _take_sentence(self, one: EnglishClause) -> None:
        """Put a sentence behind the others, and before it what it tells about."""
        if one.kind is ClauseKind.LEANING and not self._told and not self._loose:
            opening = _render_beside(self._beside, self._heard)
            self._is_patched = True
            if opening is None:
                self._told.append(f"{USER} says {_convert_small_word(one.text)}")
                self._last = one
                return
            self._told.append(opening.text)
        if self._loose and not self._told:
            lead = _rewrite(", ".join(self._loose))
            self._told.append(
                f"{convert_opening(lead)}: {_convert_small_word(one.text)}"
            )
            self._loose.clear()
        else:
            _append(self._told, one, self._last)
        self._last = one

    def render(self) -> EnglishMemory:
        """Return everything as one memory."""
        told = [*self._told]
        if not told and self._loose and self._orders:
            lead = convert_opening(_rewrite(", ".join(self._loose)))
            return EnglishMemory(
                f"{lead}: {_convert_small_word(self._orders[0].text)}", is_whole=False
            )
        if not told or len(self._orders) == 1:
            told += [one.text for one in self._orders]
        if told:
            text = ". ".join(part.rstrip(" .!,") for part in told)
            return EnglishMemory(text, is_whole=not self._is_patched)
        if self._loose:
            text = ", ".join(self._loose)
            told_of = _render_fragment(text, self._beside, self._heard[1:])
            return EnglishMemory(told_of, is_whole=False)
        asked = " ".join(self._asked)
        return EnglishMemory(f'{ASKED}{asked}"', is_whole=False)


def _convert_small_word(text: str) -> str:
    head = text.partition(" ")[0].partition("'")[0].lower()
    return text[:1].lower() + text[1:] if head in _SMALL else text


def _rewrite(text: str) -> str:
    return rewrite(split_tokens(text), is_user=False)


def _join_fragment(sentence: str, fragment: str) -> str:
    """Return a sentence with words that are none behind it."""
    return f"{sentence.rstrip(' .!,')}, {_convert_first_word(_rewrite(fragment))}"


def _append(told: list[str], one: EnglishClause, last: EnglishClause | None) -> None:
    """Put a sentence behind the others, under one subject where they have the same."""
    if last is None or one.joint not in _KEPT_JOINTS or not told:
        told.append(one.text)
        return
    before = told[-1].rstrip(" .!,")
    text = _convert_small_word(one.text)
    if one.is_user and last.is_user and one.joint in ("and", "but"):
        told[-1] = f"{before} {one.joint} {text.removeprefix('the user ')}"
        return
    comma = "," if one.joint != "because" else ""
    told[-1] = f"{before}{comma} {one.joint} {text}"


def _render_beside(
    beside: Sequence[str], before: Sequence[str]
) -> EnglishClause | None:
    """Return the sentence before, which says what a pronoun stands for."""
    for number, text in enumerate(beside[:2]):
        clauses = render_clauses(text, [*beside[number + 1 :], *before])
        if clauses:
            told = clauses[-1].kind is ClauseKind.SENTENCE
            return clauses[-1] if told else None
    return None


def _render_fragment(text: str, beside: Sequence[str], before: Sequence[str]) -> str:
    """Return words that are no sentence, as what the user mentioned or said."""
    opening = _render_beside(beside[:1], before)
    tokens = split_tokens(text)
    if opening is not None and not opening.is_user and render_elided(tokens):
        return f'{USER} said: "{text}"'
    if opening is not None and len(text.split()) <= MAX_BESIDE:
        return _join_fragment(opening.text, text)
    first = tokens[0].low if tokens else ""
    nominal = not has_verb(tokens) and first not in PREPOSITIONS | {"not"}
    if nominal and _WANTED.search(text) and words.get_parts(first)[0] != words.VERB:
        return f"{USER} wants {_convert_first_word(_rewrite(text))}"
    if nominal and not any(token.low == "i" for token in tokens):
        return f"{USER} mentioned {_convert_first_word(_rewrite(text))}"
    return f'{USER} said: "{text}"'


def _convert_first_word(text: str) -> str:
    """Return words as they stand inside a sentence, names with their capital."""
    head = text.partition(" ")[0].strip(",.!").lower()
    small = words.is_known(head)
    return text[:1].lower() + text[1:] if small and not text[:2].isupper() else text
