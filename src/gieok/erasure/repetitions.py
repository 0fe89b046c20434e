"""Which texts say again what an erased memory said."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from gieok.text.patterns import compile_lazily
from gieok.text.relatives import find_told_relatives
from gieok.text.sentences import split_sentences

FEWEST_TERMS: Final = 2
"""Terms of an erased memory by which a text may repeat it."""
USER: Final = frozenset({"사용자", "user"})
"""Terms by which memories and summaries name whose they are."""
_PAUSE: Final = compile_lazily(r",\s")


def is_repeating(
    text: str, memory: str, split_terms: Callable[[str], Sequence[str]]
) -> bool:
    """Tell whether a text holds all that an erased memory says.

    What it tells of a relative whom the memory does not name does not count:
    "엄마가 커피를 좋아하셔서" repeats nothing that was known of its speaker.
    """
    wanted = {*split_terms(memory)} - USER
    if len(wanted) < FEWEST_TERMS or not wanted <= {*split_terms(text)}:
        return False
    named = find_told_relatives(memory)
    own = (part for part in _split_parts(text) if find_told_relatives(part) <= named)
    return wanted <= {*split_terms(" ".join(own))}


def _split_parts(text: str) -> Iterator[str]:
    for sentence in split_sentences(text):
        yield from _PAUSE.split(sentence)
