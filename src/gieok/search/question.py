"""How a question is put: what of it to embed, and whose words it is after."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from gieok.kernel.language import Vectors
from gieok.search.lexicon import hash_name
from gieok.search.rows import NO_NAME, Hashes, Speaker
from gieok.text.pattern_file import PatternFile

QueryAdaptation = Callable[[Vectors], Vectors]
"""Turns a question's vector into that by which it finds memories and summaries."""

_LISTS: Final = PatternFile("gieok.search", "patterns.toml")

_TO_YOU = _LISTS.compile_list("question.to_you")
_ENDS: Final = 1_000
"""Characters."""


def remove_names(
    question: str, names: Hashes, terms: Callable[[str], Sequence[str]]
) -> str:
    """Return the question without the words that are speakers' names, to be embedded.

    `names` are hashes as in `SearchRows.list_names` (lexicon.hash_name), `terms` is the
    tokenizer's. A question of nothing but names stays as it is.

    Measured on LoCoMo, cosine over plain turns: recall@10 .25 with the names in the
    question, .55 with them also before every turn, .64 without any.
    """
    known = set(np.unique(names).tolist()) - {NO_NAME}
    if not known:
        return question
    kept = [word for word in question.split() if hash_name(terms(word)) not in known]
    bare = " ".join(kept)
    return bare if terms(bare) else question


def select_speaker(question: str) -> Speaker | None:
    """Return whose words are likelier to answer, if nobody is named.

    A person asks after what they told ("내 고양이 이름이 뭐였지?"), except where they
    ask for what the assistant said ("what did you recommend?"): then nobody's. Of a
    long text only its two ends are read: that is where somebody asks.
    """
    read = clip_question(question, _ENDS)
    return None if _TO_YOU.search(read.lower()) else Speaker.USER


def clip_question(text: str, ends: int) -> str:
    """Return so many characters of either end of a long text: there somebody asks."""
    bare = text.strip()
    return text if len(bare) <= 2 * ends else f"{bare[:ends]}\n{bare[-ends:]}"
