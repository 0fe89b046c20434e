"""Finds a person's items by their words and their meaning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np

from gieok.database import Database, Transaction
from gieok.database.feed import get_feed_floor
from gieok.items import index_store, store
from gieok.items.filters import is_match
from gieok.items.item_index import ItemIndex
from gieok.items.model import Item, Operation, Search
from gieok.items.sealed import derive_namespace_id
from gieok.kernel.errors import UnavailableError
from gieok.kernel.language import Embedder, Tokenizer, Vectors
from gieok.kernel.offload import run_aside
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey
from gieok.search.index_cache import IndexCache
from gieok.search.lexicon import hash_terms
from gieok.search.question import remove_names, select_speaker
from gieok.search.rank import SearchQuery, measure_similarity, score_rows
from gieok.search.rows import Hashes, RowMask
from gieok.text.time_expressions import extract_time_span


class ParsedQuery(NamedTuple):
    """What is asked: its terms, hashed, and its vector if it could be embedded."""

    terms: Hashes
    vector: Vectors | None


ParsedQueries = Mapping[str, ParsedQuery]
"""The questions of a batch, by their text."""


class ScoredItem(NamedTuple):
    """An item and its score, see `Item`."""

    item_id: UUID
    score: float


@dataclass(frozen=True, slots=True)
class ItemFinder:
    """The searches over everyone's items; `indexes` holds what they search."""

    database: Database
    embedder: Embedder
    tokenizer: Tokenizer
    indexes: IndexCache[ItemIndex] = field(repr=False)

    async def parse_queries(
        self, scope: Scope, key: PersonKey, ops: Sequence[Operation]
    ) -> ParsedQueries:
        """Return the questions of a batch, read; no transaction is open."""
        queries = {op.query for op in ops if isinstance(op, Search) and _has_query(op)}
        if not queries:
            return {}
        held = self.indexes.find_index(scope.user_id)
        if held is None:
            async with self.database.begin(scope) as tx:
                search_state = await index_store.read_search_state(
                    await index_store.send_state_query(tx)
                )
                held = await self._load_index(tx, key, search_state)
        names, terms = held.index.items.names, self.tokenizer.terms
        texts = [query for query in queries if query]

        def parse() -> tuple[list[str], list[Hashes]]:
            nameless = [remove_names(text, names, terms) for text in texts]
            return nameless, [hash_terms(terms(text)) for text in texts]

        nameless, hashed = await run_aside(sum(map(len, texts)), parse)
        vectors = await self._embed_queries(nameless)
        parsed = map(ParsedQuery, hashed, vectors)
        return dict(zip(texts, parsed, strict=True))

    async def _embed_queries(self, texts: Sequence[str]) -> Sequence[Vectors | None]:
        try:
            return list(await self.embedder.queries(texts))
        except UnavailableError:
            return [None] * len(texts)

    async def search_items(
        self,
        tx: Transaction,
        key: PersonKey,
        op: Search,
        asked: ParsedQueries,
        search_state: index_store.SearchState | None,
    ) -> Sequence[Item]:
        """Return what a search finds."""
        prefix = derive_namespace_id(key, op.prefix) if op.prefix else None
        page = (op.limit, op.offset)
        if not op.filter:
            if search_state is None or not _has_query(op):
                return await store.list_latest(tx, key, prefix, page)
            return await self._rank_items(tx, key, op, (asked, search_state), None)
        every = await store.list_latest(tx, key, prefix, None)
        among = [item for item in every if is_match(item.value, op.filter)]
        if search_state is None or not _has_query(op):
            return among[op.offset : op.offset + op.limit]
        return await self._rank_items(tx, key, op, (asked, search_state), among)

    async def _rank_items(
        self,
        tx: Transaction,
        key: PersonKey,
        op: Search,
        known: tuple[ParsedQueries, index_store.SearchState],
        among: Sequence[Item] | None,
    ) -> Sequence[Item]:
        end, (asked, search_state) = op.offset + op.limit, known
        held = await self._load_index(tx, key, search_state)
        allowed = held.select_prefix(op.prefix)
        allowed &= ~held.mark_items({each.bytes for each in search_state.expired})
        if among is not None:
            allowed &= held.mark_items({item.item_id.bytes for item in among})
        now = tx.now.astimezone(ZoneInfo(search_state.zone))
        question = _build_query(op.query or "", asked[op.query or ""], now)
        best = _select_best(held, question, allowed, end)
        page = best[op.offset : end]
        items = await store.get_items(tx, key, [one.item_id for one in page])
        found = [
            replace(items[one.item_id], score=one.score)
            for one in page
            if one.item_id in items
        ]
        if len(best) >= end:
            return found
        rest = among
        if rest is None:
            prefix = derive_namespace_id(key, op.prefix) if op.prefix else None
            rest = await store.list_latest(tx, key, prefix, (end + len(best), 0))
        scored = {one.item_id for one in best}
        unscored = [item for item in rest if item.item_id not in scored]
        start = max(op.offset - len(best), 0)
        return [*found, *unscored[start : start + op.limit - len(found)]]

    async def _load_index(
        self, tx: Transaction, key: PersonKey, search_state: index_store.SearchState
    ) -> ItemIndex:
        """Return the person's index, as the transaction sees their items."""
        return await self.indexes.load_index(
            tx.scope.user_id,
            (search_state.incarnation, search_state.number),
            lambda held: self._update_index(tx, key, held),
        )

    async def _update_index(
        self, tx: Transaction, key: PersonKey, held: ItemIndex
    ) -> ItemIndex:
        gone = await index_store.list_removed(tx, held.change_number)
        if await get_feed_floor(tx) > held.change_number:
            held, gone = self.indexes.create(held.incarnation), set[bytes]()
        found = await index_store.list_changed(
            tx, key, since=held.change_number, embedder=self.embedder.name
        )
        held.apply_changes(found, gone, self.tokenizer)
        return held


def _build_query(text: str, parsed: ParsedQuery, now: datetime) -> SearchQuery:
    span = extract_time_span(text, now)
    return SearchQuery(
        parsed.terms,
        parsed.vector,
        now=now.timestamp(),
        interval=span and (span[0].timestamp(), span[1].timestamp()),
        favours=select_speaker(text),
    )


def _has_query(op: Search) -> bool:
    return op.query is not None and bool(op.query.strip())


def _select_best(
    held: ItemIndex, question: SearchQuery, allowed: RowMask, most: int
) -> list[ScoredItem]:
    """Return the best items, each once, by its best text.

    They are in the order of the ranking. The score is how much of the question an item
    has, or one ranked below it if that has more: it never rises from one to the next.
    """
    ranks = score_rows(held.index, question)
    rows = np.flatnonzero(allowed)
    rows = rows[np.argsort(-ranks[rows], kind="stable")]
    alike = measure_similarity(held.index, question)[rows]
    scores: list[float] = np.maximum.accumulate(alike[::-1])[::-1].tolist()
    places: list[int] = rows.tolist()
    best: dict[bytes, float] = {}
    for row, score in zip(places, scores, strict=True):
        if len(best) == most:
            break
        best.setdefault(held.get_item_id(row), score)
    return [ScoredItem(UUID(bytes=each), score) for each, score in best.items()]
