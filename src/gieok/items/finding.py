"""Finds a person's items by their words and their meaning."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np

from gieok.database import Database, Transaction
from gieok.items import store
from gieok.items.filters import passes
from gieok.items.held import Held
from gieok.items.kept import Kept
from gieok.items.model import Item, Operation, Search
from gieok.items.sealed import namespace_id
from gieok.kernel.errors import UnavailableError
from gieok.kernel.language import Embedder, Tokenizer, Vectors
from gieok.kernel.scope import Scope
from gieok.kernel.when import extract_time_span
from gieok.privacy import PersonKey
from gieok.recall.asked import favoured, nameless
from gieok.recall.items import Mask
from gieok.recall.rank import Question, rank, similarity

Asked = Mapping[str, Vectors | None]
"""The questions of a batch, by their text, as vectors; None is one by words alone."""


class Scored(NamedTuple):
    """An item and its score, see `Item`."""

    item_id: UUID
    score: float


@dataclass(frozen=True, slots=True)
class Finder:
    """The searches over everyone's items; `kept` holds what they search."""

    database: Database
    embedder: Embedder
    tokenizer: Tokenizer
    kept: Kept = field(repr=False)

    async def asked(
        self, scope: Scope, key: PersonKey, ops: Sequence[Operation]
    ) -> Asked:
        """Return the vectors of the questions in a batch; no transaction is open."""
        queries = {op.query for op in ops if isinstance(op, Search) and _asks(op)}
        if not queries:
            return {}
        held = self.kept.get(scope.user_id)
        if held is None:
            async with self.database.begin(scope) as tx:
                ground = await store.ground(await store.ask_ground(tx))
                held = await self._current(tx, key, ground)
        names, terms = held.index.items.names, self.tokenizer.terms
        texts = [query for query in queries if query]
        try:
            vectors = await self.embedder.queries(
                [nameless(text, names, terms) for text in texts]
            )
        except UnavailableError:
            return dict.fromkeys(texts)
        return dict(zip(texts, vectors, strict=True))

    async def search(
        self,
        tx: Transaction,
        key: PersonKey,
        op: Search,
        asked: Asked,
        ground: store.Ground | None,
    ) -> Sequence[Item]:
        """Return what a search finds."""
        prefix = namespace_id(key, op.prefix) if op.prefix else None
        page = (op.limit, op.offset)
        if not op.filter:
            if ground is None or not _asks(op):
                return await store.latest(tx, key, prefix, page)
            return await self._ranked(tx, key, op, (asked, ground), None)
        every = await store.latest(tx, key, prefix, None)
        among = [item for item in every if passes(item.value, op.filter)]
        if ground is None or not _asks(op):
            return among[op.offset : op.offset + op.limit]
        return await self._ranked(tx, key, op, (asked, ground), among)

    async def _ranked(
        self,
        tx: Transaction,
        key: PersonKey,
        op: Search,
        known: tuple[Asked, store.Ground],
        among: Sequence[Item] | None,
    ) -> Sequence[Item]:
        end, (asked, ground) = op.offset + op.limit, known
        held = await self._current(tx, key, ground)
        allowed = held.beginning_with(op.prefix)
        allowed &= ~_of(held, ground.expired)
        if among is not None:
            allowed &= _of(held, [item.item_id for item in among])
        now = tx.now.astimezone(ZoneInfo(ground.zone))
        question = self._question(op.query or "", asked, now)
        best = _best(held, question, allowed, end)
        # From here on others may bring the index up to date: it is not looked at.
        page = best[op.offset : end]
        items = await store.by_id(tx, key, [one.item_id for one in page])
        found = [
            replace(items[one.item_id], score=one.score)
            for one in page
            if one.item_id in items
        ]
        if len(best) >= end:
            return found
        rest = among
        if rest is None:
            prefix = namespace_id(key, op.prefix) if op.prefix else None
            rest = await store.latest(tx, key, prefix, (end + len(best), 0))
        scored = {one.item_id for one in best}
        unscored = [item for item in rest if item.item_id not in scored]
        start = max(op.offset - len(best), 0)
        return [*found, *unscored[start : start + op.limit - len(found)]]

    def _question(self, text: str, asked: Asked, now: datetime) -> Question:
        span = extract_time_span(text, now)
        return Question.of(
            self.tokenizer.terms(text),
            vector=asked.get(text),
            now=now.timestamp(),
            interval=span and (span[0].timestamp(), span[1].timestamp()),
            favours=favoured(text),
        )

    async def _current(
        self, tx: Transaction, key: PersonKey, ground: store.Ground
    ) -> Held:
        """Return the person's index, as the transaction sees their items."""
        person, number = tx.scope.user_id, ground.number
        async with self.kept.lock(person):
            held = self.kept.get(person)
            if held is None:
                held = Held(self.embedder.dimension, self.embedder.name)
            if number > held.head:
                gone = await store.removed(tx, held.head)
                found = await store.changed(
                    tx, key, since=held.head, embedder=self.embedder.name
                )
                held.take_in(found, gone, self.tokenizer)
                held.head = number
            self.kept.keep(person, held)
        return held


def _asks(op: Search) -> bool:
    return op.query is not None and bool(op.query.strip())


def _of(held: Held, ids: Collection[UUID]) -> Mask:
    wanted = {each.bytes for each in ids}
    if not wanted:
        return np.zeros(len(held.ids), np.bool_)
    return np.array([each in wanted for each in held.ids], np.bool_)


def _best(held: Held, question: Question, allowed: Mask, most: int) -> list[Scored]:
    """Return the best items, each once, by its best text.

    They are in the order of the ranking. The score is how much of the question an item
    has, or one ranked below it if that has more: it never rises from one to the next.
    """
    ranks = rank(held.index, question)
    rows = np.flatnonzero(allowed)
    rows = rows[np.argsort(-ranks[rows], kind="stable")]
    alike = similarity(held.index, question)[rows]
    scores: list[float] = np.maximum.accumulate(alike[::-1])[::-1].tolist()
    places: list[int] = rows.tolist()
    best: dict[bytes, float] = {}
    for row, score in zip(places, scores, strict=True):
        if len(best) == most:
            break
        best.setdefault(held.ids[row], score)
    return [Scored(UUID(bytes=each), score) for each, score in best.items()]
