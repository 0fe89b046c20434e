"""Which names, filters and namespaces items have."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.agent.sealing import is_filter_match
from gieok.items import ListNamespaces, Match
from gieok.items.filters import OPERATORS, is_match, validate_filter
from gieok.items.names import (
    MAX_LABELS,
    select_namespaces,
    validate_name,
    validate_namespace,
)
from gieok.kernel.errors import InvalidInputError
from gieok.search.codec import join_entries, split_entries
from gieok.search.rows import RowKind

LABELS = st.text("ab*", min_size=1, max_size=2)
SPACES = st.lists(st.lists(LABELS, min_size=1, max_size=4).map(tuple), max_size=12)
JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text("abc", min_size=1, max_size=2), JSON, max_size=4)


@given(OBJECTS)
def test_a_value_passes_itself_as_a_filter(value: dict[str, Any]) -> None:
    validate_filter(value)
    assert is_match(value, value)
    assert is_filter_match(value, value)


@given(OBJECTS, OBJECTS)
def test_equal_and_unequal_are_opposites(
    value: dict[str, Any], wanted: dict[str, Any]
) -> None:
    for name, each in wanted.items():
        assert is_match(value, {name: {"$eq": each}}) != is_match(
            value, {name: {"$ne": each}}
        )


@given(JSON, JSON)
def test_an_order_is_one_of_less_equal_greater_or_none(one: Any, two: Any) -> None:
    less, equal, greater = (
        is_match({"n": one}, {"n": {name: two}}) for name in ("$lt", "$eq", "$gt")
    )
    assert less + greater <= 1
    assert not (equal and (less or greater))


@given(st.text(min_size=1))
def test_only_known_operators_are_accepted(name: str) -> None:
    if f"${name}" in OPERATORS:
        return
    with pytest.raises(InvalidInputError):
        validate_filter({"n": {f"${name}": 1}})
    with pytest.raises(InvalidInputError):
        validate_filter({"deep": {"er": {f"${name}": 1}}})


@given(SPACES, st.integers(0, 5), st.integers(0, 5))
def test_listed_namespaces_are_sorted_distinct_and_paged(
    spaces: list[tuple[str, ...]], limit: int, offset: int
) -> None:
    every = select_namespaces(spaces, ListNamespaces(limit=1_000))
    assert every == sorted(set(spaces))
    page = select_namespaces(spaces, ListNamespaces(limit=limit, offset=offset))
    assert page == every[offset : offset + limit]
    cut = select_namespaces(spaces, ListNamespaces(max_depth=2, limit=1_000))
    assert cut == sorted({space[:2] for space in spaces})


@given(SPACES, st.lists(LABELS, min_size=1, max_size=3).map(tuple))
def test_a_pattern_with_stars_matches_label_by_label(
    spaces: list[tuple[str, ...]], path: tuple[str, ...]
) -> None:
    found = select_namespaces(
        spaces, ListNamespaces([Match("prefix", path)], limit=1_000)
    )
    for space in set(spaces):
        fits = len(space) >= len(path) and all(
            wanted in ("*", label) for wanted, label in zip(path, space, strict=False)
        )
        assert (space in found) == fits
    turned = [space[::-1] for space in spaces]
    suffix = ListNamespaces([Match("suffix", path[::-1])], limit=1_000)
    assert sorted(space[::-1] for space in select_namespaces(turned, suffix)) == found


@given(st.text(min_size=1, max_size=1_000).filter(lambda text: "\x00" not in text))
def test_a_name_is_kept_to_the_letter(name: str) -> None:
    assert validate_name("key", name) == name


@pytest.mark.parametrize("bad", ["", "\x00", "k" * 1_025, "\udfff", 7, None])
def test_what_is_no_name_is_refused(bad: Any) -> None:
    with pytest.raises(InvalidInputError) as caught:
        validate_name("key", bad)
    assert caught.value.field == "key"


@pytest.mark.parametrize("bad", ["text", (), ("",), ("a",) * (MAX_LABELS + 1), (1,)])
def test_a_namespace_is_a_list_of_labels(bad: Any) -> None:
    with pytest.raises(InvalidInputError):
        validate_namespace(bad, empty=False)


@given(st.sampled_from(RowKind), st.lists(st.binary(max_size=40), max_size=5))
def test_entries_come_apart_as_they_were_joined(
    kind: RowKind, parts: list[bytes]
) -> None:
    assert split_entries(join_entries(kind, parts)) == (kind, parts)
