"""How many tokens a text takes at most."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.context.budget import estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("user lives in Portland, Oregon!!", 10),
        ("강남구", 3),
        ("강 a", 2),
    ],
)
def test_hangul_takes_one_token_a_syllable_and_english_one_in_three_letters(
    text: str, tokens: int
) -> None:
    assert estimate_tokens(text) == tokens


@given(st.text(), st.text())
def test_longer_is_never_cheaper_and_joining_never_dearer(one: str, other: str) -> None:
    whole = estimate_tokens(one + other)
    assert max(estimate_tokens(one), estimate_tokens(other)) <= whole
    assert whole <= estimate_tokens(one) + estimate_tokens(other)


@given(st.text())
def test_a_text_never_takes_more_tokens_than_characters(text: str) -> None:
    assert 0 <= estimate_tokens(text) <= len(text)
