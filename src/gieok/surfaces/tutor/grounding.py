"""What of an extracted card the user really said (C01).

A value counts as said when enough of its words stand in what the user wrote: each word
of a name, of other values half. A word stands there if one of the user's begins like
it: "Python을" says "Python", "developer" says "developers". Every number of a value has
to be said, in figures or in words. A value in another language than the user's cannot
be checked, and is left out.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from gieok.kernel.language import CardField, Role, Utterance
from gieok.models.worked_out_dates import has_stated_figures, remove_dates
from gieok.profile.model import CardDocument
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

ENOUGH: Final = 0.5
_STEM: Final = 5
"""Letters by which Latin words are compared; of Korean ones, two syllables."""
_STEM_KOREAN: Final = 2
_WORD: Final = compile_lazily(r"\d+|[^\W\d_]+[+#]*", re.UNICODE)
_LITTLE: Final = PatternFile("gieok.surfaces.tutor", "patterns.toml").get_words(
    "grounding.little_words"
)
"""Words that say nothing of what is claimed."""


def keep_grounded(
    card: CardDocument,
    messages: Iterable[Utterance],
    *,
    year: int | None = None,
) -> CardDocument:
    """Return the values of a card that what the user said bears out.

    `year` is that of the conversation, where the card's writer knew the day: a date
    worked out from "내일" or "next month" need not have been said.
    """
    said = " ".join(_normalize(m.content) for m in messages if m.role is Role.USER)
    stems = {_trim_word(word) for word in _WORD.findall(said)}

    def is_kept(value: str, share: float) -> bool:
        text = _normalize(value)
        if not has_stated_figures(text, said, year):
            return False
        checked = text if year is None else remove_dates(text, said)
        return is_grounded(checked, said, stems, share)

    kept: CardDocument = {}
    for place in CardField:
        value = card.get(place.value)
        share = 1.0 if place is CardField.NAME else ENOUGH
        if isinstance(value, str):
            if is_kept(value, share):
                kept[place.value] = value
        elif texts := [each for each in value or () if is_kept(each, share)]:
            kept[place.value] = texts
    return kept


def is_grounded(value: str, said: str, stems: set[str], enough: float) -> bool:
    """Tell whether enough words of a value stand in what was said.

    `said` is folded, `stems` are the beginnings of its words. Numbers in figures do not
    count: `has_stated_figures` looks for them, and what they count has to be said too.
    """
    listed = _list_words(_normalize(value))
    if not listed:
        return _normalize(value).strip() in said
    words = [word for word in listed if not word.isdigit()]
    found = sum(_is_stated(word, said, stems) for word in words)
    return found >= enough * len(words)


def _list_words(folded: str) -> Sequence[str]:
    words: list[str] = _WORD.findall(folded)
    return [word for word in words if word not in _LITTLE] or words


def _is_stated(word: str, said: str, stems: set[str]) -> bool:
    return _trim_word(word) in stems or (not word.isascii() and word in said)


def _trim_word(word: str) -> str:
    return word[: _STEM if word.isascii() else _STEM_KOREAN]


def _normalize(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
