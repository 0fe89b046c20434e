"""Stretches of a Korean text that are written anew, and the name of the user."""

from collections.abc import Sequence
from typing import Final, NamedTuple

USER: Final = "사용자"


class TextEdit(NamedTuple):
    """A stretch of the text and what stands there instead."""

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Sequence[TextEdit]) -> str:
    """Return the text with the edits made."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return " ".join(text.split())
