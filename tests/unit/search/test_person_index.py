"""A person's rows under their ids, and the cache that bounds them."""

import asyncio
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.search.index_cache import IndexCache
from gieok.search.person_index import PersonIndex
from gieok.search.rows import SearchRows

DIMENSION = 8
PEOPLE = [UUID(int=number) for number in range(4)]
IDS = st.lists(st.sampled_from([b"a", b"b", b"c", b"d", b"e"]), unique=True)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("upsert"), IDS, st.booleans()),
        st.tuples(st.just("remove"), IDS, st.just(value=False)),
    ),
    max_size=10,
)


def create(incarnation: int = 0) -> PersonIndex:
    return PersonIndex(DIMENSION, "hash", incarnation)


def build_rows(ids: list[bytes], *, embedded: bool) -> SearchRows:
    """Return one row for each id: its term and, where wanted, its vector."""
    terms = [np.array([each[0]], np.uint64) for each in ids]
    vectors = np.zeros((len(ids), DIMENSION), np.float32)
    if embedded:
        vectors[range(len(ids)), [each[0] % DIMENSION for each in ids]] = 1
    return SearchRows.from_terms(
        terms, vectors=vectors, embedded=np.full(len(ids), embedded)
    )


@given(STEPS)
def test_rows_stand_under_their_ids_once(
    steps: list[tuple[str, list[bytes], bool]],
) -> None:
    held, wanted = create(), dict[bytes, bool]()
    for what, ids, embedded in steps:
        if what == "upsert":
            held.upsert_rows(ids, build_rows(ids, embedded=embedded))
            wanted |= {each: embedded or wanted.get(each, False) for each in ids}
        else:
            held.select_rows(np.array([each not in ids for each in held.ids], bool))
            wanted = {each: has for each, has in wanted.items() if each not in ids}
    assert sorted(held.ids) == sorted(wanted)
    assert held.places == {each: row for row, each in enumerate(held.ids)}
    items = held.index.items
    assert items.terms.tolist() == [each[0] for each in held.ids]
    for row, each in enumerate(held.ids):
        assert items.embedded[row] == wanted[each]
        assert items.vectors[row].sum() == wanted[each]


def test_those_used_longest_ago_are_evicted_first() -> None:
    cache = IndexCache(create, max_bytes=40_000)
    for person in PEOPLE[:2]:
        cache.store_index(person, create())
    cache.store_index(PEOPLE[0], create())
    cache.store_index(PEOPLE[2], create())
    found = [cache.find_index(person) is not None for person in PEOPLE]
    assert found == [True, False, True, False]
    cache.remove_index(PEOPLE[2])
    assert cache.find_index(PEOPLE[2]) is None


def test_one_index_stays_however_large() -> None:
    cache = IndexCache(create, max_bytes=1)
    cache.store_index(PEOPLE[0], create())
    assert cache.find_index(PEOPLE[0]) is not None


async def test_one_task_at_a_time_brings_an_index_up_to_date() -> None:
    cache, running, most, numbers = IndexCache(create, 2**20), 0, 0, list[int]()

    async def update(held: PersonIndex) -> PersonIndex:
        nonlocal running, most
        running, numbers[:] = running + 1, [*numbers, held.change_number]
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return held

    loads = (cache.load_index(PEOPLE[0], (0, 7), update) for _ in range(3))
    first, *others = await asyncio.gather(*loads)
    assert most == 1
    assert numbers == [-1]
    assert first.change_number == 7
    assert all(held is first for held in others)
    await cache.load_index(PEOPLE[0], (0, 5), update)
    assert numbers == [-1]
    await cache.load_index(PEOPLE[0], (0, 8), update)
    assert numbers == [-1, 7]


async def test_an_index_of_an_erased_person_is_never_used_again() -> None:
    cache = IndexCache(create, 2**20)

    async def update(held: PersonIndex) -> PersonIndex:
        held.upsert_rows([b"a"], build_rows([b"a"], embedded=False))
        return held

    old = await cache.load_index(PEOPLE[0], (0, 9), update)
    new = await cache.load_index(PEOPLE[0], (1, 2), update)
    assert new is not old
    assert (new.incarnation, new.change_number) == (1, 2)


async def test_what_an_update_did_not_finish_is_asked_for_again() -> None:
    cache = IndexCache(create, 2**20)

    async def fail(held: PersonIndex) -> PersonIndex:
        raise ConnectionError(held.embedder)

    async def update(held: PersonIndex) -> PersonIndex:
        return held

    with pytest.raises(ConnectionError):
        await cache.load_index(PEOPLE[0], (0, 3), fail)
    assert (await cache.load_index(PEOPLE[0], (0, 3), update)).change_number == 3


async def test_an_index_is_seen_before_an_update_or_after_it() -> None:
    """A search that began before may come amid it, or after it failed."""
    cache, amid, go_on = IndexCache(create, 2**20), asyncio.Event(), asyncio.Event()

    async def insert(held: PersonIndex) -> PersonIndex:
        held.upsert_rows([b"a", b"b"], build_rows([b"a", b"b"], embedded=False))
        return held

    async def exchange(held: PersonIndex) -> PersonIndex:
        held.select_rows(np.array([each != b"a" for each in held.ids]))
        amid.set()
        await go_on.wait()
        held.upsert_rows([b"c"], build_rows([b"c"], embedded=False))
        return held

    before = await cache.load_index(PEOPLE[0], (0, 1), insert)
    for fails in (True, False):
        amid.clear()
        loading = asyncio.ensure_future(cache.load_index(PEOPLE[0], (0, 2), exchange))
        await amid.wait()
        seen = cache.find_index(PEOPLE[0])
        assert seen is not None
        assert (seen.ids, before.ids) == ([b"a", b"b"], [b"a", b"b"])
        if fails:
            loading.cancel()
            await asyncio.wait([loading])
            seen = await cache.load_index(PEOPLE[0], (0, 1), insert)
            assert (seen.ids, seen.change_number) == ([b"a", b"b"], 1)
    go_on.set()
    assert (await loading).ids == [b"b", b"c"]
    assert before.places == {b"a": 0, b"b": 1}
