"""What was just said is never overridden by what is remembered (A14)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.exchange.contradictions import (
    Contradiction,
    UtteranceSlot,
    compare_values,
    find_values,
    load_slots,
)

SLOTS = load_slots()
FORMS = [
    (slot.name, value, form)
    for slot in SLOTS
    for value, forms in slot.values.items()
    for form in forms
]


def _compare(utterance: str, hint: str) -> Contradiction | None:
    return compare_values(find_values(utterance), find_values(hint))


@pytest.mark.req("A14")
@pytest.mark.parametrize("slot", SLOTS, ids=lambda slot: slot.name)
def test_every_slot_has_an_example_of_both(slot: UtteranceSlot) -> None:
    said = slot.example["utterance"]
    assert _compare(said, slot.example["match"]) is None
    found = _compare(said, slot.example["differ"])
    assert found is not None
    assert found.slot == slot.name


@pytest.mark.parametrize(("slot", "value", "form"), FORMS)
def test_every_form_is_read_as_its_value(slot: str, value: str, form: str) -> None:
    assert value in find_values(f"그럼 {form}").get(slot, ())


@pytest.mark.req("A14")
@pytest.mark.parametrize(
    ("said", "hint", "contradicts"),
    [
        ("에어컨 26도로 맞춰줘", "사용자는 에어컨을 24도로 두는 것을 좋아한다", True),
        ("에어컨 26도로 맞춰줘", "사용자는 에어컨을 26도로 두는 것을 좋아한다", False),
        ("set it to 70 degrees", "User likes the heating at 65 degrees", True),
        ("공기청정기 틀어줘", "사용자는 거실에서 청정기를 쓴다", False),
        ("turn on the lights", "User keeps the lights turned off... turn off", True),
        ("오늘 날씨 어때?", "사용자는 밤에 청정기를 꺼 두기를 원한다", False),
        ("서랍에서 약을 꺼내려면?", "사용자는 아침에 등을 켜 둔다", False),
        ("안방이랑 거실 청정해줘", "사용자는 거실 청정을 선호한다", False),
    ],
)
def test_only_another_value_of_what_was_named_contradicts(
    said: str,
    hint: str,
    contradicts: bool,  # noqa: FBT001 - a parameter
) -> None:
    assert (_compare(said, hint) is not None) is contradicts


@given(st.text(max_size=200), st.text(max_size=200))
def test_nothing_contradicts_itself_and_the_rule_is_symmetric(
    one: str, other: str
) -> None:
    assert _compare(one, one) is None
    assert (_compare(one, other) is None) == (_compare(other, one) is None)
