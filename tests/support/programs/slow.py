"""Run a command of gieok's whose embedder takes its time: slow.py SECONDS WORDS.

Every text takes so many seconds; vectors say nothing.
"""

import sys
import time

import numpy as np
from fakes import Everything

from gieok import Parts
from gieok.kernel.language import Vectors
from gieok.models.e5 import DIMENSION, E5Embedder
from gieok.surfaces.cli.app import execute
from gieok.testing import WordTokenizer


class Engine:
    """Embeds slowly, and in one go as much as it is given."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def query(self, texts: list[str]) -> Vectors:
        """Return the same for every text."""
        time.sleep(self._seconds * len(texts))
        return np.ones((len(texts), DIMENSION), np.float32)

    passage = query


def main(seconds: float, words: list[str]) -> int:
    """Run the command."""
    embedder = E5Embedder(lambda: Engine(seconds))
    tokenizer = WordTokenizer()
    parts = Parts(model=Everything(), embedder=embedder, tokenizer=tokenizer)
    return execute(words, parts=parts)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2:]))
