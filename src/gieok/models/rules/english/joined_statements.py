"""Cuts an English sentence where it tells several facts of the same person.

"The user is 30, lives in Birmingham and works in a call center" tells three: when one
changes, the others go on. What is done one after the other stays together.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from gieok.models.rules.english.verbs import conjugate_verb
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.english", "joined_statements.toml")
_LASTING: Final = _LISTS.get_words("lasting")
_OWN: Final = _LISTS.compile_list("own")
_TIED: Final = _LISTS.compile_list("tied")
_RELATIVES: Final = _LISTS.compile_list("relatives")
_SUBJECT: Final = compile_lazily(
    r"The user (?!'s)|The user's (?:[a-z-]+ ){1,2}(?:[A-Z][\w-]+ )?"
)
_LINK: Final = compile_lazily(r",? and (?:also )?(?:they )?|, ")
_WORD: Final = compile_lazily(r"[a-z]+")
_NAMED: Final = compile_lazily(
    r"(?P<who>The user is [A-Z][\w'-]+(?: [A-Z][\w'-]+)?), "
    r"(?P<what>an? [a-z][^,]*(?: (?:at|in|for|from) [^,]*)?)\.?"
)
_FEWEST: Final = 2
"""Words of a fact beside its subject."""


def split_joined(sentence: str) -> tuple[str, ...]:
    """Return the facts that a sentence joins; the sentence alone if it tells one."""
    named = _NAMED.fullmatch(sentence)
    if named is not None:
        return named["who"], f"The user is {named['what']}"
    related = _RELATIVES.match(sentence)
    if related is not None:
        who = related["who"]
        return f"{who}{related['one']}", f"{who}{related['other']}"
    subject = _find_subject(sentence)
    if subject is None or _TIED.search(sentence) or ". " in sentence:
        return (sentence,)
    parts = [*_split_parts(sentence[len(subject) :].rstrip("."))]
    if len(parts) == 1 or any(len(part.split()) < _FEWEST for part in parts):
        return (sentence,)
    return tuple(f"{subject}{part}" for part in parts)


def _find_subject(sentence: str) -> str | None:
    """Return whom a sentence is about, if a verb that lasts follows."""
    for size in range(2, 6):
        words = sentence.split(" ")[: size + 1]
        subject = " ".join(words[:-1])
        if len(words) > size and words[-1] in _LASTING:
            return f"{subject} " if _SUBJECT.fullmatch(f"{subject} ") else None
    return None


def _split_parts(said: str) -> Iterator[str]:
    """Yield what is said of a subject, each with its verb in the third person."""
    links = [one for one in _LINK.finditer(said) if _is_before_fact(said, one)]
    edges = [(0, 0), *(one.span() for one in links), (len(said), len(said))]
    for (_, start), (end, _) in pairwise(edges):
        part = said[start:end]
        verb = _WORD.match(part)
        if verb and verb[0] not in _LASTING:
            yield f"{conjugate_verb(verb[0])}{part[verb.end() :]}"
        else:
            yield part


def _is_before_fact(said: str, link: re.Match[str]) -> bool:
    """Tell whether a verb that lasts stands behind a link, and no object of one."""
    rest = said[link.end() :]
    verb = _WORD.match(rest)
    return bool(verb and verb[0] in _LASTING) or _OWN.match(rest) is not None
