"""What the bundled embedder's vector of a claim says: is it a planted order?

A support vector machine with a Gaussian kernel (Cortes and Vapnik 1995) over vectors of
the lines that the judge learned from. Embedding takes some twenty milliseconds, so a
claim is read once, when it is written, in the embedder's own thread; what was found
stays with the memory (decision 0044).
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gieok.kernel.language import Embedder, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ReaderWeights(NamedTuple):
    """What was learned: the lines that count, each with how much."""

    center: Vectors
    support: Vectors
    share: Vectors
    bias: float
    gamma: float

    def compute_margins(self, vectors: Vectors) -> "NDArray[np.float32]":
        """Return how far each vector lies among the orders."""
        own = normalize_vectors(vectors, self.center)
        alike = (own @ self.support.T - 1) * (2 * self.gamma)
        return self.share @ np.exp(alike).T + self.bias


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


def normalize_vectors(vectors: Vectors, center: Vectors) -> Vectors:
    """Return vectors as seen from the middle of all, at length one."""
    own = vectors - center
    return own / np.linalg.norm(own, axis=1, keepdims=True)


@cache
def load_reader_weights() -> ReaderWeights:
    """Read the shipped weights once: a megabyte, eight bits a number."""
    data = files("gieok.guard").joinpath("reader.npz").read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        return ReaderWeights(
            arrays["center"],
            arrays["support"] * arrays["scale"],
            arrays["share"],
            float(arrays["bias"]),
            float(arrays["gamma"]),
        )
