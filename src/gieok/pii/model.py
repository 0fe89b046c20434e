"""What sensitive information is called, and how grave it is."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Level(StrEnum):
    """What may happen to a piece of sensitive information (A19)."""

    S1 = "S1"
    """Public by law, such as a business number: named, never masked."""
    S2 = "S2"
    """Personal: masked unless the person decides otherwise."""
    S3 = "S3"
    """Never kept: identity, card and account numbers, passwords, keys."""


class Kind(StrEnum):
    """The kinds that are told apart; the value is the key in `sensitive_flags`."""

    RRN = "rrn"
    FOREIGNER = "foreigner"
    SSN = "ssn"
    PASSPORT = "passport"
    DRIVER_LICENSE = "driver_license"
    CARD = "card"
    ACCOUNT = "account"
    IBAN = "iban"
    PASSWORD = "password"  # noqa: S105 - the name of a kind
    SECRET = "secret"  # noqa: S105 - the name of a kind
    PHONE = "phone"
    EMAIL = "email"
    ADDRESS = "address"
    BUSINESS = "business"
    HEALTH = "health"
    SEX_LIFE = "sex_life"
    BELIEF = "belief"
    POLITICS = "politics"
    UNION = "union"
    CRIME = "crime"
    BIOMETRICS = "biometrics"

    @property
    def level(self) -> Level:
        """How grave it is."""
        if self is Kind.BUSINESS:
            return Level.S1
        return Level.S2 if self in _PERSONAL else Level.S3

    @property
    def topic(self) -> bool:
        """Whether it is a special category (GDPR 9, PIPA 23): labelled, not masked."""
        return self in _TOPICS


_TOPICS: Final = frozenset(
    {
        Kind.HEALTH,
        Kind.SEX_LIFE,
        Kind.BELIEF,
        Kind.POLITICS,
        Kind.UNION,
        Kind.CRIME,
        Kind.BIOMETRICS,
    }
)
_PERSONAL: Final = _TOPICS | {Kind.PHONE, Kind.EMAIL, Kind.ADDRESS}


@dataclass(frozen=True, slots=True)
class Found:
    """One piece of sensitive information in one text; its words are not kept.

    `start` and `end` are offsets in the text as it came in; `confidence` is between
    0.5 and 1.
    """

    start: int
    end: int
    kind: Kind
    confidence: float

    @property
    def level(self) -> Level:
        """How grave it is."""
        return self.kind.level


def flags(found: Iterable[Found]) -> dict[str, int]:
    """Return how often each kind occurs, for `sensitive_flags`; no content in it."""
    return dict(sorted(Counter(one.kind.value for one in found).items()))
