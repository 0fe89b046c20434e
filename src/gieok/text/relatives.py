"""Words for relatives, pets and acquaintances, and what is told of them."""

from collections.abc import Sequence
from typing import Final

from gieok.text.kiwi import Morph, Morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.text", "patterns.toml")
_RELATIVES: Final = {
    word: number
    for number, words in enumerate(_LISTS.get_word_list("relatives.words"))
    for word in words.split()
}
"""Each word with the number of who or what it is: facts about others are others."""
_WORD: Final = compile_lazily(r"[a-z]+(?:-[a-z]+)*(?:'[a-z]+)?")
_SELF: Final = _LISTS.compile_list("relatives.self")
_OPENING: Final = _LISTS.compile_list("relatives.opening")
_BREAK: Final = _LISTS.compile_list("relatives.break")
_ENGLISH: Final = compile_lazily(
    lambda: rf"(?:{'|'.join(word for word in _RELATIVES if word.isascii())})\b(?!-)"
)
_SUBJECT_PARTICLES: Final = ("JKS", "JX")
_NO_SUBJECTS: Final = ("NP", "JKG", "IC", "MAJ", "MAG", "MM")
"""What may stand before the subject of a Korean clause: "근데 우리 …"."""
_CLAUSE_ENDS: Final = ("EC", "ETM")


def extract_relatives(text: str, morphology: Morphology) -> frozenset[int]:
    """Return which relatives, pets and acquaintances a text names, by number."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    named = {*words, *(word.removesuffix("'s") for word in words)}
    if has_hangul(text):
        named |= {m.form for m in morphology.analyze(text) if m.tag[0] == "N"}
    return frozenset(_RELATIVES[word] for word in named if word in _RELATIVES)


def split_clauses(text: str, morphology: Morphology) -> list[str]:
    """Return the clauses of a sentence, each with a subject of its own if it has one.

    "엄마가 편찮으셔서 / 이사했어", "남편이 내려주는 / 커피", "we left / when dad did".
    """
    if not has_hangul(text):
        return [part for part in _BREAK.split(text) if part and part.strip(" ,;")]
    ends = [m.end for m in morphology.analyze(text) if m.tag in _CLAUSE_ENDS]
    starts = [0, *ends]
    parts = [text[one:other] for one, other in zip(starts, [*ends, None], strict=True)]
    return [part for part in parts if part.strip(" ,;.!?~")]


def find_subject_relatives(clause: str, morphology: Morphology) -> frozenset[int]:
    """Return the relative of whom a clause tells something, and not of its speaker.

    "엄마가 커피를 좋아하셔" tells it of a mother, "엄마랑 커피 마시는 걸 좋아해" and
    "my manager fired me" of whoever says it.
    """
    said = clause.lower().lstrip(" ,.;!?-")
    opening = _OPENING.match(said)
    told = said[opening.end() :] if opening else said
    if _SELF.search(told):
        return frozenset()
    if has_hangul(clause):
        return _find_korean_subject(morphology.analyze(clause))
    found = _ENGLISH.match(told)
    return frozenset({_RELATIVES[found[0]]} if found else ())


def _find_korean_subject(morphemes: Sequence[Morph]) -> frozenset[int]:
    """Return the relative who is the first noun and the subject of a clause."""
    place = 0
    while place < len(morphemes) and morphemes[place].tag in _NO_SUBJECTS:
        place += 1
    if place == len(morphemes) or morphemes[place].form not in _RELATIVES:
        return frozenset()
    particle = place + 1
    while particle < len(morphemes) and morphemes[particle].tag == "XSN":
        particle += 1
    ends = particle == len(morphemes)
    if ends or morphemes[particle].tag not in _SUBJECT_PARTICLES:
        return frozenset()
    return frozenset({_RELATIVES[morphemes[place].form]})
