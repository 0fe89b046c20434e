"""Where a message holds something that must never become a fact.

Conservative patterns besides what is masked anywhere (`gieok.pii`): what they mark is
dropped, not guessed at, and a sentence around a masked value is no fact either.
"""

import re
from typing import Final

from gieok.pii import MASKED, find
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_SECRET: Final = compile_lazily(
    r"""
    \d{6}\s?-\s?[0-9]\d{6}                                     # resident number
    | (?<!\w)\d{13,19}(?!\d)                                   # long runs: cards, ids
    | (?:\d[\s.-]?){14,19}                                     # cards, grouped
    | (?<!\w)\d{2,6}-\d{2,6}-\d{2,8}(?:-\d{1,6})?(?!\d)        # accounts, licences
    | \+?\d{1,3}?[\s.-]?\(?\b0?\d{1,3}\)?[\s.-]\d{3,4}[\s.-]\d{4}(?!\d) # telephones
    | (?<!\w)\d{3}[\s.-]\d{3}[\s.-]\d{4}(?!\d) | (?<!\w)0\d{8,10}(?!\d)
    | [\w.+-]{1,64}+@[\w-]+\.[\w.]+                            # e-mail
    | \b[A-Z]{1,2}\d{7,8}(?!\d)                                # passports
    | (?<!\w)\d{3}-\d{2}-\d{4}(?!\d)                           # social security
    | [가-힣\d]{1,20}(?<!으)(?:로|길)\s?\d++(?:번길\s?\d++)?(?:-\d++)?  # addresses, not
      (?!\s?(?:년|개월|시|분|초|월|일|명|살|도|층|%|번째|킬로|만|천|주))  # "첼로 7년"
    | \b\d{1,4}동\s?\d{2,4}호
    | \b\d{1,5}\s(?:[A-Z][a-z]+\s){1,3}(?:St|Street|Ave|Avenue|Rd|Road|Lane|Ln|Drive|Dr|
      Blvd|Court|Ct|Way|Terrace|Close|Crescent)\b
    """,
    re.VERBOSE,
)
_WORD: Final = _LISTS.compile_list("secrets.word")
_VALUE: Final = compile_lazily(r"\d{3,}|[A-Za-z]*\d[\w!@#$%^&*-]*|\S*[!@#$%^&*]\S+")
_DIGITS: Final = compile_lazily(r"(?:\d[\s.-]?){9,}|(?<![A-Za-z])[A-Z]{1,2}\d{7,8}")
"""Numbers with a Korean particle right behind them, which end no word, too."""
_SPOKEN: Final = _LISTS.compile_list("secrets.spoken")

SecretSpan = tuple[int, int]


def find_secrets(text: str) -> tuple[SecretSpan, ...]:
    """Return the places of secrets in a text, with the words that announce them."""
    found = [(one.start, one.end) for one in find(text) if not one.kind.topic]
    for form in (_SECRET, MASKED):
        found += [match.span() for match in form.finditer(text)]
    for word in _WORD.finditer(text):
        line_end = text.find("\n", word.end())
        end = min(word.end() + 60, len(text) if line_end < 0 else line_end)
        values = _VALUE.finditer(text, word.start(), end)
        found += [(word.start(), value.end()) for value in values]
    return tuple(found)


def has_overlap(found: tuple[SecretSpan, ...], start: int, end: int) -> bool:
    """Tell whether a stretch of the text touches one of the secrets found in it."""
    return any(s < end and start < e for s, e in found)


def is_private(text: str) -> bool:
    """Tell whether a text holds a secret, also as digits run on or are spelled out.

    Stricter than `find_secrets`, for texts that can be left out without loss.
    """
    found = _DIGITS.search(text) or _SPOKEN.search(text)
    return found is not None or bool(find_secrets(text))


def has_secret_word(text: str) -> bool:
    """Tell whether a word announces a secret: "my password is sunshine"."""
    return _WORD.search(text) is not None
