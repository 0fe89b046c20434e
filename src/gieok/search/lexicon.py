"""The words of one person's items: which item holds which term how often (for BM25).

A term is a 64-bit hash (`hash_terms`), so terms can be stored sealed as plain bytes.
`Lexicon` keeps one sorted array of 64-bit keys, 42 bits of term hash above 22 bits of
row number, a term that occurs twice in a row standing there twice. Sorting numbers is
the whole build (10,000 rows of 30 terms: 8 ms), a look-up is a binary search, new rows
are merged in, and removed rows are filtered out without sorting again. Among 100,000
different terms the chance that any two share their 42 bits is about one in 1,000.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from gieok.search.rows import NO_NAME, Floats, Hashes, RowMask

_ROW_BITS = np.uint64(22)
_ROW_MASK = np.uint64((1 << 22) - 1)
MAX_ROWS = 1 << 22
"""Rows one person can have: 4 million, far beyond what an exact search can serve."""
_REMEMBERED = 65_536
"""Hashes kept: hashing takes 0.9 µs, a look-up a tenth of that."""


@lru_cache(maxsize=_REMEMBERED)
def hash_term(term: str) -> int:
    """Return the stable 64-bit number of a term; it is never 0."""
    raw = term.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "little") or 1


def hash_terms(terms: Sequence[str]) -> Hashes:
    """Return the numbers of terms in order, repeats kept."""
    return np.fromiter((hash_term(term) for term in terms), np.uint64, len(terms))


def hash_name(terms: Sequence[str]) -> int:
    """Return the number of a speaker's name from its terms: the first one speaks."""
    return hash_term(terms[0]) if terms else NO_NAME


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Sorted postings of `rows` items."""

    keys: Hashes
    rows: int

    @classmethod
    def build(cls, terms: Hashes, counts: NDArray[np.int32]) -> Self:
        """Return the postings of items given as `Items.terms` and `Items.counts`.

        Raises:
            ValueError: there are more than MAX_ROWS items.
        """
        return cls(np.sort(_build_keys(terms, counts, first=0)), len(counts))

    def append_rows(self, terms: Hashes, counts: NDArray[np.int32]) -> "Lexicon":
        """Return the postings with more items after the last; equals a rebuild.

        Raises:
            ValueError: there are more than MAX_ROWS items.
        """
        more = np.sort(_build_keys(terms, counts, first=self.rows))
        places = np.searchsorted(self.keys, more)
        return Lexicon(np.insert(self.keys, places, more), self.rows + len(counts))

    def select_rows(self, mask: RowMask) -> "Lexicon":
        """Return the postings of the marked items, renumbered; equals a rebuild."""
        rows = (self.keys & _ROW_MASK).astype(np.intp)
        number = (np.cumsum(mask) - 1).astype(np.uint64)
        stays = mask[rows]
        keys = (self.keys & ~_ROW_MASK)[stays] | number[rows[stays]]
        return Lexicon(keys, int(np.count_nonzero(mask)))

    def find_postings(self, term: int) -> NDArray[np.intp]:
        """Return the rows that hold a term, ascending, once per occurrence."""
        low = (np.uint64(term) >> _ROW_BITS) << _ROW_BITS
        start = int(np.searchsorted(self.keys, low, "left"))
        stop = int(np.searchsorted(self.keys, low | _ROW_MASK, "right"))
        return (self.keys[start:stop] & _ROW_MASK).astype(np.intp)

    def count_occurrences(self, term: int) -> Floats | None:
        """Return how often each item holds a term, or None if none does."""
        rows = self.find_postings(term)
        if not len(rows):
            return None
        return np.bincount(rows, minlength=self.rows).astype(np.float32)


def _build_keys(terms: Hashes, counts: NDArray[np.int32], *, first: int) -> Hashes:
    if first + len(counts) > MAX_ROWS:
        message = f"{first + len(counts)} items where {MAX_ROWS} are allowed"
        raise ValueError(message)
    rows = np.repeat(np.arange(first, first + len(counts), dtype=np.uint64), counts)
    return ((terms >> _ROW_BITS) << _ROW_BITS) | rows
