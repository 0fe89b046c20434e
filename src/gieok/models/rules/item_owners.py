"""Keeps what a user says of themselves off what is known of others.

"I quit the bank" ends no job of the user's sister, though her item is the nearest.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from gieok.kernel.language import KnownMemory
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.clauses import Clause
from gieok.models.rules.korean.endings import find_predicate
from gieok.models.rules.korean.subjects import Subject, find_subject, get_head
from gieok.text.kiwi import Morphology, get_shared_morphology
from gieok.text.korean import has_hangul
from gieok.text.patterns import compile_lazily
from gieok.text.relatives import extract_relatives, find_subject_relatives

_OF_USER: Final = compile_lazily(
    r"(?:사용자[는가]|(?:the )?user(?!['’]s))\b", re.IGNORECASE
)
_OF_SOMEBODY: Final = compile_lazily(
    r"사용자의 (?P<ko>[^,.]+?(?:[은는이가]|께서는?)) |(?:the )?user['’]s (?P<en>.+)",
    re.IGNORECASE,
)
_NAME: Final = compile_lazily(r"(?<=[a-z,] )[A-Z][a-z]+")
_SUBJECT_PARTICLES: Final = ("JKS", "JX")
_SELF: Final = ("나", "저")
_HEAD_WORDS: Final = 3
"""Words of an English item among which its subject stands: "User's mother Ann …"."""


@dataclass(frozen=True, slots=True)
class ItemOwners:
    """Whom the known items are about, and whom the messages name."""

    items: tuple[frozenset[int], ...] = ()
    """Relatives, pets and acquaintances by item; none where it is of the user."""
    named: Mapping[int, frozenset[int]] = field(
        default_factory=dict[int, frozenset[int]]
    )
    """Those that a message names, by its index."""
    asked: Mapping[int, frozenset[int]] = field(
        default_factory=dict[int, frozenset[int]]
    )
    """Those that the assistant named just before it."""

    def is_of_another(
        self, candidate: ClauseCandidate, place: int, item: KnownMemory
    ) -> bool:
        """Tell whether an item is somebody's of whom a clause does not speak."""
        owners = self.items[place] if self.items else frozenset[int]()
        message = candidate.clause.message
        if not owners and is_of_user(item.content):
            return _has_other_subject(candidate, item.content)
        if not owners or owners & self.named.get(message, frozenset()):
            return False
        if candidate.flags["me"]:
            return True
        around = [self.asked.get(message, frozenset[int]())]
        around += [who for index, who in self.named.items() if index < message]
        return not any(owners & who for who in around) and not _is_item_named(
            candidate, item.content
        )


def find_item_owners(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    morphology: Morphology,
) -> ItemOwners:
    """Return whom each known item is about, and whom each message names."""
    items = tuple(_find_owners(item.content, morphology) for item in known)
    if not any(items):
        return ItemOwners()
    turns = {each.clause.message: each.turn for each in candidates}
    named = {
        index: extract_relatives(turn.text, morphology) for index, turn in turns.items()
    }
    asked = {
        index: extract_relatives(turn.asked, morphology)
        for index, turn in turns.items()
    }
    return ItemOwners(items, named, asked)


def is_of_user(content: str) -> bool:
    """Tell whether the subject of a memory is its user."""
    return _OF_USER.match(content) is not None


def _has_other_subject(candidate: ClauseCandidate, content: str) -> bool:
    """Tell whether a clause is about somebody whom a memory of the user does not name.

    "My flatmate isn't vegan anymore" ends nothing of the user's own.
    """
    clause, morphology = candidate.clause, get_shared_morphology()
    told_of = find_subject_relatives(clause.text, morphology)
    if told_of:
        return told_of.isdisjoint(extract_relatives(content, morphology))
    return has_hangul(clause.text) and _has_other_korean_subject(clause, content)


def _has_other_korean_subject(clause: Clause, content: str) -> bool:
    """Tell the same where the subject may have no particle: "우리 엄마 커피 끊었어"."""
    said = find_predicate(clause.text, clause.morphemes)
    if said is None or any(m.form in _SELF for m in clause.morphemes):
        return False
    subject = find_subject(clause.morphemes, said, None, own=False)
    if subject.kind is not Subject.SOMEBODY or subject.phrase is None:
        return False
    return get_head(clause.morphemes, subject.phrase) not in content


def has_other_owner(known: str, new: str, message: str, morphology: Morphology) -> bool:
    """Tell whether of two memories one is of the user, and one of somebody else.

    Whoever is named in the other one, or in the message that it came of, may be meant.
    """
    for one, other, beside in ((known, new, message), (new, known, "")):
        owners = _find_owners(one, morphology)
        if owners and is_of_user(other):
            return owners.isdisjoint(extract_relatives(f"{other} {beside}", morphology))
    return False


def _find_owners(content: str, morphology: Morphology) -> frozenset[int]:
    told = _OF_SOMEBODY.match(content)
    if told is None:
        return frozenset()
    words = told["ko"] or " ".join(told["en"].split()[:_HEAD_WORDS])
    return extract_relatives(words, morphology)


def _is_item_named(candidate: ClauseCandidate, content: str) -> bool:
    """Tell whether the subject of a clause, or a name in it, stands in an item."""
    for noun, particle in pairwise(candidate.clause.morphemes):
        is_subject = noun.tag[0] == "N" and particle.tag in _SUBJECT_PARTICLES
        if is_subject and len(noun.form) > 1 and noun.form in content:
            return True
    words = set(candidate.clause.text.lower().split())
    return any(name.lower() in words for name in _NAME.findall(content))
