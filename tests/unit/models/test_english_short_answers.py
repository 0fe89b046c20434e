"""What "they do", "I can't" or "my mum is" says together with its question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.models.rules.english.answers import render_english_answer
from gieok.models.rules.english.short_answers import read_short_answer


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Do you smoke?", "I don't", "I don't smoke"),
        ("Do you smoke?", "no I don't", "I don't smoke"),
        ("Do you smoke?", "I don't anymore", "I don't smoke anymore"),
        ("Are you a vegetarian?", "I'm not", "I am not a vegetarian"),
        ("Do you both work?", "we do", "I work"),
        ("Do your kids like school?", "Yes, they do", "my kids like school"),
        ("Do your kids like school?", "they don't", "my kids don't like school"),
        ("Is your dad still working?", "he's not", "my dad is not working anymore"),
        ("Have you been to Rome?", "I haven't", "I have not been to Rome"),
        ("Did you grow up here?", "I didn't", "I didn't grow up here"),
        ("Do you have kids?", "I do, two girls", "I have kids, two girls"),
    ],
)
def test_the_verb_alone_repeats_the_question(asked: str, said: str, told: str) -> None:
    assert render_english_answer(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Do you smoke?", "I did", "I used to smoke"),
        ("Are you vegan?", "I was until May", "I used to be vegan, until May"),
        ("Does your wife work?", "she did", "my wife used to work"),
        ("Have you got a dog?", "I did", "I used to have a dog"),
        ("Is your dad still working?", "he was", "my dad used to be working"),
        ("Do you smoke?", "I didn't", None),
        ("Did your wife work?", "she did", "my wife worked"),
        ("Do you drive?", "I can't", "I can't drive"),
        ("Do you drive?", "no I can't", "I can't drive"),
        ("Do you have a car?", "I can't", None),
        ("Can you swim?", "I could", None),
        ("Do you work?", "I will next year", None),
    ],
)
def test_another_time_or_verb_answers_something_else(
    asked: str, said: str, told: str | None
) -> None:
    assert render_english_answer(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Are your parents alive?", "My mum is", "my mum is alive"),
        (
            "Are your parents alive?",
            "my mum is, my dad died",
            "my mum is alive; my dad died",
        ),
        ("Do you smoke?", "my wife does", "my wife smokes"),
        ("Do you go to church?", "my parents do", "my parents go to church"),
        ("Are your parents teachers?", "my mum is", None),
        ("Do you smoke?", "he does", None),
        ("Does your wife work?", "I do", "I work"),
    ],
)
def test_who_is_named_is_who_it_is_of(asked: str, said: str, told: str | None) -> None:
    assert render_english_answer(asked, said) == told


@pytest.mark.parametrize(
    "said", ["I do yoga", "she is a nurse", "we have two cats", "I can play piano"]
)
def test_a_verb_that_goes_on_is_no_short_answer(said: str) -> None:
    assert read_short_answer(said) is None


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Do you have a son?", "No, a daughter", "I don't have a son but a daughter"),
        ("What do you do?", "HR manager", "I work as an HR manager"),
        ("What do you do?", "UX designer", "I work as a UX designer"),
        ("Where do you live?", "Moved to Leeds last year", None),
        ("Where do you live?", "Leeds", "I live in Leeds"),
    ],
)
def test_values_keep_what_they_are(asked: str, said: str, told: str | None) -> None:
    assert render_english_answer(asked, said) == told


@given(st.text(max_size=40))
def test_any_text_is_read(said: str) -> None:
    short = read_short_answer(said)
    assert short is None or said.strip().startswith(short.subject)
