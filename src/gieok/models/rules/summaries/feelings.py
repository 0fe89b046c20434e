"""Marks of how a user feels and of what happened to them, in both languages.

General vocabulary and signs; each is a feature of the models in `mood.py`, which learn
what it weighs. Korean is matched by the stems as they are written.
"""

import re
from collections.abc import Mapping
from typing import Final

from gieok.models.rules.lexicon import LAUGH
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.summaries", "feelings.toml")


def _compile_lists(table: str) -> Mapping[str, re.Pattern[str]]:
    names = (name for name in _LISTS.lists if name.startswith(f"{table}."))
    return {name.removeprefix(f"{table}."): _LISTS.compile_list(name) for name in names}


FEELINGS: Final = _compile_lists("feelings")
"""What the user says they feel."""
EVENTS: Final = _compile_lists("events")
"""What is talked about."""
REACTIONS: Final = _compile_lists("reactions")
"""How the assistant takes it."""
SIGNS: Final[Mapping[str, re.Pattern[str]]] = {
    "crying": compile_lazily("[ㅠㅜ]+|[😢😭😿🥺💔]|:'?\\("),
    "smiling": compile_lazily("[😀-😄😊🥰😍🎉❤💕😂🤣🙌✨🥳]|:\\)|\\^\\^"),
    "shouting": compile_lazily(r"!+|！+"),
    "trailing": compile_lazily(r"\.{2,}|…"),
    "laughing": LAUGH,
}
"""How it is written."""
MARKS: Final[Mapping[str, re.Pattern[str]]] = {**FEELINGS, **EVENTS, **SIGNS}
"""What is counted in the user's own words."""
