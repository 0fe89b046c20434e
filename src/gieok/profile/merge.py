"""What becomes of a card when more is known (C02).

Lists are the union without duplicates, in order; single values are replaced by new
ones; empty values change nothing. Whatever else the known card holds stays as it is:
another program may have written it.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, cast

from gieok.text.same_wording import normalize_content

ValueKey = Callable[[str], Hashable]
"""Tells by what two values of a list are the same: equal keys are one value."""
KeyOfPlace = Callable[[str], ValueKey]
"""Tells how the values of a place are compared."""


def compare_wording(_: str) -> ValueKey:
    """Compare the values of any place by their wording alone."""
    return normalize_content


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
