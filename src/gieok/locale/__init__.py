"""What gieok says to people: `ko.toml` and `en.toml`, with a table for each surface."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

LANGUAGES: Final = ("ko", "en")


@cache
def load_texts(language: str, *tables: str) -> Mapping[str, str]:
    """Return the texts of some tables in "ko" or "en", by key.

    Raises:
        ValueError: a key stands in two of them.
        KeyError: there is no such table.
    """
    found: dict[str, str] = {}
    for table in tables:
        texts = _load_tables(language)[table]
        if twice := found.keys() & texts.keys():
            raise ValueError(f"in two tables: {', '.join(sorted(twice))}")
        found |= texts
    return found


@cache
def _load_tables(language: str) -> Mapping[str, Mapping[str, str]]:
    text = files(__name__).joinpath(f"{language}.toml").read_text("utf-8")
    return tomllib.loads(text)
