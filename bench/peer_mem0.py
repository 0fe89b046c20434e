"""mem0 as its package comes: vectors in an on-disk Qdrant, history in SQLite.

`infer=False` keeps the words as they are; otherwise every add would ask a language
model. Without its extras, as installed by default, mem0 searches by vectors alone. Its
own "langchain" embedder wants the whole of langchain, so the shared embedder takes that
name in mem0's table of embedders.
"""

import logging
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from peer import Home, Said, passages, question

DIMENSION = 384


class Mem0:
    """An `AsyncMemory`; messages are embedded one by one as they are added."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory

    async def add(self, person: str, turn: Said) -> None:
        """Add both messages in one call."""
        said = [
            {"role": "user", "content": turn.asked},
            {"role": "assistant", "content": turn.answered},
        ]
        await self._memory.add(said, user_id=person, infer=False)

    async def settle(self, person: str) -> None:
        """Do nothing: everything is searchable already."""

    async def search(self, person: str, question: str, limit: int) -> int:
        """Return how many were found."""
        found = await self._memory.search(
            question, top_k=limit, filters={"user_id": person}, threshold=0.0
        )
        return len(found["results"])


class SharedEmbedder:
    """The embedder that all libraries here share, as mem0 calls it."""

    def __init__(self, config: Any) -> None:
        self.config = config

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """Return the vector of a stored text, or of a question in a search."""
        return question(text) if memory_action == "search" else passages([text])[0]

    def embed_batch(
        self, texts: list[str], memory_action: str = "add"
    ) -> list[list[float]]:
        """Return vectors of several texts."""
        if memory_action == "search":
            return [question(text) for text in texts]
        return passages(texts)


@asynccontextmanager
async def opened(home: Home) -> AsyncGenerator[Mem0]:
    """Open mem0 in a folder, without telemetry."""
    os.environ["MEM0_TELEMETRY"] = "False"  # all three are read on import
    os.environ["MEM0_DIR"] = str(home.folder)
    os.environ["ANONYMIZED_TELEMETRY"] = "False"
    logging.getLogger("mem0").setLevel(logging.ERROR)  # it names extras it lacks
    from mem0 import AsyncMemory  # noqa: PLC0415 - only now is it told where to live
    from mem0.utils.factory import EmbedderFactory  # noqa: PLC0415

    shared = f"{SharedEmbedder.__module__}.{SharedEmbedder.__name__}"
    EmbedderFactory.provider_to_class["langchain"] = shared
    memory = AsyncMemory.from_config(
        {
            "embedder": {"provider": "langchain", "config": {}},
            "vector_store": {
                "provider": "qdrant",
                "config": {
                    "path": str(home.folder / "qdrant"),
                    "embedding_model_dims": DIMENSION,
                    "on_disk": True,
                },
            },
            "llm": {"provider": "openai", "config": {"api_key": "never used"}},
            "history_db_path": str(home.folder / "history.db"),
        }
    )
    try:
        yield Mem0(memory)
    finally:
        memory.vector_store.client.close()
        memory.db.close()
