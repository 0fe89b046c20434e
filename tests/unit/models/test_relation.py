"""A clause changes, ends or forgets what is known only on evidence of its own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import FindingOperation
from gieok.models.rules.changes.relation import (
    MIN_ASKED,
    ClauseContext,
    find_relations,
)
from gieok.models.rules.intent import INTENTS, Intent
from gieok.models.rules.reference import ItemReferences, create_empty_references
from gieok.models.rules.wishes.certainty import LIKELY_WISH, SURELY_MEANT

BARS = {
    "outdated": 0.5,
    "value": 1.0,
    "about": 0.7,
    Intent.FORGET: 0.5,
    "asked": 0.7,
    Intent.REPEAT: 0.6,
}


def intents(**chances: float) -> np.ndarray:
    return np.array([[chances.get(intent.value, 0.0) for intent in INTENTS]])


def about(*scores: float) -> ItemReferences:
    rows = np.array([scores])
    return ItemReferences(
        (int(rows.argmax()),),
        rows,
        create_empty_references(1).about,
        create_empty_references(1).figures,
    )


def meaning(*chances: float) -> ClauseContext:
    """Return that the first clause, if it is a wish, means items this likely."""
    return ClauseContext(wishes={0: np.array(chances)})


def test_a_lone_clause_changes_nothing_that_it_is_not_about() -> None:
    assert find_relations(intents(change=0.99), about(0.1, 0.3), BARS) == ()


def test_what_it_is_about_stays_if_it_states_no_change() -> None:
    assert find_relations(intents(tell=0.99, change=0.2), about(0.9, 0.1), BARS) == ()


def test_a_stated_change_of_what_it_is_about_updates_it() -> None:
    (one,) = find_relations(intents(change=0.8), about(0.9, 0.1), BARS)
    assert (one.known, one.operation, one.is_wish) == (
        0,
        FindingOperation.UPDATE,
        False,
    )


def test_an_end_takes_out_and_erases_nothing() -> None:
    (one,) = find_relations(intents(end=0.8), about(0.1, 0.9), BARS)
    assert (one.known, one.operation, one.is_wish) == (
        1,
        FindingOperation.DELETE,
        False,
    )


def test_a_change_and_an_end_that_are_both_likely_take_out() -> None:
    (one,) = find_relations(intents(change=0.4, end=0.3), about(0.9, 0.1), BARS)
    assert one.operation is FindingOperation.UPDATE


def test_a_wish_that_names_nothing_known_is_about_what_was_said() -> None:
    (one,) = find_relations(
        intents(forget=0.9), about(0.01, 0.09), BARS, meaning(0.01, 0.09)
    )
    assert (one.known, one.is_wish, one.is_sure) == (None, True, True)


def test_a_wish_with_nothing_known_is_about_what_was_said() -> None:
    (one,) = find_relations(intents(forget=0.9), create_empty_references(1), BARS)
    assert (one.known, one.is_wish) == (None, True)


def test_a_wish_that_may_mean_something_asks_and_erases_nothing() -> None:
    found = find_relations(
        intents(forget=0.9), about(0.4, 0.5, 0.01), BARS, meaning(0.4, 0.5, 0.01)
    )
    assert {one.known for one in found} == {0, 1, None}
    assert not any(one.is_sure for one in found if one.known is not None)


def test_a_wish_that_fits_two_things_asks_which() -> None:
    found = find_relations(
        intents(forget=0.9), about(0.9, 0.5, 0.01), BARS, meaning(0.9, 0.5, 0.01)
    )
    asked = [one.known for one in found if not one.is_sure]
    assert asked == [0, 1]
    assert not any(one.is_sure for one in found if one.known is not None)


def test_what_a_wish_may_mean_is_asked_about() -> None:
    found = find_relations(
        intents(forget=0.9), about(0.3, 0.13, 0.05), BARS, meaning(0.3, 0.13, 0.05)
    )
    assert [one.known for one in found if not one.is_sure] == [0, 1]
    assert not any(one.is_sure for one in found if one.known is not None)


def test_what_a_wish_comes_nowhere_near_is_not_asked_about() -> None:
    found = find_relations(
        intents(forget=0.9), about(0.15, 0.03), BARS, meaning(0.15, 0.03)
    )
    assert [one.known for one in found] == [None]


def test_what_may_be_no_wish_asks_and_erases_nothing() -> None:
    found = find_relations(
        intents(forget=0.6), about(0.9, 0.01), BARS, meaning(0.9, 0.01)
    )
    assert {(one.known, one.is_sure) for one in found} == {(0, False), (None, True)}


def test_a_wish_asks_about_few_things() -> None:
    found = find_relations(
        intents(forget=0.9),
        about(0.4, 0.5, 0.45, 0.41, 0.42),
        BARS,
        meaning(0.4, 0.5, 0.45, 0.41, 0.42),
    )
    assert [one.known for one in found if not one.is_sure] == [1, 2, 4]


def test_a_wish_may_mean_several_things_and_what_was_said_of_them() -> None:
    found = find_relations(
        intents(forget=0.9), about(0.9, 0.8, 0.1), BARS, meaning(0.9, 0.8, 0.1)
    )
    assert {one.known for one in found} == {0, 1, None}
    assert all(one.is_sure and one.is_wish for one in found)


def rows(*each: np.ndarray) -> np.ndarray:
    return np.vstack(each)


def about_rows(*scores: tuple[float, ...]) -> ItemReferences:
    table = np.array(scores)
    blank = create_empty_references(len(table))
    nearest = tuple(table.argmax(axis=1).tolist())
    return ItemReferences(nearest, table, blank.about, blank.figures)


def test_an_unsure_wish_does_not_keep_a_stated_change_from_its_item() -> None:
    odds = rows(intents(forget=0.55), intents(change=0.9))
    found = find_relations(odds, about_rows((0.6, 0.2), (0.9, 0.1)), BARS)
    changed = [one for one in found if one.operation is FindingOperation.UPDATE]
    assert [(one.clause, one.known) for one in changed] == [(1, 0)]


def test_a_new_value_goes_before_the_end_of_the_old_one() -> None:
    odds = rows(intents(end=0.9), intents(change=0.6))
    found = find_relations(odds, about_rows((0.9,), (0.9,)), BARS)
    assert [(one.clause, one.operation) for one in found] == [
        (1, FindingOperation.UPDATE)
    ]


def test_the_clauses_of_one_message_change_an_item_together() -> None:
    odds = rows(intents(end=0.35), intents(end=0.4))
    near = about_rows((0.9,), (0.9,))
    together = ClauseContext(messages=(0, 0))
    assert find_relations(odds, near, BARS, ClauseContext(messages=(0, 1))) == ()
    (one,) = find_relations(odds, near, BARS, together)
    assert (one.clause, one.operation) == (1, FindingOperation.DELETE)


def test_what_is_rather_said_again_is_no_change() -> None:
    (one,) = find_relations(intents(change=0.6, repeat=0.9), about(0.9), BARS)
    assert one.operation is FindingOperation.REINFORCE


def test_a_change_counts_as_far_as_it_is_about_the_item() -> None:
    assert find_relations(intents(change=0.6), about(0.75), BARS) == ()


def test_a_likely_wish_about_something_plain_is_asked_about() -> None:
    (one,) = find_relations(
        intents(forget=LIKELY_WISH), about(0.9, 0.1), BARS, meaning(0.9, 0.1)
    )
    assert (one.known, one.is_wish, one.is_sure) == (0, True, False)
    assert (
        find_relations(
            intents(forget=LIKELY_WISH), about(0.5, 0.1), BARS, meaning(0.5, 0.1)
        )
        == ()
    )


def test_what_another_item_may_be_meant_beside_is_asked_about() -> None:
    context = meaning(0.9, 0.1, 0.5)
    found = find_relations(intents(forget=0.9), about(0.9, 0.1, 0.5), BARS, context)
    assert [one.known for one in found if not one.is_sure] == [0, 2, 1]
    assert not any(one.is_sure for one in found if one.known is not None)


def test_what_a_clause_is_about_is_not_what_a_wish_means() -> None:
    found = find_relations(
        intents(forget=0.9), about(0.9, 0.1), BARS, meaning(0.05, 0.01)
    )
    assert [(one.known, one.is_sure) for one in found] == [(None, True)]


chances = st.floats(0, 1)


@pytest.mark.req("A07")
@given(st.data(), st.integers(1, 6), st.integers(0, 6))
def test_nothing_is_touched_twice_or_below_a_bar(
    data: st.DataObject, clauses: int, known: int
) -> None:
    def table(columns: int) -> np.ndarray:
        row = st.lists(chances, min_size=columns, max_size=columns)
        rows = data.draw(st.lists(row, min_size=clauses, max_size=clauses))
        return np.array(rows).reshape(clauses, columns)

    odds, scores, meant = table(len(INTENTS)), table(known), table(known)
    nearest = scores.argmax(axis=1).tolist() if known else [-1] * clauses
    blank = create_empty_references(clauses)
    references = ItemReferences(tuple(nearest), scores, blank.about, blank.figures)
    context = ClauseContext(wishes=dict(enumerate(meant)))
    found = find_relations(odds, references, BARS, context)
    touched = [one.known for one in found if one.known is not None]
    assert len(touched) == len(set(touched))
    for one in found:
        if one.known is None:
            assert one.is_wish
            continue
        near = (meant if one.is_wish else scores)[one.clause, one.known]
        assert near >= (MIN_ASKED if one.is_wish else BARS["about"])
        if one.is_wish and one.is_sure:
            assert near >= SURELY_MEANT
