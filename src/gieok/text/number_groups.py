"""Reads groups of digits as they are said: "공일공", "double five", "천이백"."""

import re
from dataclasses import dataclass
from typing import Final

from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.text", "patterns.toml")

_SINO_DIGITS: Final = dict(
    zip(
        "공영빵일이삼사오육륙칠팔구〇零一二三四五六七八九",
        "000123456678900123456789",
        strict=True,
    )
)
UNITS: Final = {"십": 10, "백": 100, "천": 1000}
NATIVE: Final = _LISTS.get_spellings("spoken_numbers.native")
ENGLISH: Final = _LISTS.get_spellings("spoken_numbers.english")
TEENS: Final = _LISTS.get_spellings("spoken_numbers.teens")
TENS: Final = _LISTS.get_spellings("spoken_numbers.tens")
_ZEROS: Final = _LISTS.get_spellings("spoken_numbers.zeros")
_UNIT_OF: Final = TEENS | TENS | _ZEROS
TIMES: Final = _LISTS.get_numbers("spoken_numbers.times")

_SINO: Final = "".join(_SINO_DIGITS)
SINO_OR_UNIT: Final = _SINO + "".join(UNITS)
_ONE: Final = "|".join(ENGLISH)
_SPOKEN: Final = (
    rf"(?:(?:double|triple)[ \-](?:{_ONE}|\d)"
    rf"|(?:{'|'.join(TENS)})(?:[ \-](?:one|two|three|four|five|six|seven|eight|nine))?"
    rf"|{'|'.join(TEENS)}|{_ONE})(?:[ ](?:hundred|thousand))?"
)
GROUP: Final = compile_lazily(
    rf"(?P<digits>\d+)"
    rf"|(?P<sino>[{SINO_OR_UNIT}]+)"
    rf"|(?P<native>(?:{'|'.join(NATIVE)})+)"
    rf"|(?<![a-z])(?P<english>{_SPOKEN})(?![a-z])"
)
_NATIVE_WORD: Final = compile_lazily("|".join(NATIVE))
_ENGLISH_WORD: Final = compile_lazily(r"[a-z]+|\d")

JOINTS: Final = "다시|하이픈|대시|대쉬|짝대기|작대기|빼기|dash|hyphen|minus|마이너스"
CORRECTIONS: Final = (
    "아니아니|아니[다고요야]?|정정할게요|정정|잘못"
    "|no|sorry|wait|i mean|actually|correction"
)

_ENDING: Final = _LISTS.compile_list("spoken_numbers.ending")
"""What may follow a number that is said, in the same word."""
PLACE: Final = (
    r"(?:동|호|층|번지|번?길)(?:(?![가-힣]{2})|(?=이?[에예]요|인데|입니다|이고|이야))"
)
_AFTER: Final = compile_lazily(
    rf"{_ENDING.pattern}|{PLACE}"
    rf"|{'|'.join(NATIVE)}|{CORRECTIONS}|네 "
)
_JOINED_ON: Final = compile_lazily(
    rf"(?:에|의|다시|국에?)[ ,.\-]{{0,2}}[\d{_SINO}]|{'|'.join(NATIVE)}"
)
_BLOCK: Final = compile_lazily(rf"[\d{_SINO}]{{1,12}}$")
MIN_DIGITS: Final = 7
"""Digits of a chain that may be somebody's number, wherever it stands."""
MIN_SHORT: Final = 4
"""Digits said alone that are surely digits and no word."""


@dataclass(slots=True)
class DigitGroup:
    """Digits in one place, written or said."""

    start: int
    end: int
    digits: str
    form: str
    is_sure: bool = True
    """Whether it can be nothing else, whatever stands beside it."""


def parse_group(low: str, match: re.Match[str]) -> DigitGroup | None:
    """Return what a match of `GROUP` says in digits, if it is a number there."""
    form, start, end = str(match.lastgroup), match.start(), match.end()
    said = match.group()
    if form == "digits":
        return DigitGroup(start, end, said, form)
    if form == "english":
        if low.endswith(("first ", "last "), 0, start):
            return None  # "the last four are": how many, not which
        return DigitGroup(start, end, _parse_english(said), form)
    if form == "native":
        digits = "".join(NATIVE[one] for one in _NATIVE_WORD.findall(said))
        return DigitGroup(start, end, digits, form)
    return _parse_sino(low, start, end)


def _parse_english(said: str) -> str:
    """Return the digits of "double five", "twenty one" and "nine hundred"."""
    digits, times = "", 1
    for word in _ENGLISH_WORD.findall(said):
        if word in TIMES:
            times = TIMES[word]
        elif word in _UNIT_OF:
            digits += _UNIT_OF[word]
        else:
            one: str = ENGLISH.get(word) or word
            tens = len(digits) == 2 and digits[1] == "0" != digits[0]  # noqa: PLR2004 - "twenty one"
            digits = digits[0] + one if tens else digits + one * times
    return digits


def _parse_sino(low: str, start: int, end: int) -> DigitGroup | None:
    """Return a number said in Sino-Korean, if the word around it lets it be one."""
    end = _trim_copula(low, start, end)
    said = low[start:end]
    digits = _parse_sino_digits(said)
    if digits is None:
        return None
    if _is_particle(low, start, end):
        return None
    inside = start > 0 and "가" <= low[start - 1] <= "힣"
    follows = end < len(low) and "가" <= low[end] <= "힣"
    certain = len(digits) >= MIN_SHORT and len(set(said)) > 2 and said.isalpha()  # noqa: PLR2004 - "사이사이" has two
    if len(digits) >= MIN_DIGITS or (certain and not inside):
        return DigitGroup(start, end, digits, "sino")
    before = inside and not (_is_after_joint(low, start) or low[start - 1].isdigit())
    after = follows and not _AFTER.match(low, end)
    if before or after:
        return None
    return DigitGroup(start, end, digits, "sino", is_sure=False)


def _is_particle(low: str, start: int, end: int) -> bool:
    """Tell whether one syllable is an ending, or counts the digits before it."""
    if end - start > 1 or low[start] not in "이일사오":
        return False
    rest = low[end : end + 1]
    if start > 0 and low[start - 1].isdigit():
        block = _BLOCK.search(low, max(0, start - 12), start)
        said = block is not None and not block[0].isdigit()
        return not (rest.isdigit() or (said or rest in ("-", ".", "*")))
    return (
        low[start] == "이" and "가" <= rest <= "힣" and not _JOINED_ON.match(low, end)
    )


def _is_after_joint(low: str, start: int) -> bool:
    """Tell whether a joint or a native number ends right there."""
    tail = low[max(0, start - 4) : start]
    return bool(
        re.search(rf"(?:{JOINTS}|{'|'.join(NATIVE)}|[0-9{_SINO}][에의국요고])$", tail)
    )


_WHOLE: Final = frozenset({3, 4, 6, 7, 8, 11, 13, 16})
"""Digits that a group or a whole number has."""


def _trim_copula(low: str, start: int, end: int) -> int:
    """Return where a number ends whose last "이" or "이구" is no digit."""
    size = end - start
    rest = low[end : end + 2]
    if not rest or not "가" <= rest[0] <= "힣" or size < 4:  # noqa: PLR2004 - "공일공이"
        return end
    said = low[start:end]
    if rest[0] == "요" and said.endswith("구"):
        if said.endswith("이구") and size - 2 in _WHOLE:
            return end - 2
        short = size == 4 and not said.startswith(("공일", "영일"))  # noqa: PLR2004 - "칠칠일구요"
        return end - 1 if size - 1 in _WHOLE and not short else end
    if said.endswith("이") and rest[0] in "가는를":
        return end  # no particle has another one after it
    if not said.endswith("이") or rest.startswith(("에 ", "다시", "국")):
        return end - (said.endswith("이") and size == 5)  # noqa: PLR2004 - "오육칠팔이에 "
    short = size == 4 and not said.startswith(("공일", "영일"))  # noqa: PLR2004 - "사칠이이고"
    return end - 1 if size - 1 in _WHOLE and not short else end


def _parse_sino_digits(said: str) -> str | None:
    """Return the digits of "공일공" and of "천이백삼십사"."""
    if not any(c in UNITS for c in said):
        return "".join(_SINO_DIGITS[c] for c in said)
    if len(said) == 1:
        return None
    total, digit, least = 0, 0, 10_000
    for c in said:
        if c in UNITS:
            if UNITS[c] >= least:
                return None
            least = UNITS[c]
            total += (digit or 1) * least
            digit = 0
        elif digit:
            return None
        else:
            digit = int(_SINO_DIGITS[c])
    return str(total + digit)
