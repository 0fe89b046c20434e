"""States words that are no sentence: an answer, "no cats at all", "tea please"."""

import re
from collections.abc import Sequence
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.answers import render_english_answer
from gieok.models.rules.english.articles import select_article
from gieok.models.rules.english.descriptions import render_description
from gieok.models.rules.english.grammar import has_verb
from gieok.models.rules.english.openings import trim_fillers
from gieok.models.rules.english.spelling import normalize_spelling
from gieok.models.rules.english.splitting import is_tail
from gieok.models.rules.english.tokens import Token, join_tokens, split_tokens
from gieok.models.rules.english.vocabulary import (
    CAPITALISED,
    DETERMINERS,
    OWNED,
    PERSONS,
)
from gieok.models.rules.questions import extract_question
from gieok.text.patterns import compile_lazily

EVENTS: Final = PERSONS | OWNED
_DOING: Final = compile_lazily(
    r"\b(?:do|doing|up to|happen\w*|new|going)\W*$|you \w+ing\b"
)
_VALUE: Final = compile_lazily(r": ([^:]+)$")
_BRACKETED: Final = compile_lazily(r" \(([^()]+)\)$")
_PLEASE: Final = compile_lazily(r",? ?\b(?:please|thanks|kindly)\b", re.IGNORECASE)
_POLITE: Final = compile_lazily(
    r"^\W*(?:please|pls|plz|kindly) (?!no\b|only\b|just\b|the\b|a\b)", re.IGNORECASE
)
_WISHED: Final = compile_lazily(
    r"\b(?:please|pls|plz|kindly)\b|^\W*no\b.*\bthanks\W*$", re.IGNORECASE
)
_FORBIDDEN: Final = compile_lazily(
    r"^(?:no|only) [^,]*\b(?:when|whenever|till|until|while|unless) "
    r"(?:i|i'\w+|we|my)\b",
    re.IGNORECASE,
)
_NONE: Final = compile_lazily(r"^no (?:more|\w+ at all)\b", re.IGNORECASE)
_FOR_ME: Final = compile_lazily(r" for (?:me|us)\b", re.IGNORECASE)
_DATED: Final = compile_lazily(
    r"^(?:\w+ ){0,3}?(?P<noun>\w+),? (?:on|tomorrow|next|this|at) .*$", re.IGNORECASE
)
_QUOTED: Final = compile_lazily(r"[.!?][\"”]\s+")
MAX_ANSWERED: Final = 14
"""Words and signs of an answer that is put into its question."""


def convert_colon(stated: str) -> str:
    """Return "I have pets: two cats" so that it is one sentence."""
    return _VALUE.sub(r" (\1)", stated)


def render_fragment(said: str, asked: str, *, is_own: bool = True) -> str | None:
    """Return words that are no sentence as one of the user's own, or nothing.

    `is_own` says that nobody else was just spoken of.
    """
    text = trim_fillers(normalize_spelling(said))
    tokens = split_tokens(text)
    if not tokens or text.endswith("?"):
        return None
    wished = _WISHED.search(said) and not (has_verb(tokens) or _POLITE.match(said))
    if wished or _FORBIDDEN.match(text):
        return f"I want {convert_small(_PLEASE.sub('', text))}"
    question = _QUOTED.split(extract_question(asked))[-1]
    if question and (stated := _answer_question(question, tokens)):
        return stated
    if has_verb(tokens) or not is_own:
        return None
    return _render_possession(text, tokens[0].low) or render_description(text)


def _render_possession(text: str, opening: str) -> str | None:
    """Return "no pets at all", or "exam on Monday", as what the user has."""
    if _NONE.match(text):
        return f"I have {text[:1].lower()}{_FOR_ME.sub('', text)[1:]}"
    match = _DATED.match(text)
    if match is None or match["noun"].lower() not in EVENTS:
        return None
    article = "" if opening in DETERMINERS else f"{select_article(text)} "
    return f"I have {article}{text[:1].lower()}{text[1:]}"


def render_named_action(said: str, asked: str) -> str | None:
    """Return "dancing", asked "What do you enjoy?", as what the user enjoys."""
    tokens = split_tokens(trim_fillers(normalize_spelling(said)))
    named = bool(tokens) and words.get_parts(tokens[0].low)[0] == words.GERUND
    question = extract_question(asked)
    if not named or not question or _DOING.search(question):
        return None
    return _answer_question(question, tokens)


def _answer_question(question: str, tokens: Sequence[Token]) -> str | None:
    """Return an answer put into its question, as a whole or up to a sign in it."""
    places = [n for n, t in enumerate(tokens) if n and not t.is_word]
    for end in [len(tokens), *reversed(places)]:
        if end > MAX_ANSWERED:
            continue
        head = convert_small(join_tokens(tokens[:end]))
        stated = render_english_answer(question, head, most=MAX_ANSWERED)
        if stated is not None and (": " not in stated or stated.startswith("I have")):
            stated = convert_colon(stated)
            rest = tokens[end:]
            kept = len(rest) > 1 and rest[0].text == "," and is_tail(rest[1:])
            return stated + (join_tokens(rest) if kept else "")
    return None


def convert_small(text: str) -> str:
    """Return words as they stand inside a sentence, names with their capital."""
    head = text.partition(" ")[0].lower().strip(",.;:!")
    named = head in CAPITALISED or head == "i" or text[:2].isupper()
    return text if named or not words.is_known(head) else text[:1].lower() + text[1:]


def restore_colon(told: str) -> str:
    """Return a sentence made of a bracketed value with its colon again."""
    return _BRACKETED.sub(r": \1", told)
