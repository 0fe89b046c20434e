"""Korean for the phrases that fill the messages of errors.

Errors are bilingual, but the problem, reason or thing they speak of is given as an
English phrase where they are raised. A phrase that is not listed stays English.
"""

import re
from functools import cache

from gieok.locale import load_texts


def to_korean(phrase: str) -> str:
    """Return a phrase in Korean, or as it is when it is not listed."""
    phrases = load_texts("ko", "phrases")
    if phrase in phrases:
        return phrases[phrase]
    for pattern, korean in _compile_phrases_with_places():
        if found := pattern.fullmatch(phrase):
            return korean.format_map(found.groupdict())
    return phrase


@cache
def _compile_phrases_with_places() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what matches a phrase with anything in its places, and its Korean."""
    return tuple(
        (
            re.compile(
                re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(phrase)), re.DOTALL
            ),
            korean,
        )
        for phrase, korean in load_texts("ko", "phrases").items()
        if "{" in phrase
    )
