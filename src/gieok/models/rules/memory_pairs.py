"""What a small encoder reads in a memory beside something said of it.

It sees both at once (a cross-encoder, Reimers and Gurevych 2019). It is the bundled e5
with its upper half trained for that (`training/tune_memory_pairs.py`): a known memory
beside a new one, and, which nothing asks yet, beside a wish to forget.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from gieok.models import tuned_e5
from gieok.models.rules.linear import Numbers
from gieok.models.rules.reference import remove_subject

LONGEST_ITEM: Final = 120  # characters
LONGEST_SAID: Final = 200
CONTRADICTS: Final = 0
"""The column that says whether a new memory says otherwise."""


def render_pair(known: str, said: str) -> str:
    """Return what the encoder reads, what is remembered first."""
    item = " ".join(remove_subject(known)[:LONGEST_ITEM].split())
    return f"{item} | {' '.join(remove_subject(said)[:LONGEST_SAID].split())}"


def read_memory_pairs(pairs: Sequence[tuple[str, str]]) -> Numbers:
    """Return log-odds, a row for each pair of something remembered and said.

    Computes for some 30 ms a pair: not for the event loop.

    Raises:
        ConfigurationError: see `tuned_e5.load_statement_engine`.
    """
    head, bias = tuned_e5.load_tuned_head(tuned_e5.MEMORY_PAIR_WEIGHTS)
    texts = [render_pair(*pair) for pair in pairs]
    rows = tuned_e5.load_memory_pair_engine().passage(texts)
    return rows.astype(np.float64) @ head + bias
