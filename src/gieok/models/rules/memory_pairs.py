"""What a small encoder reads in a memory beside something said of it.

It sees both at once (a cross-encoder, Reimers and Gurevych 2019): a known memory and a
new one, or something remembered and a wish to forget. It is the bundled e5 with its
upper half trained for that (`training/tune_memory_pairs.py`).
"""

from collections.abc import Sequence

import numpy as np

from gieok.models import tuned_e5
from gieok.models.rules.linear import Numbers
from gieok.models.rules.reference import remove_subject

LONGEST_KNOWN = 160
LONGEST_SAID = 200
"""Characters that are read."""
CONTRADICTS, MEANS = 0, 1
"""Columns of what is read: a new memory says otherwise; a wish means this."""


def render_pair(known: str, said: str) -> str:
    """Return what the encoder reads, what is remembered first."""
    item = " ".join(remove_subject(known)[:LONGEST_KNOWN].split())
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
