"""Masks what one write is about to keep, and remembers what it found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from gieok.pii.detect import find_all
from gieok.pii.mask import DEFAULT, Policy, mask
from gieok.pii.model import Found, Kind, flags

S3_ONLY: Final = Policy(keep=frozenset({Kind.PHONE, Kind.EMAIL, Kind.ADDRESS}))
"""For names that an app gives: only what is never kept goes."""
_LONG: Final = 10**8
"""Whole numbers from here on have digits enough to be somebody's."""


@dataclass(slots=True)
class Screen:
    """What was found in the texts of one write, and whether any of it was masked.

    Values are numbered within each text: what becomes of a text depends on it and on
    what was said before it alone, wherever and whenever it is masked.
    """

    policy: Policy = DEFAULT
    found: list[Found] = field(default_factory=list[Found])
    is_masked: bool = False

    @property
    def flags(self) -> dict[str, int]:
        """How often each kind was found, for `sensitive_flags`."""
        return flags(self.found)

    def text(self, text: str, before: Sequence[str] = ()) -> str:
        """Return a text as it may be kept; `before` is what was said before it."""
        return self.texts((text,), before)[0]

    def texts(self, texts: Sequence[str], before: Sequence[str] = ()) -> list[str]:
        """Return messages that follow one another as they may be kept."""
        kept = list(texts)
        for at, found in enumerate(find_all(texts, before)):
            if found:
                kept[at] = mask(texts[at], found, self.policy)
                self.found += found
                self.is_masked |= kept[at] != texts[at]
        return kept

    def json(self, value: Any, name: str = "") -> Any:
        """Return what JSON spells as it may be kept; a name announces its value.

        Raises:
            RecursionError: it is nested too deeply, or holds itself.
        """
        if isinstance(value, Mapping):
            entries = cast("Mapping[Any, Any]", value)
            return {
                self._leaf(key, ""): self.json(each, str(key))
                for key, each in entries.items()
            }
        if isinstance(value, list | tuple):
            return [self.json(each, name) for each in cast("Sequence[Any]", value)]
        return self._leaf(value, name)

    def _leaf(self, value: Any, name: str) -> Any:
        before = (name,) if name else ()
        if isinstance(value, str):
            return self.text(value, before)
        if isinstance(value, int) and abs(value) >= _LONG:
            spelled = str(value)
            kept = self.text(spelled, before)
            return value if kept == spelled else kept
        return value


def masked(text: str, policy: Policy = DEFAULT) -> str:
    """Return one text as it may be kept."""
    return Screen(policy).text(text)
