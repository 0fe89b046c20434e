"""Lists of words: as sets, and as one expression that stays fast: few candidates.

Words are written in lower case. "_" is a gap, or none; a Latin word stands alone
unless "*" says that it may go on; "^" and "~" keep a Korean word from starting and
from ending inside another. What is searched must be in lower case.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import filterfalse
from typing import Final

from gieok.text.patterns import compile_lazily

_LATIN: Final = r"[a-z0-9]"
_NEVER: Final = "(?!)"
_LETTER: Final = compile_lazily("[a-z]")
_GAP: Final = r"[\s_,.\-]{0,2}"


def build_vocabulary(*lists: str) -> re.Pattern[str]:
    """Return an expression that finds any of the words, which "," sets apart."""
    return compile_lazily(lambda: _join_words(lists))


class VocabularyTest:
    """Tells whether any of a list of words is in a text, and not where.

    The expression of `build_vocabulary` is tried at every letter of an English text.
    Here Latin words are tried only where a word begins, which takes a tenth of that.
    """

    def __init__(self, read_lists: Callable[[], Iterable[str]]) -> None:
        self._read_lists = read_lists
        self._latin = compile_lazily(self._join_latin)
        self._other = compile_lazily(self._join_other)

    def _join_latin(self) -> str:
        latin = filter(_is_latin, _split_lists(self._read_lists()))
        return f"[^a-z0-9](?:{_join_tree(latin, is_start_known=True)})"

    def _join_other(self) -> str:
        return _join_tree(filterfalse(_is_latin, _split_lists(self._read_lists())))

    def has_word(self, low: str, start: int = 0, stop: int | None = None) -> bool:
        """Tell whether a word begins in a part of a text, in lower case.

        A space stands before the text: a word's own first place has to have one before.
        """
        end = len(low) if stop is None else stop
        if self._other.search(low, start, end):
            return True
        letter = _LETTER.search(low, start + 1, end)
        if letter is None:
            return False
        return self._latin.search(low, letter.start() - 1, end) is not None


def _split_lists(lists: Iterable[str]) -> set[str]:
    return {word.strip() for one in lists for word in one.split(",")} - {""}


def _is_latin(word: str) -> bool:
    first = word.lstrip("^")[0]
    return first.isalpha() and first.isascii()


def _join_words(lists: Sequence[str]) -> str:
    return _join_tree(_split_lists(lists))


def _join_tree(words: Iterable[str], *, is_start_known: bool = False) -> str:
    tree: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for word in sorted(words):
        first, second, tail = _split_word(word, is_start_known=is_start_known)
        tree[first][second].append(tail)
    return "|".join(f"{first}{_join_tails(tree[first])}" for first in tree) or _NEVER


def _join_tails(tails: dict[str, list[str]]) -> str:
    """Return an expression for what may follow a first letter."""
    branches = (f"{second}(?:{'|'.join(tail)})" for second, tail in tails.items())
    return f"(?:{'|'.join(branches)})"


def _split_word(word: str, *, is_start_known: bool) -> tuple[str, str, str]:
    """Return a word's first and second letter, and the expression for the rest.

    What must not stand before it is asked last: few places get so far. Of a Latin word
    it need not be asked where it is known that a word starts.
    """
    inside, open_end = word.startswith("^"), word.endswith("*")
    closed = word.endswith("~")
    word = word.strip("^*~")
    first, second = re.escape(word[0]), re.escape(word[1:2]).replace("_", "")
    before = f"(?<![가-힣]{first}{second})" if inside else ""
    if _is_latin(word):
        before = "" if is_start_known else f"(?<!{_LATIN}{first}{second})"
    after = f"(?!{_LATIN})" if word[-1].isascii() and not open_end else ""
    after += "(?![가-힣])" if closed else ""
    rest = re.escape(word[2:] if second else word[1:]).replace("_", _GAP)
    return first, second, before + rest + after


def parse_word_list(text: str) -> tuple[str, ...]:
    """Return the words of a text in order."""
    return tuple(text.split())
