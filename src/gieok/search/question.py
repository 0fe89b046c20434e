"""How a question is put: what of it to embed, and whose words it is after."""

from collections.abc import Callable, Sequence

import numpy as np

from gieok.search.lexicon import hash_name
from gieok.search.rows import NO_NAME, Hashes, Speaker
from gieok.text.patterns import compile_lazily

_TO_YOU = compile_lazily(
    r"\b(?:did|have|had|were) you\b"
    r"|\byou(?:['’](?:d|ve)| had| have)? (?:\w+ )?"
    r"(?:said|say|told|tell|recommend|suggest|mention|advis|explain|gave|propos)"
    r"|(?<![가-힣])(?:네|니|너|당신|자네)(?:가|는|이)(?![가-힣])"
    r"|(?:추천|조언|설명|제안)해\s*(?:준|줬|주셨|주신)"
)


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
    ask for what the assistant said ("what did you recommend?"): then nobody's.
    """
    return None if _TO_YOU.search(question.lower()) else Speaker.USER
