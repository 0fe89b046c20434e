"""A person's store items in memory, as a search of the store reads them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gieok.items.entries import encode_entries, get_row_kind
from gieok.items.index_store import ChangedItem
from gieok.items.model import Namespace
from gieok.kernel.language import Tokenizer
from gieok.search.codec import decode_entries, split_entries
from gieok.search.person_index import PersonIndex
from gieok.search.rows import RowKind, RowMask, SearchRows

_ID_BYTES = 16


@dataclass(slots=True)
class ItemIndex(PersonIndex):
    """A person's index whose rows are texts of items: id of the item, then the place.

    The index tells namespaces apart by the numbers in `codes`.
    """

    revisions: dict[bytes, int] = field(default_factory=dict[bytes, int])
    codes: dict[Namespace, int] = field(default_factory=dict[Namespace, int])

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
        added = [one for one in new if one.searchable]
        self.revisions |= {one.item_id.bytes: one.revision for one in added}
        self.upsert_rows(*self._build_rows([*known, *added], tokenizer))

    def get_item_id(self, row: int) -> bytes:
        """Return whose text a row is."""
        return self.ids[row][:_ID_BYTES]

    def mark_items(self, ids: Collection[bytes]) -> RowMask:
        """Mark the rows of these items."""
        rows = len(self.ids)
        if not ids:
            return np.zeros(rows, np.bool_)
        return np.array([each[:_ID_BYTES] in ids for each in self.ids], np.bool_)

    def select_prefix(self, prefix: Namespace) -> RowMask:
        """Mark the rows whose namespace begins with a prefix."""
        depth = len(prefix)
        codes = [code for name, code in self.codes.items() if name[:depth] == prefix]
        return np.isin(self.index.items.sessions, codes)

    def _is_indexed(self, one: ChangedItem, gone: Collection[bytes]) -> bool:
        same = self.revisions.get(one.item_id.bytes) == one.revision
        return same and one.entries is not None and one.item_id.bytes not in gone

    def _remove_items(self, ids: Collection[bytes]) -> None:
        gone = {each for each in ids if self.revisions.pop(each, None) is not None}
        if gone:
            self.select_rows(~self.mark_items(gone))

    def _build_rows(
        self, found: Sequence[ChangedItem], tokenizer: Tokenizer
    ) -> tuple[list[bytes], SearchRows]:
        parts: list[bytes] = []
        ids: list[bytes] = []
        codes: list[int] = []
        kinds: list[RowKind] = []
        comparable: list[bool] = []
        for one in found:
            kind, some = _get_entries(one, tokenizer)
            code = self.codes.setdefault(one.namespace, len(self.codes))
            parts += some
            ids += [one.item_id.bytes + bytes([place]) for place in range(len(some))]
            codes += [code] * len(some)
            kinds += [kind] * len(some)
            comparable += [one.comparable] * len(some)
        if not parts:
            return ids, SearchRows.create_empty(self.dimension)
        columns = decode_entries(parts, codes, dimension=self.dimension)
        embedded = columns.embedded & np.array(comparable)
        return ids, replace(columns, embedded=embedded, kinds=np.array(kinds, np.int8))


def _get_entries(one: ChangedItem, tokenizer: Tokenizer) -> tuple[RowKind, list[bytes]]:
    if one.entries is not None:
        return split_entries(one.entries)
    if one.content is None:
        return RowKind.MEMORY, []
    parts = encode_entries(one.content, one.position, one.updated_at, tokenizer)
    return get_row_kind(one.content), parts
