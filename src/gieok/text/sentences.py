"""Splits what was summed up into what it says one after the other."""

from typing import Final

from gieok.text.patterns import compile_lazily

_END: Final = compile_lazily(r"(?<=[.!?;。！？])\s+|\n+")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, those joined by a semicolon too."""
    return [part for each in _END.split(text) if (part := each.strip())]
