"""What a clause of English talk becomes once it is told in the third person."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Final

from gieok.models.rules.english.person import PersonRewriter
from gieok.models.rules.english.tokens import Token

FIRST: Final = frozenset({"i", "we"})
THIRD: Final = frozenset({"he", "she", "they", "it", "this", "that", "these", "those"})


class ClauseKind(StrEnum):
    """What a clause is once it is told."""

    SENTENCE = auto()
    LEANING = auto()
    """Its subject is a pronoun that only the words before explain."""
    ORDER = auto()
    """What the user wants of the assistant."""
    QUESTION = auto()
    FRAGMENT = auto()
    """No sentence; in the words that were said."""


@dataclass(frozen=True, slots=True)
class EnglishClause:
    """One clause in the third person."""

    text: str
    is_user: bool
    """Whether its subject is the user."""
    kind: ClauseKind = ClauseKind.SENTENCE
    joint: str = ""
    is_elided: bool = False
    """Whether its subject was left out, and taken to be the user."""


def get_stem(token: Token) -> str:
    """Return a word in lower case without what is contracted to it."""
    return token.low.partition("'")[0]


def rewrite(tokens: Sequence[Token], *, is_user: bool) -> str:
    """Return words in the third person; `is_user` says who their subject is."""
    return PersonRewriter(tokens, is_user=is_user).rewrite()


def render_user_clause(tokens: Sequence[Token]) -> EnglishClause:
    """Return a clause whose subject is the user."""
    return EnglishClause(convert_opening(rewrite(tokens, is_user=True)), is_user=True)


def render_other_clause(
    tokens: Sequence[Token], kind: ClauseKind = ClauseKind.SENTENCE
) -> EnglishClause:
    """Return a clause whose subject is somebody or something else."""
    return EnglishClause(
        convert_opening(rewrite(tokens, is_user=False)), is_user=False, kind=kind
    )


def convert_opening(text: str) -> str:
    """Return a clause as a sentence begins."""
    return text[:1].upper() + text[1:]
