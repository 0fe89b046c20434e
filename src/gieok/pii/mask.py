"""Replaces what must not be kept; there is no way back to it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from secrets import token_bytes
from typing import Final

from gieok.pii.model import PiiFinding, PiiKind, SensitivityLevel
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.pii", "patterns.toml")

_NAMES: Final = {
    PiiKind.RRN: ("주민등록번호", "resident number"),
    PiiKind.FOREIGNER: ("외국인등록번호", "foreigner number"),
    PiiKind.SSN: ("사회보장번호", "social security number"),
    PiiKind.PASSPORT: ("여권번호", "passport number"),
    PiiKind.DRIVER_LICENSE: ("면허번호", "driving licence"),
    PiiKind.CARD: ("카드번호", "card number"),
    PiiKind.ACCOUNT: ("계좌번호", "account number"),
    PiiKind.IBAN: ("IBAN", "IBAN"),
    PiiKind.PASSWORD: ("비밀번호", "password"),
    PiiKind.SECRET: ("비밀키", "secret key"),
    PiiKind.PHONE: ("전화번호", "phone number"),
    PiiKind.EMAIL: ("이메일", "e-mail"),
    PiiKind.ADDRESS: ("주소", "address"),
}
_HANGUL: Final = compile_lazily(r"[가-힣\u1100-\u1112]")
_NUMBER: Final = compile_lazily(r"[+()\d\s.\-/]+", re.ASCII)
_DIGIT: Final = compile_lazily(r"\d", re.ASCII)
_SHOWN_LAST: Final = 4
_MAIL: Final = compile_lazily(r"([!-?A-~])[!-?A-~]*@([!-?A-~]+)")
_DISTRICT: Final = _LISTS.compile_list("mask.district")


_TOKENS: Final = "|".join(
    re.escape(name) for names in _NAMES.values() for name in names
)
MASKED: Final = compile_lazily(
    rf"\[(?:{_TOKENS})(?:#\d+)?\]|[!-?A-~]\*\*\*@|\d[\s.\-)]{{0,2}}\*{{3}}"
)
"""What stands where something was masked; of a part that is shown, its middle."""

_SHOWN: Final = {
    PiiKind.PHONE: compile_lazily(
        r"[+(]?\d{1,3}(?:[()\s.\-/]{0,2}\*){3,}(?:[()\s.\-/]{0,2}\d){4}", re.ASCII
    ),
    PiiKind.EMAIL: compile_lazily(r"[!-?A-~]\*{3}@[!-?A-~]+"),
    PiiKind.ADDRESS: compile_lazily(
        lambda: _LISTS.lists["mask.district"].expression + r"\[주소\]"
    ),
}
"""What `_mask_partly` leaves to be seen, with what stands for the rest."""


@dataclass(frozen=True, slots=True)
class MaskingPolicy:
    """What of level S2 a person lets be kept; S3 never is.

    `keep` names kinds that stay as they are, `hide` those of which nothing stays.
    The others keep what makes them recognisable: `010-****-5678`, `h***@naver.com`,
    the district of an address.
    """

    keep: frozenset[PiiKind] = frozenset()
    hide: frozenset[PiiKind] = frozenset()


PERSONAL: Final = frozenset({PiiKind.PHONE, PiiKind.EMAIL, PiiKind.ADDRESS})
DEFAULT: Final = MaskingPolicy()
S3_ONLY: Final = MaskingPolicy(keep=PERSONAL)
"""For names and values that an app gives: only what is never kept goes."""


@dataclass(slots=True)
class MaskTokens:
    """Numbers the values of one session: the same value, the same token.

    Holds keyed digests in memory, never a value; when it is gone, numbering starts
    anew. Not for sharing between people.
    """

    _key: bytes = field(default_factory=lambda: token_bytes(16), repr=False)
    _seen: dict[PiiKind, dict[bytes, int]] = field(
        default_factory=dict[PiiKind, dict[bytes, int]]
    )

    def get_number(self, kind: PiiKind, value: str) -> int:
        """Return 1 for a kind's first value in the session, 2 for its second."""
        plain = "".join(c for c in value if c.isalnum()).lower()
        digest = blake2b(plain.encode("utf-8", "replace"), key=self._key).digest()
        seen = self._seen.setdefault(kind, {})
        return seen.setdefault(digest, len(seen) + 1)


def mask(
    text: str,
    found: Sequence[PiiFinding],
    policy: MaskingPolicy = DEFAULT,
    tokens: MaskTokens | None = None,
) -> str:
    """Return the text without what may not be kept.

    S3 becomes a typed token in the language of the text, `[주민등록번호]` or
    `[resident number]`, with `#2` for a session's second value of a kind; S2 is
    masked as the policy says; topics and S1 stay. `found` is what `find` returned
    for this very text.
    """
    tokens = tokens or MaskTokens()
    language = 0 if _HANGUL.search(text) else 1
    pieces: list[str] = []
    last = 0
    for one in found:
        value = text[one.start : one.end]
        if (
            one.kind.topic
            or one.level is SensitivityLevel.S1
            or _is_allowed(one, policy)
        ):
            continue
        partly = None if one.kind in policy.hide else _mask_partly(one.kind, value)
        pieces += (
            text[last : one.start],
            partly or _render_token(one.kind, value, language, tokens),
        )
        last = one.end
    return "".join([*pieces, text[last:]])


def hide_shown(text: str, policy: MaskingPolicy) -> str:
    """Return the text without what is still shown of what was masked elsewhere."""
    language = 0 if policy.hide and _HANGUL.search(text) else 1
    for kind in policy.hide & _SHOWN.keys():
        text = _SHOWN[kind].sub(f"[{_NAMES[kind][language]}]", text)
    return text


def _is_allowed(one: PiiFinding, policy: MaskingPolicy) -> bool:
    return one.level is SensitivityLevel.S2 and one.kind in policy.keep


def _render_token(kind: PiiKind, value: str, language: int, tokens: MaskTokens) -> str:
    number = tokens.get_number(kind, value)
    return f"[{_NAMES[kind][language]}{f'#{number}' if number > 1 else ''}]"


def _mask_partly(kind: PiiKind, value: str) -> str | None:
    """Return what may be shown of a value, or nothing if it is not spelled plainly."""
    if kind is PiiKind.PHONE and _NUMBER.fullmatch(value):
        return _mask_phone(value)
    if kind is PiiKind.EMAIL:
        mail = _MAIL.fullmatch(value)
        return f"{mail[1]}***@{mail[2]}" if mail else None
    if kind is PiiKind.ADDRESS:
        district = _DISTRICT.match(value)
        return f"{district[1]}[{_NAMES[kind][0]}]" if district else None
    return None


def _mask_phone(value: str) -> str | None:
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
