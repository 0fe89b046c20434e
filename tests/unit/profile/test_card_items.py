"""A card of DynamoDB as it is read, with what another program wrote beside it."""

from collections.abc import Mapping
from typing import Any

import pytest

from gieok.profile.merge import compare_names

pytest.importorskip("boto3")
items = pytest.importorskip("gieok.profile.dynamodb_items")


class Seal:
    """Opens to one card."""

    is_on = True

    def open(self, _: bytes) -> dict[str, Any]:
        return {"name": "영광", "interests": ["AI"]}

    def is_current(self, _: bytes) -> bool:
        return True


def read_card(beside: Mapping[str, Any]) -> dict[str, Any]:
    stored = {"memory": {items.SEALED: b"", **beside}}
    return items.CardItem.parse(stored, Seal(), compare_names).memory


@pytest.mark.parametrize("odd", [7, ["가" * 1_000], {"a": "b"}])
def test_a_value_that_no_card_takes_costs_no_other_place_its_values(
    odd: object,
) -> None:
    card = read_card({"interests": ["요리"], "mentioned_facts": odd})
    assert card == {
        "name": "영광",
        "interests": ["AI", "요리"],
        "mentioned_facts": odd,
    }
