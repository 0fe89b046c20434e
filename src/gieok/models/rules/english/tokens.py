"""Words and signs of an English text, put together again as they stood."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gieok.text.patterns import compile_lazily

_TOKEN: Final = compile_lazily(
    r"[A-Za-z]\.(?:[A-Za-z]\.)+|\w+(?:[.,:/]\w+)*(?:['\-]\w+(?:[.,:/]\w+)*)*'?(?!\w)|[^\w\s]"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a sign, and whether a space stands before it."""

    text: str
    spaced: bool = True

    @property
    def low(self) -> str:
        """The word in lower case."""
        return self.text.lower()

    @property
    def is_word(self) -> bool:
        """Whether it is a word or a number."""
        return self.text[:1].isalnum()


def split_tokens(text: str) -> tuple[Token, ...]:
    """Return the words and signs of a text."""
    return tuple(
        Token(m[0], m.start() > 0 and text[m.start() - 1].isspace())
        for m in _TOKEN.finditer(text)
    )


def join_tokens(tokens: Iterable[Token]) -> str:
    """Return tokens as a text."""
    told = "".join((" " if t.spaced else "") + t.text for t in tokens if t.text)
    return " ".join(told.split())
