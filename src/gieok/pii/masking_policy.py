"""Which policy holds in this process; whoever opens gieok in it says so.

What is masked is decided far below everything that knows a configuration, in a dozen
places. Where several are open with different policies, each kind is treated as the
strictest of them does.
"""

from collections.abc import Generator
from contextlib import contextmanager
from enum import StrEnum
from typing import Final

from gieok.pii.mask import DEFAULT, PERSONAL, S3_ONLY, MaskingPolicy


class PersonalMasking(StrEnum):
    """What becomes of phone numbers, e-mail and street addresses (`GIEOK_PII`)."""

    MASK = "mask"
    """What makes them recognisable stays: `010-****-5678`."""
    HIDE = "hide"
    """Nothing of them stays: `[phone number]`."""
    KEEP = "keep"
    """They stay as they are."""


POLICIES: Final = {
    PersonalMasking.MASK: DEFAULT,
    PersonalMasking.HIDE: MaskingPolicy(hide=PERSONAL),
    PersonalMasking.KEEP: S3_ONLY,
}
_open: Final[list[MaskingPolicy]] = []


def get_current_policy() -> MaskingPolicy:
    """Return what holds."""
    if len(_open) == 1:
        return _open[0]
    keep, hide = (PERSONAL if _open else DEFAULT.keep), DEFAULT.hide
    for each in _open:
        keep, hide = keep & each.keep, hide | each.hide
    return MaskingPolicy(keep, hide)


def find_policy(choice: str | None) -> MaskingPolicy:
    """Return the policy of a name, or what holds where none is given.

    Raises:
        ValueError: there is none of this name.
    """
    return get_current_policy() if choice is None else POLICIES[PersonalMasking(choice)]


@contextmanager
def use_policy(choice: PersonalMasking) -> Generator[None]:
    """Let a policy hold for as long as the block runs."""
    chosen = POLICIES[choice]
    _open.append(chosen)
    try:
        yield
    finally:
        _open.remove(chosen)
