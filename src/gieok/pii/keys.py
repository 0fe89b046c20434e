"""Finds keys and tokens of programs, by the shapes their vendors give them."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from gieok.pii.model import PiiFinding, PiiKind
from gieok.pii.scoring import ScannedText
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.pii", "patterns.toml")
_START: Final = r"(?<![A-Za-z0-9])"
_HINT: Final = _LISTS.build_vocabulary("keys.words")
"""Only with one of these can there be a key."""


@cache
def _compile_secrets() -> tuple[re.Pattern[str], ...]:
    forms = _LISTS.lists["keys.secrets"].expressions
    return tuple(re.compile(_START + form) for form in forms)


def find_secrets(said: ScannedText) -> Iterator[PiiFinding]:
    """Yield every key, token and credential."""
    if _HINT.search(said.low):
        for form in _compile_secrets():
            for match in form.finditer(said.text):
                yield PiiFinding(*match.span(), PiiKind.SECRET, 0.95)
