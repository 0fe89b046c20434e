"""A message may wish in one clause for a memory, and in another for what was said."""

import pytest

from gieok.erasure.mention_search import merge_wishes
from gieok.memories.claims import ForgetWish


@pytest.mark.req("A15")
def test_wishes_of_the_same_words_share_what_was_erased_for_them() -> None:
    whole = ForgetWish("forget it", ("a dog", "a"))
    assert merge_wishes(
        [
            ForgetWish("forget it", ("a dog",)),
            ForgetWish("forget it"),
            ForgetWish("forget me"),
            ForgetWish("forget it", ("a",)),
        ]
    ) == [whole, whole, ForgetWish("forget me"), whole]


@pytest.mark.req("A15")
@pytest.mark.parametrize(
    ("wish", "claim"),
    [
        (ForgetWish("forget it"), "forget it"),
        (ForgetWish("forget\nit ", ("a  dog\n", "", "a")), "forget it\na dog\na"),
    ],
)
def test_a_wish_is_kept_as_a_claim_of_lines(wish: ForgetWish, claim: str) -> None:
    assert wish.to_claim() == claim
    assert ForgetWish.from_claim(claim).to_claim() == claim
