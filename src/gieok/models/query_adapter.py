"""The vector by which a question finds what is remembered, from the bundled e5's.

People ask amid a situation that does not name what is remembered ("what do I order at
the bar?" beside "The user does not drink"), and a sentence of some forms comes near to
whatever is asked. So the mean of many questions is taken from the vector, which makes
such hubs rarer (Suzuki et al. 2013, Centering similarity measures to reduce hubs), and
a linear map of the rest is added that was learned from questions and the memories they
need (`training/train_query_adapter.py`). What is stored stays as it was embedded.
"""

from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np

from gieok.kernel.language import Vectors

WEIGHTS: Final = "query_adapter.npz"


class QueryAdapter(NamedTuple):
    """What was learned from the bundled embedder's vectors."""

    mean: Vectors
    """[dimension], of questions' unit vectors."""
    weights: Vectors
    """[dimension, dimension], over what is left of a question without the mean."""

    def compute_memory_vector(self, vector: Vectors) -> Vectors:
        """Return what a question is compared by with memories and summaries.

        It is not of length one: only its order of them means something.
        """
        rest = vector - self.mean
        # Not the @ of BLAS, whose threads wait for each other on busy cores.
        mapped = np.einsum("...i,ij->...j", rest, self.weights)
        return np.asarray(rest + mapped, np.float32)


@cache
def load_query_adapter() -> QueryAdapter:
    """Return what the package ships."""
    path = files("gieok.models").joinpath(WEIGHTS)
    with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
        return QueryAdapter(
            *(archive[part].astype(np.float32) for part in QueryAdapter._fields)
        )
