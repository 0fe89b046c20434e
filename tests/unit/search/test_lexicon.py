"""The postings: which item holds which term, however the items came and went."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from gieok.search.lexicon import MAX_ROWS, Lexicon, hash_name, hash_term, hash_terms

texts = st.lists(st.lists(st.sampled_from("가나다라abcd"), max_size=6), max_size=12)


def columns(rows: list[list[str]]) -> tuple[np.ndarray, np.ndarray]:
    hashes = [hash_terms(row) for row in rows]
    flat = np.concatenate([np.zeros(0, np.uint64), *hashes])
    return flat, np.array([len(row) for row in rows], np.int32)


@given(texts)
def test_frequencies_are_those_of_counting(rows: list[list[str]]) -> None:
    lexicon = Lexicon.build(*columns(rows))
    for term in "가나다라abcd!":
        counted = [Counter(row)[term] for row in rows]
        held = lexicon.count_occurrences(hash_term(term))
        if held is None:
            assert not any(counted)
        else:
            assert held.tolist() == counted


@given(texts, texts)
def test_appending_equals_building_anew(
    rows: list[list[str]], more: list[list[str]]
) -> None:
    grown = Lexicon.build(*columns(rows)).append_rows(*columns(more))
    anew = Lexicon.build(*columns(rows + more))
    assert grown.rows == anew.rows
    np.testing.assert_array_equal(grown.keys, anew.keys)


@given(texts, st.data())
def test_removing_equals_building_without(
    rows: list[list[str]], data: st.DataObject
) -> None:
    keep = data.draw(nps.arrays(np.bool_, len(rows)))
    left = Lexicon.build(*columns(rows)).select_rows(keep)
    kept = [row for row, stays in zip(rows, keep, strict=True) if stays]
    anew = Lexicon.build(*columns(kept))
    assert left.rows == anew.rows
    np.testing.assert_array_equal(left.keys, anew.keys)


def test_hashes_never_change_because_they_are_stored() -> None:
    assert hash_terms(["고양이", "boat"]).tolist() == [
        hash_term("고양이"),
        hash_term("boat"),
    ]
    assert hash_term("boat") == 5_466_900_226_927_393_365
    assert hash_term("고양이") == 14_777_085_081_866_926_642


def test_any_string_has_a_hash() -> None:
    assert hash_term("\ud800") != hash_term("")
    assert hash_terms([]).dtype == np.uint64


def test_a_name_is_known_by_its_first_term() -> None:
    assert hash_name(["melani", "smith"]) == hash_term("melani")
    assert hash_name([]) == 0


def test_too_many_items_are_refused() -> None:
    counts = np.zeros(MAX_ROWS + 1, np.int32)
    with pytest.raises(ValueError, match="items where 4194304 are allowed"):
        Lexicon.build(np.zeros(0, np.uint64), counts)
