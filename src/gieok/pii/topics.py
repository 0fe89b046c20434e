"""Labels special categories (GDPR 9, PIPA 23): named for consent, never masked."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Final

from gieok.pii.model import PiiFinding, PiiKind
from gieok.pii.scoring import ScannedText
from gieok.text.patterns import compile_lazily
from gieok.text.vocabulary import build_vocabulary

_FORMS: Final = "topics.toml"
_NOT_MEANT: Final = "not_meant"


@cache
def load_topics() -> Mapping[PiiKind, Mapping[str, tuple[str, str]]]:
    """Return the forms by kind, each with a text that has it and one that has not.

    Raises:
        ValueError: a form stands under two kinds.
    """
    return parse_topics(_read_forms())


@cache
def load_not_meant() -> Mapping[str, str]:
    """Return what holds a form and means something else, each with such a text."""
    return tomllib.loads(_read_forms())[_NOT_MEANT]


def _read_forms() -> str:
    return files("gieok.pii").joinpath(_FORMS).read_text("utf-8")


def parse_topics(text: str) -> Mapping[PiiKind, Mapping[str, tuple[str, str]]]:
    """Return the forms of a TOML document by kind; see `load_topics`.

    Raises:
        ValueError: a form stands twice.
        KeyError: a kind is not known.
    """
    found = {
        PiiKind[kind.upper()]: forms
        for kind, forms in tomllib.loads(text).items()
        if kind != _NOT_MEANT
    }
    counted = Counter(form for forms in found.values() for form in forms)
    twice = [form for form, count in counted.items() if count > 1]
    if twice:
        reason = f"under two kinds: {', '.join(twice)}"
        raise ValueError(reason)
    return {
        kind: {form: (found, missed) for form, (found, missed) in forms.items()}
        for kind, forms in found.items()
    }


def _join_forms() -> str:
    return build_vocabulary(*chain(*load_topics().values())).pattern


_ANY: Final = compile_lazily(_join_forms)
_OTHER: Final = compile_lazily(lambda: build_vocabulary(*load_not_meant()).pattern)


@cache
def _build_kinds() -> Mapping[PiiKind, re.Pattern[str]]:
    return {kind: build_vocabulary(*forms) for kind, forms in load_topics().items()}


def find_topics(said: ScannedText) -> Iterator[PiiFinding]:
    """Yield every word that touches a special category."""
    low = said.low.replace("’", "'")
    if _ANY.search(low):
        low = _OTHER.sub(lambda match: " " * len(match[0]), low)
        for kind, words in _build_kinds().items():
            for match in words.finditer(low):
                yield PiiFinding(*match.span(), kind, 0.7)
