"""What a sealed recall item holds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from gieok.search.codec import IndexEntry, decode_entries, encode_entry
from gieok.search.rows import NO_NAME, RowKind, Speaker

DIMENSION = 8
hashes = arrays.arrays(np.uint64, st.integers(0, 6))
vectors = arrays.arrays(np.float32, DIMENSION, elements=st.floats(-1, 1, width=16))
entries = st.builds(
    IndexEntry,
    speaker=st.sampled_from(Speaker),
    asks=st.booleans(),
    position=st.integers(0, 2**31 - 1),
    at=st.floats(0, 4e9),
    name=st.integers(1, 2**64 - 1) | st.just(NO_NAME),
    terms=hashes,
    vector=st.none() | vectors,
)


@given(st.lists(entries, min_size=1, max_size=6))
def test_many_entries_come_back_as_they_were_packed(many: list[IndexEntry]) -> None:
    codes = list(range(len(many)))
    items = decode_entries(
        [encode_entry(entry) for entry in many], codes, dimension=DIMENSION
    )
    assert len(items) == len(many)
    assert items.sessions.tolist() == codes
    assert (items.kinds == RowKind.MESSAGE).all()
    assert items.speakers.tolist() == [entry.speaker for entry in many]
    assert items.asks.tolist() == [entry.asks for entry in many]
    assert items.positions.tolist() == [entry.position for entry in many]
    assert items.at.tolist() == [entry.at for entry in many]
    assert items.names.tolist() == [entry.name for entry in many]
    assert items.embedded.tolist() == [entry.vector is not None for entry in many]
    for row, entry in zip(items.vectors, many, strict=True):
        expected = np.zeros(DIMENSION) if entry.vector is None else entry.vector
        assert row.tolist() == expected.tolist()
    assert items.terms.tolist() == [term for entry in many for term in entry.terms]


@given(entries)
def test_a_vector_of_another_length_counts_as_none(entry: IndexEntry) -> None:
    items = decode_entries([encode_entry(entry)], [0], dimension=DIMENSION + 1)
    assert not items.embedded.any()
    assert not items.vectors.any()
    assert items.terms.tolist() == entry.terms.tolist()


def test_half_floats_keep_cosines_to_three_decimals() -> None:
    made = np.random.default_rng(7).normal(size=(40, 384)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    none = np.zeros(0, np.uint64)
    many = [
        IndexEntry(Speaker.USER, n % 2 == 0, n, 0.0, NO_NAME, none, v)
        for n, v in enumerate(made[:40])
    ]
    read = decode_entries(
        [encode_entry(e) for e in many], [0] * 40, dimension=384
    ).vectors
    assert np.abs(read @ read.T - made @ made.T).max() < 1e-3
