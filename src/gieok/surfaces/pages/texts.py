"""Everything the pages say, in both languages."""

from collections.abc import Mapping

from gieok.locale import load_texts


def load_page_texts(language: str) -> Mapping[str, str]:
    """Return the texts of the pages in "ko" or "en", by key."""
    return load_texts(language, "health", "devices", "pages", "consent", "evaluation")


def format_text(key: str, language: str, **details: object) -> str:
    """Return a sentence in a language; a key that is missing is an error of ours."""
    return load_page_texts(language)[key].format_map(details)


def has_text(key: str) -> bool:
    """Tell whether there is a sentence of this key."""
    return key in load_page_texts("en")
