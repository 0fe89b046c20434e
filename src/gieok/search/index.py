"""One person's items, ready to be searched: kept in memory, current by the message.

    index = Index.build(items)            # once, from what the store decodes
    index = index.append(more)            # a message, a fact; lexical without vectors
    index = index.embed(rows, vectors)    # when the embedding job is done
    index = index.keep(mask)              # erased rows leave nothing behind
    scores = rank(index, question)        # rank.py

Every step returns a new `SearchIndex` and leaves the old one as it was, so a search
that is under way is not disturbed.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from gieok.kernel.language import Vectors
from gieok.search.lexicon import Lexicon
from gieok.search.rows import NO_SESSION, Floats, RowKind, RowMask, SearchRows

RowNumbers = NDArray[np.intp]

_BLOCK = 512
"""Rows whose vectors are summed at once."""
_ROOM = 1.25
"""Growth of the vectors' buffer: 10,000 rows are copied once in 2,500 messages."""


@dataclass(slots=True)
class _VectorBuffer:
    """A buffer of vectors that snapshots share, with space at its end.

    A row is written once and from then on belongs to everyone: `filled` marks the
    rows that hold a vector, `used` counts those that hold an item.
    """

    buffer: Vectors
    filled: RowMask
    used: int

    @classmethod
    def from_rows(cls, items: SearchRows, size: int) -> Self:
        """Return a buffer of `size` rows that begins with the items' vectors."""
        buffer = np.zeros((size, items.vectors.shape[1]), np.float32)
        filled = np.zeros(size, np.bool_)
        buffer[: len(items)], filled[: len(items)] = items.vectors, items.embedded
        return cls(buffer, filled, len(items))

    def write_rows(
        self, rows: RowNumbers | slice, vectors: Vectors, embedded: RowMask
    ) -> None:
        """Fill rows that are still free."""
        if embedded.all():
            self.buffer[rows] = vectors
        else:
            self.buffer[rows] = np.where(embedded[:, None], vectors, np.float32(0))
        self.filled[rows] = embedded


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Who stands beside whom; a row number of n means nobody.

    Attributes:
        before, after: the neighbouring message in the same session.
        groups: sessions numbered from 0; a row without one is a group of its own.
        lengths: the length of the sum of a row's vector and its neighbours'.
    """

    before: RowNumbers
    after: RowNumbers
    groups: RowNumbers
    lengths: Floats

    @classmethod
    def from_rows(cls, items: SearchRows) -> Self:
        """Return the neighbourhoods of all rows."""
        before, after, groups = _find_neighbours(items)
        every = np.arange(len(items))
        return cls(before, after, groups, _measure_lengths(items, before, after, every))

    def append_rows(self, items: SearchRows) -> "Neighbours":
        """Return the neighbourhoods after rows were added at the end of `items`."""
        added = len(items) - len(self.groups)
        number = np.append(np.arange(len(self.groups)), len(items))
        lengths = np.append(self.lengths, np.zeros(added, np.float32))
        known = Neighbours(number[self.before], number[self.after], number, lengths)
        return known.measure_changed(items)

    def select_rows(self, items: SearchRows, mask: RowMask) -> "Neighbours":
        """Return the neighbourhoods after only the marked rows were kept."""
        gone = len(items) + 1
        number = np.append(np.where(mask, np.cumsum(mask) - 1, gone), len(items))
        before, after = number[self.before[mask]], number[self.after[mask]]
        return Neighbours(before, after, number, self.lengths[mask]).measure_changed(
            items
        )

    def measure_changed(self, items: SearchRows) -> "Neighbours":
        """Return these neighbourhoods with everything that is out of date measured."""
        before, after, groups = _find_neighbours(items)
        known = len(self.before)
        changed = np.ones(len(items), np.bool_)
        changed[:known] = (self.before != before[:known]) | (
            self.after != after[:known]
        )
        stale, lengths = np.flatnonzero(changed), self.lengths.copy()
        lengths[stale] = _measure_lengths(items, before, after, stale)
        return Neighbours(before, after, groups, lengths)

    def measure_rows(self, items: SearchRows, rows: RowNumbers) -> "Neighbours":
        """Return the neighbourhoods after the vectors of some rows changed."""
        near = np.concatenate([rows, self.before[rows], self.after[rows]])
        stale = np.unique(near[near < len(items)])
        lengths = self.lengths.copy()
        lengths[stale] = _measure_lengths(items, self.before, self.after, stale)
        return replace(self, lengths=lengths)


@dataclass(frozen=True, slots=True)
class SearchIndex:
    """Items with their words and neighbourhoods."""

    items: SearchRows
    lexicon: Lexicon
    beside: Neighbours
    _room: _VectorBuffer

    @classmethod
    def build(cls, items: SearchRows) -> Self:
        """Return an index of the items."""
        lexicon = Lexicon.build(items.terms, items.counts)
        room = _VectorBuffer.from_rows(items, len(items))
        own = replace(items, vectors=room.buffer)
        return cls(own, lexicon, Neighbours.from_rows(own), room)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.items)

    def append_rows(self, more: SearchRows) -> "SearchIndex":
        """Return the index with rows after the last; equals a rebuild."""
        room = self._ensure_space(len(more))
        total = len(self) + len(more)
        room.write_rows(slice(len(self), total), more.vectors, more.embedded)
        room.used = total
        bare = replace(self.items, vectors=_slice_empty_vectors(self.items))
        joined = bare.append_rows(replace(more, vectors=_slice_empty_vectors(more)))
        items = replace(joined, vectors=room.buffer[:total])
        lexicon = self.lexicon.append_rows(more.terms, more.counts)
        return SearchIndex(items, lexicon, self.beside.append_rows(items), room)

    def select_rows(self, mask: RowMask) -> "SearchIndex":
        """Return the index of the marked rows only; equals a rebuild."""
        items = self.items.select_rows(mask)
        room = _VectorBuffer(items.vectors, items.embedded.copy(), len(items))
        return SearchIndex(
            items,
            self.lexicon.select_rows(mask),
            self.beside.select_rows(items, mask),
            room,
        )

    def set_vectors(self, rows: RowNumbers, vectors: Vectors) -> "SearchIndex":
        """Return the index with the vectors of some rows, new or replaced."""
        room = self._room
        if room.filled[rows].any():
            room = _VectorBuffer.from_rows(self.items, len(room.buffer))
        embedded = self.items.embedded.copy()
        embedded[rows] = True
        room.write_rows(
            rows, np.nan_to_num(vectors, posinf=0, neginf=0), embedded[rows]
        )
        vectors = room.buffer[: len(self)]
        items = replace(self.items, vectors=vectors, embedded=embedded)
        return SearchIndex(
            items, self.lexicon, self.beside.measure_rows(items, rows), room
        )

    def _ensure_space(self, rows: int) -> _VectorBuffer:
        """Return a buffer whose first rows are ours and whose next ones are free."""
        room, total = self._room, len(self) + rows
        if room.used == len(self) and total <= len(room.buffer):
            return room
        return _VectorBuffer.from_rows(self.items, int(total * _ROOM) + 1)


def _slice_empty_vectors(items: SearchRows) -> Vectors:
    return items.vectors[:, :0]


def _find_neighbours(items: SearchRows) -> tuple[RowNumbers, RowNumbers, RowNumbers]:
    rows = len(items)
    own = np.arange(rows) - rows - 1  # below NO_SESSION, different for each row
    sessions = np.where(items.sessions == NO_SESSION, own, items.sessions)
    _, groups = np.unique(sessions, return_inverse=True)
    spoken = np.flatnonzero(
        (items.kinds == RowKind.MESSAGE) & (items.sessions != NO_SESSION)
    )
    order = spoken[np.lexsort((items.positions[spoken], groups[spoken]))]
    joined = groups[order[1:]] == groups[order[:-1]]
    before, after = np.full(rows, rows), np.full(rows, rows)
    before[order[1:][joined]] = order[:-1][joined]
    after[order[:-1][joined]] = order[1:][joined]
    return before, after, groups


def _measure_lengths(
    items: SearchRows, before: RowNumbers, after: RowNumbers, rows: RowNumbers
) -> Floats:
    """Return |v[before] + v + v[after]| of some rows, at least tiny.

    In blocks that stay in the processor's cache: 18 ms become 8 at 10,000 rows.
    """
    lengths = np.empty(len(rows), np.float32)
    for start in range(0, len(rows), _BLOCK):
        some = rows[start : start + _BLOCK]
        total = _select_vectors(items, some) + _select_vectors(items, before[some])
        total += _select_vectors(items, after[some])
        lengths[start : start + _BLOCK] = np.linalg.norm(total, axis=1)
    return np.maximum(lengths, np.float32(1e-6))


def _select_vectors(items: SearchRows, rows: RowNumbers) -> Vectors:
    """Return the vectors of some rows, zero where there is none."""
    inside = np.minimum(rows, max(len(items) - 1, 0))
    known = (rows < len(items)) & items.embedded[inside]
    return items.vectors[inside] * known[:, None].astype(np.float32)
