"""A question is turned about: "your dog" is "my dog", "did you go" is "I went"."""

import pytest

from gieok.models.rules.english.answer_turning import (
    convert_past,
    derive_base,
    derive_past,
    replace_person,
    split_subject,
)
from gieok.models.rules.english.answers import render_english_answer


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Does your son visit you often?", "my son visits me often"),
        ("Does your wife help you with the shop?", "my wife helps me with the shop"),
        ("Do your kids call you every week?", "my kids call me every week"),
        ("Did your dad teach you to swim?", "my dad taught me to swim"),
        ("Do you snore when you sleep?", "I snore when I sleep"),
        ("Do you like the people you work with?", "I like the people I work with"),
        ("Do you eat when you are sad?", "I eat when I am sad"),
    ],
)
def test_who_was_asked_is_i_only_where_they_do_something(asked: str, told: str) -> None:
    assert render_english_answer(asked, "yes") == told


def test_you_is_me_behind_a_preposition() -> None:
    assert replace_person(" with you at home") == " with me at home"


@pytest.mark.parametrize(
    ("base", "past"),
    [
        ("wear", "wore"),
        ("pay", "paid"),
        ("jog", "jogged"),
        ("visit", "visited"),
        ("marry", "married"),
        ("like", "liked"),
        ("plan", "planned"),
        ("show", "showed"),
        ("play", "played"),
        ("understand", "understood"),
    ],
)
def test_a_verb_has_its_past(base: str, past: str) -> None:
    assert derive_past(base) == past
    assert derive_base(past) == base


def test_what_is_no_past_has_no_base() -> None:
    assert derive_base("table") is None


@pytest.mark.parametrize(
    ("said", "past"),
    [
        ("ever marry", "married"),
        ("always live here", "always lived here"),
        ("really swim the channel", "really swam the channel"),
        ("last smoke", "last smoked"),
    ],
)
def test_an_adverb_before_a_verb_stays_as_it_is(said: str, past: str) -> None:
    assert convert_past(said) == past


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Does your wife also work?", "my wife also works"),
        ("Does your mum ever visit?", "my mum visits"),
        ("Does your left knee hurt?", "my left knee hurts"),
        ("Does your washing machine work?", "my washing machine works"),
        ("Does your step dad live with you?", "my step dad lives with me"),
        ("Does your blood pressure worry you?", "my blood pressure worries me"),
        ("Does your next door neighbour help?", "my next door neighbour helps"),
        ("Is your phone number still the same?", "my phone number is still the same"),
        ("Is your brother Tom married?", "my brother Tom is married"),
        ("Do you two have kids?", "I have kids"),
        ("Are you both retired?", "I am retired"),
        ("Do you know anybody here?", "I know somebody here"),
        ("Are you allergic to anything?", "I am allergic to something"),
        ("You can swim, can't you?", "I can swim"),
    ],
)
def test_subject_and_verb_fit_each_other(asked: str, told: str) -> None:
    assert render_english_answer(asked, "yes") == told


def test_nothing_is_a_subject_where_there_is_none() -> None:
    assert split_subject("") is None
    assert split_subject("the dog bark") is None
