"""Whether English words tell what was, by their last verb."""

import re
from collections.abc import Sequence
from typing import Final

from gieok.models.rules.english import words
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_ARRANGING: Final = _LISTS.get_words("dates.en_arranging")
"""Verbs whose past still speaks of what is ahead: "booked a haircut"."""
_PRESENT: Final = _LISTS.get_words("dates.en_present")
"""Auxiliaries of what is or will be."""
_OWN: Final = "'s"
"""Of "the user's sister", or short for "is", which only a participle tells."""
_WORD: Final = compile_lazily(r"[A-Za-z]+|['’](?:s|re|m|ll|ve|d)\b")
_CLAUSE_END: Final = compile_lazily(r"[.!?;\n]")
_PASSIVE_REACH: Final = 2
"""Words before a participle among which "is" makes it a state: "is always closed"."""


def is_past(said: str) -> bool:
    """Tell whether the last verb of some English words is one of the past.

    A participle after "is" is none, nor is what was arranged for some day ahead.
    """
    spoken = [
        match[0].lower().replace("’", "'")
        for match in re.finditer(_WORD.pattern, _CLAUSE_END.split(said)[-1])
    ]
    for place in range(len(spoken) - 1, -1, -1):
        word = spoken[place]
        infinitive = place > 0 and spoken[place - 1] == "to"
        if word == _OWN or infinitive:
            continue
        if word in _PRESENT or word in _ARRANGING:
            return False
        parts = words.get_parts(word)
        if parts[0] == words.PAST or (
            parts[0] == words.PARTICIPLE and words.VERB not in parts
        ):
            return not _is_state(spoken, place)
        if parts[0] in (words.VERB, words.THIRD) and words.PAST not in parts:
            return False
    return False


def _is_state(spoken: Sequence[str], participle: int) -> bool:
    """Tell whether "is" stands before a participle; "'s" of a noun's is none."""
    before = range(max(0, participle - _PASSIVE_REACH), participle)
    return any(
        spoken[place] in _PRESENT
        or (
            spoken[place] == _OWN
            and words.get_parts(spoken[place + 1])[0] != words.NOUN
        )
        for place in before
    )
