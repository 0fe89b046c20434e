"""Splits texts into what they say one after the other."""

from typing import Final

from gieok.text.patterns import compile_lazily

SENTENCE_END: Final = compile_lazily(r"[.!?\n]")
"""What may end a sentence, before whatever it stands."""
_BREAK: Final = compile_lazily(r"(?<=[.!?。！？])\s+|\n+")
_BREAK_OR_SEMICOLON: Final = compile_lazily(r"(?<=[.!?;。！？])\s+|\n+")


def split_sentences(text: str, *, at_semicolons: bool = True) -> list[str]:
    """Return the sentences of a text, by default apart at semicolons too."""
    breaks = _BREAK_OR_SEMICOLON if at_semicolons else _BREAK
    return [part for each in breaks.split(text) if (part := each.strip())]
