"""Tells what somebody said for the moment only: greetings, requests and questions.

Nobody needs it another day, so a block does not quote it. What says something of the
person beside ("tell me what goes with my green dress") may be needed.
"""

from typing import Final

from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily
from gieok.text.sentences import split_sentences

LONGEST: Final = 120
"""Characters of what is said for the moment; who says more tells something as well."""
_PLEASANTRIES: Final = PatternFile("gieok.context", "pleasantries.toml").get_words(
    "pleasantries"
)
_LISTS: Final = PatternFile("gieok.context", "momentary.toml")
_ENGLISH: Final = (
    _LISTS.compile_list("momentary.requests_en"),
    _LISTS.compile_list("momentary.questions_en"),
)
_KOREAN: Final = (
    _LISTS.compile_list("momentary.requests_ko"),
    _LISTS.compile_list("momentary.questions_ko"),
)
_TELLS_EN: Final = _LISTS.compile_list("momentary.tells_en")
_TELLS_KO: Final = _LISTS.compile_list("momentary.tells_ko")
_WORD: Final = compile_lazily(r"[^\W_]+")
_LAUGHTER: Final = compile_lazily(r"[ㄱ-ㅎㅏ-ㅣ]+|(?:ha)+h?|(?:he)+")


def is_momentary(text: str) -> bool:
    """Tell whether each sentence only greets, or asks for something of the moment."""
    if len(text) > LONGEST:
        return False
    sentences = split_sentences(text.replace("’", "'"))
    return all(is_pleasantry(each) or _is_asking(each) for each in sentences)


def is_pleasantry(text: str) -> bool:
    """Tell whether a message says no more than "ok bye" or "감사합니다"."""
    words = _WORD.findall(text.lower())
    return all(_LAUGHTER.fullmatch(word) or word in _PLEASANTRIES for word in words)


def _is_asking(sentence: str) -> bool:
    """Tell whether a sentence asks, and says nothing of anybody beside."""
    if has_hangul(sentence):
        forms, tells = _KOREAN, _TELLS_KO
    else:
        forms, tells = _ENGLISH, _TELLS_EN
    return any(form.search(sentence) for form in forms) and not tells.search(sentence)
