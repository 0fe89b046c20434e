"""What can be wrong with a model's answer, and which of it every text may show."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gieok.models.grounding import (
    GroundingSources,
    ScriptLanguage,
    detect_language,
    is_grounded,
)
from gieok.text.patterns import compile_lazily

_UNSEEN: Final = frozenset({"Cc", "Cf", "Co", "Cs"})
"""Categories of Unicode of which nothing is shown."""
_JOINERS: Final = "\u200c\u200d"
"""What spelling needs in scripts of Iran and India, and many an emoji."""


class Fault(StrEnum):
    """Why a finding is not believed."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    CATEGORY = "category"
    CONFIDENCE = "confidence"
    NO_EVIDENCE = "no_evidence"
    NOT_THE_USER = "not_the_user"
    TARGET = "target"
    SECRET = "secret"  # noqa: S105 - the name of a fault
    LANGUAGE = "language"
    UNGROUNDED = "ungrounded"


@dataclass(frozen=True, slots=True)
class GroundingContext:
    """What a text may rest on, and the languages it may be in.

    `year` is the year of the conversation, for dates worked out from "내일".
    """

    sources: GroundingSources
    languages: frozenset[ScriptLanguage]
    year: int


class UnusableAnswerError(Exception):
    """An answer that cannot be used: asking again may bring a better one.

    Holds what is wrong, never what was answered (design rule 14).
    """

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


def find_text_faults(
    text: str, longest: int, context: GroundingContext
) -> Iterator[Fault]:
    """Yield what is wrong with a text, the cheapest checks first."""
    if not text.strip():
        yield Fault.EMPTY
    if len(text) > longest:
        yield Fault.TOO_LONG
    if has_secret(text):
        yield Fault.SECRET
    if not _is_in_language(text, context.languages):
        yield Fault.LANGUAGE
    if not is_grounded(text, context.sources, context.year):
        yield Fault.UNGROUNDED


def normalize_line(text: str) -> str:
    """Return a text composed (NFC), on one line, without spaces around it.

    What is not seen goes: control characters, and marks that turn or join letters.
    """
    composed = unicodedata.normalize("NFC", " ".join(text.split()))
    seen = (
        each
        for each in composed
        if each in _JOINERS or unicodedata.category(each) not in _UNSEEN
    )
    return " ".join("".join(seen).split())


def has_secret(text: str) -> bool:
    """Say whether a text gives away an id number, card, account, key or password."""
    folded = unicodedata.normalize("NFKC", text)
    if any(pattern.search(folded) for pattern in _SECRETS):
        return True
    return any(_is_card(match[0]) for match in _CARD.finditer(folded))


def _is_in_language(text: str, languages: frozenset[ScriptLanguage]) -> bool:
    """Names do not count much; what has no letters is in every language ("07:30")."""
    if not any(letter.isalpha() for letter in text):
        return True
    return detect_language(text) in languages


_DIGIT_SYLLABLE = "[공영일이삼사오육륙칠팔구]"
_DIGIT_WORD = "(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)"
_LOCKED = (
    "비밀\\s?번호|비번|패스워드|암호|인증\\s?번호|보안\\s?코드|pass\\s?word|passcode|passwd"
    "|pass\\s?phrase|pin(?:\\s?code|\\s?number)?|cvc|cvv|otp|secret|api\\s?key"
    "|パスワード|暗証番号|密[码碼]|пароль"
)
_SECRETS = tuple(
    compile_lazily(pattern, re.IGNORECASE)
    for pattern in (
        # resident and foreigner registration numbers; checksums ended in 2020
        r"(?<!\d)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[-–\s]?[0-9]\d{6}(?!\d)",
        r"(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)",  # US social security number
        r"(?<!\d)\d{2}-\d{2}-\d{6}-\d{2}(?!\d)",  # Korean driving licence
        r"(?:여권|passport)\D{0,20}(?<![A-Za-z])[A-Z]\d{3}[A-Z0-9]\d{4}(?!\d)",
        r"(?:계좌|통장|account)[^\d]{0,20}\d[\d-]{7,}",
        r"(?<![\d-])[1-9]\d{2,5}-\d{2,6}-\d{4,8}(?:-\d{2})?(?![\d-])",  # bank account
        rf"(?:{_DIGIT_SYLLABLE}[\s에의-]{{0,2}}){{10,}}",  # read out digit by digit
        rf"(?:\b{_DIGIT_WORD}\b[\s,-]*){{9,}}",
        rf"(?<![a-z])(?:{_LOCKED})(?![a-z])\s?(?:은|는|이|가|は|是|:|=|is|was|to|으?로)\s?\S*",
        rf"(?<![a-z])(?:{_LOCKED})(?![a-z])\D{{0,12}}\S*\d\S*",
        # a password by its looks: letters, digits and a sign in one word, no address
        r"(?<!\S)(?=\S*[A-Za-z])(?=\S*\d)(?=\S*[!#$%^&*_@])(?!\S{,64}@\S{,64}\.\w)\S{6}",
        r"\b(?:sk|pk|ghp|gho|xox[abp])[-_][A-Za-z0-9_-]{16,}|\bAKIA[A-Z0-9]{16}\b",
        r"-----BEGIN [A-Z ]*PRIVATE KEY",
    )
)
_CARD = compile_lazily(r"(?<![\d-])(?:\d[ -]?){12,18}\d(?![\d-])")


def _is_card(text: str) -> bool:
    """The Luhn checksum, which order and booking numbers fail nine times in ten."""
    digits = [int(letter) for letter in text if letter.isdigit()]
    doubled = [2 * digit for digit in digits[-2::-2]]
    total = sum(digits[-1::-2]) + sum(d - 9 if d > 9 else d for d in doubled)  # noqa: PLR2004 - a decimal digit
    return total % 10 == 0
