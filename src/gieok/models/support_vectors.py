"""Support vector machines over vectors of the bundled encoder."""

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from gieok.kernel.language import Vectors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


class SupportVectorMachine(NamedTuple):
    """A machine with a Gaussian kernel (Cortes and Vapnik 1995).

    It compares vectors as seen from `center`, at length one, with those it learned
    from that count, each with its `share`.
    """

    center: Vectors
    support: Vectors
    share: Vectors
    bias: float
    gamma: float

    @classmethod
    def from_arrays(cls, arrays: "Mapping[str, NDArray[Any]]") -> Self:
        """Return the machine that `to_arrays` spelled."""
        return cls(
            arrays["center"],
            arrays["support"] * arrays["scale"],
            arrays["share"],
            float(arrays["bias"]),
            float(arrays["gamma"]),
        )

    def to_arrays(self) -> "dict[str, NDArray[Any]]":
        """Return arrays to be stored, eight bits a number of what was learned from."""
        scale = float(np.abs(self.support).max() / 127)
        return {
            "center": np.asarray(self.center, np.float32),
            "support": np.round(self.support / scale).astype(np.int8),
            "scale": np.array(scale, np.float32),
            "share": np.asarray(self.share, np.float32),
            "bias": np.array(self.bias),
            "gamma": np.array(self.gamma),
        }

    def compute_margins(self, vectors: Vectors) -> "NDArray[np.float32]":
        """Return how far each vector lies on the side of what was looked for."""
        own = normalize_vectors(vectors, self.center)
        alike = (own @ self.support.T - 1) * (2 * self.gamma)
        return self.share @ np.exp(alike).T + self.bias


def normalize_vectors(vectors: Vectors, center: Vectors) -> Vectors:
    """Return vectors as seen from the middle of all, at length one."""
    own = vectors - center
    return own / np.linalg.norm(own, axis=1, keepdims=True)
