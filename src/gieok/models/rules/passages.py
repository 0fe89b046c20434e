"""Quotes a part of a message, where it may be quoted."""

from datetime import date
from typing import Final

from gieok.models.rules.clause_texts import is_english, remove_laughter
from gieok.models.rules.dates import resolve_dates
from gieok.models.rules.korean_quotation import LONGEST_QUOTED, render_quotation
from gieok.models.rules.lexicon import FORGET
from gieok.models.rules.quotes import find_quotes
from gieok.models.rules.secrets import has_secret_word, is_private
from gieok.text.kiwi import get_shared_morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")
LONGEST_INNER_QUOTE: Final = 20
"""Characters that a message may quote itself, if it is quoted."""
FEWEST_QUOTED: Final = 4
"""Words of an answer that is quoted without its question."""
_QUOTES: Final = compile_lazily(r"[“”]")
_ASKS_OR_BREAKS: Final = compile_lazily(r"[?？\n]")
_NEXT_SENTENCE: Final = compile_lazily(r"(?<=[.!?。！？])\s+")
_RETRACTION: Final = _LISTS.compile_list("wording.retraction")
"""What opens a sentence that takes back the one before it."""


def is_quotable(message: str) -> bool:
    """Tell whether parts of a message may be quoted.

    Not if it may tell something private, or asks to forget something.
    """
    private = is_private(message) or has_secret_word(message)
    return not (private or FORGET.search(message))


def quote_passage(
    message: str, span: tuple[int, int], asked: str, day: date
) -> str | None:
    """Return a part of a message as a quotation, in Korean with what it answers.

    `span` is where it starts and ends, and `asked` what the message answers. Nothing
    comes back where it is long or of several lines, asks, quotes, is itself quoted, is
    taken back after it or, in English, is a bare answer. `day` is when it was said.
    """
    start, end = span
    text = message[start:end].strip()
    if len(text) > LONGEST_QUOTED or _ASKS_OR_BREAKS.search(text):
        return None
    inner = [(max(s, start), min(e, end)) for s, e in find_quotes(message)]
    quoted = sum(max(0, last - first) for first, last in inner)
    if quoted > LONGEST_INNER_QUOTE or _QUOTES.search(text):
        return None
    if any(map(_RETRACTION.match, _NEXT_SENTENCE.split(message[start:]))):
        return None
    told = (
        _quote_english(remove_laughter(text).strip(" .,;-—"), asked)
        if is_english(text)
        else render_quotation(text, "" if start else asked, get_shared_morphology())
    )
    return told and resolve_dates(told, day)


def _quote_english(words: str, asked: str) -> str | None:
    """Return what was said in quotation marks, unless it is only an answer."""
    if len(words.split()) < FEWEST_QUOTED and "?" in asked:
        return None
    return f"The user said: “{words}”" if words else None
