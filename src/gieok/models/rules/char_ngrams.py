"""Runs of letters and words of a short text, hashed into buckets.

What people ask of an assistant shows in such runs, beside what a text's vector says
(Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning").
"""

import zlib
from typing import Final

import numpy as np

from gieok.models.rules.linear import Numbers
from gieok.text.patterns import compile_lazily

BUCKETS: Final = 2**14
LETTERS: Final = (2, 3, 4, 5)
MAX_WORDS: Final = 3
_WORD: Final = compile_lazily(r"[a-z']+|[가-힣]+|[?!]")


def build_run_row(text: str) -> Numbers:
    """Return how much each bucket counts; the length of the row is one."""
    row = np.zeros(BUCKETS)
    buckets = list(hash_runs(text))
    row[buckets] = 1 / np.sqrt(max(1, len(buckets)))
    return row


def hash_runs(text: str) -> set[int]:
    """Return the buckets of a text's runs of letters and words."""
    flat = f" {' '.join(text.lower().split())} "
    words = _WORD.findall(flat)
    runs = {
        flat[start : start + length]
        for length in LETTERS
        for start in range(len(flat) - length + 1)
    } | {
        "w " + " ".join(words[start : start + length])
        for length in range(1, MAX_WORDS + 1)
        for start in range(len(words) - length + 1)
    }
    return {zlib.crc32(run.encode()) % BUCKETS for run in runs}
