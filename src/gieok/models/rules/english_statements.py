"""Tells each clause of English talk with what its words mean, or says it stays open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gieok.models.rules import english_words as words
from gieok.models.rules.english_clause import FIRST, EnglishClause, get_stem
from gieok.models.rules.english_grammar import find_verb, split_loose_ends
from gieok.models.rules.english_reference import find_owned, resolve_references
from gieok.models.rules.english_telling import (
    keep_fragment,
    render_clause,
    split_text,
)
from gieok.models.rules.english_tokens import Token, join_tokens, split_tokens
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "english.toml")

_OWNED: Final = _LISTS.get_words("noun.owned")
_PARTING: Final = frozenset({"and", "so", "because", "but", "where", "which"})
_CARRIED_ON: Final = frozenset({"it", "that", "they"})
FEWEST_KEPT: Final = 3
"""Words of a clause that is cut short."""


@dataclass(frozen=True, slots=True)
class StatedClause:
    """One clause whose words all mean something, or what keeps it from that."""

    clause: EnglishClause | None
    leaning: EnglishClause | None = None
    """The clause where only its subject is open, which the sentence before explains."""
    joint: str = ""


def render_statements(text: str, before: Sequence[str]) -> list[StatedClause]:
    """Return each clause of a text with what its pronouns mean, without loose ends.

    `before` are the texts said before it, the nearest first.
    """
    told: list[StatedClause] = []
    said: list[str] = list(before)
    for joint, clause in split_text(text):
        for number, tokens in enumerate(split_loose_ends(split_tokens(clause))):
            told.append(_render_shortened(tokens, said, "" if number else joint))
            said.insert(0, join_tokens(tokens))
    return told


def _render_shortened(
    tokens: Sequence[Token], said: Sequence[str], joint: str
) -> StatedClause:
    """Return a clause, up to the joint behind which a pronoun stays open if need be."""
    stated = _render_stated(tokens, said, joint)
    for end in range(len(tokens) - 1, FEWEST_KEPT - 1, -1):
        if stated.clause is not None or stated.leaning is not None:
            break
        if tokens[end].low in _PARTING and find_verb(tokens[:end], 1) is not None:
            stated = _render_stated(tokens[:end], said, joint)
    return stated


def _render_stated(
    tokens: Sequence[Token], said: Sequence[str], joint: str
) -> StatedClause:
    """Return one clause, or where its subject is open, that."""
    tokens = _convert_noun(_render_heard(_drop_open_time(tokens)), said)
    meant = resolve_references(tokens, said)
    if meant is not None:
        one = render_clause(meant, ()) or keep_fragment(meant, join_tokens(meant))
        return StatedClause(one, joint=joint)
    opens = tokens[0].low.partition("'")[0] in _CARRIED_ON
    rest = resolve_references(tokens[1:], said) if opens and tokens[1:] else None
    if rest is None:
        return StatedClause(None, joint=joint)
    return StatedClause(None, render_clause([tokens[0], *rest], ()), joint)


def _drop_open_time(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return "before that I was a cook" without the time that others name."""
    lows = [token.low for token in tokens[:2]]
    if len(tokens) < FEWEST_KEPT + 1 or lows[0] not in ("before", "after", "since"):
        return tokens
    opened = lows[1] in ("that", "this", "then") and get_stem(tokens[2]) in FIRST
    return tokens[2:] if opened else tokens


def _convert_noun(tokens: Sequence[Token], said: Sequence[str]) -> Sequence[Token]:
    """Return "turtle is ill" as "my turtle is ill", where it is the user's."""
    stem, mark, rest = tokens[0].text.partition("'")
    if words.get_parts(stem.lower())[0] != words.NOUN or stem.lower() in _OWNED:
        return tokens
    whose = find_owned(stem.lower(), said)
    if whose is None:
        return tokens
    *opening, noun = split_tokens(whose)
    return [*opening, Token(noun.text + mark + rest), *tokens[1:]]


def _render_heard(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return "they said Orla is ill" as what the user was told."""
    lows = [token.low for token in tokens[:4]]
    if lows[:2] not in (["they", "said"], ["they", "say"], ["they", "told"]):
        return tokens
    rest = tokens[3 if lows[2:3] in (["me"], ["us"], ["that"]) else 2 :]
    if not rest or find_verb(rest, 1) is None or get_stem(rest[0]) in ("it", "that"):
        return tokens
    return [*split_tokens("I was told that"), *rest]
