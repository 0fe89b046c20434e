"""What the bundled embedder's vector of a claim says: is it a planted order?

A support vector machine over vectors of the lines that the judge learned from.
Embedding takes some twenty milliseconds, so a claim is read once, when it is written,
in the embedder's own thread; what was found stays with the memory (decision 0044).
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from gieok.kernel.language import Embedder
from gieok.models.support_vectors import SupportVectorMachine

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ClaimReader:
    """Reads passages by vectors of the embedder that the weights were learned from."""

    embedder: Embedder

    async def compute_margins(self, passages: Sequence[str]) -> "NDArray[np.float32]":
        """Return how far each passage lies among the orders, off the event loop."""
        vectors = await self.embedder.passages(passages)
        return await asyncio.to_thread(
            lambda: load_reader_weights().compute_margins(vectors)
        )


@cache
def load_reader_weights() -> SupportVectorMachine:
    """Read the shipped weights once: a megabyte, eight bits a number."""
    data = files("gieok.guard").joinpath("reader.npz").read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        return SupportVectorMachine.from_arrays(arrays)
