"""Embeds texts once and keeps the vectors on disk between runs."""

import hashlib
import tempfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from encoder import embed_texts

from gieok.models import tuned_e5

FOLDER = Path(tempfile.gettempdir())


def _key(text: str) -> str:
    """Return a short name for a text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


class DiskCachedE5:
    """The kernel's Embedder over the bundled e5, remembering every vector it made.

    With `tuned` it is the encoder that `tune_e5.py` trained, as it is now.
    """

    name = "multilingual-e5-small"
    dimension = 384

    def __init__(self, *, tuned: bool = False) -> None:
        self._trained = tuned_e5.load_tuned_weights() if tuned else None
        kind = f"read-{zlib.crc32(self._trained['bytes']):08x}" if tuned else "e5"
        self._path = FOLDER / f"gieok-training-{kind}.npz"
        self._vectors: dict[str, np.ndarray] = {}
        if self._path.exists():
            with np.load(self._path, allow_pickle=False) as kept:
                self._vectors = dict(
                    zip(kept["keys"].tolist(), kept["vectors"], strict=True)
                )

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return one row per text."""
        missing = [t for t in dict.fromkeys(texts) if _key(t) not in self._vectors]
        if missing:
            rows = embed_texts(missing, self._trained)
            self._vectors.update(zip(map(_key, missing), rows, strict=True))
            self.save()
        rows = [self._vectors[_key(text)] for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)

    def save(self) -> None:
        """Write the cache."""
        vectors = np.stack(list(self._vectors.values()))
        np.savez(self._path, keys=np.array(list(self._vectors)), vectors=vectors)

    async def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Return one row per stored text."""
        return self.embed(texts)

    async def queries(self, texts: Sequence[str]) -> np.ndarray:
        """Return one row per question; extraction asks none."""
        return self.embed(texts)
