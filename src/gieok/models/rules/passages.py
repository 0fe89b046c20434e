"""Quotes a part of a message, where it may be quoted."""

from datetime import date
from typing import Final

from gieok.models.rules.clause_texts import is_english, remove_laughter
from gieok.models.rules.dates.relative_dates import resolve_dates
from gieok.models.rules.english.quotation import quote_english
from gieok.models.rules.korean.quotation import LONGEST_QUOTED, render_quotation
from gieok.models.rules.lexicon import FORGET
from gieok.models.rules.questions import extract_question
from gieok.models.rules.quotes import find_quotes
from gieok.models.rules.secrets import has_secret_word, is_private
from gieok.text.kiwi import get_shared_morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")
LONGEST_INNER_QUOTE: Final = 20
"""Characters that a message may quote itself, if it is quoted."""
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
) -> tuple[str, ...]:
    """Return how a part of a message may be quoted, with what it answers or without.

    `span` is where it starts and ends, and `asked` what the message answers. A bare
    answer is quoted with its question, in Korean every answer. Nothing comes back
    where a part is long or of several lines, asks, quotes, is itself quoted or is
    taken back after it. `day` is when it was said.
    """
    start, end = span
    text = message[start:end].strip()
    if len(text) > LONGEST_QUOTED or _ASKS_OR_BREAKS.search(text):
        return ()
    inner = [(max(s, start), min(e, end)) for s, e in find_quotes(message)]
    quoted = sum(max(0, last - first) for first, last in inner)
    if quoted > LONGEST_INNER_QUOTE or _QUOTES.search(text):
        return ()
    if any(map(_RETRACTION.match, _NEXT_SENTENCE.split(message[start:]))):
        return ()
    if is_english(text):
        words = remove_laughter(text).strip(" .,;-—")
        told = quote_english(words, extract_question(asked), opens=not start)
    else:
        question = "" if start else asked
        korean = render_quotation(text, question, get_shared_morphology())
        told = () if korean is None else (korean,)
    return tuple(resolve_dates(each, day) for each in told)
