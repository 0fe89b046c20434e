"""Every rule for numbers, one a line: what it looks like and how much that says."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gieok.pii import checksums, words
from gieok.pii.model import Kind

Test = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """How sure a form is of its kind: by itself, by its digits, by words near it.

    `alone` counts when the digits pass `fits`, `proven` when they pass `proof`, and
    `told` when what is written passes `fitting` and one of `words` stands nearer than
    any harmless one. None of them is a condition for another. `far` lets words of the
    last messages count as well.
    """

    kind: Kind
    form: re.Pattern[str]
    words: re.Pattern[str]
    alone: float = 0.0
    fits: Test | None = None
    proven: float = 0.0
    proof: Test | None = None
    told: float = 0.0
    fitting: Test | None = None
    far: bool = False


_SEP: Final = r"[\s.\-/,()]{1,3}"
_SPACED: Final = r"[\s.\-,()]{1,3}"
_ANY: Final = r"[\s.\-/()]{0,3}"
_FROM: Final = r"(?<![\dA-Za-z])(?<![\dA-Za-z][-.])"
_TO: Final = r"(?!\d)(?![-.]\d)(?![A-Za-z])"
_REGION: Final = (
    r"(?:서울|부산|경기|강원|충북|충남|전북|전남|경북|경남|제주|대구|인천|광주|대전"
    r"|울산)"
)
_DATE: Final = re.compile(
    r"(?:19|20)\d\d(?:[\s.\-/]{1,2}(?:0?[1-9]|1[0-2])[\s.\-/]{1,2}|(?:0[1-9]|1[0-2]))"
    r"(?:0?[1-9]|[12]\d|3[01])(?!\d)"
)
_AMERICAN: Final = re.compile(r"(?<!\d)\d\d?[\-./]\d\d?[\-./](?:19|20)\d\d(?!\d)")
_DATE_TIME: Final = re.compile(
    r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:\d{4}|\d{6}|\d{9})?"
)
_YEARS: Final = re.compile(r"(?:19|20)\d\d\D?(?:19|20)\d\d")
_HOTLINE: Final = re.compile(r"1[5-8]\d\d\D?\d{4}")
TOLL_FREE: Final = re.compile(r"1?8(?:00|33|44|55|66|77|88)[2-9]\d{6}|080\d{6,8}")
"""Numbers of services, in North America, Korea and Britain."""


def _written(form: str) -> re.Pattern[str]:
    return re.compile(_FROM + form + _TO)


def _count(written: str) -> int:
    return sum(c.isdigit() for c in written)


def _dateless(written: str) -> bool:
    dated = _DATE.match(written) or _AMERICAN.search(written)
    return not (dated or _DATE_TIME.fullmatch(written))


def _layout(written: str) -> bool:
    """Tell whether it may be how a bank writes an account, and is no date."""
    return 9 <= _count(written) <= 16 and _dateless(written)  # noqa: PLR2004 - banks


def _personal(written: str) -> bool:
    odd = _HOTLINE.fullmatch(written) or _YEARS.fullmatch(written)
    return not odd and _dateless(written)


def _abroad(written: str) -> bool:
    return 8 <= _count(written) <= 15  # noqa: PLR2004 - E.164


def _domestic(digits: str) -> bool:
    return 9 <= len(digits) <= 11  # noqa: PLR2004 - with the zero


def _gendered(digits: str) -> bool:
    return digits[6] in "12345678"


def _network(digits: str) -> bool:
    return digits[0] in "34569"


RULES: Final = (
    Rule(
        Kind.RRN,
        _written(r"\d{6}\s?-\s?[1-4]\d{6}"),
        words.RESIDENT,
        alone=0.82,
        fits=checksums.born,
        proven=1.0,
        proof=checksums.resident,
        told=0.97,
    ),
    Rule(
        Kind.FOREIGNER,
        _written(r"\d{6}\s?-\s?[5-8]\d{6}"),
        words.RESIDENT,
        alone=0.82,
        fits=checksums.born,
        proven=1.0,
        proof=checksums.resident,
        told=0.97,
    ),
    Rule(
        Kind.RRN,
        _written(r"\d{6}\s?-\s?\d{7}"),
        words.RESIDENT,
        alone=0.55,
        fits=_gendered,
        proven=0.6,
        proof=checksums.resident,
        told=0.9,
    ),
    Rule(
        Kind.RRN,
        _written(r"(?:\d\s?){5}\d\s?-\s?[1-8](?:\s?\d){6}"),
        words.RESIDENT,
        alone=0.82,
        fits=checksums.born,
        told=0.95,
    ),
    Rule(
        Kind.RRN,
        _written(r"(?:\d\s){6}[1-8](?:\s\d){6}"),
        words.RESIDENT,
        alone=0.55,
        fits=checksums.born,
        told=0.95,
    ),
    Rule(
        Kind.RRN,
        _written(r"\d{6}[\s./]{1,3}[1-8]\d{6}"),
        words.RESIDENT,
        alone=0.6,
        fits=checksums.born,
        proven=0.95,
        proof=checksums.resident,
        told=0.95,
    ),
    Rule(
        Kind.PHONE,
        _written(
            rf"(?:\+?82{_ANY}(?:0\)?{_ANY})?|0)1[016789]{_SEP}\d{{3,4}}{_SEP}\d{{4}}"
        ),
        words.PHONE,
        alone=1.0,
    ),
    Rule(
        Kind.PHONE,
        _written(
            rf"(?:\+?82{_ANY}(?:0\)?{_ANY})?|0)1[016789]{_ANY}\d{{3,4}}{_ANY}\d{{4}}"
        ),
        words.PHONE,
        alone=0.95,
        told=0.97,
    ),
    Rule(
        Kind.PHONE,
        _written(
            rf"(?:\+?82{_ANY}0?|0)(?:2|3[1-3]|4[1-4]|5[1-5]|6[1-4]|70|50\d?)"
            rf"{_SEP}\d{{3,4}}{_SEP}\d{{4}}"
        ),
        words.PHONE,
        alone=0.9,
        told=0.96,
    ),
    Rule(
        Kind.PHONE,
        re.compile(r"(?<!\d)\+\d{1,3}(?:[\s.\-()]{0,3}\d{1,5}){2,6}" + _TO),
        words.PHONE,
        alone=0.85,
        fits=_abroad,
        told=0.95,
        fitting=_abroad,
    ),
    Rule(
        Kind.PHONE,
        _written(rf"0\d{{2,4}}{_SPACED}\d{{3,4}}{_SPACED}\d{{3,4}}"),
        words.PHONE,
        told=0.9,
    ),
    Rule(
        Kind.PHONE,
        _written(rf"0\d{{2,4}}{_SPACED}[1-9]\d{{2,3}}{_SPACED}\d{{3,4}}"),
        words.PHONE,
        alone=0.7,
        fits=_domestic,
    ),
    Rule(
        Kind.PHONE,
        _written(
            r"(?:\+?1[\s.\-]{1,2})?\(?[2-9]\d\d\)?[\s.\-]{1,2}[2-9]\d\d[\s.\-]\d{4}"
        ),
        words.PHONE,
        alone=0.8,
        told=0.95,
    ),
    Rule(
        Kind.PHONE,
        _written(r"\d{3,4}[\s\-]\d{4}"),
        words.PHONE,
        told=0.65,
        fitting=_personal,
    ),
    Rule(
        Kind.SSN,
        _written(r"\d{3}-\d{2}-\d{4}"),
        words.SOCIAL,
        alone=0.85,
        fits=checksums.social,
        told=0.97,
    ),
    Rule(Kind.SSN, _written(r"\d{3}[\s.]\d{2}[\s.]\d{4}"), words.SOCIAL, told=0.95),
    Rule(
        Kind.BUSINESS,
        _written(r"\d{3}-\d{2}-\d{5}"),
        words.BUSINESS,
        proven=0.7,
        proof=checksums.business,
        told=0.97,
    ),
    Rule(
        Kind.DRIVER_LICENSE,
        _written(r"(?:1[1-9]|2[0-8])\s?-\s?\d\d\s?-\s?\d{6}\s?-\s?\d\d"),
        words.LICENCE,
        alone=0.92,
        told=0.98,
    ),
    Rule(
        Kind.DRIVER_LICENSE,
        _written(r"\d\d[\s.\-/]{1,3}\d\d[\s.\-/]{1,3}\d{6}[\s.\-/]{1,3}\d\d"),
        words.LICENCE,
        alone=0.6,
        told=0.97,
    ),
    Rule(
        Kind.DRIVER_LICENSE,
        _written(r"\d{2,4}(?:-\d{1,7}){2,6}"),
        words.LICENCE,
        told=0.85,
        fitting=_layout,
    ),
    Rule(
        Kind.CARD,
        _written(rf"\d{{4}}{_SEP}\d{{4}}{_SEP}\d{{4}}{_SEP}\d{{4}}"),
        words.CARD,
        alone=0.6,
        fits=_network,
        proven=0.98,
        proof=checksums.card,
        told=0.97,
    ),
    Rule(
        Kind.CARD,
        _written(rf"3\d{{3}}{_SEP}\d{{6}}{_SEP}\d{{4,5}}"),
        words.CARD,
        alone=0.7,
        proven=1.0,
        proof=checksums.card,
        told=0.97,
    ),
    Rule(
        Kind.ACCOUNT,
        _written(r"\d{2,6}-\d{2,6}-\d{2,8}(?:-\d{1,6}){0,2}"),
        words.BANK,
        told=0.9,
        fitting=_layout,
        far=True,
    ),
    Rule(
        Kind.ACCOUNT,
        _written(r"\d{2,6}[ .]\d{2,6}[ .]\d{2,8}(?:[ .]\d{1,6}){0,2}"),
        words.BANK,
        told=0.75,
        fitting=_layout,
    ),
)
"""Numbers as they are written, separators and all."""

BARE: Final = (
    Rule(
        Kind.RRN,
        re.compile(r"\d{6}[12349]\d{6}"),
        words.RESIDENT,
        proven=0.8,
        proof=checksums.resident_alone,
        told=0.95,
    ),
    Rule(
        Kind.FOREIGNER,
        re.compile(r"\d{6}[5-8]\d{6}"),
        words.RESIDENT,
        proven=0.8,
        proof=checksums.resident_alone,
        told=0.95,
    ),
    Rule(
        Kind.PHONE,
        re.compile(r"(?:820?|0)1[016789]\d{7,8}"),
        words.PHONE,
        alone=0.9,
        told=0.96,
    ),
    Rule(Kind.PHONE, re.compile(r"0[2-7]\d{7,9}"), words.PHONE, told=0.85),
    Rule(Kind.PHONE, re.compile(r"[2-9]\d\d[2-9]\d{6}"), words.PHONE, told=0.75),
    Rule(
        Kind.PHONE,
        re.compile(r"\d{7,12}"),
        words.PHONE_NUMBER,
        told=0.6,
        fitting=_personal,
    ),
    Rule(Kind.SSN, re.compile(r"\d{9}"), words.SOCIAL, told=0.9),
    Rule(Kind.DRIVER_LICENSE, re.compile(r"\d{12}"), words.LICENCE, told=0.9),
    Rule(
        Kind.CARD,
        re.compile(r"\d{13,19}"),
        words.CARD,
        proven=0.8,
        proof=checksums.card,
        told=0.85,
        fitting=_dateless,
    ),
    Rule(
        Kind.ACCOUNT,
        re.compile(r"\d{9,16}"),
        words.ACCOUNT,
        told=0.75,
        fitting=_dateless,
    ),
    Rule(
        Kind.ACCOUNT,
        re.compile(r"\d{10,14}"),
        words.BANK,
        told=0.506,  # a bank's short name is an ordinary word: only right beside it
        fitting=_dateless,
    ),
    Rule(
        Kind.ACCOUNT,
        re.compile(r"\d{8}"),
        words.ACCOUNT_NUMBER,
        told=0.55,
        fitting=_dateless,
    ),
    Rule(Kind.PASSPORT, re.compile(r"\d{9}"), words.PASSPORT, told=0.85),
)
"""All the digits of a number, however they were set apart."""

_WORD: Final = r"(?<![A-Za-z0-9])(?<![A-Za-z0-9]-)"
_END: Final = r"(?![A-Za-z0-9])(?!-[A-Za-z0-9])"

LETTERED: Final = (
    Rule(
        Kind.PASSPORT,
        re.compile(rf"{_WORD}[MSRODG]\d{{3}}[A-Z]\d{{4}}{_END}"),
        words.PASSPORT,
        alone=0.8,
        told=0.97,
        far=True,
    ),
    Rule(
        Kind.PASSPORT,
        re.compile(
            rf"{_WORD}[A-Za-z]{{1,2}}[\s\-]?\d{{3}}[\s\-]?(?:[A-Za-z][\s\-]?)?\d{{4}}"
            rf"{_END}"
        ),
        words.PASSPORT,
        told=0.9,
    ),
    Rule(
        Kind.PASSPORT,
        re.compile(
            rf"{_WORD}[A-Za-z]{{1,2}}[\s,\-]{{0,2}}(?:\d[\s,\-]{{0,2}}){{6,7}}\d{_END}"
        ),
        words.PASSPORT,
        told=0.92,
        far=True,
    ),
    Rule(
        Kind.DRIVER_LICENSE,
        re.compile(rf"{_WORD}[A-Za-z]\d{{3,4}}[\s\-]?\d{{3,4}}[\s\-]?\d{{1,6}}{_END}"),
        words.LICENCE,
        told=0.9,
    ),
    Rule(
        Kind.DRIVER_LICENSE,
        re.compile(rf"{_REGION}\s?\d\d\s?-\s?\d{{6}}\s?-\s?\d\d(?!\d)"),
        words.LICENCE,
        alone=0.85,
        told=0.97,
    ),
    Rule(
        Kind.DRIVER_LICENSE,
        re.compile(
            rf"{_REGION}[\s\-]{{0,2}}\d\d[\s\-]{{1,3}}\d{{6}}[\s\-]{{1,3}}\d\d(?!\d)"
        ),
        words.LICENCE,
        told=0.9,
    ),
    Rule(
        Kind.IBAN,
        re.compile(
            rf"{_WORD}[A-Za-z]{{2}}\d\d[ ]?(?:[A-Za-z0-9]{{4}}[ ]?){{2,7}}"
            rf"[A-Za-z0-9]{{1,4}}{_END}"
        ),
        words.IBAN,
        proven=0.97,
        proof=checksums.iban,
        told=0.8,
    ),
)
"""Numbers with letters in them; their tests see letters and all."""
