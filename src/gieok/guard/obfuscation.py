"""Undoes how words are hidden: spelled out, in look-alike letters, unseen."""

import re
from typing import Final

from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.guard", "patterns.toml")

_INVISIBLE: Final = compile_lazily(
    "[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\U000e0020-\U000e007f]"
)
_MAX_INVISIBLE: Final = 3
_FLAGS: Final = "|".join(
    "".join(chr(0xE0000 + ord(letter)) for letter in region)
    for region in ("gbeng", "gbsct", "gbwls")
)
_HARMLESS: Final = compile_lazily(
    f"\U0001f3f4(?:{_FLAGS})\U000e007f" r"|\u200b+(?=\s|$)|(?<!\S)\u200b+"
)
"""Flags of England, Scotland and Wales, and what copied pages leave around lines."""
_BLOB: Final = compile_lazily(
    r"(?=[A-Za-z0-9+/]{0,60}[a-z])(?=[A-Za-z0-9+/]{0,60}[A-Z])[A-Za-z0-9+/]{40,}={0,2}"
)
_LONGEST_PART: Final = 16
"""Characters for each slash of a path; what has more of them is encoded."""
_LINK: Final = compile_lazily(r"(?:https?|data):\S+")
_SPELLED: Final = _LISTS.compile_list("obfuscation.spelled")
_MIXED: Final = compile_lazily(
    r"\b[a-z]*(?:[a-z][013457]|[013457][a-z])[a-z]{2,}\b",
    re.IGNORECASE,
)
_NOT_LETTER: Final = compile_lazily(r"[\s.\-_]")
_TO_LATIN: Final = str.maketrans("аеорсухіѕԁɡո", "aeopcyxisdgn")
_TO_LETTER: Final = str.maketrans("013457@$", "oieastas")
_SPACE: Final = compile_lazily(r"[^\S\n]+")


def has_hidden_text(text: str) -> bool:
    """Tell whether a text holds what people cannot read: unseen or encoded."""
    unseen = len(_INVISIBLE.findall(_HARMLESS.sub("", text))) >= _MAX_INVISIBLE
    return unseen or any(
        blob[0].count("/") <= len(blob[0]) // _LONGEST_PART
        for blob in _BLOB.finditer(_LINK.sub(" ", text))
    )


def deobfuscate_text(text: str) -> str:
    """Return a text with spelled-out words joined and look-alike letters replaced."""
    joined = _SPELLED.sub(lambda run: _NOT_LETTER.sub("", run[0]), text)
    joined = _MIXED.sub(lambda word: word[0].translate(_TO_LETTER), joined)
    return _SPACE.sub(" ", joined.translate(_TO_LATIN))
