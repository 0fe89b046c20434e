"""C02's merge, by property: nothing known is lost, nothing is kept twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.profile.merge import is_empty, join_values, merge_documents

TEXTS = st.text("aA ,영🙂", max_size=4) | st.sampled_from(["여행", "AI", "ai", "", " "])
SCALARS = TEXTS | st.none() | st.integers(0, 3) | st.booleans()
VALUES = SCALARS | st.lists(SCALARS, max_size=5) | st.just({"of": "another program"})
CARDS = st.dictionaries(
    st.sampled_from(["name", "occupation", "interests", "unknown", "🙂"]), VALUES
)


@pytest.mark.req("C02")
def test_the_documents_example() -> None:
    """existing + new = the union, in order; neither argument is changed."""
    existing = {"name": "영광", "interests": ["AI"]}
    new = {"occupation": "개발자", "interests": ["영어"]}
    assert merge_documents(existing, new) == {
        "name": "영광",
        "occupation": "개발자",
        "interests": ["AI", "영어"],
    }
    assert existing == {"name": "영광", "interests": ["AI"]}


@pytest.mark.req("C02")
def test_a_single_value_is_replaced_and_an_empty_one_ignored() -> None:
    existing = {"occupation": "개발자", "interests": ["AI"]}
    new = {"occupation": "기획자", "name": "", "interests": []}
    assert merge_documents(existing, new) == {
        "occupation": "기획자",
        "interests": ["AI"],
    }


@pytest.mark.req("C02")
@given(CARDS, CARDS)
def test_merging_again_changes_nothing(existing: dict, new: dict) -> None:
    merged = merge_documents(existing, new)
    assert merge_documents(merged, new) == merged


@pytest.mark.req("C02")
@given(CARDS, CARDS)
def test_known_values_stay_in_order_before_new_ones(existing: dict, new: dict) -> None:
    merged = merge_documents(existing, new)
    for name, known in existing.items():
        if isinstance(known, list) and known:
            assert merged[name][: len(known)] == known
        if name not in new or is_empty(new[name]):
            assert merged[name] == known


@pytest.mark.req("C02")
@given(CARDS, CARDS)
def test_no_value_is_lost(existing: dict, new: dict) -> None:
    """Every new value is there, or one that means the same; no empty one came in."""
    merged = merge_documents(existing, new)
    for name, value in new.items():
        if is_empty(value):
            continue
        held = merged[name] if isinstance(merged[name], list) else [merged[name]]
        for each in value if isinstance(value, list) else [value]:
            assert join_values(held, [each]) == held


@given(st.lists(TEXTS, max_size=6), st.lists(TEXTS, max_size=6))
def test_the_union_is_the_same_set_both_ways_round(one: list, other: list) -> None:
    both = join_values(join_values([], one), other)
    turned = join_values(join_values([], other), one)
    assert join_values(both, turned) == both
    assert len(both) == len(turned)


def test_a_list_of_ten_thousand_odd_entries_is_merged() -> None:
    existing = {"interests": [{"n": n} for n in range(5_000)] + list(range(5_000))}
    merged = merge_documents(existing, {"interests": ["AI", "🙂", "AI"]})
    assert merged["interests"] == [*existing["interests"], "AI", "🙂"]
