"""What a small encoder reads in a memory beside something said of it.

It sees both at once (a cross-encoder, Reimers and Gurevych 2019). It is the bundled e5
with its upper half trained for that (`training/tune_memory_pairs.py`): a known memory
beside a new one, or beside a wish to forget and what was said before it; trained
further, beside a new one and the message that it came of, or a message alone.
"""

from collections.abc import Sequence
from typing import Final

from gieok.kernel.language import SourcedMemory, Vectors
from gieok.models import tuned_e5
from gieok.models.rules.english.quotation import remove_question
from gieok.models.rules.linear import Numbers
from gieok.models.rules.message_context import clip_text
from gieok.models.rules.reference import remove_subject

LONGEST_ITEM: Final = 160  # characters
LONGEST_SAID: Final = 200
LONGEST_BEFORE: Final = 120  # of what the user said before a wish
LONGEST_MESSAGE: Final = 300  # of the message that a new memory came of
LONGEST_ASKED: Final = 100  # of what the assistant said before it
CONTRADICTS: Final = 0
"""The column that says whether a new memory says otherwise."""
MEANS: Final = 1
"""The column that says whether a wish to forget means what is remembered."""


def render_pair(known: str, new: str, message: str = "", asked: str = "") -> str:
    """Return what the encoder reads of a new memory, beside a known one.

    `message` is what the user said that it came of, `asked` what the assistant had
    said before.
    """
    new = clip_text(remove_subject(remove_question(new)), LONGEST_SAID)
    return _join_parts(known, new, clip_text(message, LONGEST_MESSAGE), asked)


def render_message_pair(known: str, message: str, asked: str = "") -> str:
    """Return what the encoder reads of a message, beside a known memory.

    `asked` is what the assistant had said before.
    """
    return render_pair(known, "", message, asked)


def render_wish_pair(known: str, wish: str, before: str = "", asked: str = "") -> str:
    """Return what the encoder reads of a wish to forget, beside what it may mean.

    `before` is what the user said before it, `asked` what the assistant has just said.
    """
    wish, before = clip_text(wish, LONGEST_SAID), clip_text(before, LONGEST_BEFORE)
    return _join_parts(known, wish, before, asked)


def _join_parts(known: str, said: str, around: str, asked: str) -> str:
    parts = [_render_item(known), said]
    if around:
        parts.append(f"< {around}")
    if asked:
        parts.append(f"? {clip_text(asked[-LONGEST_ASKED:], LONGEST_ASKED)}")
    return " | ".join(parts)


def _render_item(known: str) -> str:
    return clip_text(remove_subject(remove_question(known)), LONGEST_ITEM)


def read_memory_pairs(pairs: Sequence[tuple[str, SourcedMemory]]) -> Numbers:
    """Return log-odds that known memories are contradicted by new ones, one a pair.

    Computes for some 30 ms a pair: not for the event loop.

    Raises:
        ConfigurationError: see `tuned_e5.load_statement_engine`.
    """
    texts = [render_pair(known, new.content) for known, new in pairs]
    odds: Numbers = weigh_vectors(tuned_e5.load_memory_pair_engine().passage(texts))
    return odds[:, CONTRADICTS]


def read_message_pairs(pairs: Sequence[tuple[str, SourcedMemory]]) -> Numbers:
    """Return the same, read with the messages that the new ones came of.

    Raises:
        ConfigurationError: see `tuned_e5.load_statement_engine`.
    """
    texts = [
        render_pair(known, new.content, new.message, new.previous_reply)
        for known, new in pairs
    ]
    rows = tuned_e5.load_message_pair_engine().passage(texts)
    odds: Numbers = weigh_message_vectors(rows)
    return odds[:, CONTRADICTS]


def weigh_vectors(rows: Vectors) -> Numbers:
    """Return log-odds, a row for each vector of what `read_memory_pairs` reads with."""
    return tuned_e5.weigh_vectors(tuned_e5.MEMORY_PAIR_WEIGHTS, rows)


def weigh_message_vectors(rows: Vectors) -> Numbers:
    """Return the same of vectors of what `read_message_pairs` reads with."""
    return tuned_e5.weigh_vectors(tuned_e5.MESSAGE_PAIR_WEIGHTS, rows)
