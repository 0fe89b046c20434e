"""Tells whether a question is about the person as a whole.

Nothing bears on "what do you know about me?" more than anything else, so there is no
likeness by which to choose: what speaks for a memory by itself is what counts.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from gieok.context.momentary import is_pleasantry
from gieok.recall import Hit
from gieok.text.pattern_file import PatternFile
from gieok.text.sentences import split_sentences

LONGEST: Final = 120
"""Characters of such a question; a longer text asks for something else as well."""
_LISTS: Final = PatternFile("gieok.context", "overview.toml")
_FORMS: Final = (
    _LISTS.compile_list("overview.english"),
    _LISTS.compile_list("overview.korean"),
)


def is_overview(question: str) -> bool:
    """Tell whether somebody asks for all that is known of them, and nothing else."""
    if len(question) > LONGEST:
        return False
    asked = " ".join(question.replace("’", "'").split())
    if _is_form(asked):
        return True
    parts = [each for each in split_sentences(asked) if not is_pleasantry(each)]
    return bool(parts) and all(_is_form(each) for each in parts)


def rank_by_worth(hits: Sequence[Hit]) -> list[Hit]:
    """Return memories by what speaks for each whatever is asked, then the newest.

    None of them bears on the question more than another.
    """

    def measure(hit: Hit) -> tuple[float, float]:
        return hit.signals.get("favour", 0.0), hit.at.timestamp()

    ranked = sorted(hits, key=measure, reverse=True)
    return [replace(hit, relevance=None) for hit in ranked]


def _is_form(sentence: str) -> bool:
    return any(form.search(sentence) for form in _FORMS)
