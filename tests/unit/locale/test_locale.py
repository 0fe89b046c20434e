"""The two files of texts agree, and their loader refuses what would hide a text."""

import tomllib
from importlib.resources import files

import pytest

from gieok.locale import LANGUAGES, load_texts

FILES = {
    language: tomllib.loads(
        files("gieok.locale").joinpath(f"{language}.toml").read_text("utf-8")
    )
    for language in LANGUAGES
}


def test_both_languages_have_the_same_tables_and_keys() -> None:
    """But for phrases: what errors carry is English where it is raised."""
    korean, english = FILES["ko"], FILES["en"]
    assert korean.keys() - {"phrases"} == english.keys()
    for table, texts in english.items():
        assert list(korean[table]) == list(texts), table


def test_tables_are_read_together() -> None:
    texts = load_texts("en", "health", "consent")
    assert texts == FILES["en"]["health"] | FILES["en"]["consent"]


def test_a_text_that_would_hide_another_is_refused() -> None:
    with pytest.raises(ValueError, match=r"in two tables: .*doctor\.rows"):
        load_texts("en", "health", "health")


def test_a_table_that_is_not_there_is_named() -> None:
    with pytest.raises(KeyError, match="poems"):
        load_texts("ko", "poems")
