"""LangGraph's long-term store, on PostgreSQL with pgvector."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import count

from langchain_core.embeddings import Embeddings
from langgraph.store.postgres import AsyncPostgresStore
from peer import Home, Said, in_thread, passages, question

DIMENSION = 384


class SharedEmbeddings(Embeddings):
    """The embedder that all libraries here share."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return vectors of stored texts."""
        return passages(texts)

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a question."""
        return question(text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return vectors of stored texts."""
        return await in_thread(passages, texts)

    async def aembed_query(self, text: str) -> list[float]:
        """Return the vector of a question."""
        return await in_thread(question, text)


class LangGraph:
    """A store with a vector index; messages are embedded as they are put."""

    def __init__(self, store: AsyncPostgresStore) -> None:
        self._store = store
        self._keys = count()

    async def add(self, person: str, turn: Said) -> None:
        """Put both messages; the store batches what is put at once."""
        await asyncio.gather(*(self._put(person, text) for text in turn))

    async def settle(self, person: str) -> None:
        """Do nothing: everything is searchable already."""

    async def search(self, person: str, question: str, limit: int) -> int:
        """Return how many were found."""
        found = await self._store.asearch((person,), query=question, limit=limit)
        return len(found)

    async def _put(self, person: str, text: str) -> None:
        await self._store.aput((person,), str(next(self._keys)), {"text": text})


@asynccontextmanager
async def opened(home: Home) -> AsyncGenerator[LangGraph]:
    """Open the store with as many connections as gieok has."""
    if home.database is None:
        problem = "LangGraph's store needs the address of a PostgreSQL"
        raise ValueError(problem)
    async with AsyncPostgresStore.from_conn_string(
        home.database,
        pool_config={"min_size": 1, "max_size": 10},
        index={"dims": DIMENSION, "embed": SharedEmbeddings(), "fields": ["text"]},
    ) as store:
        await store.setup()
        yield LangGraph(store)
