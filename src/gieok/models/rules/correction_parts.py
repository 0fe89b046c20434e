"""What a correction says, and what a sentence becomes by it."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from gieok.text.pattern_file import PatternFile

ADDED: Final = PatternFile(
    "gieok.models.rules.changes", "corrections.toml"
).compile_list("added")
"""What something is told with that is true as well."""


class CorrectionText(NamedTuple):
    """A sentence that says something instead of what was said before."""

    words: str
    """What is right."""
    denied: str = ""
    """What is said to be wrong, where that is named."""
    topic: str = ""
    """What it says was told wrongly, which what it corrects has to name."""
    is_plain: bool = False
    """Whether it surely corrects ("no wait"), and does not only sound so ("sorry")."""
    is_bare: bool = False
    """Whether it opens as an answer may ("no"), or with a sigh."""
    is_sigh: bool = False
    """Whether it only opens with a sigh, as much else does."""
    rest: str = ""
    """What the sentence goes on to say."""
    is_opened: bool = False
    """Whether something stood before its words, so that a capital means a name."""
    is_stated: bool = False
    """Whether it says so in a sentence ("it's finance"), and is no mere answer."""


class SentenceCorrection(NamedTuple):
    """A sentence with what is right in the place of what was wrong."""

    text: str
    old: str
    new: str
    is_typed: bool
    """Whether both are words of one kind: two numbers, two days, two names."""
    is_named: bool
    """Whether they are two names, or two people."""
    end: int
    """Where in the former sentence the wrong part ended."""


class PartChange(NamedTuple):
    """What is right in the place of what is wrong, in one part of a sentence."""

    start: int
    end: int
    text: str
    old: str
    new: str
    is_typed: bool
    is_named: bool


def is_apart(changes: Sequence[PartChange]) -> bool:
    """Tell whether no two changes touch."""
    return all(one.end <= other.start for one, other in pairwise(sorted(changes)))


def apply_changes(text: str, changes: Sequence[PartChange]) -> SentenceCorrection:
    """Return a sentence with its changes made."""
    ordered = sorted(changes)
    for one in reversed(ordered):
        text = text[: one.start] + one.text + text[one.end :]
    return SentenceCorrection(
        text,
        " ".join(one.old for one in ordered),
        " ".join(one.new for one in ordered),
        all(one.is_typed for one in ordered),
        any(one.is_named for one in ordered),
        ordered[-1].end,
    )
