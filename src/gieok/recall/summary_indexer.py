"""Makes summaries and episodes findable."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.database import Change, Database, Transaction
from gieok.kernel.language import Embedder, Tokenizer, Vectors
from gieok.kernel.portions import split_portions
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey
from gieok.recall.recall_index import build_sentence_entry
from gieok.recall.summary_store import (
    ITEM,
    SummaryText,
    list_unindexed_summaries,
    load_texts,
)
from gieok.search import summary_entry_store
from gieok.search.codec import encode_entry, join_entries
from gieok.search.rows import RowKind
from gieok.text.sentences import split_sentences

ENTITY: Final = "summary_entry"
MAX_SENTENCES: Final = 64
PORTION: Final = 8_000
"""Characters embedded between two transactions."""


@dataclass(frozen=True, slots=True)
class SummaryIndexer:
    """Gives what sums up its terms and vector."""

    database: Database
    embedder: Embedder
    tokenizer: Tokenizer

    async def index(self, scope: Scope, key: PersonKey) -> int:
        """Index what was made or changed since; return how many there were.

        Raises:
            ModelUnavailableError: the embedder does not answer.
        """
        async with self.database.begin(scope) as tx:
            lacking = await list_unindexed_summaries(tx, self.embedder.name)
            texts = list((await load_texts(tx, key, lacking)).values())
        for portion in split_portions(texts, _count_characters, PORTION):
            await self._index_portion(scope, key, portion)
        return len(texts)

    async def _index_portion(
        self, scope: Scope, key: PersonKey, texts: Sequence[SummaryText]
    ) -> None:
        parts = [split_sentences(told.text)[:MAX_SENTENCES] for told in texts]
        vectors = await self.embedder.passages(
            [each for some in parts for each in some]
        )
        entries = await asyncio.to_thread(self._build_entries, texts, parts, vectors)
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            asked = [(told.kind, told.item_id) for told in texts]
            current = await load_texts(tx, key, asked)
            for told, item in zip(texts, entries, strict=True):
                if current.get(told.item_id.bytes) == told:
                    await self._store_entry(tx, key, told, item)
            tx.record_changes(Change(ENTITY, texts[0].item_id))

    def _build_entries(
        self,
        texts: Sequence[SummaryText],
        parts: Sequence[Sequence[str]],
        vectors: Vectors,
    ) -> list[bytes]:
        left = iter(vectors)
        return [
            join_entries(
                RowKind.SUMMARY,
                [
                    encode_entry(
                        replace(
                            build_sentence_entry(text, place, told.at, self.tokenizer),
                            vector=next(left),
                        )
                    )
                    for place, text in enumerate(some)
                ],
            )
            for told, some in zip(texts, parts, strict=True)
        ]

    async def _store_entry(
        self, tx: Transaction, key: PersonKey, told: SummaryText, item: bytes
    ) -> None:
        sealed = key.seal(ITEM, told.item_id, item, revision=told.revision)
        await summary_entry_store.upsert_entry(
            tx,
            told.kind.value,
            told.item_id,
            told.revision,
            embedder=self.embedder.name,
            item=sealed,
        )


def _count_characters(told: SummaryText) -> int:
    return len(told.text)
