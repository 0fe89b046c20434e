"""Masks what one write is about to keep, and remembers what it found."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from itertools import compress, groupby
from typing import Any, Final, NamedTuple, cast

from gieok.kernel.offload import yield_to_loop
from gieok.pii.detect import MAX_BEFORE, find_all, is_uuid
from gieok.pii.mask import MaskingPolicy, hide_shown, mask
from gieok.pii.masking_policy import get_current_policy
from gieok.pii.model import PiiFinding, PiiKind, encode_counts
from gieok.pii.values import LEAVES, MessagePart, extract_message, rebuild_value
from gieok.text.patterns import compile_lazily

_LONG: Final = 10**8
"""Whole numbers from here on have digits enough to be somebody's."""

_ACCOUNT_ID: Final = compile_lazily(r"account_?ids?$", re.IGNORECASE)
"""What names somebody's account with a service, not with a bank."""


class MaskResult(NamedTuple):
    """A text as it may be kept, and what was found in it."""

    text: str
    found: Sequence[PiiFinding]


@dataclass(slots=True)
class CleanDigests:
    """Digests of what may be kept as it is, for what is written again; bounded.

    They are Python's own, keyed anew in every process; no text is held.
    """

    most: int = 100_000
    _digests: set[int] = field(default_factory=set[int], repr=False)

    def __contains__(self, digest: int) -> bool:
        return digest in self._digests

    def iterate_unknown(self, digests: Sequence[int]) -> Iterator[slice]:
        """Yield the runs of texts that must be looked at."""
        at = 0
        for is_known, run in groupby(digests, self._digests.__contains__):
            start, at = at, at + len(list(run))
            if not is_known:
                yield slice(start, at)

    def add(self, digests: Iterable[int]) -> None:
        """Remember texts that may be kept as they are, where they stood."""
        if len(self._digests) > self.most:
            self._digests.clear()
        self._digests.update(digests)


@dataclass(slots=True)
class TextMasker:
    """How often each kind was found in one write, and whether any of it was masked.

    Values are numbered within each text: what becomes of a text depends on it and on
    what was said before it alone, wherever and whenever it is masked.
    """

    policy: MaskingPolicy = field(default_factory=get_current_policy)
    found: Counter[PiiKind] = field(default_factory=Counter[PiiKind])
    is_masked: bool = False
    clean: CleanDigests | None = None

    @property
    def flags(self) -> dict[str, int]:
        """How often each kind was found, for `sensitive_flags`."""
        return encode_counts(self.found)

    @property
    def is_special(self) -> bool:
        """Whether a special category was touched (GDPR 9, PIPA 23)."""
        return any(kind.topic for kind in self.found)

    def mask_text(self, text: str, before: Sequence[str] = ()) -> str:
        """Return a text as it may be kept; `before` is what was said before it."""
        return self.mask_texts((text,), before)[0]

    def mask_texts(self, texts: Sequence[str], before: Sequence[str] = ()) -> list[str]:
        """Return messages that follow one another as they may be kept."""
        return [kept.text for kept in self.mask_each(texts, before)]

    def mask_each(
        self, texts: Sequence[str], before: Sequence[str] = ()
    ) -> list[MaskResult]:
        """Return what `mask_texts` does, each with what was found in it."""
        kept = self._mask_unknown(texts, before)
        for text, (screened, found) in zip(texts, kept, strict=True):
            self.found.update(one.kind for one in found)
            self.is_masked |= screened != text
        return kept

    def _mask_unknown(
        self, texts: Sequence[str], before: Sequence[str]
    ) -> list[MaskResult]:
        """Return what becomes of texts, of known ones without looking at them."""
        if self.clean is None:
            return self._mask_all(texts, before)
        kept, digests = (
            [MaskResult(text, ()) for text in texts],
            _compute_digests(texts, before),
        )
        for run in self.clean.iterate_unknown(digests):
            kept[run] = self._mask_all(texts[run], [*before, *texts[: run.start]])
            same = [one.text == text for one, text in zip(kept, texts, strict=True)]
            self.clean.add(compress(digests[run], same[run]))
            if not all(same[run]):
                # What is masked here may have begun before.
                wide = slice(max(0, run.start - MAX_BEFORE), run.stop)
                kept[wide] = self._mask_all(
                    texts[wide], [*before, *texts[: wide.start]]
                )
        return kept

    def _mask_all(
        self, texts: Sequence[str], before: Sequence[str]
    ) -> list[MaskResult]:
        return [
            MaskResult(self._mask_one(text, found), found)
            for text, found in zip(texts, find_all(texts, before), strict=True)
        ]

    def _mask_one(self, text: str, found: Sequence[PiiFinding]) -> str:
        kept = mask(text, found, self.policy) if found else text
        return hide_shown(kept, self.policy)

    def mask_value(self, value: Any, name: str = "") -> Any:
        """Return a value as it may be kept, itself if there is nothing to mask.

        The name of a part announces it. Whole numbers are looked at too, and of errors
        what they print as.

        Raises:
            RecursionError: it is nested too deeply, or holds itself.
        """
        yield_to_loop()
        kind = type(cast("object", value))
        if kind in LEAVES or isinstance(value, Enum):
            return value
        if isinstance(value, str):
            return self._mask_leaf(value, value, name)
        if kind is int:
            return (
                self._mask_leaf(value, str(value), name)
                if abs(value) >= _LONG
                else value
            )
        if isinstance(value, BaseException):
            return self._mask_leaf(value, repr(value), name)
        if isinstance(value, list):
            listed = cast("list[Any]", value)
            spoken = [extract_message(each) for each in listed]
            if any(spoken):
                return self._mask_messages(listed, spoken, name)
        return rebuild_value(value, self.mask_value, name)

    def _mask_leaf(self, value: Any, spelled: str, name: str) -> Any:
        digest = hash((name, spelled))
        if is_uuid(spelled) or (self.clean is not None and digest in self.clean):
            return value
        announced = name and not _ACCOUNT_ID.search(name)
        kept = self.mask_text(spelled, (name,) if announced else ())
        if kept != spelled:
            return kept
        if self.clean is not None:
            self.clean.add((digest,))
        return value

    def _mask_messages(
        self, value: list[Any], spoken: Sequence[MessagePart | None], name: str
    ) -> Any:
        """Return a list with messages in it, which are looked at together."""
        texts = self.mask_texts([one.text if one else "" for one in spoken])
        parts = iter(
            [
                rebuild_value(each, partial(self._mask_message_part, one, text), name)
                if one
                else self.mask_value(each, name)
                for each, one, text in zip(value, spoken, texts, strict=True)
            ]
        )
        return rebuild_value(value, lambda _, __: next(parts), name)

    def _mask_message_part(
        self, one: MessagePart, kept: str, value: Any, name: str
    ) -> Any:
        """Return a part of a message; of what it says, what was kept."""
        is_said = value is one.text and name == one.name
        return kept if is_said else self.mask_value(value, name)


def mask_text(text: str, policy: MaskingPolicy | None = None) -> str:
    """Return one text as it may be kept, by the policy in force unless one is given."""
    return TextMasker(policy or get_current_policy()).mask_text(text)


def is_special(*texts: str) -> bool:
    """Tell whether one of these texts touches a special category (GDPR 9, PIPA 23)."""
    return any(one.kind.topic for found in find_all(texts) for one in found)


def _compute_digests(texts: Sequence[str], before: Sequence[str]) -> list[int]:
    """Return a digest of each text and of what may decide what is found in it."""
    said, first = (*before, *texts), len(before)
    return [
        hash(said[max(0, end - MAX_BEFORE) : end + 1])
        for end in range(first, len(said))
    ]
