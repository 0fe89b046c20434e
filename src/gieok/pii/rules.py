"""Every rule for numbers, one a line: what it looks like and how much that says."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gieok.pii import checksums, words
from gieok.pii.model import PiiKind
from gieok.text.patterns import compile_lazily

FormTest = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class NumberRule:
    """How sure a form is of its kind: by itself, by its digits, by words near it.

    `alone` counts when the digits pass `alone_test`, `proven` when they pass
    `proven_test`, `announced` when what is written passes `announced_test` and one of
    `words` is nearer than any harmless one. None is a condition for another. `far` lets
    words of the last messages count as well.
    """

    kind: PiiKind
    form: re.Pattern[str]
    words: re.Pattern[str]
    alone: float = 0.0
    alone_test: FormTest | None = None
    proven: float = 0.0
    proven_test: FormTest | None = None
    announced: float = 0.0
    announced_test: FormTest | None = None
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
_DATE: Final = compile_lazily(
    r"(?:19|20)\d\d(?:[\s.\-/]{1,2}(?:0?[1-9]|1[0-2])[\s.\-/]{1,2}|(?:0[1-9]|1[0-2]))"
    r"(?:0?[1-9]|[12]\d|3[01])(?!\d)"
)
_AMERICAN: Final = compile_lazily(r"(?<!\d)\d\d?[\-./]\d\d?[\-./](?:19|20)\d\d(?!\d)")
_DATE_TIME: Final = compile_lazily(
    r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:\d{4}|\d{6}|\d{9})?"
)
_YEARS: Final = compile_lazily(r"(?:19|20)\d\d\D?(?:19|20)\d\d")
_HOTLINE: Final = compile_lazily(r"1[5-8]\d\d\D?\d{4}")
TOLL_FREE: Final = compile_lazily(r"1?8(?:00|33|44|55|66|77|88)\d{7}|080\d{6,8}")
"""Numbers of services, in North America, Korea and Britain."""


def _build_form(form: str) -> re.Pattern[str]:
    return compile_lazily(_FROM + form + _TO)


def _count_digits(written: str) -> int:
    return sum(c.isdigit() for c in written)


def _is_dateless(written: str) -> bool:
    dated = _DATE.match(written) or _AMERICAN.search(written)
    return not (dated or _DATE_TIME.fullmatch(written))


def _is_account_layout(written: str) -> bool:
    """Tell whether it may be how a bank writes an account, and is no date."""
    return 9 <= _count_digits(written) <= 16 and _is_dateless(written)  # noqa: PLR2004 - banks


def _is_personal(written: str) -> bool:
    odd = _HOTLINE.fullmatch(written) or _YEARS.fullmatch(written)
    return not odd and _is_dateless(written)


def _is_international(written: str) -> bool:
    return 8 <= _count_digits(written) <= 15  # noqa: PLR2004 - E.164


def _is_domestic(digits: str) -> bool:
    return 9 <= len(digits) <= 11  # noqa: PLR2004 - with the zero


def _has_gender_digit(digits: str) -> bool:
    return digits[6] in "12345678"


def _has_card_network(digits: str) -> bool:
    return digits[0] in "34569"


RULES: Final = (
    NumberRule(
        PiiKind.RRN,
        _build_form(r"\d{6}\s?-\s?[1-4]\d{6}"),
        words.RESIDENT,
        alone=0.82,
        alone_test=checksums.has_birth_date,
        proven=1.0,
        proven_test=checksums.is_resident_number,
        announced=0.97,
    ),
    NumberRule(
        PiiKind.FOREIGNER,
        _build_form(r"\d{6}\s?-\s?[5-8]\d{6}"),
        words.RESIDENT,
        alone=0.82,
        alone_test=checksums.has_birth_date,
        proven=1.0,
        proven_test=checksums.is_resident_number,
        announced=0.97,
    ),
    NumberRule(
        PiiKind.RRN,
        _build_form(r"\d{6}\s?-\s?\d{7}"),
        words.RESIDENT,
        alone=0.55,
        alone_test=_has_gender_digit,
        proven=0.6,
        proven_test=checksums.is_resident_number,
        announced=0.9,
    ),
    NumberRule(
        PiiKind.RRN,
        _build_form(r"(?:\d\s?){5}\d\s?-\s?[1-8](?:\s?\d){6}"),
        words.RESIDENT,
        alone=0.82,
        alone_test=checksums.has_birth_date,
        announced=0.95,
    ),
    NumberRule(
        PiiKind.RRN,
        _build_form(r"(?:\d\s){6}[1-8](?:\s\d){6}"),
        words.RESIDENT,
        alone=0.55,
        alone_test=checksums.has_birth_date,
        announced=0.95,
    ),
    NumberRule(
        PiiKind.RRN,
        _build_form(r"\d{6}[\s./]{1,3}[1-8]\d{6}"),
        words.RESIDENT,
        alone=0.6,
        alone_test=checksums.has_birth_date,
        proven=0.95,
        proven_test=checksums.is_resident_number,
        announced=0.95,
    ),
    NumberRule(
        PiiKind.PHONE,
        _build_form(
            rf"(?:\+?82{_ANY}(?:0\)?{_ANY})?|0)1[016789]{_SEP}\d{{3,4}}{_SEP}\d{{4}}"
        ),
        words.PHONE,
        alone=1.0,
    ),
    NumberRule(
        PiiKind.PHONE,
        _build_form(
            rf"(?:\+?82{_ANY}(?:0\)?{_ANY})?|0)1[016789]{_ANY}\d{{3,4}}{_ANY}\d{{4}}"
        ),
        words.PHONE,
        alone=0.95,
        announced=0.97,
    ),
    NumberRule(
        PiiKind.PHONE,
        _build_form(
            rf"(?:\+?82{_ANY}0?|0)(?:2|3[1-3]|4[1-4]|5[1-5]|6[1-4]|70|50\d?)"
            rf"{_SEP}\d{{3,4}}{_SEP}\d{{4}}"
        ),
        words.PHONE,
        alone=0.9,
        announced=0.96,
    ),
    NumberRule(
        PiiKind.PHONE,
        compile_lazily(r"(?<!\d)\+\d{1,3}(?:[\s.\-()]{0,3}\d{1,5}){2,6}" + _TO),
        words.PHONE,
        alone=0.85,
        alone_test=_is_international,
        announced=0.95,
        announced_test=_is_international,
    ),
    NumberRule(
        PiiKind.PHONE,
        _build_form(rf"0\d{{2,4}}{_SPACED}\d{{3,4}}{_SPACED}\d{{3,4}}"),
        words.PHONE,
        announced=0.9,
    ),
    NumberRule(
        PiiKind.PHONE,
        _build_form(rf"0\d{{2,4}}{_SPACED}[1-9]\d{{2,3}}{_SPACED}\d{{3,4}}"),
        words.PHONE,
        alone=0.7,
        alone_test=_is_domestic,
    ),
    NumberRule(
        PiiKind.PHONE,
        _build_form(
            r"(?:\+?1[\s.\-]{1,2})?\(?[2-9]\d\d\)?[\s.\-]{1,2}[2-9]\d\d[\s.\-]\d{4}"
        ),
        words.PHONE,
        alone=0.8,
        announced=0.95,
    ),
    NumberRule(
        PiiKind.PHONE,
        _build_form(r"\d{3,4}[\s\-]\d{4}"),
        words.PHONE,
        announced=0.65,
        announced_test=_is_personal,
    ),
    NumberRule(
        PiiKind.SSN,
        _build_form(r"\d{3}-\d{2}-\d{4}"),
        words.SOCIAL,
        alone=0.85,
        alone_test=checksums.is_ssn,
        announced=0.97,
    ),
    NumberRule(
        PiiKind.SSN,
        _build_form(r"\d{3}[\s.]\d{2}[\s.]\d{4}"),
        words.SOCIAL,
        announced=0.95,
    ),
    NumberRule(
        PiiKind.BUSINESS,
        _build_form(r"\d{3}-\d{2}-\d{5}"),
        words.BUSINESS,
        proven=0.7,
        proven_test=checksums.is_business_number,
        announced=0.97,
    ),
    NumberRule(
        PiiKind.DRIVER_LICENSE,
        _build_form(r"(?:1[1-9]|2[0-8])\s?-\s?\d\d\s?-\s?\d{6}\s?-\s?\d\d"),
        words.LICENCE,
        alone=0.92,
        announced=0.98,
    ),
    NumberRule(
        PiiKind.DRIVER_LICENSE,
        _build_form(r"\d\d[\s.\-/]{1,3}\d\d[\s.\-/]{1,3}\d{6}[\s.\-/]{1,3}\d\d"),
        words.LICENCE,
        alone=0.6,
        announced=0.97,
    ),
    NumberRule(
        PiiKind.DRIVER_LICENSE,
        _build_form(r"\d{2,4}(?:-\d{1,7}){2,6}"),
        words.LICENCE,
        announced=0.85,
        announced_test=_is_account_layout,
    ),
    NumberRule(
        PiiKind.CARD,
        _build_form(rf"\d{{4}}{_SEP}\d{{4}}{_SEP}\d{{4}}{_SEP}\d{{4}}"),
        words.CARD,
        alone=0.6,
        alone_test=_has_card_network,
        proven=0.98,
        proven_test=checksums.is_card_number,
        announced=0.97,
    ),
    NumberRule(
        PiiKind.CARD,
        _build_form(rf"3\d{{3}}{_SEP}\d{{6}}{_SEP}\d{{4,5}}"),
        words.CARD,
        alone=0.7,
        proven=1.0,
        proven_test=checksums.is_card_number,
        announced=0.97,
    ),
    NumberRule(
        PiiKind.ACCOUNT,
        _build_form(r"\d{2,6}-\d{2,6}-\d{2,8}(?:-\d{1,6}){0,2}"),
        words.BANK,
        announced=0.9,
        announced_test=_is_account_layout,
        far=True,
    ),
    NumberRule(
        PiiKind.ACCOUNT,
        _build_form(r"\d{2,6}[ .]\d{2,6}[ .]\d{2,8}(?:[ .]\d{1,6}){0,2}"),
        words.BANK,
        announced=0.75,
        announced_test=_is_account_layout,
    ),
)
"""Numbers as they are written, separators and all."""

BARE: Final = (
    NumberRule(
        PiiKind.RRN,
        compile_lazily(r"\d{6}[12349]\d{6}"),
        words.RESIDENT,
        proven=0.8,
        proven_test=checksums.is_bare_resident_number,
        announced=0.95,
    ),
    NumberRule(
        PiiKind.FOREIGNER,
        compile_lazily(r"\d{6}[5-8]\d{6}"),
        words.RESIDENT,
        proven=0.8,
        proven_test=checksums.is_bare_resident_number,
        announced=0.95,
    ),
    NumberRule(
        PiiKind.PHONE,
        compile_lazily(r"(?:820?|0)1[016789]\d{7,8}"),
        words.PHONE,
        alone=0.9,
        announced=0.96,
    ),
    NumberRule(
        PiiKind.PHONE, compile_lazily(r"0[2-7]\d{7,9}"), words.PHONE, announced=0.85
    ),
    NumberRule(
        PiiKind.PHONE,
        compile_lazily(r"[2-9]\d\d[2-9]\d{6}"),
        words.PHONE,
        announced=0.75,
    ),
    NumberRule(
        PiiKind.PHONE,
        compile_lazily(r"\d{7,12}"),
        words.PHONE_NUMBER,
        announced=0.6,
        announced_test=_is_personal,
    ),
    NumberRule(PiiKind.SSN, compile_lazily(r"\d{9}"), words.SOCIAL, announced=0.9),
    NumberRule(
        PiiKind.DRIVER_LICENSE, compile_lazily(r"\d{12}"), words.LICENCE, announced=0.9
    ),
    NumberRule(
        PiiKind.CARD,
        compile_lazily(r"\d{13,19}"),
        words.CARD,
        proven=0.8,
        proven_test=checksums.is_card_number,
        announced=0.85,
        announced_test=_is_dateless,
    ),
    NumberRule(
        PiiKind.ACCOUNT,
        compile_lazily(r"\d{9,16}"),
        words.ACCOUNT,
        announced=0.75,
        announced_test=_is_dateless,
    ),
    NumberRule(
        PiiKind.ACCOUNT,
        compile_lazily(r"\d{10,14}"),
        words.BANK,
        announced=0.506,  # a bank's short name is a common word: only right beside it
        announced_test=_is_dateless,
    ),
    NumberRule(
        PiiKind.ACCOUNT,
        compile_lazily(r"\d{8}"),
        words.ACCOUNT_NUMBER,
        announced=0.55,
        announced_test=_is_dateless,
    ),
    NumberRule(
        PiiKind.PASSPORT, compile_lazily(r"\d{9}"), words.PASSPORT, announced=0.85
    ),
)
"""All the digits of a number, however they were set apart."""

_WORD: Final = r"(?<![A-Za-z0-9])(?<![A-Za-z0-9]-)"
_END: Final = r"(?![A-Za-z0-9])(?!-[A-Za-z0-9])"

LETTERED: Final = (
    NumberRule(
        PiiKind.PASSPORT,
        compile_lazily(rf"{_WORD}[MSRODG]\d{{3}}[A-Z]\d{{4}}{_END}"),
        words.PASSPORT,
        alone=0.8,
        announced=0.97,
        far=True,
    ),
    NumberRule(
        PiiKind.PASSPORT,
        compile_lazily(
            rf"{_WORD}[A-Za-z]{{1,2}}[\s\-]?\d{{3}}[\s\-]?(?:[A-Za-z][\s\-]?)?\d{{4}}"
            rf"{_END}"
        ),
        words.PASSPORT,
        announced=0.9,
    ),
    NumberRule(
        PiiKind.PASSPORT,
        compile_lazily(
            rf"{_WORD}[A-Za-z]{{1,2}}[\s,\-]{{0,2}}(?:\d[\s,\-]{{0,2}}){{6,7}}\d{_END}"
        ),
        words.PASSPORT,
        announced=0.92,
        far=True,
    ),
    NumberRule(
        PiiKind.DRIVER_LICENSE,
        compile_lazily(
            rf"{_WORD}[A-Za-z]\d{{3,4}}[\s\-]?\d{{3,4}}[\s\-]?\d{{1,6}}{_END}"
        ),
        words.LICENCE,
        announced=0.9,
    ),
    NumberRule(
        PiiKind.DRIVER_LICENSE,
        compile_lazily(rf"{_REGION}\s?\d\d\s?-\s?\d{{6}}\s?-\s?\d\d(?!\d)"),
        words.LICENCE,
        alone=0.85,
        announced=0.97,
    ),
    NumberRule(
        PiiKind.DRIVER_LICENSE,
        compile_lazily(
            rf"{_REGION}[\s\-]{{0,2}}\d\d[\s\-]{{1,3}}\d{{6}}[\s\-]{{1,3}}\d\d(?!\d)"
        ),
        words.LICENCE,
        announced=0.9,
    ),
    NumberRule(
        PiiKind.IBAN,
        compile_lazily(
            rf"{_WORD}[A-Za-z]{{2}}\d\d[ ]?(?:[A-Za-z0-9]{{4}}[ ]?){{2,7}}"
            rf"[A-Za-z0-9]{{1,4}}{_END}"
        ),
        words.IBAN,
        proven=0.97,
        proven_test=checksums.is_iban,
        announced=0.8,
    ),
)
"""Numbers with letters in them; their tests see letters and all."""
