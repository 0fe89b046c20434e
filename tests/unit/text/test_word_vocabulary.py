"""Lists of words: where they are, and whether any is there."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.text.vocabulary import VocabularyTest, build_vocabulary

WORDS = "pin, pass_word, ^암호, 비밀번호, wi-fi~, 2fa, token*, ://, 키~, 앗"
TEST = VocabularyTest(lambda: [WORDS])
PARTS = [*re.split(r"[,_^*~ ]+", WORDS), "a", "x9", " ", ".", "-", "가", "\n"]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=8).map("".join) | st.text()


@given(TEXTS)
def test_a_word_is_there_wherever_the_expression_finds_one(text: str) -> None:
    low = text.lower()
    found = build_vocabulary(WORDS).search(low) is not None
    assert TEST.has_word(" " + low) is found


@pytest.mark.parametrize("text", ["pin", "my pin", "암호", "tokens", "wi-fi"])
def test_a_word_is_found(text: str) -> None:
    assert TEST.has_word(" " + text)


@pytest.mark.parametrize("text", ["spin", "pins", "가암호", "xtoken", "wi-fi가"])
def test_a_word_is_one_of_its_own(text: str) -> None:
    assert not TEST.has_word(" " + text)


def test_only_a_part_of_a_text_is_looked_at() -> None:
    words = VocabularyTest(lambda: ["pin"])
    assert not words.has_word(" a pin", 0, 4)
    assert words.has_word(" a pin", 1)
