"""What a small encoder reads in a memory beside something said of it.

It sees both at once (a cross-encoder, Reimers and Gurevych 2019). It is the bundled e5
with its upper half trained for that (`training/tune_memory_pairs.py`): a known memory
beside a new one, or beside a wish to forget and what was said before it.
"""

from collections.abc import Sequence
from typing import Final

from gieok.kernel.language import Vectors
from gieok.models import tuned_e5
from gieok.models.rules.linear import Numbers
from gieok.models.rules.reference import remove_subject

LONGEST_ITEM: Final = 160  # characters
LONGEST_SAID: Final = 200
LONGEST_BEFORE: Final = 120  # of what the user said before a wish
LONGEST_ASKED: Final = 100  # of what the assistant said before it
CONTRADICTS: Final = 0
"""The column that says whether a new memory says otherwise."""
MEANS: Final = 1
"""The column that says whether a wish to forget means what is remembered."""


def render_pair(known: str, said: str) -> str:
    """Return what the encoder reads, what is remembered first."""
    return f"{_render_item(known)} | {_clip(remove_subject(said), LONGEST_SAID)}"


def render_wish_pair(known: str, wish: str, before: str = "", asked: str = "") -> str:
    """Return what the encoder reads of a wish to forget, beside what it may mean.

    `before` is what the user said before it, `asked` what the assistant has just said.
    """
    parts = [_render_item(known), _clip(wish, LONGEST_SAID)]
    if before:
        parts.append(f"< {_clip(before, LONGEST_BEFORE)}")
    if asked:
        parts.append(f"? {_clip(asked[-LONGEST_ASKED:], LONGEST_ASKED)}")
    return " | ".join(parts)


def _render_item(known: str) -> str:
    return _clip(remove_subject(known), LONGEST_ITEM)


def _clip(text: str, most: int) -> str:
    return " ".join(text[:most].split())


def read_memory_pairs(pairs: Sequence[tuple[str, str]]) -> Numbers:
    """Return log-odds, a row for each pair of something remembered and said.

    Computes for some 30 ms a pair: not for the event loop.

    Raises:
        ConfigurationError: see `tuned_e5.load_statement_engine`.
    """
    return read_texts([render_pair(*pair) for pair in pairs])


def read_texts(texts: Sequence[str]) -> Numbers:
    """Return log-odds, a row for each rendered pair, as `read_memory_pairs` does."""
    return weigh_vectors(tuned_e5.load_memory_pair_engine().passage([*texts]))


def weigh_vectors(rows: Vectors) -> Numbers:
    """Return log-odds, a row for each of the encoder's vectors."""
    return tuned_e5.weigh_vectors(tuned_e5.MEMORY_PAIR_WEIGHTS, rows)
