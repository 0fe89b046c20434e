"""Writes spoken Korean as it is written: dialects, chat spelling and fillers.

What is said stays: a word of a dialect becomes the standard word for it, an ending the
standard ending, and what says nothing goes. The lists stand in `spoken.toml`.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, partial
from itertools import dropwhile
from typing import Final

from gieok.models.rules import lexicon as lx
from gieok.text.cleaning import remove_emoji
from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.korean", "spoken.toml")

_FILLERS: Final = _LISTS.compile_list("fillers")
_OPENINGS: Final = _LISTS.compile_list("openings")
_CLOSINGS: Final = _LISTS.compile_list("closings")
_WORD: Final = compile_lazily(r"[가-힣]+")
_NOUNS: Final = ("NNG", "NNP", "NNB", "NP", "NR", "XPN", "XSN")
_MARKS: Final = ("JKS", "JKC", "JKG", "JKO", "JKB", "JKQ", "JX", "JC")
_PLAIN: Final = ("어", "아", "ᆫ다")
_CONJUGATED: Final = 2  # morphemes of a stem with its ending
_INSISTING: Final = compile_lazily(
    r"(?P<said>[^.?!？！\n]*[가-힣][다라]니(?:까|깐)요?)[~ㅋㅎㅠㅜ ]*[?!？！]+"
)
_QUESTION_WORDS: Final = (*lx.WH_KO, "누가")
_SIGNS: Final = " ,;-—~()"
_MORE: Final = "~"
"""Ends a listed word that others may follow ("할매가")."""


@cache
def _load_words() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the whole words, and what begins words."""
    listed = _LISTS.get_spellings("words")
    whole = {said: written for said, written in listed.items() if said[-1] != _MORE}
    begun = {said[:-1]: to for said, to in listed.items() if said[-1] == _MORE}
    return whole, begun


def _standardize_word(match: re.Match[str], morphology: Morphology) -> str:
    """Return a word in its standard spelling."""
    word = match[0]
    whole, begun = _load_words()
    if word in whole:
        return whole[word]
    lead = next((said for said in _list_beginnings(word) if said in begun), "")
    rest = begun.get(lead, lead) + word[len(lead) :]
    for name in ("stems", "particles"):
        rest = _LISTS.rewrite(name, rest)
    ended = _LISTS.rewrite("endings", rest)
    return rest if ended != rest and _is_standard(rest, morphology) else ended


def _is_standard(word: str, morphology: Morphology) -> bool:
    """Tell whether a word that ends like one of a dialect is none: "시간당", "즐겨"."""
    read = morphology.analyze_known(word)
    tags = [one.tag for one in read]
    if tags[:1] == ["NP"] and len(read[0].form) == 1 and tags[1:] == ["MAG"]:
        return True  # "나이제"
    if len(read) == _CONJUGATED and tags[0] in ("VV", "VA"):
        return len(read[0].form) > 1 and read[1].form in _PLAIN
    return bool(read) and (set(tags) <= {"MAG", "IC"} or _is_noun(read))


def _is_noun(read: Sequence[Morph]) -> bool:
    """Tell whether some morphemes are nouns with nothing but particles behind them."""
    after = [*dropwhile(lambda one: one.tag in _NOUNS, read)]
    nouns = read[: len(read) - len(after)]
    if not nouns or nouns[-1].form == "제" or any(m.tag not in _MARKS for m in after):
        return False
    if any(m.tag in ("NNB", "NP", "NR") for m in nouns[:-1] if nouns[-1].tag == "NNG"):
        return False  # "년인디", in which Kiwi finds indie music
    closing = [m.form for m in after]
    honoured = nouns[-1].tag in ("NNG", "NNB", "XSN") or nouns[-1].form.endswith("분")
    return "여" not in closing and (honoured or "께" not in closing)


def _list_beginnings(word: str) -> list[str]:
    """Return the beginnings of a word, longest first."""
    return [word[:end] for end in range(len(word), 0, -1)]


def standardize_spelling(text: str, morphology: Morphology) -> str:
    """Return spoken Korean in standard spelling, without laughter and fillers."""
    plain = remove_emoji(unicodedata.normalize("NFC", text))
    plain = _LISTS.rewrite("letters", plain)
    plain = " ".join(_FILLERS.sub(" ", plain).split())
    words = _WORD.sub(partial(_standardize_word, morphology=morphology), plain)
    return standardize_phrases(words)


def standardize_phrases(text: str) -> str:
    """Return a text with what is said in several words as it is written."""
    return _LISTS.rewrite("phrases", text).strip()


def trim_sentence(text: str) -> str:
    """Return a sentence without what opens or closes it and says nothing."""
    shorter = _OPENINGS.sub("", text.strip(_SIGNS)).strip(_SIGNS)
    return _CLOSINGS.sub("", shorter).strip(_SIGNS) or text.strip(_SIGNS)


def render_insistence(text: str) -> str:
    """Return what somebody insists on without asking: "안 먹는다니까요?"."""
    return _INSISTING.sub(_end_statement, text)


def _end_statement(match: re.Match[str]) -> str:
    asked = (word.startswith(_QUESTION_WORDS) for word in match["said"].split())
    return match[0] if any(asked) else f"{match['said']}."
