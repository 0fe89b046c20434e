"""What sensitive information is called, and how grave it is."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class SensitivityLevel(StrEnum):
    """What may happen to a piece of sensitive information (A19)."""

    S1 = "S1"
    """Public by law, such as a business number: named, never masked."""
    S2 = "S2"
    """Personal: masked unless the person decides otherwise."""
    S3 = "S3"
    """Never kept: identity, card and account numbers, passwords, keys."""


class PiiKind(StrEnum):
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
    def level(self) -> SensitivityLevel:
        """How grave it is."""
        if self is PiiKind.BUSINESS:
            return SensitivityLevel.S1
        return SensitivityLevel.S2 if self in _PERSONAL else SensitivityLevel.S3

    @property
    def topic(self) -> bool:
        """Whether it is a special category (GDPR 9, PIPA 23): labelled, not masked."""
        return self in _TOPICS


_TOPICS: Final = frozenset(
    {
        PiiKind.HEALTH,
        PiiKind.SEX_LIFE,
        PiiKind.BELIEF,
        PiiKind.POLITICS,
        PiiKind.UNION,
        PiiKind.CRIME,
        PiiKind.BIOMETRICS,
    }
)
_PERSONAL: Final = _TOPICS | {PiiKind.PHONE, PiiKind.EMAIL, PiiKind.ADDRESS}


@dataclass(frozen=True, slots=True)
class PiiFinding:
    """One piece of sensitive information in one text; its words are not kept.

    `start` and `end` are offsets in the text as it came in; `confidence` is between
    0.5 and 1.
    """

    start: int
    end: int
    kind: PiiKind
    confidence: float

    @property
    def level(self) -> SensitivityLevel:
        """How grave it is."""
        return self.kind.level


def count_kinds(found: Iterable[PiiFinding]) -> dict[str, int]:
    """Return how often each kind occurs, for `sensitive_flags`; no content in it."""
    return encode_counts(Counter(one.kind for one in found))


def encode_counts(counted: Mapping[PiiKind, int]) -> dict[str, int]:
    """Return how often each kind occurs by the names of the kinds."""
    return dict(sorted((kind.value, times) for kind, times in counted.items()))
