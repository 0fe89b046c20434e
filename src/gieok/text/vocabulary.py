"""Lists of words: as sets, and as one expression that stays fast: few candidates.

Words are written in lower case. "_" is a gap, or none; a Latin word stands alone
unless "*" says that it may go on; "^" and "~" keep a Korean word from starting and
from gieok.text.patterns import compile_lazily
from ending inside another. What is searched must be in lower case.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from gieok.text.patterns import compile_lazily

_LATIN: Final = r"[a-z0-9]"
_GAP: Final = r"[\s_,.\-]{0,2}"


def build_vocabulary(*lists: str) -> re.Pattern[str]:
    """Return an expression that finds any of the words, which "," sets apart."""
    return compile_lazily(lambda: _join_words(lists))


def _join_words(lists: Sequence[str]) -> str:
    words = {word.strip() for one in lists for word in one.split(",")} - {""}
    tree: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for word in sorted(words):
        first, second, tail = _split_word(word)
        tree[first][second].append(tail)
    return "|".join(f"{first}{_join_tails(tree[first])}" for first in tree)


def _join_tails(tails: dict[str, list[str]]) -> str:
    """Return an expression for what may follow a first letter."""
    branches = (f"{second}(?:{'|'.join(tail)})" for second, tail in tails.items())
    return f"(?:{'|'.join(branches)})"


def _split_word(word: str) -> tuple[str, str, str]:
    """Return a word's first and second letter, and the expression for the rest.

    What must not stand before it is asked last: few places get so far.
    """
    inside, open_end = word.startswith("^"), word.endswith("*")
    closed = word.endswith("~")
    word = word.strip("^*~")
    first, second = re.escape(word[0]), re.escape(word[1:2]).replace("_", "")
    before = f"(?<![가-힣]{first}{second})" if inside else ""
    if word[0].isalpha() and word[0].isascii():
        before = f"(?<!{_LATIN}{first}{second})"
    after = f"(?!{_LATIN})" if word[-1].isascii() and not open_end else ""
    after += "(?![가-힣])" if closed else ""
    rest = re.escape(word[2:] if second else word[1:]).replace("_", _GAP)
    return first, second, before + rest + after


def parse_word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


def parse_word_list(text: str) -> tuple[str, ...]:
    """Return the words of a text in order."""
    return tuple(text.split())
