"""Which numbers a text states, in digits or in words, in Korean and English.

`extract_stated_numbers` reads generously (what a person may have meant: "at 2" may be
14:00, "'95" 1995 or 2095),
`extract_claimed_numbers` reads strictly (what a sentence asserts): every claimed
number has to be among the stated ones.
"""

import unicodedata
from collections.abc import Iterator

from gieok.text.patterns import compile_lazily

_DIGITS = compile_lazily(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_LARGE_UNITS = {"천": 1_000, "만": 10_000, "억": 100_000_000, "k": 1_000}
_WITH_UNIT = compile_lazily(r"(\d+(?:\.\d+)?)\s*([천만억]|[kK]\b)")


def _parse_table(pairs: str) -> dict[str, int]:
    """Read "word=1 other=2"."""
    return {word: int(n) for word, n in (pair.split("=") for pair in pairs.split())}


_NATIVE_ONES = _parse_table(
    "하나=1 한=1 두=2 둘=2 세=3 셋=3 석=3 네=4 넷=4 넉=4 "
    "다섯=5 여섯=6 일곱=7 여덟=8 아홉=9"
)
_NATIVE_TENS = _parse_table(
    "열=10 스물=20 스무=20 서른=30 마흔=40 쉰=50 예순=60 일흔=70 여든=80 아흔=90"
)
_COUNTERS = (
    "마리|명|사람|살|개월|개|번|시간|시|잔|대|층|달|해|권|병|가지|군데|곳|분|쌍|켤레|그루"
    "|채|장|차례|끼|알|조각|그릇|배"
)
_TENS = "|".join(_NATIVE_TENS)
_ONES = "|".join(_NATIVE_ONES)
_NATIVE = compile_lazily(f"({_TENS})?({_ONES})?(?:째)?")
_NATIVE_COUNTED = compile_lazily(
    rf"(?<![가-힣])({_TENS})?({_ONES})?\s?(?:{_COUNTERS})(?![식심수])"
)
_SINO_DIGITS = {c: n for n, c in enumerate("영일이삼사오육칠팔구")} | {"공": 0, "륙": 6}
_SINO_POWERS = {"십": 10, "백": 100, "천": 1_000}
_DOTTED_DATE = compile_lazily(r"(?<!\d)(\d{4})[./-](\d\d?)(?:[./-](\d\d?))?(?!\d)")
_SHORT_YEAR = compile_lazily(r"['’](\d\d)(?!\d)|(?<!\d)(\d\d)\s?(?:년[생도]|학번)")
_CENTURIES = (1900.0, 2000.0)
_SINO_COUNTERS = (
    "년|개월|월|일|분|층|주|살|세|킬로|키로|원|도|번|점|학년|반|호|급|박|인|명|대"
    "|퍼|시|등|차|평"
)
_SINO = compile_lazily(  # a syllable alone is a number only before what it counts
    rf"([일이삼사오육륙칠팔구십백천만]+(?=\s?(?:{_SINO_COUNTERS}))"
    r"|[일이삼사오육륙칠팔구]*[십백천만][일이삼사오육륙칠팔구십백천만]*)"
    r"|[일이삼사오육륙칠팔구]++"
)
"""Group 1 is a number; a run that is none is passed over, not tried syllable by
syllable."""

_ENGLISH_ONES = _parse_table(
    "one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 "
    "twelve=12 thirteen=13 fourteen=14 fifteen=15 sixteen=16 seventeen=17 eighteen=18 "
    "nineteen=19"
)
_ENGLISH_TENS = _parse_table(
    "twenty=20 thirty=30 forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90"
)
_ENGLISH_LOOSE = _parse_table(
    "once=1 twice=2 thrice=3 couple=2 pair=2 both=2 twin=2 twins=2 first=1 second=2 "
    "third=3 fourth=4 fifth=5 sixth=6 half=30 quarter=15 dozen=12 midnight=0 noon=12"
)
_IRREGULAR_MONTH = compile_lazily(r"(?<![가-힣])([유시])월(?![드절])")
_IRREGULAR_MONTHS = {"유": 6.0, "시": 10.0}
_KOREAN_LOOSE = {"반": 30, "쌍둥이": 2, "정오": 12, "자정": 0, "보름": 15, "부부": 2}
_ENGLISH_WORD = compile_lazily(r"[a-z]+")
_HALF_DAY = 12
_HOURS = {word: n for word, n in _ENGLISH_ONES.items() if n <= _HALF_DAY}
_HOUR = rf"(\d\d?|{'|'.join(_HOURS)})"
_LENGTH_OF_TIME = r"\s(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b"
_KOREAN_HOUR = compile_lazily(
    r"(?:(?<![가-힣\d])|(?<=오전|오후|새벽|아침|점심|저녁)|(?<=[밤낮]))"
    r"(?:(\d\d?)\s?[~∼–-]\s?)?"
    rf"(?:(\d\d?)|(열)?({_ONES})?)\s?시(?![간식심수])"
)
_ENGLISH_HOUR = compile_lazily(
    rf"\bfrom\s{_HOUR}\sto\s{_HOUR}\b(?!{_LENGTH_OF_TIME})"
    rf"|\b(?:at|by|past|before|after|till|until|from)(?:\s(?:around|about))?"
    rf"\s{_HOUR}\b(?!{_LENGTH_OF_TIME})"
    rf"|(?<![\w:.,])(?:{_HOUR}\s?(?:[-–~]|to|and|till|until)\s?)?{_HOUR}(?=:\d\d|\s?[ap]\.?m\b|\s?o['’]clock\b"
    r"|\sin\sthe\s(?:morning|afternoon|evening)\b|\sat\snight\b)"
)


def extract_claimed_numbers(text: str) -> frozenset[float]:
    """Return the numbers a sentence asserts; a bare "one" or "한" asserts none."""
    folded = _normalize_text(text)
    found = {multiplied for _, multiplied in _extract_digits(folded)}
    found.update(value for value in _extract_counted_numbers(folded) if value > 1)
    found.update(value for value in _extract_english_numbers(folded) if value > 1)
    return frozenset(found)


def extract_stated_numbers(text: str) -> frozenset[float]:
    """Return every number a text may be said to contain, also through words."""
    folded = _normalize_text(text)
    found: set[float] = set()
    for value, multiplied in _extract_digits(folded):
        found.update((value, multiplied))
    found.update(
        _extract_native_numbers(folded),
        _extract_sino_numbers(folded),
        _extract_english_numbers(folded),
    )
    words = _ENGLISH_WORD.findall(folded)
    for table in (_ENGLISH_ONES, _ENGLISH_TENS, _ENGLISH_LOOSE):
        found.update(table[word] for word in words if word in table)
    found.update(
        century + int(quoted or written)
        for quoted, written in _SHORT_YEAR.findall(folded)
        for century in _CENTURIES
    )
    found.update(_IRREGULAR_MONTHS[m] for m in _IRREGULAR_MONTH.findall(folded))
    found.update(n for word, n in _KOREAN_LOOSE.items() if word in folded)
    for hour in _extract_hours(folded):
        found.update((hour, hour + _HALF_DAY, 0.0))
    return frozenset(found)


def _normalize_text(text: str) -> str:
    """Lower-case, full width as half width, dates in parts instead of decimals."""
    return _DOTTED_DATE.sub(r"\1 \2 \3", unicodedata.normalize("NFKC", text).lower())


def _extract_digits(text: str) -> Iterator[tuple[float, float]]:
    """Yield each number in digits, and what it is with its Korean unit or k."""
    for match in _DIGITS.finditer(text):
        value = float(match[0].replace(",", ""))
        unit = _WITH_UNIT.match(text, match.start())
        factor = _LARGE_UNITS[unit[2].lower()] if unit else 1
        yield value, value * factor


def _compute_native_value(tens: str | None, ones: str | None) -> int:
    return _NATIVE_TENS.get(tens or "", 0) + _NATIVE_ONES.get(ones or "", 0)


def _extract_native_numbers(text: str) -> Iterator[float]:
    for match in _NATIVE.finditer(text):
        if match[1] or match[2]:
            yield _compute_native_value(match[1], match[2])


def _extract_counted_numbers(text: str) -> Iterator[float]:
    for match in _NATIVE_COUNTED.finditer(text):
        if match[1] or match[2]:
            yield _compute_native_value(match[1], match[2])


def _extract_hours(text: str) -> Iterator[float]:
    """Yield the hours up to twelve that are times of day, and no other numbers."""
    for match in _KOREAN_HOUR.finditer(text):
        told = int(match[2] or _compute_native_value(match[3], match[4]))
        yield from (
            hour for hour in (int(match[1] or 0), told) if 0 < hour <= _HALF_DAY
        )
    for match in _ENGLISH_HOUR.finditer(text):
        for word in filter(None, match.groups()):
            hour = _HOURS.get(word) or int(word)
            if 0 < hour <= _HALF_DAY:
                yield hour


def _extract_sino_numbers(text: str) -> Iterator[float]:
    for match in _SINO.finditer(text):
        number = match[1] or ""
        total, section, digit = 0, 0, 0
        for letter in number:
            if letter in _SINO_DIGITS:
                digit = _SINO_DIGITS[letter]
            elif letter in _SINO_POWERS:
                section += (digit or 1) * _SINO_POWERS[letter]
                digit = 0
            else:
                total += (section + digit or 1) * _LARGE_UNITS[letter]
                section, digit = 0, 0
        if number:
            yield total + section + digit
        if number.endswith("일"):  # "백일" may be 101 or a hundred days
            yield total + section


def _extract_english_numbers(text: str) -> Iterator[float]:
    """Yield numbers in words, joined: "twenty-five", "two hundred and ten"."""
    value = 0
    for word in (*_ENGLISH_WORD.findall(text), ""):
        if word == "hundred" and 0 < value < 100:  # noqa: PLR2004 - no "hundred hundred"
            value *= 100
        elif word in _ENGLISH_TENS:
            value += _ENGLISH_TENS[word]
        elif word in _ENGLISH_ONES:
            value += _ENGLISH_ONES[word]
        elif value and not (word == "and" and value % 100 == 0):
            yield value
            value = 0
