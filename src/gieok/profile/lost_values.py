"""What of a card the user says is not so any more, in so many words (C02).

"AI에는 관심 없어졌어" takes AI out of the interests, if it stands there. What others
say or feel, questions and doubts take nothing away, and neither does a wording that
this does not know: a value that stays can still be erased.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from gieok.kernel.language import CardField, Role, Utterance
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.profile", "patterns.toml")
PLACES: Final = (CardField.INTERESTS, CardField.LEARNING_GOALS)
"""Where the names of things stand that people lose interest in."""
MAX_SENTENCES, MAX_CUES, LONGEST_SENTENCE = 2_000, 100, 300
_CUE: Final = _LISTS.compile_list("lost_values.cue")
"""Stands in every sentence that takes something back, and in few others."""
_SAID_KOREAN: Final = _LISTS.compile_list("lost_values.said_korean")
_SAID_ENGLISH: Final = _LISTS.compile_list("lost_values.said_english")
_SAID_ANYMORE: Final = _LISTS.compile_list("lost_values.said_english_anymore")
_OTHERS: Final = _LISTS.compile_list("lost_values.others")
_SENTENCE: Final = compile_lazily(r"[^.!?~\n;]+[.!?~]*")
_ANYMORE: Final = compile_lazily(r"^\s*any\s?more\b", re.IGNORECASE)
_END_OF_NAME: Final = compile_lazily(
    r"^\s*(?:any\s?more|at all|these days|now|lately)?\s*(?:[.,!]|$|(?:and|but|so)\b)",
    re.IGNORECASE,
)
"""After an English name: "AI art" is not AI."""


def find_lost_values(
    messages: Iterable[Utterance], card: Mapping[str, Any]
) -> dict[str, list[str]]:
    """Return the values of a card, by place, that the user took back.

    The last sentence that names a value decides. Of very long talk only the end is
    read, and of a sentence the beginning.
    """
    sentences = [
        found[0].strip()[:LONGEST_SENTENCE].casefold()
        for message in messages
        if message.role is Role.USER
        for found in _SENTENCE.finditer(message.content)
    ][-MAX_SENTENCES:]
    cues = [n for n, each in enumerate(sentences) if _CUE.search(each)][-MAX_CUES:]
    lost: dict[str, list[str]] = {}
    for place in PLACES if cues else ():
        for value in _list_texts(card.get(place.value)):
            name = value.strip().casefold()
            told = [n for n in cues if _find_name(name, sentences[n]) is not None]
            if told and _is_lost(name, sentences[told[-1] :]):
                lost.setdefault(place.value, []).append(value)
    return lost


def _list_texts(held: object) -> list[str]:
    values = cast("list[object]", held) if isinstance(held, list) else []
    return [each for each in values if isinstance(each, str) and each.strip()]


def _find_name(name: str, sentence: str) -> int | None:
    """Return where a name stands in a sentence, at the beginning of a word."""
    at = sentence.find(name)
    while at > 0 and sentence[at - 1].isalnum():
        at = sentence.find(name, at + 1)
    return None if at < 0 else at


def _is_lost(name: str, sentences: Iterable[str]) -> bool:
    """Tell whether the last sentence that names a value takes it back."""
    told = [
        (sentence[:at], sentence[at + len(name) :])
        for sentence in sentences
        if (at := _find_name(name, sentence)) is not None
    ]
    return bool(told) and _is_taken_back(*told[-1])


def _is_taken_back(before: str, after: str) -> bool:
    """Tell whether what stands around a name says that it is not so any more."""
    if after.rstrip().endswith("?") or _OTHERS.search(before):
        return False
    if _SAID_KOREAN.search(after):
        return True
    if _END_OF_NAME.search(after) is None:
        return False
    is_over = _SAID_ANYMORE.search(before) and _ANYMORE.search(after)
    return bool(_SAID_ENGLISH.search(before) or is_over)
