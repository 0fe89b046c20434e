"""Ids: ordered random ones, and stable ones for names from outside."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from uuid import RFC_4122, UUID

from hypothesis import assume, given
from hypothesis import strategies as st

from gieok.kernel.ids import derive_pseudonym, generate_id

SECRET = bytes(32)
names = st.lists(st.text(), min_size=1, max_size=4)


def test_new_ids_are_version_7_and_sort_in_the_order_they_were_made() -> None:
    made = [generate_id() for _ in range(20_000)]
    assert all(isinstance(one, UUID) and one.version == 7 for one in made)
    assert all(earlier < later for earlier, later in pairwise(made))


def test_threads_never_make_the_same_id() -> None:
    with ThreadPoolExecutor(8) as pool:
        made = [
            one.result() for one in [pool.submit(generate_id) for _ in range(4_000)]
        ]
    assert len(set(made)) == len(made)


@given(names)
def test_a_pseudonym_is_stable_and_a_valid_uuid_8(parts: list[str]) -> None:
    first = derive_pseudonym(SECRET, *parts)
    assert first == derive_pseudonym(SECRET, *parts)
    assert (first.version, first.variant) == (8, RFC_4122)


@given(names)
def test_another_secret_gives_another_pseudonym(parts: list[str]) -> None:
    assert derive_pseudonym(SECRET, *parts) != derive_pseudonym(b"\x01" * 32, *parts)


@given(names, names)
def test_different_names_never_meet(one: list[str], other: list[str]) -> None:
    assume(one != other)
    assert derive_pseudonym(SECRET, *one) != derive_pseudonym(SECRET, *other)


def test_where_a_name_ends_matters() -> None:
    spelled = [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), ("", "abc")]
    assert len({derive_pseudonym(SECRET, *parts) for parts in spelled}) == len(spelled)
