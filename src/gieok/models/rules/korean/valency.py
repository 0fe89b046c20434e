"""Tells whether a finished Korean sentence names who does what to what.

Korean leaves away what talk makes plain; a memory is read without the talk.
"11월 14일로 잡았다" says nothing without what was fixed for then.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.models.rules.korean.edits import USER
from gieok.models.rules.korean.endings import Predicate, find_main_verb, get_verb
from gieok.models.rules.korean.phrases import NounPhrase, is_embedded
from gieok.models.rules.korean.subjects import (
    BEING,
    CIRCUMSTANCES,
    FEELINGS,
    PERSONAL,
    PLACES,
    ROLES,
    TRANSITIVE,
    get_head,
    is_age,
    is_expecting,
    is_person,
    is_school_year,
)
from gieok.models.rules.korean.vocabulary import KIN, NAMED_ATTRIBUTES, OCCUPATIONS
from gieok.models.rules.lexicon import ACQUAINTANCES_KO
from gieok.text.kiwi import Morph
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.korean", "soundness.toml")

_PERSONS: Final = BEING | OCCUPATIONS | KIN | ROLES | ACQUAINTANCES_KO
"""What somebody may be said to be."""
_OF_PLACES: Final = _LISTS.get_words("of_places")
_REPORTED: Final = _LISTS.get_words("reported")
_USER: Final = compile_lazily(rf"{USER}네?(?:는|은|도|가|만) ")
_NOUNS: Final = ("NNG", "NNP", "XSN")
_TOPICS: Final = ("은", "는")
_ADDED: Final = ("도", "만")
_AGES: Final = ("살", "세", "년생", "개월", "학년", "단", "급", "등급")
_TOGETHER: Final = frozenset({"혼자", "둘이", "셋이", "넷이", "같이", "함께", "따로"})
_OF_COMPANY: Final = ("먹", "사", "살", "지내")
"""What alone or together says enough of: Kiwi reads "혼자 산다" as 사 or 살."""
_MEALS: Final = frozenset({"아침", "점심", "저녁"})
_EATING: Final = ("먹", "드시", "거르", "굶", "챙기")
_FELT_OF: Final = ("싫", "좋", "무섭", "밉", "그립", "부럽")
"""What somebody feels of something, which has to be named: "아주 싫다"."""
_PURPOSES: Final = ("러", "으러", "려고", "으려고", "고", "어", "아")


@dataclass(frozen=True, slots=True)
class FinishedSentence:
    """A sentence that is to be remembered, as Kiwi reads it."""

    text: str
    morphemes: tuple[Morph, ...]
    said: Predicate
    phrases: tuple[NounPhrase, ...]
    probability: float
    """The logarithm of how probable a morpheme of it is on average."""

    @property
    def is_about_user(self) -> bool:
        """Whether it opens with the user as its subject."""
        return _USER.match(self.text) is not None


def is_without_subject(read: FinishedSentence) -> bool:
    """Tell whether nothing says whom or what the last predicate is about."""
    return not read.is_about_user and not any(
        _can_be_subject(read.morphemes, p)
        and not p.marked_place
        and get_head(read.morphemes, p) not in CIRCUMSTANCES
        and not (p.is_subject and is_embedded(read.morphemes, p))
        for p in read.phrases
    )


def _can_be_subject(morphemes: Sequence[Morph], phrase: NounPhrase) -> bool:
    """Tell whether a phrase is marked as the subject; "… too" only of persons."""
    if phrase.is_subject or phrase.tag != "JX":
        return phrase.is_subject
    added = phrase.particle in _ADDED and is_person(morphemes, phrase)
    return phrase.particle in _TOPICS or added


def has_wrong_subject(read: FinishedSentence) -> bool:
    """Tell whether who stands as the subject cannot be what is said of them."""
    if not read.is_about_user:
        return _is_misnamed(read)
    morphemes, said = read.morphemes, read.said
    others = [p for p in read.phrases[1:] if p.after <= said.place + 1]
    if any(p.is_topic and _is_about_another(morphemes, p) for p in others):
        return True
    if get_verb(morphemes, said) == "되" and _is_mere_time(morphemes, said):
        return True
    if said.tag == "VCP":
        return not _is_description(morphemes, said)
    described = morphemes[find_main_verb(morphemes, said)].tag in ("VA", "XSA")
    return described and get_verb(morphemes, said) not in FEELINGS and not others


def _is_mere_time(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether only a time has passed: "6년 됐다" says not since when."""
    before = [m for m in morphemes[2 : said.place] if m.tag != "MAG"]
    return bool(before) and all(m.tag in ("SN", "NR", "NNB", "MM") for m in before)


def _is_about_another(morphemes: Sequence[Morph], phrase: NounPhrase) -> bool:
    """Tell whether a topic beside the user is a person, or a name or age of one."""
    if phrase.marked_place:
        return False
    return is_person(morphemes, phrase) or get_head(morphemes, phrase) in PERSONAL


def _is_misnamed(read: FinishedSentence) -> bool:
    """Tell whether a person is said to be something that nobody is."""
    said, morphemes = read.said, read.morphemes
    if said.tag != "VCP" or _is_known_description(morphemes, said):
        return False
    joined = any(m.tag == "EC" for m in morphemes[: said.place])
    named = [p for p in read.phrases if p.tag != "JKG"][:1]
    return not joined and any(
        is_person(morphemes, p) and get_head(morphemes, p) not in NAMED_ATTRIBUTES
        for p in named
    )


def _is_known_description(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether the noun of the predicate is known to be what somebody is."""
    before = morphemes[: said.place + 1]
    nouns = [m.form for m in before if m.tag.startswith(("N", "XSN", "SL"))]
    if is_age(morphemes, said) or is_school_year(morphemes, said):
        return True
    if len(nouns) < 2:  # noqa: PLR2004  (somebody, and what they are)
        return False
    said_to_be = {nouns[-1], "".join(nouns[-2:])}
    known = not said_to_be.isdisjoint(_PERSONS) or is_expecting(morphemes)
    return known or any(m.tag == "JKS" for m in before)


def _is_description(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether the noun of the predicate can be what the user is.

    Nobody is a day, a sum or a place: who is said to be one was not the subject.
    """
    if _is_known_description(morphemes, said):
        return True
    before = [
        m for m in morphemes[: said.place + 1] if m.tag.startswith(("N", "XSN", "SL"))
    ]
    last = before[-1]
    expects = is_expecting(morphemes)
    aged = last.form in _AGES or is_age(morphemes, said)
    measured = last.tag in ("NNB", "NR") and not (aged or expects)
    return len(before) > 1 and not (measured or last.form in CIRCUMSTANCES | PLACES)


def is_without_object(read: FinishedSentence) -> bool:
    """Tell whether the last verb wants something or some place that is not named."""
    morphemes, said = read.morphemes, read.said
    if any(m.form in _REPORTED for m in morphemes):
        return False
    place = find_main_verb(morphemes, said)
    verb, form = get_verb(morphemes, said), morphemes[place].form
    if verb in _FELT_OF and read.is_about_user:
        nominal = any(m.tag == "ETN" for m in morphemes[:place])
        return not (nominal or read.phrases[1:])
    if form in _OF_COMPANY and any(m.form in _TOGETHER for m in morphemes[:place]):
        return False
    times = CIRCUMSTANCES - _MEALS if form in _EATING else CIRCUMSTANCES
    named = [
        p
        for p in read.phrases[read.is_about_user :]
        if p.last < place and (p.tag == "JKO" or not _is_when(morphemes, p, times))
    ]
    if verb in _OF_PLACES or form in _OF_PLACES:
        purposes = (m for m in morphemes[:place] if m.tag == "EC")
        return not named and not any(m.form in _PURPOSES for m in purposes)
    if morphemes[place].tag != "VV" or form not in TRANSITIVE:
        return False
    return not any(_can_be_object(p) for p in named)


def _is_when(
    morphemes: Sequence[Morph], phrase: NounPhrase, times: Collection[str]
) -> bool:
    """Tell whether a phrase only says when or how many; a dog (개) is none of it."""
    head = get_head(morphemes, phrase)
    return head in times and (head, morphemes[phrase.last].tag) != ("개", "NNG")


def _can_be_object(phrase: NounPhrase) -> bool:
    """Tell whether a phrase is marked so that it can be an object."""
    topic = phrase.tag == "JX" and not phrase.marked_place
    return phrase.tag == "JKO" or topic or not phrase.particle


def has_bare_noun(read: FinishedSentence) -> bool:
    """Tell whether a noun stands before a verb that wants it with a particle."""
    morphemes = read.morphemes
    place = find_main_verb(morphemes, read.said)
    verb = morphemes[place]
    if verb.tag != "VV" or verb.form in TRANSITIVE:
        return False
    before = place - 1
    while before > 0 and morphemes[before].tag == "MAG":
        before -= 1
    noun = morphemes[max(0, before)]
    bare = noun.tag in _NOUNS and noun.end < verb.start
    placed = verb.form in _OF_PLACES and not _is_name(morphemes, before)
    return bare and noun.form not in CIRCUMSTANCES and not placed


def _is_name(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether the word up to a noun begins as a name that is no place."""
    one = morphemes[place]
    before = morphemes[place - 1] if place else one
    first = before if before.end == one.start else one
    return first.tag == "NNP" and first.form not in PLACES


def has_unnamed_reason(read: FinishedSentence) -> bool:
    """Tell whether it opens with what somebody is who is not named ("간호사라 …")."""
    opening = re.match(r"\S+(?:라|라서) ", read.text)
    named = any(p.particle and p.last == 0 for p in read.phrases)
    return opening is not None and not named and not read.is_about_user
