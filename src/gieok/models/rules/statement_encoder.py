"""What an encoder, trained for it, reads in a clause amid its conversation.

It sees the clause, its message, what it answers, what the user said before and what
both said next: "just kidding" in the next message, or a quiz that began two messages
ago, decides more than the words of the clause. The encoder is the bundled e5 with all
layers trained (`models/tuned_e5`); a linear model over its vector says how likely the
clause states something lasting, and of which kind that is.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Self

import numpy as np

from gieok.kernel.language import Role, Utterance, Vectors
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.clause_item_encoder import join_clause_parts
from gieok.models.rules.linear import Numbers
from gieok.models.tuned_e5 import STATEMENT_WEIGHTS, load_tuned_head

LONGEST_BEFORE: Final = 120  # characters of a message of the user before
LONGEST_AFTER: Final = 100  # … of either's next message


class StatementOdds(NamedTuple):
    """What the encoder says of clauses, a row a clause."""

    lasting: Numbers
    """Log-odds that it states something lasting."""
    categories: Numbers
    """The logarithm of each category's probability."""


class StatementHead(NamedTuple):
    """The linear model over the encoder's vectors: lasting, then every category."""

    weights: Numbers
    """[384, 1 + categories]"""
    bias: Numbers

    @classmethod
    def load(cls) -> Self:
        """Return the one shipped with the encoder."""
        return cls(*load_tuned_head(STATEMENT_WEIGHTS))

    def compute_odds(self, vectors: Vectors) -> StatementOdds:
        """Return what the encoder's vectors say of their clauses."""
        return split_odds(vectors @ self.weights + self.bias)


def split_odds(columns: Numbers) -> StatementOdds:
    """Return what the head's columns say: the first by itself, the rest together."""
    odds = columns[:, 1:]
    highest = odds.max(axis=1, keepdims=True)
    total = np.log(np.exp(odds - highest).sum(axis=1, keepdims=True))
    return StatementOdds(columns[:, 0], odds - highest - total)


def render_clauses(
    candidates: Sequence[ClauseCandidate], messages: Sequence[Utterance]
) -> list[str]:
    """Return for every clause what the encoder reads, given what was said in order."""
    around = {
        message.index: _render_surroundings(messages, place)
        for place, message in enumerate(messages)
    }
    return [
        " | ".join([join_clause_parts(c), *around.get(c.turn.index, ())])
        for c in candidates
    ]


def _render_surroundings(messages: Sequence[Utterance], place: int) -> list[str]:
    """Return what was said before and after a message, each with its sign.

    Of the user the message before and the first one; of the assistant the answer, and
    of the user the message after that.
    """
    before = [m.content for m in messages[:place] if m.role == Role.USER]
    after = messages[place + 1 :]
    reply = after[0].content if after and after[0].role == Role.ASSISTANT else ""
    later = next((m.content for m in after if m.role == Role.USER), "")
    last = _truncate(before[-1] if before else "", LONGEST_BEFORE)
    first = _truncate(before[0] if len(before) > 1 else "", LONGEST_BEFORE)
    signed = {
        "<": last,
        "<<": first if first != last else "",
        ">": _truncate(reply, LONGEST_AFTER),
        ">>": _truncate(later, LONGEST_AFTER),
    }
    return [f"{sign} {text}" for sign, text in signed.items() if text]


def _truncate(text: str, most: int) -> str:
    return " ".join(text.split())[:most]
