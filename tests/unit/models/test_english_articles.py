"""Whether "a" or "an" stands before an English word, by its sound."""

import pytest

from gieok.models.rules.english.answers import render_english_answer
from gieok.models.rules.english.articles import select_article
from gieok.models.rules.english.descriptions import render_description
from gieok.models.rules.english.soundness import select_statements


@pytest.mark.parametrize(
    ("article", "words"),
    [
        ("an", "engineer, artist, uncle, Uber, usher, urn, Urdu, elm, only child"),
        ("a", "nurse, yacht, wheel, big allergy"),
        (
            "a",
            "university, union, user, used car, utensil, ukulele, Ukrainian, unicorn",
        ),
        (
            "a",
            "European, eulogy, euro, ewe, one-bedroom flat, once, urologist, Utah man",
        ),
        ("an", "uninsured car, unidentified rash, unmarried aunt, unironed shirt"),
        ("an", "hour, hourly rate, honest man, honour, honorary consul, heir, heiress"),
        ("a", "house, hotel, honey, hospital, history"),
        (
            "an",
            "HR manager, MRI, NHS nurse, X-ray, x-ray, RN, EMT, A-level, hr manager",
        ),
        ("a", "UX designer, GP, PhD, TV, NASA engineer, UK, U-turn, dj, NURSE"),
        ("an", "LGBTQ club, RNLI man, SSRI"),
        ("a", "UNHCR worker, us citizen, uk driving licence, ux designer, UNESCO site"),
        ("a", "SWAT officer, NICU nurse, HIIT class"),
        ("an", "8-year-old, 80s fan, 11th, 18-year-old"),
        ("a", "7-year-old, 110 kg man, 1st, 181 cm man"),
        ("a", "St Bernard, st bernard, Mrs Smith"),
        ("an", "“honest” man"),
        ("a", "“new” man, "),
    ],
)
def test_an_article_goes_by_the_sound(article: str, words: str) -> None:
    said = words.split(", ")
    assert {word: select_article(word) for word in said} == dict.fromkeys(said, article)


@pytest.mark.parametrize(
    ("asked", "answer", "told"),
    [
        ("Are you a nurse?", "university lecturer", "I am a university lecturer"),
        ("Are you a nurse?", "HR manager", "I am an HR manager"),
        ("Are you a nurse?", "hourly worker", "I am an hourly worker"),
        ("What do you do for work?", "european lawyer", "I work as a european lawyer"),
        ("What do you do for work?", "usher", "I work as an usher"),
    ],
)
def test_an_answer_has_its_article(asked: str, answer: str, told: str) -> None:
    assert render_english_answer(asked, answer) == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("used car fan", "I'm a used car fan"),
        ("honest person", "I'm an honest person"),
        ("NHS nurse", "I'm an NHS nurse"),
        ("Everton fan", "I'm an Everton fan"),
    ],
)
def test_a_description_has_its_article(said: str, told: str) -> None:
    assert render_description(said) == told


def test_a_missing_article_is_put_in_by_the_sound() -> None:
    assert select_statements("I'm urologist", (), (), "And you?") == (
        "The user is a urologist",
    )
