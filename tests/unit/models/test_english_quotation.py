"""What is quoted in English is quoted with what it answers."""

import pytest

from gieok.models.rules.english.quotation import (
    LONGEST_ASKED,
    quote_english,
    quote_english_answer,
    remove_question,
)

ASKED = "What's it called?"


@pytest.mark.req("D05")
def test_a_bare_answer_has_its_question() -> None:
    told = "Asked ‘What's it called?’, the user said: “gordon”"
    assert quote_english("gordon", ASKED, opens=True) == (told,)
    assert quote_english("gordon", "", opens=True) == ("The user said: “gordon”",)
    assert quote_english("gordon", ASKED, opens=False) == ()


@pytest.mark.parametrize("question", ["", "Is it “Rex”?", "Is ‘Rex’ it?", "so " * 40])
def test_no_question_that_is_long_or_quotes_is_quoted(question: str) -> None:
    assert quote_english_answer("gordon", question) is None
    assert len("so " * 40) > LONGEST_ASKED


def test_an_answer_that_says_enough_is_read_without_its_question() -> None:
    alone, asked = quote_english("shes a nurse at jimmys", "Second date?", opens=True)
    assert remove_question(asked) == alone
    (bare,) = quote_english("a nurse", "What is she?", opens=True)
    _, naming = quote_english("my beagle, he's eleven", "Who is Duke?", opens=True)
    for content in (alone, bare, naming, "The user has a dog"):
        assert remove_question(content) == content
