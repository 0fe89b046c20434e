"""Which stretches of a message are not the user's own words."""

import re
from typing import Final

from gieok.models.rules.lexicon import PASTED
from gieok.text.patterns import compile_lazily

SHORTEST_QUOTE: Final = 12  # characters; shorter ones are titles and emphasis
LONG_TAIL: Final = 60  # characters after "…:\n" that make it a pasted text
PASTED_LENGTH: Final = 700  # characters of one message that nobody types in a chat

_FENCED: Final = compile_lazily(
    r"```.*?(?:```|\Z)|^-{3,}\s*$.*?(?:^-{3,}\s*$|\Z)|<!--.*?(?:-->|\Z)|^>.*?$",
    re.DOTALL | re.MULTILINE,
)
_QUOTED: Final = compile_lazily(
    r"\"[^\"]+\"|“[^”]+”|「[^」]+」|『[^』]+』|‘[^’]+’|(?<!\w)'[^'\n]{4,}?'(?![A-Za-z])"
    r"|\"[^\"]{40,}\Z",
    re.DOTALL,
)
_TAIL: Final = compile_lazily(r"[:：]\s*\n|\n\s*\n")

QuoteSpan = tuple[int, int]


def find_quotes(text: str) -> tuple[QuoteSpan, ...]:
    """Return the places of fenced, quoted and pasted text, in order."""
    spans = [match.span() for match in _FENCED.finditer(text)]
    spans += [
        match.span()
        for match in _QUOTED.finditer(text)
        if len(match.group()) >= SHORTEST_QUOTE
    ]
    tail = _TAIL.search(text)
    if (
        tail
        and len(text) - tail.end() >= LONG_TAIL
        and PASTED.search(text[: tail.end()])
    ):
        spans.append((tail.end(), len(text)))
    if len(text) >= PASTED_LENGTH:
        spans.append((_find_first_line_end(text), len(text)))
    return tuple(sorted(spans))


def _find_first_line_end(text: str) -> int:
    """Return where the first line of a very long message ends, if that is early."""
    end = text.find("\n")
    return end if 0 <= end < PASTED_LENGTH // 2 else 0


def mask_quotes(text: str) -> str:
    """Blank out what is quoted; every other character keeps its place."""
    for start, end in find_quotes(text):
        text = text[:start] + " " * (end - start) + text[end:]
    return text
