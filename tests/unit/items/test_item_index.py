"""A person's items in memory: brought up to date step by step, equal to a rebuild."""

import asyncio
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gieok.items.entries import encode_entries
from gieok.items.index_store import ChangedItem
from gieok.items.item_index import ItemIndex
from gieok.items.sealed import ItemContent
from gieok.search.codec import join_entries
from gieok.search.rows import RowKind
from gieok.testing import HashEmbedder, WordTokenizer

AT = datetime(2026, 1, 5, tzinfo=UTC)
WORDS = WordTokenizer()
EMBEDDER = HashEmbedder()
TEXTS = st.lists(st.sampled_from(["cat", "dog runs", "a b"]), max_size=3, unique=True)
STEPS = st.lists(
    st.tuples(st.integers(0, 4), st.one_of(st.none(), st.just("embed"), TEXTS)),
    max_size=14,
)


def change(number: int, revision: int, texts: list[str], *, made: bool) -> ChangedItem:
    content = ItemContent({}, texts, "Mina" if number % 2 else None, None)
    found = None
    if made and texts:
        vectors = asyncio.run(EMBEDDER.passages(texts))
        kind = RowKind.MESSAGE if number % 2 else RowKind.MEMORY
        found = join_entries(kind, encode_entries(content, number, AT, WORDS, vectors))
    held = None if found else content
    space = (f"space {number % 3}",)
    some = bool(texts)
    return ChangedItem(
        UUID(int=number), space, revision, number, AT, some, made, found, held
    )


def fresh() -> ItemIndex:
    return ItemIndex(EMBEDDER.dimension, EMBEDDER.name, 0)


def seen(held: ItemIndex) -> list[tuple[Any, ...]]:
    """Return the rows in an order of their own."""
    items = held.index.items
    names = {code: name for name, code in held.codes.items()}
    terms = np.split(items.terms, np.cumsum(items.counts)[:-1])
    return sorted(
        (
            held.ids[row],
            names[int(items.sessions[row])],
            int(items.positions[row]),
            int(items.kinds[row]),
            bool(items.embedded[row]),
            tuple(terms[row].tolist()),
            items.vectors[row].tobytes() if items.embedded[row] else b"",
        )
        for row in range(len(held.ids))
    )


@given(STEPS)
def test_steps_lead_to_what_a_rebuild_gives(steps: list[tuple[int, Any]]) -> None:
    held, now = fresh(), dict[int, ChangedItem]()
    texts: dict[int, list[str]] = {}
    for revision, (number, what) in enumerate(steps, start=1):
        gone: set[bytes] = set()
        found: list[ChangedItem] = []
        if what is None:
            gone = {UUID(int=number).bytes}
            now.pop(number, None)
        elif what != "embed":
            texts[number] = what
            now[number] = change(number, revision, what, made=False)
            found = [now[number]]
        elif number in now:
            old = now[number].revision
            now[number] = change(number, old, texts[number], made=True)
            found = [now[number]]
        held.apply_changes(found, gone, WORDS)
    again = fresh()
    again.apply_changes(list(now.values()), set(), WORDS)
    assert seen(held) == seen(again)
    for space in {one.namespace for one in now.values()}:
        assert held.select_prefix(space).sum() == again.select_prefix(space).sum()


def test_an_item_removed_and_put_again_is_held_once() -> None:
    held = fresh()
    held.apply_changes([change(1, 1, ["cat"], made=True)], set(), WORDS)
    held.apply_changes(
        [change(1, 1, ["dog runs"], made=True)], {UUID(int=1).bytes}, WORDS
    )
    again = fresh()
    again.apply_changes([change(1, 1, ["dog runs"], made=True)], set(), WORDS)
    assert seen(held) == seen(again)
