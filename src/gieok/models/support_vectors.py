"""Support vector machines over vectors of the bundled encoder."""

from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import numpy as np

from gieok.kernel.language import Vectors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


BLOCK: Final = 1_024
"""Vectors that are compared with at a time: as floats they take four times the room."""


class SupportVectorMachine(NamedTuple):
    """A machine with a Gaussian kernel (Cortes and Vapnik 1995).

    It compares vectors as seen from `center`, at length one, with those it learned
    from that count. Each has its `share`, or one for every class, a row a class.
    """

    center: Vectors
    support: "NDArray[np.int8]"
    """[n, size]: whole numbers of `scale`."""
    scale: float
    share: Vectors
    bias: "NDArray[np.float64]"
    gamma: float

    @classmethod
    def from_vectors(
        cls,
        center: Vectors,
        support: Vectors,
        share: Vectors,
        bias: "NDArray[np.float64] | float",
        gamma: float,
    ) -> Self:
        """Return a machine that keeps eight bits a number of what it learned from."""
        scale = float(np.abs(support).max() / 127)
        whole = np.round(support / scale).astype(np.int8)
        return cls(center, whole, scale, share, np.asarray(bias, np.float64), gamma)

    @classmethod
    def from_arrays(cls, arrays: "Mapping[str, NDArray[Any]]") -> Self:
        """Return the machine that `to_arrays` spelled."""
        return cls(
            arrays["center"],
            arrays["support"],
            float(arrays["scale"]),
            arrays["share"],
            arrays["bias"],
            float(arrays["gamma"]),
        )

    def to_arrays(self) -> "dict[str, NDArray[Any]]":
        """Return arrays to be stored."""
        return {
            "center": np.asarray(self.center, np.float32),
            "support": self.support,
            "scale": np.array(self.scale, np.float32),
            "share": np.asarray(self.share, np.float32),
            "bias": self.bias,
            "gamma": np.array(self.gamma),
        }

    def compute_margins(self, vectors: Vectors) -> "NDArray[np.float32]":
        """Return how far each vector lies on the side of what was looked for.

        A number a vector, or where there are classes a row a class.
        """
        own = normalize_vectors(vectors, self.center).astype(np.float32)
        margins = np.zeros((*self.share.shape[:-1], len(own)), np.float32)
        for start in range(0, len(self.support), BLOCK):
            block = slice(start, start + BLOCK)
            other = self.support[block].astype(np.float32) * np.float32(self.scale)
            alike = (own @ other.T - 1) * np.float32(2 * self.gamma)
            margins += self.share[..., block] @ np.exp(alike).T
        return margins + self.bias[..., None].astype(np.float32)


def normalize_vectors(vectors: Vectors, center: Vectors) -> Vectors:
    """Return vectors as seen from the middle of all, at length one."""
    own = vectors - center
    return own / np.linalg.norm(own, axis=1, keepdims=True)
