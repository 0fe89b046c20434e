"""Reads signs that are said in words where a password is announced: "1234 느낌표"."""

import re
from collections.abc import Iterator
from typing import Final

from gieok.text.patterns import compile_lazily
from gieok.text.vocabulary import build_vocabulary

PASSWORD: Final = build_vocabulary(
    "비밀_번호, 비번, 패스워드, 암호, 핀, 도어락",
    "password*, passcode*, passwd, pw, pwd, pin, code",
)
_SIGNS: Final = {
    "느낌표": "!",
    "골뱅이": "@",
    "샵": "#",
    "우물정자": "#",
    "우물정": "#",
    "샤프": "#",
    "별표": "*",
    "별": "*",
    "물음표": "?",
    "달러": "$",
    "퍼센트": "%",
    "언더바": "_",
    "밑줄": "_",
    "하이픈": "-",
    "exclamation mark": "!",
    "exclamation point": "!",
    "exclamation": "!",
    "bang": "!",
    "at sign": "@",
    "hash": "#",
    "hashtag": "#",
    "pound": "#",
    "star": "*",
    "asterisk": "*",
    "dollar sign": "$",
    "underscore": "_",
}
_WORDS: Final = "|".join(sorted(_SIGNS, key=len, reverse=True))
_SIGN: Final = compile_lazily(
    rf"(?<=[a-z0-9!-/_]) ?(?:(?<![a-z])|(?=[가-힣]))(?P<after>{_WORDS})"
    r"(?![a-z(]| ?\d*원)(?: (?=[0-9]))?"
    rf"|(?<![a-z가-힣])(?P<before>{_WORDS}) ?(?=[0-9])"
)
_CASE: Final = compile_lazily(
    r"(?:대문자|소문자"
    r"|(?<![a-z])(?:capital|uppercase|upper case|lowercase|lower case|small))"
    r" ?(?P<letter>[a-z])(?: (?=[a-z]{1,8}(?![a-z])|[0-9])| (?=[대소]문자)|(?![a-z]))"
)


_PASSPORT: Final = build_vocabulary("여권", "passport*")
_LETTERS: Final = {"엠": "M", "에스": "S", "em": "M", "es": "S"}
_LETTER: Final = compile_lazily(rf"(?<![a-z가-힣])(?:{'|'.join(_LETTERS)})(?=[ \-]?\d)")


def find_spoken_letters(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the letter that a passport's number starts with, where it is said."""
    low = text.lower()
    if _PASSPORT.search(low):
        for match in _LETTER.finditer(low):
            yield *match.span(), _LETTERS[match.group()]


def find_spoken_symbols(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the signs that stand in plain spelling for the words that say them."""
    low = text.lower()
    if not PASSWORD.search(low):
        return
    for match in re.finditer(f"{_CASE.pattern}|{_SIGN.pattern}", low):
        if match["letter"]:
            at = match.start("letter")
            yield match.start(), match.end(), text[at]
        else:
            yield match.start(), match.end(), _SIGNS[match["after"] or match["before"]]
