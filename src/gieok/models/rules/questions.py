"""The last question in what the assistant said, which a user may answer."""

from typing import Final

from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_OFFER: Final = PatternFile("gieok.models.rules", "patterns.toml").compile_list(
    "questions.offers"
)
"""Greetings and offers to help."""
_LAST_SENTENCE: Final = compile_lazily(
    r"(?<=[.!?。！？])(?<!\bM[rs]\.)(?<!\bMrs\.)(?<!\bDr\.)\s+"
)


def extract_question(asked: str) -> str:
    """Return the last question in what the assistant said, or nothing.

    An offer to help asks for nothing.
    """
    questions = [
        sentence
        for sentence in _LAST_SENTENCE.split(asked.strip())
        if sentence.endswith("?") and not _OFFER.search(sentence)
    ]
    return questions[-1] if questions else ""
