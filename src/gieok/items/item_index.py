"""One person's items in memory, kept current by the change feed's number."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gieok.items.entries import encode_entries, get_row_kind, split_entries
from gieok.items.model import Namespace
from gieok.items.store import ChangedItem
from gieok.kernel.language import Tokenizer
from gieok.search.codec import decode_entries
from gieok.search.index import SearchIndex
from gieok.search.rows import RowKind, RowMask, SearchRows

_BYTES_A_ROW = 400
_BYTES_A_PERSON = 16_384


@dataclass(slots=True)
class ItemIndex:
    """A person's index as of `change_number`; a row is one text of an item."""

    dimension: int
    embedder: str
    change_number: int = -1
    ids: list[bytes] = field(default_factory=list[bytes])
    """Whose text each row is."""
    revisions: dict[bytes, int] = field(default_factory=dict[bytes, int])
    codes: dict[Namespace, int] = field(default_factory=dict[Namespace, int])
    """The number by which the index tells a namespace."""
    index: SearchIndex = field(init=False)

    def __post_init__(self) -> None:
        self.index = SearchIndex.build(SearchRows.create_empty(self.dimension))

    @property
    def size(self) -> int:
        """Bytes held, about."""
        items = self.index.items
        rows = len(self.ids) * _BYTES_A_ROW
        return items.vectors.nbytes + 3 * items.terms.nbytes + rows + _BYTES_A_PERSON

    def apply_changes(
        self,
        found: Sequence[ChangedItem],
        gone: Collection[bytes],
        tokenizer: Tokenizer,
    ) -> None:
        """Take in what changed; an item that only got its vectors stays in its rows."""
        known = [one for one in found if self._is_indexed(one, gone)]
        new = [one for one in found if not self._is_indexed(one, gone)]
        self._remove_items({*gone, *(one.item_id.bytes for one in new)})
        self._set_vectors(known)
        self._append_items([one for one in new if one.searchable], tokenizer)

    def select_prefix(self, prefix: Namespace) -> RowMask:
        """Mark the rows whose namespace begins with a prefix."""
        depth = len(prefix)
        codes = [code for name, code in self.codes.items() if name[:depth] == prefix]
        return np.isin(self.index.items.sessions, codes)

    def _is_indexed(self, one: ChangedItem, gone: Collection[bytes]) -> bool:
        same = self.revisions.get(one.item_id.bytes) == one.revision
        return same and one.entries is not None and one.item_id.bytes not in gone

    def _remove_items(self, ids: Collection[bytes]) -> None:
        gone = [each for each in ids if self.revisions.pop(each, None) is not None]
        if not gone:
            return
        keep = np.array([each in self.revisions for each in self.ids], np.bool_)
        self.index = self.index.select_rows(keep)
        self.ids = [each for each in self.ids if each in self.revisions]

    def _set_vectors(self, known: Sequence[ChangedItem]) -> None:
        if not known:
            return
        columns, ids = self._build_rows(known, None)
        places: dict[bytes, list[int]] = {each: [] for each in ids}
        for row, each in enumerate(self.ids):
            if each in places:
                places[each].append(row)
        free = {each: iter(rows) for each, rows in places.items()}
        rows = np.array([next(free[each]) for each in ids])
        made = columns.embedded
        if made.any():
            self.index = self.index.set_vectors(rows[made], columns.vectors[made])

    def _append_items(self, new: Sequence[ChangedItem], tokenizer: Tokenizer) -> None:
        columns, ids = self._build_rows(new, tokenizer)
        if ids:
            self.index = self.index.append_rows(columns)
            self.ids += ids
            self.revisions |= {one.item_id.bytes: one.revision for one in new}

    def _build_rows(
        self, found: Sequence[ChangedItem], tokenizer: Tokenizer | None
    ) -> tuple[SearchRows, list[bytes]]:
        parts: list[bytes] = []
        ids: list[bytes] = []
        codes: list[int] = []
        kinds: list[RowKind] = []
        comparable: list[bool] = []
        for one in found:
            kind, some = _get_entries(one, tokenizer)
            code = self.codes.setdefault(one.namespace, len(self.codes))
            parts += some
            ids += [one.item_id.bytes] * len(some)
            codes += [code] * len(some)
            kinds += [kind] * len(some)
            comparable += [one.comparable] * len(some)
        if not parts:
            return SearchRows.create_empty(self.dimension), ids
        columns = decode_entries(parts, codes, dimension=self.dimension)
        embedded = columns.embedded & np.array(comparable)
        return replace(columns, embedded=embedded, kinds=np.array(kinds, np.int8)), ids


def _get_entries(
    one: ChangedItem, tokenizer: Tokenizer | None
) -> tuple[RowKind, list[bytes]]:
    if one.entries is not None:
        return split_entries(one.entries)
    content = one.content
    if content is None or tokenizer is None:
        return RowKind.MEMORY, []
    parts = encode_entries(content, one.position, one.updated_at, tokenizer)
    return get_row_kind(content), parts
