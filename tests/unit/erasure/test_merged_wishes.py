"""A message may wish in one clause for a memory, and in another for what was said."""

import pytest

from gieok.erasure.mention_search import merge_wishes


@pytest.mark.req("A15")
def test_wishes_of_the_same_words_share_what_was_erased_for_them() -> None:
    assert merge_wishes(
        ["forget it\na dog", "forget it", "forget me", "forget it\na"]
    ) == [
        "forget it\na dog\na",
        "forget it\na dog\na",
        "forget me",
        "forget it\na dog\na",
    ]
