"""One person's rows in memory, each under an id, kept current by the change number.

`recall` and `items` extend it by what their rows stand for; `IndexCache` holds it.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from typing import Self, cast

import numpy as np

from gieok.search.index import SearchIndex
from gieok.search.rows import RowMask, SearchRows

_BYTES_A_ROW = 400
_BYTES_A_PERSON = 16_384


@dataclass(slots=True)
class PersonIndex:
    """A person's index and the ids of its rows, as of `change_number`."""

    dimension: int
    embedder: str
    incarnation: int
    """Erasures of the person before: another one's rows are somebody else's."""
    change_number: int = -1
    ids: list[bytes] = field(default_factory=list[bytes])
    """The id of each row; no two rows have the same."""
    places: dict[bytes, int] = field(default_factory=dict[bytes, int])
    """The row of each id."""
    index: SearchIndex = field(init=False)

    def __post_init__(self) -> None:
        self.index = SearchIndex.build(SearchRows.create_empty(self.dimension))

    @property
    def size(self) -> int:
        """Bytes held, about: vectors, terms and what goes with each row and person."""
        items = self.index.items
        rows = len(self.ids) * _BYTES_A_ROW
        return items.vectors.nbytes + 3 * items.terms.nbytes + rows + _BYTES_A_PERSON

    def copy(self) -> Self:
        """Return an index of the same rows, whose changes do not show in this one."""
        twin = copy(self)
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, list | dict):
                rows = cast("list[object] | dict[object, object]", value)
                setattr(twin, each.name, rows.copy())
        return twin

    def upsert_rows(self, ids: Sequence[bytes], columns: SearchRows) -> None:
        """Append rows; one that is there already only gets its vector."""
        known = self.places.keys() & ids
        if known:
            there = np.array([row_id in known for row_id in ids])
            self._set_vectors(
                [each for each in ids if each in known], columns.select_rows(there)
            )
            columns = columns.select_rows(~there)
            ids = [each for each in ids if each not in known]
        if ids:
            first = len(self.ids)
            self.places.update(zip(ids, range(first, first + len(ids)), strict=True))
            self.ids += ids
            self.index = self.index.append_rows(columns)

    def select_rows(self, mask: RowMask) -> None:
        """Remove every row that is not marked."""
        self.index = self.index.select_rows(mask)
        self.ids = [self.ids[row] for row in np.flatnonzero(mask).tolist()]
        self.places = {row_id: place for place, row_id in enumerate(self.ids)}

    def _set_vectors(self, ids: Sequence[bytes], columns: SearchRows) -> None:
        known = columns.embedded
        places = np.array([self.places[row_id] for row_id in ids])[known]
        if places.size:
            self.index = self.index.set_vectors(places, columns.vectors[known])
