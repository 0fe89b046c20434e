"""Words for relatives, pets and acquaintances, and what is told of them."""

from typing import Final

from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.text", "patterns.toml")
RELATIVES: Final = {
    word: number
    for number, words in enumerate(_LISTS.get_word_list("relatives.words"))
    for word in words.split()
}
"""Each word with the number of who or what it is: facts about others are others."""
_SELF: Final = _LISTS.compile_list("relatives.self")


def _build_subjects() -> str:
    """Return an expression of who does something, and not with whom."""
    korean = "|".join(word for word in RELATIVES if not word.isascii())
    english = "|".join(word for word in RELATIVES if word.isascii())
    return (
        rf"(?<![가-힣])(?P<ko>{korean})(?:들)?(?:께서|[이가은는도]|네)(?![가-힣])"
        r"|(?:\b(?P<with>with|to|for|from|of|by|at|and|like)\s+)?"
        rf"(?:\b(?:my|our|the)\s+)?\b(?P<en>{english})\b(?!-)"
    )


_SUBJECT: Final = compile_lazily(_build_subjects)


def find_told_relatives(text: str) -> frozenset[int]:
    """Return the relatives of whom a sentence tells something instead of its speaker.

    "엄마가 커피를 좋아하셔" tells it of a mother, "엄마랑 커피 마시는 걸 좋아해" and
    "my mum knows that I like coffee" of whoever says it.
    """
    if _SELF.search(text):
        return frozenset()
    return frozenset(
        RELATIVES[found["ko"] or found["en"]]
        for found in _SUBJECT.finditer(text.lower())
        if not found["with"]
    )
