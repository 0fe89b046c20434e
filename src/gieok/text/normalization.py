"""The same text in plain spelling, and the way back to the places in the original.

Full-width, circled and other digits become ASCII, every dash "-", every space " ",
invisible characters go, loose jamo are composed, and numbers read aloud ("공일공",
"double five", "ninety eight") become digits, without the words between them.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from gieok.text.patterns import compile_lazily
from gieok.text.spoken_numbers import can_contain_numbers, find_spoken_numbers
from gieok.text.spoken_symbols import find_spoken_letters, find_spoken_symbols

_DASHES: Final = frozenset("−·•ㆍ∙・ーㅡ‧⁃⸱･｡")
_FILLERS: Final = frozenset("\u115f\u1160\u3164\uffa0")
_DROPPED: Final = frozenset({"Cf", "Cc", "Mn", "Me"})
_ODD: Final = compile_lazily(
    r"[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?"
    r"|[^\x20-\x7e\n\r\t가-힣ㄱ-ㅎㅏ-ㅠㅢㅣ‘’“”…]"
)
_COUNTED: Final = compile_lazily(r"\(?(\d{1,2})[.)]?")
"""What "⑫", "⑴" and "⒈" stand for."""
_LOOKALIKE: Final = compile_lazily(
    r"(?<![^\W_])(?=[OolI]{0,3}\d)[\dOolI]{3,}(?![^\W_가-힣])"
)
_SPACED: Final = compile_lazily(
    r"(?<![\w.\-])(?<!\d )(?=\d \d)\d(?: \d){0,9}+"
    r"(?: ?- ?\d(?: \d){0,9}+){1,4}(?! ?\d| ?-)"
)
"""A number with a space after every digit, and dashes between its groups."""
_ALIKE: Final = compile_lazily(r"[OolI]")


class SpellingEdit(NamedTuple):
    """A place in a text, and what is to stand there."""

    start: int
    end: int
    new: str


class _OffsetLayer(NamedTuple):
    """The pieces of a text by where they start now, and the places they came from."""

    starts: list[int]
    spans: list[tuple[int, int]]
    kept: list[bool]

    def locate_original(self, start: int, end: int) -> tuple[int, int]:
        return self._map_start(start), self._map_end(end)

    def _map_start(self, start: int) -> int:
        piece = bisect_right(self.starts, start) - 1
        old = self.spans[piece][0]
        return old + (start - self.starts[piece] if self.kept[piece] else 0)

    def _map_end(self, end: int) -> int:
        piece = bisect_right(self.starts, end - 1) - 1
        if self.kept[piece]:
            return self.spans[piece][0] + end - self.starts[piece]
        return self.spans[piece][1]


class NormalizedText:
    """A text in plain spelling; `origin` leads back to the text it was made of."""

    __slots__ = ("_layers", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._layers: list[_OffsetLayer] = []

    def locate_original(self, start: int, end: int) -> tuple[int, int]:
        """Return where a place in the plain text lies in the original.

        Of what was spelled anew, a part stands for the whole.
        """
        for layer in reversed(self._layers):
            start, end = layer.locate_original(start, end)
        return start, end

    def replace_matches(
        self, pattern: re.Pattern[str], spell: Callable[[re.Match[str]], str]
    ) -> None:
        """Spell every match anew."""
        self.apply_edits(
            SpellingEdit(*match.span(), spell(match))
            for match in pattern.finditer(self.text)
        )

    def apply_edits(self, edits: Iterable[SpellingEdit]) -> None:
        """Make changes that stand in order and do not overlap."""
        edits = list(edits)
        if not edits:
            return
        layer = _OffsetLayer([], [], [])
        pieces: list[str] = []
        last = length = 0

        def add(start: int, end: int, new: str, *, kept: bool) -> None:
            nonlocal length
            layer.starts.append(length)
            layer.spans.append((start, end))
            layer.kept.append(kept)
            pieces.append(new)
            length += len(new)

        for start, end, new in edits:
            if start > last:
                add(last, start, self.text[last:start], kept=True)
            add(start, end, new, kept=False)
            last = end
        add(last, len(self.text), self.text[last:], kept=True)
        self.text = "".join(pieces)
        self._layers.append(layer)


def normalize_spelling(text: str) -> NormalizedText:
    """Return the text in plain spelling."""
    result = NormalizedText(text)
    if not text.isascii() and _ODD.search(text):
        result.replace_matches(_ODD, lambda match: _normalize_odd(match.group()))
    if _LOOKALIKE.search(result.text):
        result.replace_matches(_LOOKALIKE, _replace_lookalikes)
    if can_contain_numbers(result.text):
        result.apply_edits(
            SpellingEdit(*edit) for edit in find_spoken_numbers(result.text)
        )
    if "-" in result.text:
        result.replace_matches(_SPACED, lambda match: match.group().replace(" ", ""))
    for said in (find_spoken_symbols, find_spoken_letters):
        result.apply_edits(SpellingEdit(*edit) for edit in said(result.text))
    return result


@lru_cache(4096)
def _normalize_odd(odd: str) -> str:
    if len(odd) > 1:
        return unicodedata.normalize("NFC", odd)
    if odd in _FILLERS or unicodedata.category(odd) in _DROPPED:
        return ""
    if odd in _DASHES or unicodedata.category(odd) == "Pd":
        return "-"
    return " " if odd.isspace() else _to_plain_character(odd)


def _to_plain_character(odd: str) -> str:
    """Return the plain letter or digits that are meant, if it is one character."""
    digit = unicodedata.decimal(odd, None)
    same = unicodedata.normalize("NFKC", odd) if digit is None else str(digit)
    counted = _COUNTED.fullmatch(same)
    if counted:
        return counted[1]
    same = same if len(same) == 1 else odd
    return same if len(same.lower()) == 1 else same.lower()[0].upper()


def _replace_lookalikes(match: re.Match[str]) -> str:
    """Return a number in which letters stand for the digits they resemble."""
    return _ALIKE.sub(lambda one: "0" if one.group() in "Oo" else "1", match.group())
