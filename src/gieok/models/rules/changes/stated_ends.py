"""Whether a clause plainly says that something of the user's is over."""

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.changes.coordination import NamedPart
from gieok.models.rules.clause_texts import is_english
from gieok.models.rules.flags import NOT_ASSERTED
from gieok.models.rules.korean.subjects import CIRCUMSTANCES
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_ENDED: Final = _LISTS.compile_list("partial_ends.ended")
_NOT_ENDED: Final = _LISTS.compile_list("partial_ends.not_ended")
_OPENING: Final = _LISTS.compile_list("partial_ends.opening_en")
_OWNED: Final = _LISTS.compile_list("partial_ends.owned_en")
_SELF: Final = _LISTS.get_words("partial_ends.self_ko")


def is_stated_end(
    candidate: ClauseCandidate, ended: Sequence[NamedPart] | None
) -> bool:
    """Tell whether a clause says that something is over, of nobody else.

    The subject is the user, or one of what is `ended`; None looks at no subject.
    """
    text = candidate.clause.text.replace("’", "'")
    if candidate.has_flag(*NOT_ASSERTED):
        return False
    if not _ENDED.search(text) or _NOT_ENDED.search(text):
        return False
    if ended is None or not ended:
        return True
    words = {word for part in ended for word in part.words}
    if is_english(text):
        return _is_own_english(text, words)
    return _is_own_korean(candidate, words)


def _is_own_english(text: str, words: set[str]) -> bool:
    """Tell whether the user, or what is named, is the subject of an English clause."""
    if _OPENING.search(text):
        return True
    owned = _OWNED.match(text)
    rest = text[owned.end() :].lower() if owned else ""
    return any(rest.startswith(word.removesuffix("s")) for word in words)


def has_own_subject(
    candidate: ClauseCandidate, words: Collection[str] = frozenset()
) -> bool:
    """Tell whether the user is the subject of a clause, or some Korean words are."""
    if is_english(candidate.clause.text):
        text = candidate.clause.text.replace("’", "'")
        return _OPENING.search(text) is not None
    return _is_own_korean(candidate, words)


def _is_own_korean(candidate: ClauseCandidate, words: Collection[str]) -> bool:
    """Tell whether nobody but the user, or what is named, is a Korean subject."""
    morphemes = candidate.clause.morphemes
    named = {*words, *(word.removesuffix("이") for word in words)}
    subjects = [
        one.form if one.tag != "XSN" or not place else morphemes[place - 1].form
        for place, (one, other) in enumerate(pairwise(morphemes))
        if other.tag == "JKS" or (other.tag == "JX" and other.form in ("은", "는"))
    ]
    return all(
        form in _SELF
        or form in CIRCUMSTANCES
        or any(word.endswith(form.lower()) for word in named)
        for form in subjects
    )
