"""Takes one of the things that a sentence coordinates out of it.

"사용자는 고양이랑 강아지를 키운다" has two; without the dog it is "사용자는 고양이를
키운다". What cannot be cut surely is not cut.
"""

import re
from collections.abc import Collection
from typing import Final, NamedTuple

from gieok.models.rules.coordination_parts import Coordination
from gieok.models.rules.english.coordination import (
    build_english_sentence,
    find_english_coordination,
)
from gieok.models.rules.korean.coordination import (
    build_korean_sentence,
    find_korean_coordination,
)
from gieok.text.patterns import compile_lazily

_KOREAN: Final = compile_lazily("[가-힣]")
_QUOTED: Final = compile_lazily('[“”"「」]')


class NamedPart(NamedTuple):
    """One of the things that a sentence coordinates."""

    text: str
    """As it stands in the sentence: "a dog", "강아지 한 마리"."""
    words: tuple[str, ...]
    """Its nouns, in lower case; of an English doing its verb and its last word."""
    is_doing: bool = False


def _find_coordination(sentence: str) -> Coordination | None:
    """Return the parts of a sentence; in a quotation nothing is cut."""
    if _KOREAN.search(sentence):
        found = find_korean_coordination(sentence)
    else:
        found = find_english_coordination(sentence)
    if found is not None and _QUOTED.search(sentence):
        return found._replace(is_sure=False)
    return found


def list_conjuncts(sentence: str) -> tuple[NamedPart, ...]:
    """Return the things that a sentence coordinates; none if it does not."""
    found = _find_coordination(sentence)
    if found is None:
        return ()
    return tuple(
        NamedPart(text, words, found.are_doings)
        for text, words in zip(found.conjuncts, found.words, strict=True)
    )


def remove_conjunct(sentence: str, named: Collection[str]) -> str | None:
    """Return a sentence without some of the things that it coordinates.

    They are named as `list_conjuncts` has their text. None if it cannot be cut surely,
    or if nothing or everything would go.
    """
    found = _find_coordination(sentence)
    if found is None or not found.is_sure:
        return None
    kept = [n for n, text in enumerate(found.conjuncts) if text not in named]
    if not 0 < len(kept) < len(found.conjuncts):
        return None
    build = (
        build_korean_sentence if _KOREAN.search(sentence) else build_english_sentence
    )
    rest = build(found, kept)
    gone = (text for text in found.conjuncts if text in named)
    if rest is None or any(_has_word(rest, text) for text in gone):
        return None
    return rest


def _has_word(sentence: str, text: str) -> bool:
    """Tell whether what was taken out stands elsewhere in a sentence as well."""
    return re.search(rf"(?<!\w){re.escape(text)}", sentence) is not None
