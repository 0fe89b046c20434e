"""Korean morphological analysis: one Kiwi for the process, loaded when first used.

Measured (kiwipiepy 0.24.1, resident memory added by loading and 723 messages):

| options | memory | load | analyses that differ from the default |
|---|---|---|---|
| default | 526 MB | 4.5-5.5 s | - |
| `load_multi_dict=False` | 336 MB | 2.4 s | 0 of 723 |
| + `load_typo_dict=False` | 335 MB | 1.9 s | 0 of 723 |
| + `load_default_dict=False` | 261 MB | 1.4 s | 13 of 723, all worse: names lost |
| `model_type="knlm"` | - | - | its model file is not shipped any more |

So the dictionary of multi-word titles and the typo dictionary stay away, and the
dictionary of names stays. With e5 a process needs about 470 MB of its 800
(`bench/run.py footprint`).
"""

import threading
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, cast

_LONGEST = 20_000
"""Characters analysed at most: Kiwi is linear, 20,000 take a quarter of a second."""
_FIRST_LISTED = 100
"""The number of the first word of Kiwi's dictionary; one below stands for a tag."""


class Morph(NamedTuple):
    """One morpheme, its Sejong tag (irregularity mark cut off) and where it stands."""

    form: str
    tag: str
    start: int
    length: int

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + self.length


class _KiwiToken(Protocol):
    """What is read of Kiwi's token."""

    form: str
    tag: str
    start: int
    len: int
    id: int


class _KiwiAnalyzer(Protocol):
    """What is used of Kiwi, which carries no types."""

    def tokenize(self, text: str) -> Sequence[_KiwiToken]: ...

    def analyze(
        self, text: str, top_n: int
    ) -> Sequence[tuple[Sequence[_KiwiToken], float]]: ...

    def join(self, morphs: Sequence[tuple[str, str]]) -> str: ...


@dataclass(slots=True)
class Morphology:
    """Splits Korean text into morphemes; safe to share between threads."""

    _kiwi: _KiwiAnalyzer | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def analyze(self, text: str) -> tuple[Morph, ...]:
        """Return the morphemes of `text` in order; positions count characters."""
        if not text or text.isspace():
            return ()
        clean = _clean(text)
        with self._lock:
            tokens = self._open().tokenize(clean)
        return _convert_tokens(tokens)

    def analyze_with_score(self, text: str) -> tuple[tuple[Morph, ...], float]:
        """Return the morphemes of `text`, and how probable they are on average.

        The figure is the logarithm of a probability: -6 of written Korean, -8 of words
        that Kiwi does not know.
        """
        if not text or text.isspace():
            return (), 0.0
        clean = _clean(text)
        with self._lock:
            ((tokens, score),) = self._open().analyze(clean, top_n=1)
        return _convert_tokens(tokens), score / max(1, len(tokens))

    def analyze_known(self, text: str) -> tuple[Morph, ...]:
        """Return the morphemes of `text`, or none if the dictionary lacks one."""
        if not text or text.isspace():
            return ()
        clean = _clean(text)
        with self._lock:
            tokens = self._open().tokenize(clean)
        known = all(token.id >= _FIRST_LISTED for token in tokens)
        return _convert_tokens(tokens) if known else ()

    def join(self, morphemes: Sequence[tuple[str, str]]) -> str:
        """Return morphemes, each with its tag, as they are written together."""
        with self._lock:
            return self._open().join(morphemes)

    def _open(self) -> _KiwiAnalyzer:
        """Return the analyzer, loaded when first used; the lock is held."""
        if self._kiwi is None:
            self._kiwi = _load_kiwi()
        return self._kiwi


def _clean(text: str) -> str:
    """Return as much of a text as is analysed, without what UTF-8 cannot say."""
    return text[:_LONGEST].encode("utf-8", "replace").decode("utf-8")


def _convert_tokens(tokens: Sequence[_KiwiToken]) -> tuple[Morph, ...]:
    """Return Kiwi's tokens as morphemes."""
    return tuple(
        Morph(token.form, token.tag.partition("-")[0], token.start, token.len)
        for token in tokens
    )


def _load_kiwi() -> _KiwiAnalyzer:
    """Load Kiwi with the dictionaries that pay for their memory."""
    # 335 MB: only when Korean arrives
    from kiwipiepy import Kiwi  # noqa: PLC0415  # pyright: ignore[reportMissingTypeStubs]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        kiwi = Kiwi(num_workers=1, load_multi_dict=False, load_typo_dict=False)
    return cast("_KiwiAnalyzer", kiwi)


_SHARED = Morphology()


def get_shared_morphology() -> Morphology:
    """Return the process's one analyser; a second one would cost another 335 MB."""
    return _SHARED
