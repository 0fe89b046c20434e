"""Tells whether somebody asks to save the conversation: "대화 저장해줘" (E03).

A linear model over the vector of the bundled embedder and hashed runs of letters and
words (see `token_ngrams`), learned from examples and near misses: saving a photo,
asking how saving works, telling of it, asking not to.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from gieok.kernel.language import Embedder
from gieok.models.rules.char_ngrams import build_run_row
from gieok.models.rules.linear import Numbers, compute_probability
from gieok.models.rules.weights import load_save_weights

LONGEST: Final = 300
"""Characters of a message that are read, its last ones."""
VECTOR_SCALE: Final = 1.5
ENOUGH: Final = 0.4
"""Probability from which a message is a request."""


@dataclass(frozen=True, slots=True)
class SaveRequestDetector:
    """Reads messages with the embedder from whose vectors the weights were learned."""

    embedder: Embedder

    async def is_save_request(self, message: str) -> bool:
        """Tell whether a message asks to keep what was talked about."""
        text = message[-LONGEST:]
        vector = (await self.embedder.queries([text]))[0]
        weights, bias = load_save_weights()
        logit = build_features(text, vector) @ weights + bias
        return bool(compute_probability(logit) >= ENOUGH)


def build_features(text: str, vector: Numbers) -> Numbers:
    """Return the features of a text: its vector, then its runs by bucket."""
    return np.concatenate([VECTOR_SCALE * vector, build_run_row(text)])
