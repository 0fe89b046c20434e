"""Replaces what must not be kept; there is no way back to it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from secrets import token_bytes
from typing import Final

from gieok.pii.model import Found, Kind, Level

_NAMES: Final = {
    Kind.RRN: ("주민등록번호", "resident number"),
    Kind.FOREIGNER: ("외국인등록번호", "foreigner number"),
    Kind.SSN: ("사회보장번호", "social security number"),
    Kind.PASSPORT: ("여권번호", "passport number"),
    Kind.DRIVER_LICENSE: ("면허번호", "driving licence"),
    Kind.CARD: ("카드번호", "card number"),
    Kind.ACCOUNT: ("계좌번호", "account number"),
    Kind.IBAN: ("IBAN", "IBAN"),
    Kind.PASSWORD: ("비밀번호", "password"),
    Kind.SECRET: ("비밀키", "secret key"),
    Kind.PHONE: ("전화번호", "phone number"),
    Kind.EMAIL: ("이메일", "e-mail"),
    Kind.ADDRESS: ("주소", "address"),
}
_HANGUL: Final = re.compile(r"[가-힣\u1100-\u1112]")
_NUMBER: Final = re.compile(r"[+()\d\s.\-/]+", re.ASCII)
_DIGIT: Final = re.compile(r"\d", re.ASCII)
_SHOWN_LAST: Final = 4
_MAIL: Final = re.compile(r"([!-?A-~])[!-?A-~]*@([!-?A-~]+)")
_DISTRICT: Final = re.compile(
    r"((?:[가-힣]{0,8}(?:[도시군구남북]|서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|제주)"
    r"\s{1,2}){1,4})"
)


_TOKENS: Final = "|".join(
    re.escape(name) for names in _NAMES.values() for name in names
)
MASKED: Final = re.compile(
    rf"\[(?:{_TOKENS})(?:#\d+)?\]|[!-?A-~]\*\*\*@|\d[\s.\-)]{{0,2}}\*{{3}}"
)
"""What stands where something was masked; of a part that is shown, its middle."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What of level S2 a person lets be kept; S3 never is.

    `keep` names kinds that stay as they are, `hide` those of which nothing stays.
    The others keep what makes them recognisable: `010-****-5678`, `h***@naver.com`,
    the district of an address.
    """

    keep: frozenset[Kind] = frozenset()
    hide: frozenset[Kind] = frozenset()


PERSONAL: Final = frozenset({Kind.PHONE, Kind.EMAIL, Kind.ADDRESS})
DEFAULT: Final = Policy()
S3_ONLY: Final = Policy(keep=PERSONAL)
"""For names and values that an app gives: only what is never kept goes."""


@dataclass(slots=True)
class Tokens:
    """Numbers the values of one session: the same value, the same token.

    Holds keyed digests in memory, never a value; when it is gone, numbering starts
    anew. Not for sharing between people.
    """

    _key: bytes = field(default_factory=lambda: token_bytes(16), repr=False)
    _seen: dict[Kind, dict[bytes, int]] = field(
        default_factory=dict[Kind, dict[bytes, int]]
    )

    def number(self, kind: Kind, value: str) -> int:
        """Return 1 for a kind's first value in the session, 2 for its second."""
        plain = "".join(c for c in value if c.isalnum()).lower()
        digest = blake2b(plain.encode("utf-8", "replace"), key=self._key).digest()
        seen = self._seen.setdefault(kind, {})
        return seen.setdefault(digest, len(seen) + 1)


def mask(
    text: str,
    found: Sequence[Found],
    policy: Policy = DEFAULT,
    tokens: Tokens | None = None,
) -> str:
    """Return the text without what may not be kept.

    S3 becomes a typed token in the language of the text, `[주민등록번호]` or
    `[resident number]`, with `#2` for a session's second value of a kind; S2 is
    masked as the policy says; topics and S1 stay. `found` is what `find` returned
    for this very text.
    """
    tokens = tokens or Tokens()
    language = 0 if _HANGUL.search(text) else 1
    pieces: list[str] = []
    last = 0
    for one in found:
        value = text[one.start : one.end]
        if one.kind.topic or one.level is Level.S1 or _kept(one, policy):
            continue
        partly = None if one.kind in policy.hide else _partly(one.kind, value)
        pieces += (
            text[last : one.start],
            partly or _token(one.kind, value, language, tokens),
        )
        last = one.end
    return "".join([*pieces, text[last:]])


def _kept(one: Found, policy: Policy) -> bool:
    return one.level is Level.S2 and one.kind in policy.keep


def _token(kind: Kind, value: str, language: int, tokens: Tokens) -> str:
    number = tokens.number(kind, value)
    return f"[{_NAMES[kind][language]}{f'#{number}' if number > 1 else ''}]"


def _partly(kind: Kind, value: str) -> str | None:
    """Return what may be shown of a value, or nothing if it is not spelled plainly."""
    if kind is Kind.PHONE and _NUMBER.fullmatch(value):
        return _phone(value)
    if kind is Kind.EMAIL:
        mail = _MAIL.fullmatch(value)
        return f"{mail[1]}***@{mail[2]}" if mail else None
    if kind is Kind.ADDRESS:
        district = _DISTRICT.match(value)
        return f"{district[1]}[{_NAMES[kind][0]}]" if district else None
    return None


def _phone(value: str) -> str | None:
    """Return the first group and the last four digits of a whole number."""
    places = [match.start() for match in _DIGIT.finditer(value)]
    opening = re.match(r"\D*\d+", value)
    first = len(_DIGIT.findall(opening.group())) if opening else 0
    first = min(first, 3)
    hidden = places[first:-_SHOWN_LAST]
    if len(hidden) < 3:  # noqa: PLR2004 - fewer could be guessed
        return None
    shown = list(value)
    for place in hidden:
        shown[place] = "*"
    return "".join(shown)
