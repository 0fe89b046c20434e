"""Rules for numbers, from `number_rules.toml`: what one looks like, what that says."""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

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
    words of the last messages count as well. The form is found in `found` and not in
    `missed`.
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
    found: str = ""
    missed: str = ""


class NumberRules(NamedTuple):
    """The rules by what they are held against."""

    written: tuple[NumberRule, ...]
    """Numbers as they are written, separators and all."""
    bare: tuple[NumberRule, ...]
    """All the digits of a number, however they were set apart."""
    lettered: tuple[NumberRule, ...]
    """Numbers with letters in them; their tests see letters and all."""


_RULES: Final = "number_rules.toml"
_PART: Final = compile_lazily(r"<([a-z]+)>")
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


_TESTS: Final[Mapping[str, FormTest]] = {
    "has_birth_date": checksums.has_birth_date,
    "is_resident_number": checksums.is_resident_number,
    "is_bare_resident_number": checksums.is_bare_resident_number,
    "is_card_number": checksums.is_card_number,
    "is_business_number": checksums.is_business_number,
    "is_ssn": checksums.is_ssn,
    "is_iban": checksums.is_iban,
    "is_dateless": _is_dateless,
    "is_account_layout": _is_account_layout,
    "is_personal": _is_personal,
    "is_international": _is_international,
    "is_domestic": _is_domestic,
    "has_gender_digit": _has_gender_digit,
    "has_card_network": _has_card_network,
}
_WORDS: Final[Mapping[str, re.Pattern[str]]] = {
    "resident": words.RESIDENT,
    "phone": words.PHONE,
    "phone_number": words.PHONE_NUMBER,
    "card": words.CARD,
    "bank": words.BANK,
    "account": words.ACCOUNT,
    "account_number": words.ACCOUNT_NUMBER,
    "passport": words.PASSPORT,
    "licence": words.LICENCE,
    "social": words.SOCIAL,
    "iban": words.IBAN,
    "business": words.BUSINESS,
}


@cache
def load_number_rules() -> NumberRules:
    """Return the shipped rules; they are read once.

    Raises:
        ValueError: as `parse_number_rules`.
    """
    return parse_number_rules(files("gieok.pii").joinpath(_RULES).read_text("utf-8"))


def parse_number_rules(text: str) -> NumberRules:
    """Return the rules of a TOML document.

    Raises:
        ValueError: a form stands twice with the same words, or lacks an example.
        KeyError: a rule names a kind, a part, a test or words that are not there.
    """
    document = tomllib.loads(text)
    rules = NumberRules(
        *(
            tuple(_build_rule(rule, document["parts"]) for rule in document[name])
            for name in NumberRules._fields
        )
    )
    for group in rules:
        counted = Counter((rule.form.pattern, id(rule.words)) for rule in group)
        twice = [form for (form, _), count in counted.items() if count > 1]
        bare = [rule.form.pattern for rule in group if not (rule.found and rule.missed)]
        if twice or bare:
            reason = f"twice, or without two examples: {', '.join(twice + bare)}"
            raise ValueError(reason)
    return rules


def _build_rule(fields: Mapping[str, Any], parts: Mapping[str, str]) -> NumberRule:
    form = _PART.sub(lambda match: parts[match[1]], fields["form"])
    given: dict[str, Any] = {
        name: _TESTS[value] if name.endswith("_test") else value
        for name, value in fields.items()
    }
    given["kind"] = PiiKind(fields["kind"])
    given["words"] = _WORDS[fields["words"]]
    given["form"] = compile_lazily(form)
    return NumberRule(**given)
