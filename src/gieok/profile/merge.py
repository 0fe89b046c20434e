"""What becomes of a card when more is known (C02).

Lists are the union without duplicates, in order; single values are replaced by new
ones; empty values change nothing. Whatever else the known card holds stays as it is:
another program may have written it.
"""

import unicodedata
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Final, cast

from gieok.kernel.language import CardField
from gieok.profile.model import CardDocument
from gieok.text.patterns import compile_lazily
from gieok.text.same_wording import normalize_content

NAMED_THINGS: Final = (CardField.INTERESTS, CardField.LEARNING_GOALS)
"""The places that hold names of things, which people word in several ways."""
MAX_WORDS: Final = 4
"""Words of the longest value that is compared as a name: longer ones are sentences."""
MIN_GERUND, MIN_STEM = 6, 3
_NOUN_ENDING: Final = compile_lazily(
    r"(?<=[가-힣])\s*(?:하는\s*(?:것|거|일)|하기)(?:를|을)?$"
)
ValueKey = Callable[[str], Hashable]
"""Tells by what two values of a list are the same: equal keys are one value."""
KeyOfPlace = Callable[[str], ValueKey]
"""Tells how the values of a place are compared."""


def compare_wording(_: str) -> ValueKey:
    """Compare the values of any place by their wording alone."""
    return normalize_content


def compare_names(place: str) -> ValueKey:
    """Compare names of things by what is left without endings, and all else whole.

    It needs no morphology: "여행" and "여행하는 것" are one interest, and so are
    "travel" and "travelling"; "AI" and "인공지능" are two.
    """
    return _trim_name if place in NAMED_THINGS else normalize_content


def _trim_name(value: str) -> Hashable:
    words = value.casefold().split()
    if not 0 < len(words) <= MAX_WORDS or not "".join(words).isalnum():
        return normalize_content(value)
    if not value.isascii():
        bare = _NOUN_ENDING.sub("", " ".join(words))
        return unicodedata.normalize("NFKC", bare.replace(" ", ""))
    if words[0] == "to" and len(words) > 1:
        del words[0]
    return "".join(map(_trim_word, words))


def _trim_word(word: str) -> str:
    """Return an English word without what -ing and a doubled consonant add to it."""
    if len(word) >= MIN_GERUND and word.endswith("ing"):
        word = word[:-3]
    if len(word) > MIN_STEM and word[-1:] == word[-2:-1]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > MIN_STEM else word


def has_symbol(value: str) -> bool:
    """Tell whether a sign stands in it that is no word and yet means something: C++."""
    return any(unicodedata.category(sign) in ("Sm", "So", "Po") for sign in value)


def remove_values(
    document: Mapping[str, Any],
    lost: Mapping[str, Iterable[str]],
    key_of: KeyOfPlace = compare_wording,
) -> dict[str, Any]:
    """Return a card without values of its lists, and without lists that are empty."""
    left = dict(document)
    for name, values in lost.items():
        known = left.get(name)
        if not isinstance(known, list):
            continue
        key = key_of(name)
        gone = {_get_key(value, key) for value in values}
        listed = cast("list[Any]", known)
        left[name] = [each for each in listed if _get_key(each, key) not in gone]
        if not left[name]:
            del left[name]
    return left


def select_texts(
    document: Mapping[str, Any], is_wanted: Callable[[str], bool]
) -> dict[str, Any]:
    """Return a card without the texts that are not wanted, and without empty lists."""
    left: dict[str, Any] = {}
    for name, value in document.items():
        listed = cast("list[Any]", value) if isinstance(value, list) else [value]
        wanted = [
            each for each in listed if not isinstance(each, str) or is_wanted(each)
        ]
        if len(wanted) == len(listed):
            left[name] = value
        elif wanted:
            left[name] = wanted
    return left


def select_values(
    document: CardDocument, is_wanted: Callable[[CardField, str], bool]
) -> CardDocument:
    """Return a card without the values that are not wanted in their place."""
    left: CardDocument = {}
    for name, value in document.items():
        place = CardField(name)
        if isinstance(value, str):
            wanted = value if is_wanted(place, value) else ""
        else:
            wanted = [each for each in value if is_wanted(place, each)]
        if wanted:
            left[name] = wanted
    return left


def merge_documents(
    existing: Mapping[str, Any],
    new: Mapping[str, Any],
    key_of: KeyOfPlace = compare_wording,
) -> dict[str, Any]:
    """Return the known card with what is new in it; neither argument is changed.

    Of values that mean the same the one known first stays. A new list is added to a
    known single value, and the other way round, rather than losing either.
    """
    merged = dict(existing)
    for name, value in new.items():
        if is_empty(value):
            continue
        known = merged.get(name)
        if isinstance(value, list) or (isinstance(known, list) and known):
            merged[name] = join_values(_as_list(known), _as_list(value), key_of(name))
        else:
            merged[name] = value
    return merged


def join_values(
    known: Iterable[Any], new: Iterable[Any], key: ValueKey = normalize_content
) -> list[Any]:
    """Return all known values and the new ones that none of them says already."""
    joined = list(known)
    seen = {_get_key(value, key) for value in joined}
    for value in new:
        if is_empty(value):
            continue
        mark = _get_key(value, key)
        if mark not in seen:
            seen.add(mark)
            joined.append(value)
    return joined


def is_empty(value: object) -> bool:
    """Tell whether a value says nothing; zero and false say something."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or value in ([], {})


def _as_list(value: Any) -> list[Any]:
    if isinstance(value, list):
        return cast("list[Any]", value)
    return [] if is_empty(value) else [value]


def _get_key(value: object, key: ValueKey) -> Hashable:
    """Return what a value is compared by; no text is compared as it is spelt."""
    return key(value) if isinstance(value, str) else (type(value).__name__, repr(value))
