"""Everything the command line says, in both languages."""

from collections.abc import Mapping

from gieok.locale import load_texts


def load_messages(language: str) -> Mapping[str, str]:
    """Return the messages in "ko" or "en", by key."""
    return load_texts(language, "health", "devices", "cli", "evaluation")


def format_message(key: str, language: str, **details: object) -> str:
    """Return a message in "ko" or "en", its places filled."""
    return load_messages(language)[key].format_map(details)


def is_message_key(key: str | None) -> bool:
    """Tell whether there is such a message."""
    return key in load_messages("en")
