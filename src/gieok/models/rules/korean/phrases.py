"""Finds the noun phrases of a Korean clause with their particles."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from gieok.text.kiwi import Morph

_NOUN: Final = ("NN", "NR", "NP", "SL", "SN", "XSN", "XPN", "SH")
_PARTICLE: Final = "J"
SUBJECT: Final = ("이", "가", "께서", "께서는")
TOPIC: Final = ("은", "는", "ᆫ")
ADDED: Final = ("도", "두", "만")
_ENDINGS: Final = ("EC", "EF", "ETM", "ETN")


class NounPhrase(NamedTuple):
    """A noun with what stands before it in the same phrase, and its particle."""

    first: int
    """Place of its first morpheme."""
    last: int
    """Place of its head noun."""
    after: int
    """Place after its last particle."""
    particle: str
    """The last particle; empty if there is none."""
    tag: str
    marked_place: bool
    """Whether a particle of place or manner stands before the last ("집에서는")."""

    @property
    def is_topic(self) -> bool:
        """Whether it is marked as what the clause is about."""
        return self.tag == "JX" and self.particle in TOPIC

    @property
    def is_subject(self) -> bool:
        """Whether it is marked as the subject."""
        return self.tag in ("JKS", "JKC")


def list_noun_phrases(morphemes: Sequence[Morph]) -> Iterator[NounPhrase]:
    """Yield the noun phrases in order; nouns that no particle parts are one phrase."""
    place = 0
    while place < len(morphemes):
        if not morphemes[place].tag.startswith(_NOUN):
            place += 1
            continue
        first = place
        while place < len(morphemes) and morphemes[place].tag.startswith(_NOUN):
            place += 1
            if place < len(morphemes) and morphemes[place].tag == "NP":
                break
        last = place - 1
        while place < len(morphemes) and morphemes[place].tag[0] == _PARTICLE:
            place += 1
        yield _build_phrase(morphemes, first, last, place)


def _build_phrase(
    morphemes: Sequence[Morph], first: int, last: int, after: int
) -> NounPhrase:
    particles = morphemes[last + 1 : after]
    closing = particles[-1] if particles else None
    return NounPhrase(
        first,
        last,
        after,
        closing.form if closing else "",
        closing.tag if closing else "",
        any(m.tag == "JKB" for m in particles[:-1]),
    )


def find_next_ending(morphemes: Sequence[Morph], place: int) -> Morph | None:
    """Return the first verbal ending after a place."""
    return next((m for m in morphemes[place:] if m.tag in _ENDINGS), None)


def is_embedded(morphemes: Sequence[Morph], phrase: NounPhrase) -> bool:
    """Tell whether the phrase belongs to a clause before a noun ("내가 만든 룰")."""
    ending = find_next_ending(morphemes, phrase.after)
    while (
        ending is not None and ending.tag == "EC" and _has_auxiliary(morphemes, ending)
    ):
        place = morphemes.index(ending)
        ending = find_next_ending(morphemes, place + 1)
    if ending is None or ending.tag != "ETM":
        return False
    rest = [m for m in morphemes if m.start >= ending.end]
    if any(m.form == "지나" and m.end == ending.start for m in morphemes):
        return False  # "지난주에": a time, no clause
    return not (
        rest and rest[0].form in ("거", "것", "수", "적", "지", "편", "듯", "중")
    )


def _has_auxiliary(morphemes: Sequence[Morph], ending: Morph) -> bool:
    """Tell whether an auxiliary follows a connecting ending ("밝아진")."""
    place = morphemes.index(ending) + 1
    return place < len(morphemes) and morphemes[place].tag == "VX"


def find_last_clause(morphemes: Sequence[Morph], predicate: int) -> tuple[int, str]:
    """Return where the clause of a predicate begins, and how the one before it ends."""
    found = (0, "")
    for place, (one, other) in enumerate(pairwise(morphemes[: predicate + 1])):
        joined = one.tag == "EC" and other.tag != "VX" and place + 1 < predicate
        if joined and one.form not in ("게", "어야", "아야", "지"):
            found = (place + 1, one.form)
    return found
